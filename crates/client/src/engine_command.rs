//! How an engine is started, and why it cannot be used.

use std::ffi::OsString;
use std::fmt::{self, Display};
use std::path::Path;
use std::str::FromStr;
use std::{env, io};

use thiserror::Error;

use kalah::board::MovesError;
use kalah::printable::printable;

/// A program with its arguments. `parse` reads a command line as a shell does, `Display` writes the name.
///
/// ```
/// use kalah_client::EngineCommand;
///
/// let command: EngineCommand = "bin/engine --hash '64 MiB'".parse()?;
/// assert_eq!(command.name, "engine");
/// assert_eq!(command.arguments, ["--hash", "64 MiB"]);
/// # Ok::<(), kalah_client::NotACommand>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// What people and the log call it.
    pub name: String,
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory; that of this process if `None`.
    pub directory: Option<String>,
}

/// A text that is not a command line: it is empty, or has an open quotation mark.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a command: an engine needs a command, with both of its quotation marks")]
pub struct NotACommand(pub String);

impl EngineCommand {
    /// A program without arguments.
    pub fn new(name: &str, program: impl Into<OsString>) -> EngineCommand {
        let (name, program) = (name.to_owned(), program.into());
        EngineCommand { name, program, arguments: Vec::new(), directory: None }
    }

    /// The program that runs now, which is an engine without arguments.
    ///
    /// # Errors
    /// If the system does not tell where it is.
    pub fn this_program() -> io::Result<EngineCommand> {
        Ok(EngineCommand::new("Kalah", env::current_exe()?))
    }
}

impl FromStr for EngineCommand {
    type Err = NotACommand;

    fn from_str(text: &str) -> Result<EngineCommand, NotACommand> {
        let mut words = shell_words::split(text).unwrap_or_default();
        if words.is_empty() {
            return Err(NotACommand(text.to_owned()));
        }
        let program = words.remove(0);
        let file = Path::new(&program).file_name().map(|file| file.to_string_lossy().into_owned());
        let command = EngineCommand::new(file.as_ref().unwrap_or(&program), &program);
        Ok(EngineCommand { arguments: words, ..command })
    }
}

impl Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.name))
    }
}

/// Why an engine cannot be used. What an engine says stands in the messages as it is, control characters too.
#[allow(missing_docs, reason = "the messages say what the fields are")]
#[derive(Debug, Error)]
pub enum UciError {
    /// The system cannot start the program.
    #[error("cannot start '{}'{}: {source}", command.program.display(),
        command.directory.as_ref().map_or(String::new(), |place| format!(" in '{place}'")))]
    CannotStart { command: EngineCommand, source: io::Error },
    /// The program has ended or closed its output: its exit status and its last words. These and the next two
    /// end with the first error message that it has sent since it was asked, if any.
    #[error("{0}")]
    Ended(String),
    /// A reply that the protocol asks for did not come in time.
    #[error("{0}")]
    NoReply(String),
    /// A move that is not legal, or none.
    #[error("illegal move: {0}")]
    IllegalMove(String),
    /// The engine does not have an option.
    #[error("it has no option '{0}'")]
    NoOption(String),
    /// The engine does not take the value of an option, or has replied to it with an error.
    #[error("{0}")]
    Refused(String),
    /// The moves before the position are not legal.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// The stop token was stopped.
    #[error("stopped")]
    Stopped,
}

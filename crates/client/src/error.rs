//! Why an engine cannot be used.

use std::io;

use thiserror::Error;

use kalah::board::MovesError;

use crate::engine_command::EngineCommand;

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

//! Engine processes of a page.

use std::ffi::OsString;
use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use serde_json::json;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

use kalah::StopToken;
use kalah::engine::path_options;
use kalah::printable::printable;
use kalah::protocol::InputLine;
use kalah_arena::process::{EngineProcess, ReadError};

/// Lines that an engine has not read yet.
const MAX_UNREAD: usize = 1000;

/// Lines that are sent to the page together.
const MAX_TOGETHER: usize = 64;

/// An engine that the page can start.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// What the page calls it.
    name: String,
    program: OsString,
    arguments: Vec<String>,
}

/// A text is not a command.
#[derive(Debug, Error)]
pub enum NotACommand {
    /// It has an open quotation mark.
    #[error("'{0}' has a quotation mark without its partner")]
    Quotation(String),
    /// It is empty.
    #[error("an engine needs a command")]
    Empty,
}

impl EngineCommand {
    /// A program with its name.
    pub fn new(name: &str, program: impl Into<OsString>) -> EngineCommand {
        EngineCommand { name: name.to_owned(), program: program.into(), arguments: Vec::new() }
    }

    /// A program with its arguments, quoted as in a shell.
    ///
    /// # Errors
    /// Returns an error if the text names no program.
    pub fn parse(command: &str) -> Result<EngineCommand, NotACommand> {
        let words = shell_words::split(command);
        let mut words = words.map_err(|_| NotACommand::Quotation(command.to_owned()))?.into_iter();
        let program = words.next().ok_or(NotACommand::Empty)?;
        let file = std::path::Path::new(&program).file_name();
        let name = file.map_or(program.clone(), |file| file.to_string_lossy().into_owned());
        Ok(EngineCommand { name, program: program.into(), arguments: words.collect() })
    }
}

impl Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.name))
    }
}

/// An engine that runs; it ends when this is dropped.
pub(super) struct RunningEngine {
    input: Sender<Vec<u8>>,
    stop: StopToken,
}

impl Drop for RunningEngine {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl RunningEngine {
    /// Starts an engine in a thread of its own, which sends its lines to the page as events of this
    /// name.
    pub(super) async fn start(
        command: &EngineCommand,
        name: &str,
        permit: OwnedSemaphorePermit,
        events: mpsc::Sender<String>,
        stop: &StopToken,
    ) -> Result<RunningEngine, String> {
        let (started, is_started) = oneshot::channel();
        let (command, name, stop) = (command.clone(), name.to_owned(), stop.child());
        let token = stop.clone();
        // The page's name for it can have a zero, which the name of a thread cannot.
        let thread = std::thread::Builder::new().name("gui engine".to_owned());
        let spawned = thread.spawn(move || {
            let EngineCommand { name: called, program, arguments } = &command;
            match EngineProcess::spawn(called, program, arguments, None) {
                Ok(process) => {
                    let _ = started.send(process.input().ok_or_else(|| "no input".to_owned()));
                    forward(process, &name, &events, &token);
                    token.stop();
                }
                Err(error) => drop(started.send(Err(error.to_string()))),
            }
            drop(permit);
        });
        spawned.map_err(|error| error.to_string())?;
        let input = is_started.await.map_err(|_| "its thread has ended".to_owned())?;
        Ok(RunningEngine { input: input?, stop })
    }

    /// Queues a line for the engine; the error says why not.
    pub(super) fn send(&self, line: &str) -> Result<(), &'static str> {
        if line.contains(['\n', '\r']) {
            return Err("a line has no line breaks");
        }
        let option = line.trim().strip_prefix("setoption").map(str::trim_start);
        let option = option.and_then(|option| option.strip_prefix("name")).unwrap_or("");
        let names_it = |name: &str| {
            let mut words = option.split_whitespace();
            name.split(' ').all(|word| words.next().is_some_and(|it| it.eq_ignore_ascii_case(word)))
        };
        if path_options().any(names_it) {
            return Err("a page may not set options that name files");
        }
        if self.stop.is_stopped() {
            return Err("the engine has ended");
        }
        if self.input.len() >= MAX_UNREAD {
            return Err("the engine does not read what is sent to it");
        }
        self.input.send(format!("{line}\n").into_bytes()).map_err(|_| "the engine has ended")
    }
}

/// Sends the lines of an engine to the page until one of them ends.
fn forward(
    mut process: EngineProcess,
    name: &str,
    events: &mpsc::Sender<String>,
    stop: &StopToken,
) {
    const LONG: Duration = Duration::from_hours(1);
    loop {
        let first = match process.next_line(Instant::now() + LONG, stop) {
            Ok((_, line)) => line,
            Err(ReadError::TimedOut) => continue,
            Err(ReadError::Stopped) => return,
            Err(ReadError::Closed) => {
                let reason = printable(&process.post_mortem()).into_owned();
                stop.stop();
                let event = json!({"event": "ended", "name": name, "reason": reason});
                let _ = events.blocking_send(event.to_string());
                return;
            }
        };
        let mut lines = vec![first];
        lines.extend(std::iter::from_fn(|| process.ready_line()).take(MAX_TOGETHER));
        let texts = lines.into_iter().filter_map(|line| match line {
            InputLine::Text(text) => Some(printable(&text).into_owned()),
            _ => None,
        });
        let texts: Vec<String> = texts.collect();
        // A page that does not keep up misses news of a search, but never its answer.
        let is_news = texts.iter().all(|text| text.starts_with("info "));
        let event = json!({"event": "lines", "name": name, "lines": texts}).to_string();
        let sent = match events.try_send(event) {
            Err(mpsc::error::TrySendError::Full(_)) if is_news => Ok(()),
            Err(mpsc::error::TrySendError::Full(event)) => {
                events.blocking_send(event).map_err(|_| ())
            }
            Err(mpsc::error::TrySendError::Closed(_)) => Err(()),
            Ok(()) => Ok(()),
        };
        if sent.is_err() {
            return;
        }
    }
}

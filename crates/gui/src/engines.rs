//! Engine processes of a page.

use crossbeam_channel::Sender;
use serde_json::json;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

use kalah::StopToken;
use kalah::engine::path_options;
use kalah::printable::printable;
use kalah::protocol::InputLine;
use kalah_client::{EngineCommand, EngineProcess, ReadError};

/// Lines that an engine has not read yet.
const MAX_UNREAD: usize = 1000;

/// Lines that are sent to the page together.
const MAX_TOGETHER: usize = 64;

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
    /// Starts an engine in a thread of its own, which sends its lines to the page under this name.
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
            match EngineProcess::spawn(&command) {
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
        if names_option(line, path_options()) {
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

/// Whether a line names one of these options, wherever the name stands: an engine may ignore what is before it, such
/// as a byte order mark.
pub(super) fn names_option<'a>(line: &str, options: impl IntoIterator<Item = &'a str>) -> bool {
    let words: Vec<&str> =
        line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
    options.into_iter().any(|option| {
        let name: Vec<&str> = ["name"].into_iter().chain(option.split(' ')).collect();
        let is_it = |(word, given): (&&str, &&str)| word.eq_ignore_ascii_case(given);
        words.windows(name.len()).any(|words| words.iter().zip(&name).all(is_it))
    })
}

/// Sends the lines of an engine to the page until one of them ends.
fn forward(
    mut process: EngineProcess,
    name: &str,
    events: &mpsc::Sender<String>,
    stop: &StopToken,
) {
    loop {
        let first = match process.next_line(None, stop) {
            Ok((_, line)) => line,
            Err(ReadError::Stopped | ReadError::TimedOut) => return,
            Err(ReadError::Closed) => {
                let reason = printable(&process.post_mortem()).into_owned();
                stop.stop();
                let event = json!({"event": "ended", "name": name, "reason": reason});
                let _ = events.blocking_send(event.to_string());
                return;
            }
        };
        let others = std::iter::from_fn(|| process.ready_line()).take(MAX_TOGETHER);
        let texts = std::iter::once(first).chain(others).filter_map(|line| match line {
            InputLine::Text(text) => Some(printable(&text).into_owned()),
            _ => None,
        });
        let texts: Vec<String> = texts.collect();
        // A page that does not keep up misses news of a search, but never its answer.
        let is_news = texts.iter().all(|text| text.starts_with("info "));
        let event = json!({"event": "lines", "name": name, "lines": texts}).to_string();
        let is_open = match events.try_send(event) {
            Err(TrySendError::Full(event)) if !is_news => events.blocking_send(event).is_ok(),
            sent => !matches!(sent, Err(TrySendError::Closed(_))),
        };
        if !is_open {
            return;
        }
    }
}

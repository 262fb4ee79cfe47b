//! How a command ends early: by Ctrl-C or SIGTERM, or because of wrong usage.

use std::fmt::Display;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

use anyhow::Context;
use kalah::StopToken;
use kalah::printable::printable;
use thiserror::Error;

/// The exit status after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// The command was stopped by Ctrl-C and has said what there is to say: only the exit status is left to set.
#[derive(Debug, Error)]
#[error("interrupted")]
pub struct Interrupted;

impl Interrupted {
    /// Says that the command was interrupted, and where it goes on from. `finished` names what was
    /// appended to the record, such as `"all finished games"`.
    pub fn with_record(finished: &str, record: Option<&Path>) -> Interrupted {
        let what = match record {
            Some(path) => {
                let path = path.display();
                format!("{finished} are in '{path}', the same command continues from there")
            }
            None => "without --record FILE nothing was kept".to_owned(),
        };
        crate::say!("interrupted: {what}");
        Interrupted
    }
}

/// Says that the command was interrupted, with more after that word. The error sets the exit status.
pub fn interrupted(more: &str) -> anyhow::Error {
    crate::say!("interrupted{more}");
    Interrupted.into()
}

/// Whether a signal is to end the process at once, because it waits for input.
static IS_WAITING: AtomicBool = AtomicBool::new(false);

/// Waits for input, if the token has not stopped.
pub fn wait_for_input<T>(stop: &StopToken, wait: impl FnOnce() -> T) -> Result<T, Interrupted> {
    IS_WAITING.store(true, SeqCst);
    // A signal that came before has stopped the token; one that comes later sees the flag.
    if stop.is_stopped() {
        return Err(Interrupted);
    }
    let input = wait();
    IS_WAITING.store(false, SeqCst);
    Ok(input)
}

/// Signals within this time are one: `timeout` sends its to the process and to its group.
const SAME_SIGNAL: Duration = Duration::from_millis(200);

/// A token that the first Ctrl-C stops. The second ends the process at once.
pub fn stop_on_ctrl_c() -> anyhow::Result<StopToken> {
    let stop = StopToken::new();
    let token = stop.clone();
    let mut first: Option<Instant> = None;
    let handler = ctrlc::set_handler(move || {
        token.stop();
        let is_second = first.get_or_insert_with(Instant::now).elapsed() >= SAME_SIGNAL;
        if is_second || IS_WAITING.load(SeqCst) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    // The error of `ctrlc` does not name the one of the system.
    let handler = handler.map_err(|error| match error {
        ctrlc::Error::System(error) => anyhow::Error::from(error),
        error => error.into(),
    });
    handler.context("cannot start the thread that waits for Ctrl-C")?;
    Ok(stop)
}

/// A wrong argument that only the subcommand could detect. It is reported like clap's own errors,
/// with the usage of the subcommand and status 2.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct UsageError {
    /// The path from the program to the subcommand, as in `["tablebase", "probe"]`.
    pub subcommand: Vec<String>,
    /// What is wrong.
    pub message: String,
}

/// The [`UsageError`] of a subcommand.
pub fn wrong_usage(subcommand: &[&str], error: impl Display) -> UsageError {
    let subcommand = subcommand.iter().map(|&name| name.to_owned()).collect();
    UsageError { subcommand, message: printable(&error.to_string()).into_owned() }
}

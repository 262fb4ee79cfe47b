//! Logging to stderr or a file, never to stdout.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use log::LevelFilter;

/// Where log lines go: the file when there is one, else stderr.
static FILE: Mutex<Option<File>> = Mutex::new(None);

fn file() -> MutexGuard<'static, Option<File>> {
    // A writer that panicked leaves the file as good as it was.
    FILE.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Sink;

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match file().as_mut() {
            Some(file) => file.write(bytes),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match file().as_mut() {
            Some(file) => file.flush(),
            None => io::stderr().flush(),
        }
    }
}

const LEVEL_VARIABLE: &str = "RUST_LOG";

/// Sets logging up for the process: warnings and errors, or what the environment variable
/// `RUST_LOG` asks for. Further calls do nothing.
pub fn init() {
    let environment = env_logger::Env::default().filter_or(LEVEL_VARIABLE, "debug");
    let logger = env_logger::Builder::from_env(environment)
        .target(env_logger::Target::Pipe(Box::new(Sink)))
        .format_timestamp_millis()
        .try_init();
    if logger.is_ok() && std::env::var_os(LEVEL_VARIABLE).is_none() {
        set_verbose(false);
    }
}

/// Logs every line said and heard, or warnings and errors only.
pub(super) fn set_verbose(verbose: bool) {
    log::set_max_level(if verbose { LevelFilter::Debug } else { LevelFilter::Warn });
}

/// Logs to the end of a file from now on, made when it is not there; to stderr when `None`.
pub(super) fn set_file(path: Option<&Path>) -> io::Result<()> {
    let opened =
        path.map(|path| OpenOptions::new().create(true).append(true).open(path)).transpose()?;
    *file() = opened;
    Ok(())
}

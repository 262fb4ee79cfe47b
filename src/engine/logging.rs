//! Logging to stderr or a file, never to stdout.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use env_logger::{Builder, Target};
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

/// The target of lines said and heard; what is logged of it is settled by the level alone.
pub(super) const TRAFFIC: &str = "traffic";

/// What the environment asks for.
static LEVEL: OnceLock<LevelFilter> = OnceLock::new();

/// Sets logging up for the process: warnings and errors, or what the environment variable
/// `RUST_LOG` asks for. Further calls do nothing.
pub fn init() {
    let level = *LEVEL.get_or_init(|| from_environment().build().filter());
    let logger = from_environment()
        .filter_module(TRAFFIC, LevelFilter::Debug)
        .target(Target::Pipe(Box::new(Sink)))
        .format_timestamp_millis()
        .try_init();
    if logger.is_ok() {
        log::set_max_level(level);
    }
}

fn from_environment() -> Builder {
    let mut builder = Builder::new();
    builder.filter_level(LevelFilter::Warn).parse_default_env();
    builder
}

/// Logs every line said and heard, or what the environment asks for.
pub(super) fn set_verbose(verbose: bool) {
    let level = LEVEL.get().copied().unwrap_or(LevelFilter::Warn);
    log::set_max_level(if verbose { level.max(LevelFilter::Debug) } else { level });
}

/// Logs to the end of a file from now on, made when it is not there; to stderr when `None`.
pub(super) fn set_file(path: Option<&Path>) -> io::Result<()> {
    let open = |path: &Path| {
        // To open a pipe would wait for a reader.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
        }
        OpenOptions::new().create(true).append(true).open(path)
    };
    *file() = path.map(open).transpose()?;
    Ok(())
}

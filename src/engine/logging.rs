//! The output of log lines: stderr or a file, never stdout. The program installs the logger.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use log::LevelFilter;

use crate::lock::lock;
use crate::printable::printable;
use crate::regular_file;

/// The file of the option `Log File`.
static FILE: Mutex<Option<File>> = Mutex::new(None);

/// The target of log records that hold a line of the protocol. A logger passes all on: the level decides.
pub const TRAFFIC_TARGET: &str = "traffic";

/// The level while `debug` is off.
static LEVEL: OnceLock<LevelFilter> = OnceLock::new();

/// Writes log lines to the file of the option `Log File`, or to stderr.
#[derive(Clone, Copy, Debug)]
pub struct LogOutput;

impl Write for LogOutput {
    /// Writes one log line. It may contain what an engine or a GUI has said.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let (line, end) = text.strip_suffix('\n').map_or((&*text, ""), |line| (line, "\n"));
        let text = format!("{}{end}", printable(line));
        match lock(&FILE).as_mut() {
            Some(file) => file.write_all(text.as_bytes())?,
            None => io::stderr().write_all(text.as_bytes())?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match lock(&FILE).as_mut() {
            Some(file) => file.flush(),
            None => io::stderr().flush(),
        }
    }
}

/// Sets the level of log lines while `debug` is off. Only the first call counts.
pub fn set_log_level(level: LevelFilter) {
    log::set_max_level(*LEVEL.get_or_init(|| level));
}

/// Logs the lines of the protocol, or goes back to the level set.
pub(super) fn set_verbose(is_verbose: bool) {
    let level = LEVEL.get().copied().unwrap_or(LevelFilter::Warn);
    log::set_max_level(if is_verbose { level.max(LevelFilter::Debug) } else { level });
}

/// Appends log lines to a file from now on, which is created if it does not exist; `None` for stderr.
pub(super) fn set_file(path: Option<&Path>) -> io::Result<()> {
    let open =
        |path: &Path| regular_file::open_with(path, OpenOptions::new().create(true).append(true));
    *lock(&FILE) = path.map(open).transpose()?;
    Ok(())
}

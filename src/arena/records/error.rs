//! What can be wrong with records.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A file of records that cannot be used.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error("cannot {what} '{}'", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A line is no record of a game.
    #[error("'{}', line {line}: {reason}", path.display())]
    InvalidLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// Another tournament writes to the file.
    #[error("'{}' is being written to by another tournament", .0.display())]
    Busy(PathBuf),
    /// The file holds games of another tournament.
    #[error("'{}' is of another tournament: {reason}", path.display())]
    OtherTournament {
        /// The file.
        path: PathBuf,
        /// In what it differs.
        reason: String,
    },
    /// There is nothing to read.
    #[error("there are no games in the record")]
    NoGames,
}

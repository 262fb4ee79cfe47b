//! What goes wrong in a course.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::board::BoardError;
use crate::search::NetworkFileError;

/// Why a course came to no network.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// The course cannot be what it is to be.
    #[error("{0}")]
    Course(String),
    /// A start of the games is no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The folder is that of another course.
    #[error("'{}' is the folder of another course; give another, or remove it", .0.display())]
    OtherCourse(PathBuf),
    /// A file of the course cannot be read or written.
    #[error("'{}': {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of the course is not what it should be.
    #[error("'{}': {reason}; remove it to have it made anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A network of the course cannot be read.
    #[error("'{}': {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// Why.
        source: NetworkFileError,
    },
    /// There was nothing to learn from.
    #[error("no positions to learn from: the games are over too soon on this board")]
    Nothing,
    /// Somebody wanted it to end.
    #[error("interrupted")]
    Interrupted,
}

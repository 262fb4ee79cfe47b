//! Errors of books.

use std::error::Error as _;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::board::Rules;
use crate::solve::SolveError;

/// A book cannot be built, read or verified.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// A file cannot be read or written, or its contents are wrong.
    #[error("'{}'", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: BookFileError,
    },
    /// Two books, or a book and a board, have different rules.
    #[error(
        "the book is for {} houses and {} capture, not for {} houses and {} capture",
        found.houses(), found.capture(), expected.houses(), expected.capture()
    )]
    Rules {
        /// The rules needed.
        expected: Rules,
        /// The rules of the book.
        found: Rules,
    },
    /// Two books have different margins of the same position: one of them is wrong.
    #[error("two books contradict each other about {0}")]
    Contradiction(String),
    /// A position was not solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl BookError {
    /// The error and its causes on one line.
    pub(crate) fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        text
    }
}

/// The file of a book cannot be read or written, or its contents are wrong.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookFileError {
    /// The system cannot read or write it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The magic bytes at the start are missing.
    #[error("not a book file")]
    Magic,
    /// The format version is unknown.
    #[error("format version {found} is not supported, only version {expected}")]
    Version {
        /// The version of the file.
        found: u16,
        /// The supported version.
        expected: u16,
    },
    /// The header is damaged.
    #[error("the header is damaged")]
    Header,
    /// The file is truncated, or has more bytes after its end.
    #[error("the file has {found} bytes instead of {expected}")]
    Length {
        /// The length according to the header.
        expected: u64,
        /// The length of the file.
        found: u64,
    },
    /// The index of the blocks is damaged.
    #[error("the index is damaged")]
    Index,
    /// A block is damaged.
    #[error("block {0} is damaged")]
    Block(usize),
    /// The book has more positions than a file can hold.
    #[error("the book is too large")]
    TooLarge,
}

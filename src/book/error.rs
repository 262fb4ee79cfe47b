//! Errors of books.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::board::Rules;
use crate::file_header::FileHeaderError;
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
    #[error("the book is for {found}, not for {expected}")]
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

/// The file of a book cannot be read or written, or its contents are wrong.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookFileError {
    /// The system cannot read or write it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The header is wrong, or the length of the file.
    #[error(transparent)]
    Header(#[from] FileHeaderError),
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

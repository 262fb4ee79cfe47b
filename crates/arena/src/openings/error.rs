//! Errors of opening books, and the limits on their size.

use std::io;

use thiserror::Error;

use kalah::board::FenError;
use kalah::search::TableTooLarge;

/// The maximum number of positions of a source. Each takes 36 bytes, and 72 more while the list
/// is made.
pub(super) const MAX_POSITIONS: usize = 5_000_000;

/// Random draws in a row without a new position before a source counts as exhausted.
pub(super) const MAX_DRAWS: u32 = 1_000;

/// Why there are no openings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// All games are over after this number of plies.
    #[error("all games are over after {0} plies from this start: use fewer")]
    AllOver(u32),
    /// All random games were over after this number of plies.
    #[error("all {MAX_DRAWS} random games were over after {0} plies from this start: use fewer")]
    NoneDrawn(u32),
    /// There are more positions than a list can hold.
    #[error(
        "more than {MAX_POSITIONS} positions after {ply} plies: use fewer plies, or draw some of \
         them with random={plies}"
    )]
    TooMany {
        /// Plies from the start, as set.
        plies: u32,
        /// Plies after which there are too many positions.
        ply: u32,
    },
    /// None of this number of positions passes the filter.
    #[error("none of {0} positions has an expected margin this small")]
    NoneWithin(u64),
    /// The file cannot be read.
    #[error("cannot read openings from '{path}'")]
    Unreadable {
        /// The file.
        path: String,
        /// The reason.
        source: io::Error,
    },
    /// A line of the file is not an opening of this game.
    #[error("line {line} of '{path}'")]
    Line {
        /// The file.
        path: String,
        /// The number of the line, from 1.
        line: usize,
        /// The reason.
        source: OpeningLineError,
    },
    /// The file has no positions.
    #[error("'{0}' has no positions")]
    EmptyFile(String),
    /// The file has more positions than a list can hold.
    #[error("'{0}' has more than {MAX_POSITIONS} positions")]
    FileTooLong(String),
    /// The table of the filter's searches does not fit in memory.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
}

/// What is wrong with a line of a file of openings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningLineError {
    /// It is not a position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// It is a position on another board.
    #[error("{found} houses a side, but the game has {expected}")]
    Houses {
        /// Houses a side of the game.
        expected: usize,
        /// Houses a side of the position.
        found: usize,
    },
    /// The game is over in this position.
    #[error("the game is over in this position")]
    Over,
}

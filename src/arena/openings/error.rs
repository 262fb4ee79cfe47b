//! What can be wrong with openings.

use std::io;

use thiserror::Error;

use super::{MOST_POSITIONS, walks};
use crate::board::FenError;
use crate::search::TableTooLarge;

/// Why there are no openings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// There is nothing left to play after so many plies.
    #[error("no game goes on after {plies} plies from this start: take fewer")]
    AllOver {
        /// Plies from the start.
        plies: u32,
    },
    /// As far as random games tell, there is nothing left to play after so many plies.
    #[error(
        "none of {} random games goes on after {plies} plies from this start: take fewer",
        walks::MOST_DRAWS
    )]
    NoneDrawn {
        /// Plies from the start.
        plies: u32,
    },
    /// More positions than are listed.
    #[error(
        "more than {MOST_POSITIONS} positions after {ply} plies: take fewer plies, or draw some \
         of them by random={plies}"
    )]
    TooMany {
        /// Plies from the start that were asked for.
        plies: u32,
        /// Plies after which there are too many.
        ply: u32,
    },
    /// No position passes the filter.
    #[error("none of {examined} positions has so small an expected margin")]
    NoneWithin {
        /// Positions that were searched.
        examined: u64,
    },
    /// The file cannot be read.
    #[error("cannot read openings from '{path}'")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A line of the file is no opening of this game.
    #[error("line {line} of '{path}'")]
    Line {
        /// The file.
        path: String,
        /// Which line, counted from 1.
        line: usize,
        /// Why.
        source: OpeningLineError,
    },
    /// The file has no positions.
    #[error("'{path}' has no positions")]
    EmptyFile {
        /// The file.
        path: String,
    },
    /// The file has more positions than are listed.
    #[error("'{path}' has more than {MOST_POSITIONS} positions")]
    LongFile {
        /// The file.
        path: String,
    },
    /// The table of the filter's searches does not fit in memory.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
}

/// What is wrong with a line of a file of openings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningLineError {
    /// It is no position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// It is a position of another game.
    #[error("{found} houses a side in a game with {expected}")]
    Houses {
        /// Houses a side of the game.
        expected: usize,
        /// Houses a side of the position.
        found: usize,
    },
    /// There is nothing left to play.
    #[error("the game is over in this position")]
    Over,
}

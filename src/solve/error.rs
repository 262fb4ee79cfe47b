//! Why a position is not solved.

use thiserror::Error;

use crate::tablebase::TablebaseError;

/// A position that was not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// There are more positions than the solver can tell apart.
    #[error(
        "{seeds} seeds in the houses of a board of {houses} houses a side: too many to solve \
             (at most {max})"
    )]
    TooManySeeds {
        /// Houses a side.
        houses: usize,
        /// Seeds in the houses.
        seeds: u32,
        /// The most that can be solved there.
        max: u32,
    },
    /// There is not enough memory.
    #[error("there is not enough memory for tables of {0} MiB")]
    OutOfMemory(usize),
    /// A tablebase cannot be used.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// It was told to stop, or its time was over.
    #[error("stopped before the position was solved")]
    Stopped,
}

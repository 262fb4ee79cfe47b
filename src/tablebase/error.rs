//! Why there is no table.

use thiserror::Error;

use super::index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS};

/// A table that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TablebaseError {
    /// The board has too many houses.
    #[error("{0} houses a side: tables are for {MAX_TABLE_HOUSES} at most")]
    Houses(usize),
    /// The positions have too many seeds.
    #[error("{0} seeds in the houses: tables are for {MAX_TABLE_SEEDS} at most")]
    Seeds(u32),
    /// There is not enough memory.
    #[error("a table of {houses} houses a side and {seeds} seeds takes too much memory to build")]
    Memory {
        /// Houses a side.
        houses: usize,
        /// Seeds in the houses, at most.
        seeds: u32,
    },
}

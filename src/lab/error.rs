//! What can be wrong with an experiment.

use thiserror::Error;

use super::uniform_tree::MAX_WIDTH;
use crate::board::{BoardError, HousesOutOfRange};
use crate::search::{MAX_DEPTH, TableTooLarge};
use crate::sys::available_memory;

/// Why there are no results.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabError {
    /// A tree on which the searches have nothing to choose.
    #[error("width {0}: a position needs 2 moves at least and {MAX_WIDTH} at most")]
    Width(u32),
    /// A tree of a root alone, or one that is too deep to be searched.
    #[error("depth {0}: there are experiments for depths from 1 to {MAX_DEPTH}")]
    Depth(u32),
    /// An experiment that would not end.
    #[error("{what} takes about {nodes:.1e} nodes, and {MOST_NODES:.0e} are the most there are")]
    TooLong {
        /// The part of the experiment.
        what: String,
        /// Nodes of one search.
        nodes: f64,
    },
    /// A search that remembers all it visits, of a tree that is too large for that.
    #[error(
        "{what} takes up to {} MiB of memory, and {} MiB are there",
        .needed >> 20, .available >> 20
    )]
    TooLarge {
        /// The part of the experiment.
        what: String,
        /// Bytes.
        needed: u64,
        /// Bytes.
        available: u64,
    },
    /// A tree that no picture can show.
    #[error("a tree with {leaves} leaves is no picture: it shows {most} at most")]
    TooLargeToDraw {
        /// Leaves of the tree.
        leaves: f64,
        /// Leaves of the largest picture.
        most: u32,
    },
    /// A board that there is not.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Houses that no board has.
    #[error(transparent)]
    Houses(#[from] HousesOutOfRange),
    /// From the start of this game no positions come about that are worth searching.
    #[error("games from this start are over too soon: not {wanted} middle-game positions in reach")]
    NoMiddleGame {
        /// How many were asked for.
        wanted: usize,
    },
    /// A position whose best moves are too hard to prove: the game is too large for this.
    #[error("{board}: its best moves are not proven in {nodes} nodes; take a smaller game")]
    NotProven {
        /// The board.
        board: String,
        /// Nodes tried.
        nodes: u64,
    },
    /// A table that does not fit in memory.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// Whoever watched did not want any more.
    #[error("interrupted")]
    Interrupted,
}

/// Nodes of one search that no experiment goes beyond.
const MOST_NODES: f64 = 1e10;

pub(super) fn check_width(width: u32) -> Result<(), LabError> {
    if (2..=MAX_WIDTH).contains(&width) { Ok(()) } else { Err(LabError::Width(width)) }
}

pub(super) fn check_depth(depth: u32) -> Result<(), LabError> {
    if (1..=MAX_DEPTH).contains(&depth) { Ok(()) } else { Err(LabError::Depth(depth)) }
}

/// Refuses searches of so many nodes that they would not end, and such that would run out of
/// memory if so many of them at once each remember `bytes` a node.
pub(super) fn check_effort(
    what: impl Fn() -> String,
    nodes: f64,
    bytes: u64,
) -> Result<(), LabError> {
    if nodes > MOST_NODES {
        return Err(LabError::TooLong { what: what(), nodes });
    }
    check_memory(what, (nodes * bytes as f64) as u64)
}

/// Refuses tables of this size if there is no memory for as many at once as there are threads.
pub(super) fn check_tables(mebibytes: usize) -> Result<(), LabError> {
    const BYTES_PER_MIB: u64 = 1 << 20;
    let what = || format!("a table of {mebibytes} MiB for each processor");
    check_memory(what, (mebibytes as u64).saturating_mul(BYTES_PER_MIB))
}

/// Refuses what would run out of memory if each thread took so many bytes.
fn check_memory(what: impl Fn() -> String, bytes: u64) -> Result<(), LabError> {
    let needed = bytes.saturating_mul(rayon::current_num_threads() as u64);
    match available_memory() {
        Some(available) if needed > available => {
            Err(LabError::TooLarge { what: what(), needed, available })
        }
        _ => Ok(()),
    }
}

//! What all searches of a solver share, and the exact gains at which they end.

use super::bounds_table::BoundsTable;
use super::ordering::MoveScores;
use crate::board::{Position, Sowings};
use crate::search::InFlightTable;
use crate::tablebase::Tablebase;

/// A position to solve.
#[derive(Clone, Copy)]
pub(super) struct SolverRoot<R> {
    pub position: Position<R>,
    /// Seeds in the houses.
    pub seeds: u32,
}

/// The shared state of a search on rows of type `R`, with keys `K` and endgames `E`.
pub(super) struct SolveContext<'a, R, K, E> {
    pub sowings: &'a Sowings<R>,
    pub keys: &'a K,
    pub endgames: &'a E,
    pub table: &'a BoundsTable,
    pub in_flight: &'a InFlightTable,
    pub move_scores: MoveScores<R>,
}

/// Looks up the exact gains of positions with few seeds, in two steps, so that other work can be
/// done while memory answers.
pub(super) trait EndgameProbe<R>: Sync {
    /// The most seeds in the houses of a position that can be probed; `None` if none can.
    fn max_seeds(&self) -> Option<u32>;

    /// Prefetches the gain of a position, and returns its index.
    fn prefetch(&self, position: &Position<R>) -> u64;

    /// The gain at an index.
    fn gain(&self, index: u64) -> i32;
}

impl EndgameProbe<u64> for Tablebase {
    #[inline]
    fn max_seeds(&self) -> Option<u32> {
        Some(Tablebase::seeds(self))
    }

    #[inline]
    fn prefetch(&self, position: &Position<u64>) -> u64 {
        let index = self.place(position);
        Tablebase::prefetch(self, index);
        index as u64
    }

    #[inline]
    fn gain(&self, index: u64) -> i32 {
        self.gain_at(index as usize)
    }
}

/// The probe of a board without a tablebase.
pub(super) struct NoEndgames;

impl<R> EndgameProbe<R> for NoEndgames {
    #[inline]
    fn max_seeds(&self) -> Option<u32> {
        None
    }

    #[inline]
    fn prefetch(&self, _: &Position<R>) -> u64 {
        0
    }

    #[inline]
    fn gain(&self, _: u64) -> i32 {
        0
    }
}

//! What all searches of a solver share, and the exact gains at which they end.

use std::num::NonZeroUsize;

use super::bounds::{BoundsEntry, BoundsTable, GainBounds, PositionHash};
use super::checkpoint::Checkpoint;
use super::expected_work::WorkEstimator;
use super::ordering::MoveScores;
use super::request::SolveProgress;
use crate::board::{Position, Sowings};
use crate::search::InFlightTable;
use crate::stop::StopToken;
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
    pub work: WorkEstimator,
    pub checkpoint: Option<&'a Checkpoint>,
}

impl<R, K, E> SolveContext<'_, R, K, E> {
    /// Keeps the bounds of a position in the table and in the checkpoint.
    pub(super) fn keep(&self, hash: PositionHash, seeds: u32, bounds: GainBounds) {
        self.table.update(hash, seeds, BoundsEntry { bounds, best: None });
        if let Some(checkpoint) = self.checkpoint {
            checkpoint.keep(hash, seeds, bounds);
        }
    }
}

/// How a best-first search divides its work.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLimits {
    /// Positions of the whole search.
    pub max_nodes: u64,
    /// Positions of a depth-first search, after which its leaf is expanded.
    pub job_nodes: u64,
    /// Nodes of the proof-number DAG, beyond which decided ones are dropped and jobs become larger.
    pub dag_nodes: usize,
    /// Rounds of the first thread before others are started.
    pub single_threaded_rounds: usize,
}

/// The threads that work on the same tests.
pub(super) struct WorkerGroup<'a, R, K, E> {
    pub context: &'a SolveContext<'a, R, K, E>,
    pub limits: SearchLimits,
    pub threads: NonZeroUsize,
    pub stop: &'a StopToken,
    pub progress: &'a SolveProgress,
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

//! What a search has done, in numbers that can be held against those of other searches.

use std::ops::AddAssign;

/// Counts of one search, of all its threads and iterations together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Visits to positions.
    pub nodes: u64,
    /// Visits at which the moves of the position were made. All others were leaves, or were
    /// settled by the table or by what a position can be worth at all.
    pub interior: u64,
    /// Positions evaluated.
    pub leaves: u64,
    /// Moves that ended the game; what they lead to is no node.
    pub finished: u64,
    /// Positions, and whole trees, searched again because the question asked first did not tell
    /// enough.
    pub researches: u64,
    /// Visits settled by tables of exact gains.
    pub tablebase_hits: u64,
    /// Visits settled by the table.
    pub table_hits: u64,
    /// Cut-offs by the number of the move that made them: the first, second, … move tried. The
    /// last count takes in all later moves.
    pub cutoffs: [u64; Counters::MOVES],
}

impl Counters {
    /// Moves that have a count of cut-offs of their own.
    pub const MOVES: usize = 12;

    #[inline]
    pub(super) fn cut_off(&mut self, tried: usize) {
        self.cutoffs[tried.clamp(1, Self::MOVES) - 1] += 1;
    }
}

impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        self.nodes += other.nodes;
        self.interior += other.interior;
        self.leaves += other.leaves;
        self.finished += other.finished;
        self.researches += other.researches;
        self.tablebase_hits += other.tablebase_hits;
        self.table_hits += other.table_hits;
        for (count, other) in self.cutoffs.iter_mut().zip(other.cutoffs) {
            *count += other;
        }
    }
}

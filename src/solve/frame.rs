//! The stack frame of a search: a position under a null-window test.

use arrayvec::ArrayVec;

use super::bounds::GainBounds;
use super::bounds_table::{BoundsEntry, PositionHash};
use crate::board::{House, MAX_HOUSES, Next, Position, RowTables, Sowings};

/// The penalty of a deferred move; all other scores are above minus half of it.
const DEFERRED: i32 = 1 << 24;

/// What a move does.
#[derive(Clone, Copy)]
pub(super) struct MoveEffect {
    pub house: House,
    /// Seeds that the move wins: its change of the store difference.
    pub won: i32,
    pub next: Next,
}

/// A move that may decide the test, with the rows after it. A [`Position`] would carry a key as
/// well, which is not needed and would have to be computed for every move.
#[derive(Clone, Copy)]
pub(super) struct Successor<R> {
    pub own: R,
    pub opponent: R,
    /// Seeds in the houses.
    pub seeds: u32,
    pub effect: MoveEffect,
    /// Moves with higher scores are searched first.
    pub score: i32,
}

impl<R: RowTables> Successor<R> {
    #[inline]
    pub(super) fn position(&self, sowings: &Sowings<R>) -> Position<R> {
        Position::of_rows(sowings, self.own, self.opponent)
    }

    /// Sorts the move behind all others. Returns false if it already was.
    #[inline]
    pub(super) fn defer(&mut self) -> bool {
        let is_new = !self.is_deferred();
        if is_new {
            self.score -= DEFERRED;
        }
        is_new
    }

    /// Takes a deferral back.
    #[inline]
    pub(super) fn undefer(&mut self) {
        if self.is_deferred() {
            self.score += DEFERRED;
        }
    }

    #[inline]
    fn is_deferred(&self) -> bool {
        self.score < -DEFERRED / 2
    }
}

/// The index of the move with the highest score.
#[inline]
pub(super) fn best_index<R>(moves: &[Successor<R>]) -> Option<usize> {
    let scores = moves.iter().map(|successor| successor.score).enumerate();
    scores.max_by_key(|&(_, score)| score).map(|(index, _)| index)
}

/// What a frame has prefetched.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Prefetched {
    /// The gain after the best of the endgame moves, which nearly always decides the test if any of
    /// them does.
    BestEndgame,
    /// The gains after all other endgame moves, and the table entry of the position.
    #[default]
    Rest,
}

/// A position under a null-window test: does its gain reach the target?
#[derive(Default)]
pub(super) struct StackFrame<R> {
    pub hash: Option<PositionHash>,
    /// Seeds in the houses.
    pub seeds: u32,
    pub target: i32,
    pub prefetched: Prefetched,
    /// Moves to positions of the tablebase.
    pub endgame_moves: ArrayVec<Successor<R>, MAX_HOUSES>,
    /// The indices of the gains after the last endgame moves, in their order.
    pub endgame_indices: ArrayVec<u64, MAX_HOUSES>,
    /// Moves that have to be searched.
    pub moves: ArrayVec<Successor<R>, MAX_HOUSES>,
    /// Whether a shallow search has already scored `moves`.
    pub has_shallow_scores: bool,
    /// The move that was searched last.
    pub last_move: Option<MoveEffect>,
    /// An upper bound of the gain by any of the moves that are done.
    upper: i32,
}

impl<R> StackFrame<R> {
    /// Begins a test without any moves yet.
    #[inline]
    pub(super) fn reset(&mut self, hash: Option<PositionHash>, seeds: u32, target: i32) {
        (self.hash, self.seeds, self.target) = (hash, seeds, target);
        self.upper = -(seeds as i32);
        self.last_move = None;
        self.has_shallow_scores = false;
        self.endgame_moves.clear();
        self.endgame_indices.clear();
        self.moves.clear();
    }

    /// Records the bounds of a move. Returns the result of the test if they decide it.
    #[inline]
    pub(super) fn record(&mut self, bounds: GainBounds, house: House) -> Option<BoundsEntry> {
        if bounds.lower >= self.target {
            let bounds = GainBounds { lower: bounds.lower, upper: self.seeds as i32 };
            return Some(BoundsEntry { bounds, best: Some(house) });
        }
        self.upper = self.upper.max(bounds.upper);
        None
    }

    /// Records the bounds of the position after the move that was searched last.
    #[inline]
    pub(super) fn record_searched(&mut self, bounds: GainBounds) -> Option<BoundsEntry> {
        let MoveEffect { house, won, next } = self.last_move?;
        self.record(bounds.before_move(won, next), house)
    }

    /// Removes and records the last endgame move, whose gain has been prefetched.
    #[inline]
    pub(super) fn record_endgame(&mut self, gain: impl FnOnce(u64) -> i32) -> Option<BoundsEntry> {
        let (successor, index) = self.endgame_moves.pop().zip(self.endgame_indices.pop())?;
        let MoveEffect { house, won, next } = successor.effect;
        self.record(GainBounds::exact(gain(index)).before_move(won, next), house)
    }

    /// The result when all moves are recorded and none has reached the target: a fail low.
    #[inline]
    pub(super) fn fail_low(&self) -> BoundsEntry {
        let bounds = GainBounds { lower: -(self.seeds as i32), upper: self.upper };
        BoundsEntry { bounds, best: None }
    }
}

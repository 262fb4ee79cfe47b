//! A position that is being searched.

use arrayvec::ArrayVec;

use super::bounds::Bounds;
use super::leaves::Leaves;
use super::table::Hash;
use crate::board::{House, MAX_HOUSES, Next, Position, RowTables, Sowings};

/// So much less is the rank of a move that is put off, and so much more than half of this is any
/// other.
const PUT_OFF: i32 = 1 << 24;

/// A move.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub house: House,
    /// Seeds that the move won.
    pub won: i32,
    pub next: Next,
}

/// A move that the answer may depend on, and the rows after it. These have no key, as a position has:
/// nobody asks for one, and it would be worked out for every move.
#[derive(Clone, Copy)]
pub(super) struct Child<R> {
    pub own: R,
    pub opponent: R,
    /// Seeds in the houses.
    pub seeds: u32,
    pub step: Step,
    pub rank: i32,
}

impl<R: RowTables> Child<R> {
    #[inline]
    pub(super) fn position(&self, sowings: &Sowings<R>) -> Position<R> {
        Position::of_rows(sowings, self.own, self.opponent)
    }

    /// Puts it behind all others, unless it is there.
    #[inline]
    pub(super) fn put_off(&mut self) -> bool {
        let is_new = !self.is_put_off();
        if is_new {
            self.rank -= PUT_OFF;
        }
        is_new
    }

    /// Puts it where it was.
    #[inline]
    pub(super) fn put_back(&mut self) {
        if self.is_put_off() {
            self.rank += PUT_OFF;
        }
    }

    #[inline]
    fn is_put_off(&self) -> bool {
        self.rank < -PUT_OFF / 2
    }
}

/// The first by rank.
#[inline]
pub(super) fn most_promising<R>(children: &[Child<R>]) -> Option<usize> {
    let ranks = children.iter().map(|child| child.rank).enumerate();
    ranks.max_by_key(|&(_, rank)| rank).map(|(index, _)| index)
}

/// What a position has asked memory for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Asked {
    /// The gain after the most promising of the leaves: it is the answer in most of the cases in
    /// which one of them is.
    FirstLeaf,
    /// The gains after all others, and what is known about the position itself.
    #[default]
    TheRest,
}

/// A position with the question whether its gain reaches the target.
pub(super) struct Frame<R> {
    pub hash: Option<Hash>,
    /// Seeds in the houses.
    pub seeds: u32,
    pub target: i32,
    pub asked: Asked,
    /// Moves whose gains are in the tablebase.
    pub leaves: ArrayVec<Child<R>, MAX_HOUSES>,
    /// Where those of the last ones stand, as far as they were asked for.
    pub places: ArrayVec<u64, MAX_HOUSES>,
    /// Moves that have to be searched.
    pub children: ArrayVec<Child<R>, MAX_HOUSES>,
    /// Whether those of them that pass the turn have been looked into.
    pub looked_ahead: bool,
    /// The move searched last.
    pub step: Option<Step>,
    /// The most that the moves already done with can be worth.
    most: i32,
}

/// Bounds that the target does not lie between, so that they answer the question.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    pub bounds: Bounds,
    pub best: Option<House>,
}

impl<R> Default for Frame<R> {
    fn default() -> Self {
        Frame {
            hash: None,
            seeds: 0,
            target: 0,
            asked: Asked::default(),
            leaves: ArrayVec::new(),
            places: ArrayVec::new(),
            children: ArrayVec::new(),
            looked_ahead: false,
            step: None,
            most: 0,
        }
    }
}

impl<R> Frame<R> {
    /// Takes up a question.
    #[inline]
    pub(super) fn begin(&mut self, hash: Option<Hash>, seeds: u32, target: i32) {
        (self.hash, self.seeds, self.target) = (hash, seeds, target);
        self.most = -(seeds as i32);
        self.step = None;
        self.looked_ahead = false;
        self.leaves.clear();
        self.places.clear();
        self.children.clear();
    }

    /// Takes note of a move's bounds. They may be the answer.
    #[inline]
    pub(super) fn note(&mut self, bounds: Bounds, house: House) -> Option<Answer> {
        if bounds.lower >= self.target {
            let bounds = Bounds { lower: bounds.lower, upper: self.seeds as i32 };
            return Some(Answer { bounds, best: Some(house) });
        }
        self.most = self.most.max(bounds.upper);
        None
    }

    /// Takes note of the bounds of the position after the move searched last.
    #[inline]
    pub(super) fn note_searched(&mut self, bounds: Bounds) -> Option<Answer> {
        let Step { house, won, next } = self.step?;
        self.note(bounds.before(won, next), house)
    }

    /// Takes note of the last of the leaves, which was asked for.
    #[inline]
    pub(super) fn note_leaf(&mut self, leaves: &impl Leaves<R>) -> Option<Answer> {
        let (leaf, place) = self.leaves.pop().zip(self.places.pop())?;
        let Step { house, won, next } = leaf.step;
        self.note(Bounds::exactly(leaves.gain(place)).before(won, next), house)
    }

    /// The answer when no move is left.
    #[inline]
    pub(super) fn refuted(&self) -> Answer {
        let bounds = Bounds { lower: -(self.seeds as i32), upper: self.most };
        Answer { bounds, best: None }
    }
}

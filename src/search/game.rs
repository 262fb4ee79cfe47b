//! What the searches know of a game.
//!
//! Every search is written once over [`Game`] and runs on Kalah, on random trees and on trees
//! drawn by hand alike.

use std::fmt::Debug;
use std::ops::DerefMut;

use arrayvec::ArrayVec;

use super::memory::TableEntry;
use super::question::Query;
use super::step::Transition;
use super::value::{Score, Window};

/// A game of two players with perfect information, in which one wins what the other loses.
///
/// Positions are seen from the player to move, and so are their values: what that player still
/// gains from here on, in whole units. What has been gained before belongs to the steps that led
/// here ([`Transition::gain`]), so a game that only counts at its end has steps that gain nothing.
pub trait Game {
    /// A position, seen from the player to move.
    type Position: Copy;
    /// What names a move in its position.
    type Move: Copy + PartialEq + Debug;
    /// Where the moves of one position are kept: a vector with room for all of them.
    type MoveList: MoveList<ScoredMove<Self::Position, Self::Move>>;

    /// The least difference between two values of a position: the width of a null window.
    const VALUE_STEP: i32;
    /// Whether nobody ever moves twice in a row.
    const ALTERNATES: bool;
    /// How many features of moves there are; see [`Game::feature`].
    const HISTORY_SIZE: usize;

    /// Different for different positions, as good as always.
    fn key(&self, position: &Self::Position) -> u64;

    /// A position the game goes on from is played on until the depth is used up; a leaf is
    /// evaluated whatever the depth.
    fn is_leaf(&self, position: &Self::Position) -> bool;

    /// The value of a leaf, or an estimate of that of another position.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// The exact value of a position, where it can be looked up.
    fn exact_value(&self, _: &Self::Position) -> Option<i32> {
        None
    }

    /// Shows every move of a position that is no leaf with the step it makes, in the order in
    /// which people would name them.
    fn for_each_move(
        &self,
        position: &Self::Position,
        see: impl FnMut(Self::Move, Transition<Self::Position>),
    );

    /// The step of one move of a position that is no leaf.
    fn play(
        &self,
        position: &Self::Position,
        chosen: Self::Move,
    ) -> Option<Transition<Self::Position>> {
        let mut played = None;
        self.for_each_move(position, |other, step| {
            if other == chosen {
                played = Some(step);
            }
        });
        played
    }

    /// The step of a move drawn from those of a position that is no leaf: `draw` is told how many
    /// there are and answers with the number of one.
    fn play_random(
        &self,
        position: &Self::Position,
        draw: impl FnOnce(usize) -> usize,
    ) -> Option<Transition<Self::Position>> {
        let mut steps = Vec::new();
        self.for_each_move(position, |_, step| steps.push(step));
        let drawn = draw(steps.len());
        steps.into_iter().nth(drawn)
    }

    /// How promising a move looks by itself; below [`MAX_MOVE_SCORE`].
    fn move_score(
        &self,
        position: &Self::Position,
        chosen: Self::Move,
        step: &Transition<Self::Position>,
    ) -> i32;

    /// What a move has in common with moves of other positions, for what cut-offs there teach
    /// about it; below [`Game::HISTORY_SIZE`].
    fn history_index(&self, position: &Self::Position, chosen: Self::Move) -> usize;

    /// The least and the greatest value, and estimate, that the position can have.
    fn value_range(&self, position: &Self::Position) -> (i32, i32);

    /// The window with both ends moved outwards as far as no possible value comes in or goes
    /// out.
    fn align_window(&self, _: &Self::Position, window: Window) -> Window {
        window
    }

    /// Whether what a memory holds can be about this position.
    fn is_consistent(&self, _: &Self::Position, _: &TableEntry<Self::Move>) -> bool {
        true
    }

    /// Hears of every visit to a position and of what is asked there.
    fn on_enter(&self, _: &Self::Position, _: Query) {}

    /// Hears of the answer, from the view of the player to move; outside the window it is a
    /// bound.
    fn on_result(&self, _: &Self::Position, _: Score) {}
}

/// Above all ranks of [`Game::rank`].
pub const MAX_MOVE_SCORE: i32 = 1 << 14;

/// A move with what it leads to and its place in the order of moves.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<P, M> {
    /// The name of the move.
    pub chosen: M,
    /// What it leads to.
    pub step: Transition<P>,
    /// The greatest comes first.
    pub(super) rank: i32,
}

/// A vector that begins empty.
pub trait MoveList<T>: Default + DerefMut<Target = [T]> {
    /// Adds one at the end.
    fn push(&mut self, child: T);
}

impl<T, const N: usize> MoveList<T> for ArrayVec<T, N> {
    #[inline]
    fn push(&mut self, child: T) {
        ArrayVec::push(self, child);
    }
}

impl<T> MoveList<T> for Vec<T> {
    fn push(&mut self, child: T) {
        Vec::push(self, child);
    }
}

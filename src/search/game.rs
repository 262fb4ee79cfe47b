//! The interface between the searches and a game.
//!
//! Every search is written once over [`Game`] and runs on Kalah, random trees and hand-drawn trees.

use std::fmt::Debug;
use std::ops::DerefMut;

use arrayvec::ArrayVec;

use super::transposition_table::TableEntry;
use super::value::{Query, Score, Transition, Window};

/// A two-player zero-sum game with perfect information.
///
/// Positions and their values are seen from the player to move. The value of a position is what that player still
/// gains, in whole units. What was gained before belongs to the moves that led here ([`Transition::gain`]).
pub trait Game {
    /// A position, seen from the player to move.
    type Position: Copy;
    /// Names a move within its position.
    type Move: Copy + PartialEq + Debug;
    /// The moves of one position: a vector with room for all of them.
    type MoveList: MoveList<ScoredMove<Self::Position, Self::Move>>;

    /// The least difference between two values of a position: the width of a null window.
    const VALUE_STEP: i32;
    /// Whether the players always take turns, so that there are no extra turns.
    const ALTERNATES: bool;

    /// Whether a turn often has many moves, so that the searches cannot follow all extra turns.
    fn has_long_turns(&self) -> bool {
        false
    }

    /// A hash of the position, unique with overwhelming probability.
    fn key(&self, position: &Self::Position) -> u64;

    /// Whether the position is a leaf: it has no moves and is evaluated at any depth.
    fn is_leaf(&self, position: &Self::Position) -> bool;

    /// The value of a leaf, or an estimate of the value of any other position.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// The exact value of a position that is in a table of exact values.
    fn exact_value(&self, _: &Self::Position) -> Option<i32> {
        None
    }

    /// Calls `visit` with every move and its transition, in notation order. The position is no leaf.
    fn for_each_move(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move, Transition<Self::Position>),
    );

    /// Makes a move of a position that is no leaf. For one that it does not have, the result has no meaning.
    fn play(
        &self,
        position: &Self::Position,
        mv: Self::Move,
    ) -> Option<Transition<Self::Position>> {
        let mut played = None;
        self.for_each_move(position, |other, transition| {
            if other == mv {
                played = Some(transition);
            }
        });
        played
    }

    /// Makes a random move of a position that is no leaf; `pick` returns an index below the number of moves.
    fn play_random(
        &self,
        position: &Self::Position,
        pick: impl FnOnce(usize) -> usize,
    ) -> Option<Transition<Self::Position>> {
        let mut transitions = Vec::new();
        self.for_each_move(position, |_, transition| transitions.push(transition));
        let picked = pick(transitions.len());
        transitions.into_iter().nth(picked)
    }

    /// The static move-ordering score; at least 0 and below [`MAX_MOVE_SCORE`].
    fn move_score(
        &self,
        _position: &Self::Position,
        _mv: Self::Move,
        _transition: &Transition<Self::Position>,
    ) -> i32 {
        0
    }

    /// The least and the greatest possible value, and estimate, of the position.
    fn value_range(&self, position: &Self::Position) -> (i32, i32);

    /// Widens the window as far as possible without including another possible value.
    fn align_window(&self, _: &Self::Position, window: Window) -> Window {
        window
    }

    /// Whether a table entry can belong to this position; false reveals a key collision.
    fn is_consistent(&self, _: &Self::Position, _: &TableEntry<Self::Move>) -> bool {
        true
    }

    /// Called when a search enters a position, with the query it makes there.
    fn on_enter(&self, _: &Self::Position, _: Query) {}

    /// Called with the result, from the view of the player to move, or a bound outside the window.
    fn on_result(&self, _: &Self::Position, _: Score) {}
}

/// The upper limit of [`Game::move_score`].
pub const MAX_MOVE_SCORE: i32 = 1 << 14;

/// A move with its transition and its move-ordering score.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<P, M> {
    /// The move.
    pub mv: M,
    /// What the move gains and leads to.
    pub transition: Transition<P>,
    /// The evaluation of the position reached, if the move was ordered by it.
    pub(super) evaluation: Option<i32>,
    /// Moves are searched in descending order of this score.
    pub(super) order: i32,
}

/// A vector that starts empty.
pub trait MoveList<T>: Default + DerefMut<Target = [T]> {
    /// Appends a move.
    fn push(&mut self, scored: T);
}

impl<T, const N: usize> MoveList<T> for ArrayVec<T, N> {
    #[inline]
    fn push(&mut self, scored: T) {
        ArrayVec::push(self, scored);
    }
}

impl<T> MoveList<T> for Vec<T> {
    fn push(&mut self, scored: T) {
        Vec::push(self, scored);
    }
}

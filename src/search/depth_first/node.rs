//! The nodes of a depth-first search.

use crate::search::game::Game;
use crate::search::shared::Stopped;
use crate::search::value::{Score, Transition, Window};

pub(crate) struct Visit<'a, G: Game> {
    pub position: &'a G::Position,
    /// The plies to search.
    pub depth: u32,
    /// The plies from the root.
    pub ply: u32,
}

impl<G: Game> Clone for Visit<'_, G> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Visit<'_, G> {}

impl<'a, G: Game> Visit<'a, G> {
    pub(crate) fn root(position: &'a G::Position, depth: u32) -> Self {
        Visit { position, depth, ply: 0 }
    }

    /// The visit to the position after a move, one ply further.
    #[inline]
    pub(super) fn after(self, transition: &'a Transition<G::Position>) -> Self {
        Visit { position: &transition.position, depth: self.depth - 1, ply: self.ply + 1 }
    }
}

/// The score of a position, unless the search was stopped.
pub(super) type SearchedScore = Result<Score, Stopped>;

/// A node whose moves are being searched.
pub(crate) struct SearchNode<G: Game> {
    pub(super) moves: G::MoveList,
    /// The window, aligned to the possible values of the position.
    pub(super) window: Window,
    pub(super) best: Option<(G::Move, Score)>,
    pub(super) key: u64,
    pub(super) depth: u32,
    pub(super) ply: u32,
    pub(super) move_count: usize,
    /// The `ScoredMove::evaluation` of the move picked last.
    pub(super) evaluation: Option<i32>,
    pub(super) all_proven: bool,
    /// Whether `moves` has only the table move: the others follow when it causes no cutoff.
    pub(super) only_hash_move: bool,
}

impl<G: Game> Default for SearchNode<G> {
    /// A node to be filled by `Worker::probe_node`.
    #[inline]
    fn default() -> Self {
        SearchNode {
            moves: G::MoveList::default(),
            window: Window { alpha: 0, beta: 0 },
            best: None,
            key: 0,
            depth: 0,
            ply: 0,
            move_count: 0,
            evaluation: None,
            all_proven: true,
            only_hash_move: false,
        }
    }
}

impl<G: Game> SearchNode<G> {
    /// Alpha raised by the best move so far: the gain that the next move has to exceed.
    #[inline]
    pub(crate) fn raised_alpha(&self) -> i32 {
        self.best.map_or(self.window.alpha, |(_, best)| best.gain.max(self.window.alpha))
    }

    /// The window for the next move, from the raised alpha to beta.
    #[inline]
    pub(crate) fn raised_window(&self) -> Window {
        Window { alpha: self.raised_alpha(), beta: self.window.beta }
    }

    /// The score of the best move so far; `None` before the first.
    pub(crate) fn best(&self) -> Option<Score> {
        self.best.map(|(_, best)| best)
    }
}

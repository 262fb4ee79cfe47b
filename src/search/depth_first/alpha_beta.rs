//! Minimax and alpha-beta, the plain searches: alpha-beta differs by its window alone.

use super::worker::Worker;
use crate::search::game::Game;
use crate::search::query::Query;
use crate::search::shared::Stopped;
use crate::search::transposition_table::TranspositionTable;
use crate::search::value::{Score, Window};

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// Minimax, searching every move of every position: C. Shannon, *Programming a Computer for
    /// Playing Chess* (Philosophical Magazine 41, 1950), in the negamax form of D. Knuth and R. Moore
    /// (*An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975). Returns the value of a
    /// position at `depth` plies.
    pub(super) fn minimax(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.search_node(position, depth, Query::Value, ply, |worker, _, transition| {
            Ok(worker.minimax(&transition.position, depth - 1, ply + 1)?.before(transition))
        })
    }

    /// Alpha-beta, cutting off positions that one of the players will avoid: D. Knuth and R. Moore,
    /// *An Analysis of Alpha-Beta Pruning* (Artificial Intelligence 6, 1975), fail-soft after
    /// J. Fishburn (1981). Returns the value of a position at `depth` plies, outside the window a
    /// bound.
    pub(super) fn alpha_beta(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let query = Query::Window(window);
        self.search_node(position, depth, query, ply, |worker, node, transition| {
            let window = node.raised_window().after(transition);
            let score = worker.alpha_beta(&transition.position, depth - 1, window, ply + 1)?;
            Ok(score.before(transition))
        })
    }
}

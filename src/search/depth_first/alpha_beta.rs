//! Alpha-beta: D. Knuth and R. Moore, *An Analysis of Alpha-Beta Pruning* (Artificial
//! Intelligence 6, 1975), fail-soft after J. Fishburn (1981).

use super::worker::Worker;
use crate::search::game::Game;
use crate::search::memory::TranspositionTable;
use crate::search::question::Query;
use crate::search::threads::Stopped;
use crate::search::value::{Score, Window};

impl<G: Game, M: TranspositionTable<G::Move>> Worker<'_, G, M> {
    /// The value of a position searched `depth` plies deep, or outside the window a bound on it.
    pub(super) fn alpha_beta(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.search_moves(position, depth, Query::Window(window), ply, |worker, node, step| {
            let window = node.above_floor().after(step);
            Ok(worker.alpha_beta(&step.position, depth - 1, window, ply + 1)?.before(step))
        })
    }
}

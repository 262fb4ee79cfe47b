//! Principal variation search: T. Marsland and M. Campbell, *Parallel Search of Strongly Ordered
//! Game Trees* (ACM Computing Surveys 14(4), 1982), as it is taught beside SCOUT: the first move
//! by the same search, the others by a null window first, and those found better once more by
//! plain alpha-beta from alpha.

use super::worker::Worker;
use crate::search::game::Game;
use crate::search::memory::TranspositionTable;
use crate::search::question::Query;
use crate::search::threads::Stopped;
use crate::search::value::{Score, Window};

impl<G: Game, M: TranspositionTable<G::Move>> Worker<'_, G, M> {
    /// The value of a position searched `depth` plies deep, or outside the window a bound on it.
    pub(super) fn pvs(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.search_moves(position, depth, Query::Window(window), ply, |worker, node, step| {
            if node.tried == 1 {
                let window = node.window.after(step);
                return Ok(worker.pvs(&step.position, depth - 1, window, ply + 1)?.before(step));
            }
            let mut alpha_beta = |window: Window| {
                let window = window.after(step);
                Ok(worker.alpha_beta(&step.position, depth - 1, window, ply + 1)?.before(step))
            };
            let score = alpha_beta(Window::null_above(node.floor(), G::VALUE_STEP))?;
            if score.gain <= node.floor() || score.gain >= node.window.beta {
                return Ok(score);
            }
            let again = alpha_beta(node.above_floor())?;
            worker.counters.researches += 1;
            Ok(again)
        })
    }
}

//! Minimax: every move of every position. C. Shannon, *Programming a Computer for Playing Chess*
//! (Philosophical Magazine 41, 1950), in the negamax form of D. Knuth and R. Moore (*An Analysis
//! of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975).

use super::worker::Worker;
use crate::search::game::Game;
use crate::search::memory::TranspositionTable;
use crate::search::question::Query;
use crate::search::threads::Stopped;
use crate::search::value::Score;

impl<G: Game, M: TranspositionTable<G::Move>> Worker<'_, G, M> {
    /// The value of a position searched `depth` plies deep.
    pub(super) fn minimax(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.search_moves(position, depth, Query::Value, ply, |worker, _, step| {
            Ok(worker.minimax(&step.position, depth - 1, ply + 1)?.before(step))
        })
    }
}

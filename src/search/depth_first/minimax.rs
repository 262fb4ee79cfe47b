//! Minimax: every move of every position. C. Shannon, *Programming a Computer for Playing Chess*
//! (Philosophical Magazine 41, 1950), in the negamax form of D. Knuth and R. Moore (*An Analysis
//! of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975).

use super::worker::{Node, Worker};
use crate::search::game::Game;
use crate::search::memory::Memory;
use crate::search::question::Question;
use crate::search::threads::Stopped;
use crate::search::value::Score;

impl<G: Game, M: Memory<G::Move>> Worker<'_, G, M> {
    /// The value of a position searched `depth` plies deep.
    pub(super) fn minimax(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let mut node = Node::default();
        if let Some(score) = self.visit(position, depth, Question::Value, ply, &mut node)? {
            return Ok(score);
        }
        while let Some(child) = self.next(&mut node) {
            let step = node.children[child].step;
            let score = match self.finished(&step) {
                Some(score) => score,
                None => self.minimax(&step.position, depth - 1, ply + 1)?.before(&step),
            };
            self.improve(position, &mut node, child, score);
        }
        self.close(position, &node)
    }
}

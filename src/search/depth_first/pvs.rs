//! Principal variation search: T. Marsland and M. Campbell, *Parallel Search of Strongly Ordered
//! Game Trees* (ACM Computing Surveys 14(4), 1982), as it is taught beside SCOUT: the first move
//! by the same search, the others by a null window first, and those found better once more by
//! plain alpha-beta from alpha.

use super::worker::{Node, Worker};
use crate::search::game::Game;
use crate::search::memory::Memory;
use crate::search::question::Question;
use crate::search::threads::Stopped;
use crate::search::value::{Score, Window};

impl<G: Game, M: Memory<G::Move>> Worker<'_, G, M> {
    /// The value of a position searched `depth` plies deep, or outside the window a bound on it.
    pub(super) fn pvs(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let mut node = Node::default();
        if let Some(score) =
            self.visit(position, depth, Question::Window(window), ply, &mut node)?
        {
            return Ok(score);
        }
        while let Some(child) = self.next(&mut node) {
            let step = node.children[child].step;
            let score = if let Some(score) = self.finished(&step) {
                score
            } else if node.tried == 1 {
                let window = node.window.after(&step);
                self.pvs(&step.position, depth - 1, window, ply + 1)?.before(&step)
            } else {
                let window = Window::null_above(node.floor(), G::STEP).after(&step);
                let score =
                    self.alpha_beta(&step.position, depth - 1, window, ply + 1)?.before(&step);
                if score.gain > node.floor() && score.gain < node.window.beta {
                    self.counters.researches += 1;
                    let window = node.above_floor().after(&step);
                    self.alpha_beta(&step.position, depth - 1, window, ply + 1)?.before(&step)
                } else {
                    score
                }
            };
            if self.improve(position, &mut node, child, score) {
                break;
            }
        }
        self.close(position, &node)
    }
}

//! SCOUT: J. Pearl, *SCOUT: A Simple Game-Searching Algorithm with Proven Optimal Properties*
//! (AAAI 1980). No window: EVAL finds values, and asks TEST whether a move is worth evaluating at
//! all.
//!
//! As in the paper there are MAX and MIN positions, and all values are MAX's. The common ground
//! sees positions from the player to move: [`MinimaxPlayer::sees`] is the way between the two.

use super::worker::Worker;
use crate::search::game::Game;
use crate::search::memory::TranspositionTable;
use crate::search::question::{BoundTest, Comparison, MinimaxPlayer, Query};
use crate::search::threads::Stopped;
use crate::search::value::Score;

/// The answer of TEST.
#[derive(Clone, Copy)]
struct Answer {
    holds: bool,
    /// Whether it follows from the rules alone.
    proven: bool,
}

impl<G: Game, M: TranspositionTable<G::Move>> Worker<'_, G, M> {
    /// The value of a tree, MAX to move.
    pub(super) fn scout(&mut self, root: &G::Position, depth: u32) -> Result<Score, Stopped> {
        self.eval(root, MinimaxPlayer::Max, depth, 0)
    }

    /// The answer of TEST alone, for the root of a tree.
    pub(crate) fn test_root(
        &mut self,
        root: &G::Position,
        test: BoundTest,
        depth: u32,
    ) -> Result<bool, Stopped> {
        Ok(self.test(root, test, depth, 0)?.holds)
    }

    /// EVAL(S): the value of a position, as MAX sees it.
    fn eval(
        &mut self,
        position: &G::Position,
        player: MinimaxPlayer,
        depth: u32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let better = match player {
            MinimaxPlayer::Max => Comparison::Greater,
            MinimaxPlayer::Min => Comparison::Less,
        };
        let value = self.search_moves(position, depth, Query::Value, ply, |worker, node, step| {
            let after = player.after(step.next);
            let gain = player.sees(Score::proven(step.gain)).gain;
            if let Some(best) = node.best() {
                let value = player.sees(best).gain - gain;
                let test = BoundTest { player: after, comparison: better, value };
                let answer = worker.test(&step.position, test, depth - 1, ply + 1)?;
                if !answer.holds {
                    // Unworthy of evaluation.
                    return Ok(Score { proven: answer.proven, ..best });
                }
                worker.counters.researches += 1;
            }
            let score = worker.eval(&step.position, after, depth - 1, ply + 1)?;
            Ok(player.sees(Score { gain: gain + score.gain, ..score }))
        });
        value.map(|score| player.sees(score))
    }

    /// TEST(S, v, >) and its like: whether the value of a position, as MAX sees it, stands in a
    /// comparison to v.
    fn test(
        &mut self,
        position: &G::Position,
        test: BoundTest,
        depth: u32,
        ply: usize,
    ) -> Result<Answer, Stopped> {
        // V < v is the contrary of V >= v, and V <= v that of V > v.
        if let Some(contrary) = test.contrary() {
            let answer = self.test(position, contrary, depth, ply)?;
            return Ok(Answer { holds: !answer.holds, ..answer });
        }
        let asked = Query::Test(test);
        let score = self.search_moves(position, depth, asked, ply, |worker, node, step| {
            let player = test.player.after(step.next);
            let gain = test.player.sees(Score::proven(step.gain)).gain;
            let of_child = BoundTest { player, value: test.value - gain, ..test };
            let Answer { holds, proven } =
                worker.test(&step.position, of_child, depth - 1, ply + 1)?;
            // What MAX wants and what MIN wants of the answer; either makes it that of this
            // position. There is no more to the value than on which side of v it lies.
            let wanted = holds == (test.player == MinimaxPlayer::Max);
            let gain = if wanted { node.window.beta } else { node.window.alpha };
            Ok(Score { gain, proven })
        })?;
        let holds = test.comparison.holds(test.player.sees(score).gain, test.value);
        Ok(Answer { holds, proven: score.proven })
    }
}

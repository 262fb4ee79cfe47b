//! SCOUT: J. Pearl, *SCOUT: A Simple Game-Searching Algorithm with Proven Optimal Properties* (AAAI 1980). EVAL
//! evaluates a move only if the cheaper TEST shows that it is better than the best so far.
//!
//! As in the paper there are MAX and MIN positions, and all values are from MAX's view: [`MinimaxPlayer::convert`]
//! converts them for the common recursion.

use super::node::{SearchedScore, Visit};
use super::worker::Worker;
use crate::search::game::Game;
use crate::search::shared::Stopped;
use crate::search::transposition_table::TranspositionTable;
use crate::search::value::{BoundTest, Comparison, MinimaxPlayer, Query, Score};

#[derive(Clone, Copy)]
pub(crate) struct TestResult {
    pub holds: bool,
    /// Whether it follows from the rules alone.
    proven: bool,
}

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// EVAL(S): the value of a position, from MAX's view.
    pub(super) fn eval(&mut self, visit: Visit<'_, G>, player: MinimaxPlayer) -> SearchedScore {
        let better = match player {
            MinimaxPlayer::Max => Comparison::Greater,
            MinimaxPlayer::Min => Comparison::Less,
        };
        let value = self.search_node(visit, Query::Value, |worker, node, transition| {
            let child = visit.after(transition);
            let next_player = player.after(transition.next);
            let gain = player.convert(Score::proven(transition.gain)).gain;
            if let Some(best) = node.best() {
                let value = player.convert(best).gain - gain;
                let test = BoundTest { player: next_player, comparison: better, value };
                let result = worker.test(child, test)?;
                if !result.holds {
                    return Ok(Score { proven: result.proven, ..best });
                }
                worker.counters.researches += 1;
            }
            let score = worker.eval(child, next_player)?;
            Ok(player.convert(Score { gain: gain + score.gain, ..score }))
        });
        value.map(|score| player.convert(score))
    }

    /// TEST(S, v, >) and TEST(S, v, >=): whether the value of a position, from MAX's view, is
    /// greater than v or at least v. The tests < and <= are their negations.
    pub(crate) fn test(
        &mut self,
        visit: Visit<'_, G>,
        test: BoundTest,
    ) -> Result<TestResult, Stopped> {
        if let Some(negated) = test.negated() {
            let result = self.test(visit, negated)?;
            return Ok(TestResult { holds: !result.holds, ..result });
        }
        let query = Query::Test(test);
        let score = self.search_node(visit, query, |worker, node, transition| {
            let player = test.player.after(transition.next);
            let gain = test.player.convert(Score::proven(transition.gain)).gain;
            let child_test = BoundTest { player, value: test.value - gain, ..test };
            let TestResult { holds, proven } = worker.test(visit.after(transition), child_test)?;
            // MAX needs one move for which the test holds, MIN one for which it fails: that move
            // causes a beta cutoff. Either end of the window stands for the result.
            let is_cutoff = holds == (test.player == MinimaxPlayer::Max);
            let gain = if is_cutoff { node.window.beta } else { node.window.alpha };
            Ok(Score { gain, proven })
        })?;
        let holds = test.comparison.holds(test.player.convert(score).gain, test.value);
        Ok(TestResult { holds, proven: score.proven })
    }
}

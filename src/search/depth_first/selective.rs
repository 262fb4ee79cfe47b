//! The search that the engine plays with: principal variation search ([`Worker::pvs`]) with pruning and reductions.
//! `docs/notebook/search.md` has the measured value of each part.
//!
//! - *Late move reductions* (as in chess programs since Fruit, 2004): moves late in the order are
//!   searched with reduced depth first, the more so the less they promise. A move that turns out
//!   better than the best so far is re-searched at full depth.
//! - *Ordering by evaluation*: except near the leaves, moves are ordered by the evaluation of the
//!   positions they lead to, which also says what they promise.
//! - *Extra-turn extensions*: near the leaves an extra turn costs no depth, so that evaluated
//!   positions are quiet, as with the quiescence search of chess programs.
//!   With long turns (relay sowing) only a node's first move is extended, and only in the last ply; other extra
//!   turns are reduced like any late move, or the search would follow whole chains of them.
//! - *Reverse futility pruning*, also called static null move pruning: a node near the leaves fails
//!   high without a search if its evaluation exceeds beta by a margin that grows with the depth. Where
//!   moves are ordered by evaluation, that of a node is known before it is entered, and most of the
//!   nodes pruned are never entered.

use super::node::{SearchNode, SearchedScore, Visit};
use super::worker::Worker;
use crate::board::Next;
use crate::search::game::Game;
use crate::search::selective_parameters::SelectiveParameters;
use crate::search::transposition_table::{MAX_DEPTH, TranspositionTable};
use crate::search::value::{Query, Score, Transition, Window};

/// The root depth from which nothing is pruned or reduced, so that a long search ends with a proof.
/// Shortly before it, pruning and reductions are limited more and more.
const FULL_DEPTH: u32 = 80;

/// The greatest depth of extensions where turns have many moves.
const LONG_TURN_EXTENSION_DEPTH: u32 = 1;

/// The limit of reductions and of the depth of pruning and extensions, in plies.
fn selectivity(root_depth: u32) -> u32 {
    FULL_DEPTH.saturating_sub(root_depth) / 2
}

/// Hundredths of a ply in a ply.
const HUNDREDTHS: i32 = 100;

impl SelectiveParameters {
    /// The late move reduction, in plies.
    #[inline]
    fn reduction<G: Game>(
        &self,
        depth: u32,
        node: &SearchNode<G>,
        transition: &Transition<G::Position>,
        reduces_extra_turns: bool,
    ) -> u32 {
        let (depth, later) = (depth as i32, node.move_count as i32 - self.reduction_move);
        let is_kept = transition.next == Next::Again && !reduces_extra_turns;
        if depth < self.reduction_depth || later < 0 || is_kept {
            return 0;
        }
        let shortfall = node
            .evaluation
            .map_or(0, |evaluation| node.raised_alpha() - transition.gain_before(evaluation));
        let hundredths = self.reduction_base
            + self.reduction_per_move * later
            + self.reduction_per_ply * depth
            + self.reduction_per_seed * shortfall;
        (hundredths / HUNDREDTHS).clamp(0, depth - 2) as u32
    }

    /// The margin of reverse futility pruning, for values of this step.
    #[inline]
    fn futility_margin(&self, depth: u32, value_step: i32) -> i32 {
        const HALF_STEPS: i32 = 2 * HUNDREDTHS;
        (depth as i32 * self.futility_margin * value_step + HALF_STEPS - 1) / HALF_STEPS
    }
}

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// The value of a position at about this depth, outside the window a bound, with its evaluation if known.
    pub(super) fn selective(
        &mut self,
        visit: Visit<'_, G>,
        window: Window,
        evaluation: Option<i32>,
    ) -> SearchedScore {
        let Visit { position, depth, ply } = visit;
        let limit = selectivity(self.root_depth);
        let parameters = self.options.selective;
        let has_long_turns = self.game.has_long_turns();
        let most = if has_long_turns { LONG_TURN_EXTENSION_DEPTH } else { MAX_DEPTH };
        let extension_depth = limit.min(parameters.extension_depth as u32).min(most);
        let prune = |worker: &Self, window: Window| {
            if ply == 0 || !worker.is_prunable(depth, window) {
                return None;
            }
            let evaluation = evaluation.unwrap_or_else(|| worker.game.evaluate(position));
            worker.static_score(evaluation, depth, window)
        };
        self.search_node_with_pruning(
            visit,
            Query::Window(window),
            prune,
            |worker, node, transition| {
                let is_extended = transition.next == Next::Again
                    && depth <= extension_depth
                    && (node.move_count == 1 || !has_long_turns)
                    && ply + depth < MAX_DEPTH;
                let next_depth = if is_extended { depth } else { depth - 1 };
                let next = &transition.position;
                // An exact value takes precedence.
                let is_estimate =
                    || worker.game.exact_value(next).is_none() && !worker.game.is_leaf(next);
                let evaluation = node.evaluation.filter(|_| is_estimate());
                let mut search = |depth: u32, window: Window| {
                    let window = window.after(transition);
                    let known = evaluation
                        .and_then(|evaluation| worker.static_score(evaluation, depth, window));
                    let score = if let Some(score) = known {
                        score
                    } else {
                        let visit = Visit { position: next, depth, ply: ply + 1 };
                        worker.selective(visit, window, evaluation)?
                    };
                    Ok(score.before(transition))
                };
                if node.move_count == 1 {
                    return search(next_depth, node.window);
                }
                let alpha = node.raised_alpha();
                let null_window = Window::null_above(alpha, G::VALUE_STEP);
                let reduction =
                    parameters.reduction(depth, node, transition, has_long_turns).min(limit);
                let mut scout = search(next_depth - reduction, null_window)?;
                if reduction > 0 && scout.gain > alpha {
                    scout = search(next_depth, null_window)?;
                }
                if scout.gain <= alpha || scout.gain >= node.window.beta {
                    return Ok(scout);
                }
                let again = search(next_depth, node.raised_window())?;
                worker.counters.researches += 1;
                Ok(again)
            },
        )
    }

    /// Whether reverse futility pruning applies to this depth and window.
    #[inline]
    fn is_prunable(&self, depth: u32, window: Window) -> bool {
        let limit = selectivity(self.root_depth).min(self.options.selective.futility_depth as u32);
        depth <= limit && window.beta - window.alpha <= G::VALUE_STEP
    }

    /// The score of a position if its evaluation decides it: of a leaf, or by reverse futility pruning.
    #[inline]
    pub(super) fn static_score(
        &self,
        evaluation: i32,
        depth: u32,
        window: Window,
    ) -> Option<Score> {
        let estimate = |gain| Some(Score { gain, proven: false });
        if depth == 0 {
            return estimate(evaluation);
        }
        let margin = self.options.selective.futility_margin(depth, G::VALUE_STEP);
        let fails_high = self.is_prunable(depth, window) && evaluation - margin >= window.beta;
        if fails_high { estimate(window.beta) } else { None }
    }
}

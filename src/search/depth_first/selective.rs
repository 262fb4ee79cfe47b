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
}

/// How far an iteration prunes, reduces and extends.
#[derive(Default)]
pub(super) struct Selectivity {
    /// The most plies of a reduction.
    reduction: u32,
    /// The greatest depth at which extra turns cost no depth.
    extension_depth: u32,
    /// The margins of reverse futility pruning at depths 0, 1, … that it applies to.
    futility_margins: Vec<i32>,
}

impl Selectivity {
    /// That of an iteration to this root depth, for values of this step.
    pub(super) fn new(
        parameters: &SelectiveParameters,
        root_depth: u32,
        value_step: i32,
        has_long_turns: bool,
    ) -> Selectivity {
        const HALF_STEPS: i32 = 2 * HUNDREDTHS;
        let limit = FULL_DEPTH.saturating_sub(root_depth) / 2;
        let extensions = if has_long_turns { LONG_TURN_EXTENSION_DEPTH } else { MAX_DEPTH };
        let margin = parameters.futility_margin * value_step;
        let margins = (0..=limit.min(parameters.futility_depth as u32) as i32)
            .map(|depth| (depth * margin + HALF_STEPS - 1) / HALF_STEPS);
        Selectivity {
            reduction: limit,
            extension_depth: limit.min(parameters.extension_depth as u32).min(extensions),
            futility_margins: margins.collect(),
        }
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
        let has_long_turns = self.game.has_long_turns();
        let prune = |worker: &Self, window: Window| {
            if ply == 0 {
                return None;
            }
            // Not evaluated in vain.
            worker.futility_margin(depth, window)?;
            let evaluation = evaluation.unwrap_or_else(|| worker.game.evaluate(position));
            worker.static_score(evaluation, depth, window)
        };
        self.search_node_with_pruning(
            visit,
            Query::Window(window),
            prune,
            |worker, node, transition| {
                let is_extended = transition.next == Next::Again
                    && depth <= worker.selectivity.extension_depth
                    && (node.move_count == 1 || !has_long_turns)
                    && ply + depth < MAX_DEPTH;
                let next_depth = if is_extended { depth } else { depth - 1 };
                let next = &transition.position;
                // An exact value takes precedence.
                let is_estimate =
                    || worker.game.exact_value(next).is_none() && !worker.game.is_leaf(next);
                let evaluation = node.evaluation.filter(|_| is_estimate());
                let search = |worker: &mut Self, depth: u32, window: Window| {
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
                    return search(worker, next_depth, node.window);
                }
                let alpha = node.raised_alpha();
                let null_window = Window::null_above(alpha, G::VALUE_STEP);
                let parameters = &worker.options.selective;
                let reduction = parameters
                    .reduction(depth, node, transition, has_long_turns)
                    .min(worker.selectivity.reduction);
                let mut scout = search(worker, next_depth - reduction, null_window)?;
                if reduction > 0 && scout.gain > alpha {
                    scout = search(worker, next_depth, null_window)?;
                }
                if scout.gain <= alpha || scout.gain >= node.window.beta {
                    return Ok(scout);
                }
                let again = search(worker, next_depth, node.raised_window())?;
                worker.counters.researches += 1;
                Ok(again)
            },
        )
    }

    /// The margin of reverse futility pruning, if it applies to this depth and window.
    #[inline]
    fn futility_margin(&self, depth: u32, window: Window) -> Option<i32> {
        let margin = self.selectivity.futility_margins.get(depth as usize).copied();
        margin.filter(|_| window.beta - window.alpha <= G::VALUE_STEP)
    }

    /// The score of a position if its evaluation decides it: of a leaf, or by reverse futility pruning.
    #[inline]
    pub(super) fn static_score(
        &self,
        evaluation: i32,
        depth: u32,
        window: Window,
    ) -> Option<Score> {
        let estimate = |gain| Score { gain, proven: false };
        if depth == 0 {
            return Some(estimate(evaluation));
        }
        let margin = self.futility_margin(depth, window)?;
        (evaluation - margin >= window.beta).then(|| estimate(window.beta))
    }
}

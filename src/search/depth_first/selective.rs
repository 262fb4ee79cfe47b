//! The search that the engine plays with: principal variation search ([`super::pvs`]) that leaves out
//! what is hardly worth a look. All of it rests on the estimate and on the order of moves being good;
//! `docs/strength.md` has what each part is worth.
//!
//! - *Late move reductions* (as in chess programs since Fruit, 2004): moves far down the order are first
//!   searched less deep. Only one that turns out better than the best so far is searched in full.
//! - *Extra turns near the leaves* cost no depth: estimates are of positions in which nothing lies ready
//!   to be banked, as with the quiescence search of chess programs.
//! - *Reverse futility*, also called static null move: a position near the leaves that is better than
//!   asked by more than the moves left to play are likely to change is good enough as it is.

use super::worker::Worker;
use crate::board::Next;
use crate::search::game::Game;
use crate::search::memory::TranspositionTable;
use crate::search::question::Query;
use crate::search::step::Transition;
use crate::search::table::MAX_DEPTH;
use crate::search::threads::Stopped;
use crate::search::value::{Score, Window};

/// The greatest depth left at which a position may be good enough as it is.
const FUTILITY_DEPTH: u32 = 8;

/// For how many plies left it then has to be better than asked by one more of the least differences
/// there are ([`Game::VALUE_STEP`]): in Kalah a seed a ply.
const FUTILITY_PLIES: i32 = 2;

/// Moves are reduced from this depth left on, and from this place in the order.
const REDUCED_DEPTH: u32 = 3;
const REDUCED_MOVE: usize = 2;

/// Extra turns cost no depth when no more than so much is left.
const FREE_DEPTH: u32 = 2;

/// The iteration that leaves nothing out, so that whoever waits long enough gets a proof; those shortly
/// before it leave out less and less.
const FULL_DEPTH: u32 = 80;

/// The plies that an iteration may leave out at a time.
fn most_left_out(root_depth: u32) -> u32 {
    FULL_DEPTH.saturating_sub(root_depth) / 2
}

/// The plies that a move is searched less deep at first.
#[inline]
fn reduction<P>(depth: u32, tried: usize, step: &Transition<P>) -> u32 {
    if depth < REDUCED_DEPTH || tried < REDUCED_MOVE || step.next == Next::Again {
        return 0;
    }
    (1 + (tried - REDUCED_MOVE) as u32 + depth / 4).min(depth - 2)
}

impl<G: Game, M: TranspositionTable<G::Move>> Worker<'_, G, M> {
    /// The value of a position searched about `depth` plies deep, or outside the window a bound on it.
    pub(super) fn selective(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let most = most_left_out(self.root_depth);
        let is_null = window.beta - window.alpha <= G::VALUE_STEP;
        let is_futile = |worker: &Self, window: Window| {
            if !is_null || depth > FUTILITY_DEPTH.min(most) || ply == 0 {
                return None;
            }
            let margin = (depth as i32 + FUTILITY_PLIES - 1) / FUTILITY_PLIES * G::VALUE_STEP;
            let good_enough = worker.game.evaluate(position) - margin >= window.beta;
            good_enough.then_some(Score { gain: window.beta, proven: false })
        };
        let question = Query::Window(window);
        self.search_moves_unless(position, depth, question, ply, is_futile, |worker, node, step| {
            let is_free = step.next == Next::Again
                && depth <= FREE_DEPTH.min(most)
                && ply + (depth as usize) < MAX_DEPTH as usize;
            let next_depth = if is_free { depth } else { depth - 1 };
            let mut below = |depth: u32, window: Window| {
                let window = window.after(step);
                Ok(worker.selective(&step.position, depth, window, ply + 1)?.before(step))
            };
            if node.tried == 1 {
                return below(next_depth, node.window);
            }
            let floor = node.floor();
            let null = Window::null_above(floor, G::VALUE_STEP);
            let reduction = reduction(depth, node.tried, step).min(most);
            let mut scout = below(next_depth - reduction, null)?;
            if reduction > 0 && scout.gain > floor {
                scout = below(next_depth, null)?;
            }
            if scout.gain <= floor || scout.gain >= node.window.beta {
                return Ok(scout);
            }
            let again = below(next_depth, node.above_floor())?;
            worker.counters.researches += 1;
            Ok(again)
        })
    }
}

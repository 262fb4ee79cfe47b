//! NegaScout: A. Reinefeld, *An Improvement to the Scout Tree-Search Algorithm* (ICCA Journal
//! 6(4), 1983), in the negamax form F4 of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number
//! Search* (2014).

use super::worker::Worker;
use crate::search::game::Game;
use crate::search::memory::TranspositionTable;
use crate::search::question::Query;
use crate::search::threads::Stopped;
use crate::search::value::{Score, Window};

/// Line 11 of F4 takes the value of a null window for exact at nodes with less than this depth
/// left. With the players taking turns it is: the moves of a child are leaves there, and to say
/// that none of them is better all have to be evaluated. A player who moves twice can stop at the
/// first good leaf; then it holds one ply deeper only, where the children themselves are leaves.
pub(super) const fn exact_below(alternates: bool) -> u32 {
    if alternates { 3 } else { 2 }
}

impl<G: Game, M: TranspositionTable<G::Move>> Worker<'_, G, M> {
    /// The value of a position searched `depth` plies deep, fail-soft: outside the window it is a
    /// bound on the value, and as good a one as the search came by.
    ///
    /// The numbers in brackets are the lines of F4; the cut-off of line 14 is common ground. Where F4 compares with the best value *m*
    /// alone, this compares with the greater of *m* and alpha, as Reinefeld's own program does:
    /// below alpha there is nothing to search again for.
    pub(super) fn negascout(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.search_moves(position, depth, Query::Window(window), ply, |worker, node, step| {
            let mut below = |window: Window| {
                let score =
                    worker.negascout(&step.position, depth - 1, window.after(step), ply + 1)?;
                Ok(score.before(step))
            };
            // [8]: the first move gets the whole window.
            if node.tried == 1 {
                return below(node.window);
            }
            // [9], [15]: is this move better than the best so far?
            let floor = node.floor();
            let scout = below(Window::null_above(floor, G::VALUE_STEP))?;
            // [11], [12]
            let settled = scout.gain <= floor || scout.gain >= node.window.beta;
            if settled || depth < exact_below(G::ALTERNATES) {
                return Ok(scout);
            }
            // [13]: it is; search it again from the bound just found.
            let again = below(Window { alpha: scout.gain, beta: node.window.beta })?;
            worker.counters.researches += 1;
            Ok(scout.confirmed_by(again))
        })
    }
}

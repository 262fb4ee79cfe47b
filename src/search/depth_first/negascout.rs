//! NegaScout and principal variation search: the first move gets the full window, every other move
//! a null window first. They differ in the re-search of a move that turns out better.

use super::worker::Worker;
use crate::search::game::Game;
use crate::search::query::Query;
use crate::search::shared::Stopped;
use crate::search::transposition_table::TranspositionTable;
use crate::search::value::{Score, Window};

/// The depth below which the value of a null-window search is exact, so that line 11 of F4 omits
/// the re-search. When the players take turns, the moves of a child at depth 2 are leaves, and all
/// of them must be evaluated to show that none is better. A player with an extra turn can stop at
/// the first good leaf; then the rule holds only one ply lower, where the children are leaves.
pub(super) const fn exact_below(alternates: bool) -> u32 {
    if alternates { 3 } else { 2 }
}

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// NegaScout, which re-searches from the bound that the null window returned: A. Reinefeld, *An
    /// Improvement to the Scout Tree-Search Algorithm* (ICCA Journal 6(4), 1983), in the negamax form
    /// F4 of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (2014). Returns the value
    /// of a position at `depth` plies, outside the window a bound.
    ///
    /// The numbers in brackets are the lines of F4; the cutoff of line 14 is in
    /// [`Worker::update_best`]. F4 compares with the best value *m*; this function compares with the
    /// greater of *m* and alpha, as Reinefeld's own program does, because below alpha no re-search is
    /// needed.
    pub(super) fn negascout(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let query = Query::Window(window);
        self.search_node(position, depth, query, ply, |worker, node, transition| {
            let mut search = |window: Window| {
                let window = window.after(transition);
                let score = worker.negascout(&transition.position, depth - 1, window, ply + 1)?;
                Ok(score.before(transition))
            };
            // [8]: the first move gets the full window.
            if node.move_count == 1 {
                return search(node.window);
            }
            // [9], [15]: is this move better than the best so far?
            let alpha = node.raised_alpha();
            let scout = search(Window::null_above(alpha, G::VALUE_STEP))?;
            // [11], [12]
            let is_final = scout.gain <= alpha || scout.gain >= node.window.beta;
            if is_final || depth < exact_below(G::ALTERNATES) {
                return Ok(scout);
            }
            // [13]: it is; re-search it from the bound just found.
            let again = search(Window { alpha: scout.gain, beta: node.window.beta })?;
            worker.counters.researches += 1;
            Ok(scout.confirmed_by(again))
        })
    }

    /// Principal variation search, which re-searches from alpha by plain alpha-beta: T. Marsland and
    /// M. Campbell, *Parallel Search of Strongly Ordered Game Trees* (ACM Computing Surveys 14(4),
    /// 1982), in the form that is taught beside SCOUT. Returns the value of a position at `depth`
    /// plies, outside the window a bound.
    pub(super) fn pvs(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let query = Query::Window(window);
        self.search_node(position, depth, query, ply, |worker, node, transition| {
            let child = &transition.position;
            if node.move_count == 1 {
                let window = node.window.after(transition);
                return Ok(worker.pvs(child, depth - 1, window, ply + 1)?.before(transition));
            }
            let mut alpha_beta = |window: Window| {
                let window = window.after(transition);
                Ok(worker.alpha_beta(child, depth - 1, window, ply + 1)?.before(transition))
            };
            let score = alpha_beta(Window::null_above(node.raised_alpha(), G::VALUE_STEP))?;
            if score.gain <= node.raised_alpha() || score.gain >= node.window.beta {
                return Ok(score);
            }
            let again = alpha_beta(node.raised_window())?;
            worker.counters.researches += 1;
            Ok(again)
        })
    }
}

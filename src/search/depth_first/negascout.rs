//! NegaScout and principal variation search: the first move gets the full window, every other move
//! a null window first. They differ in the re-search of a move that turns out better.
//!
//! NegaScout comes in two forms, as T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (2014)
//! presents it: F4 in negamax form, and one procedure for each player, F4' for MAX and G4' for MIN, with
//! all values and windows from MAX's view. Both visit the same positions with the same windows. The
//! numbers in brackets are lines of the lecture; the cutoff of line 14 is in [`Worker::update_best`]. In
//! line 9 of the lecture the null window begins at the best value *m* even if *m* is below alpha. These
//! procedures begin at the greater of the two, as Reinefeld's own program does, because below alpha no
//! re-search is needed.

use super::node::{SearchedScore, Visit};
use super::worker::Worker;
use crate::search::game::Game;
use crate::search::transposition_table::TranspositionTable;
use crate::search::value::{MinimaxPlayer, Query, Score, Transition, Window};

/// The depth below which the value of a null-window search is exact, so that line 11 of F4 omits
/// the re-search. When the players take turns, the moves of a child at depth 2 are leaves, and all
/// of them must be evaluated to show that none is better. A player with an extra turn can stop at
/// the first good leaf; then the rule holds only one ply lower, where the children are leaves.
pub(super) const fn exact_below(alternates: bool) -> u32 {
    if alternates { 3 } else { 2 }
}

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// NegaScout, which re-searches from the bound that the null window returned: A. Reinefeld, *An Improvement to
    /// the Scout Tree-Search Algorithm* (ICCA Journal 6(4), 1983), in the lecture's form F4. Returns the value,
    /// outside the window a bound.
    pub(super) fn negascout(&mut self, visit: Visit<'_, G>, window: Window) -> SearchedScore {
        self.search_node(visit, Query::Window(window), |worker, node, transition| {
            let mut search = |window: Window| {
                let window = window.after(transition);
                Ok(worker.negascout(visit.after(transition), window)?.before(transition))
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
            if is_final || visit.depth < exact_below(G::ALTERNATES) {
                return Ok(scout);
            }
            // [13]: it is; re-search it from the bound just found.
            let again = search(Window { alpha: scout.gain, beta: node.window.beta })?;
            worker.counters.researches += 1;
            Ok(scout.confirmed_by(again))
        })
    }

    /// Principal variation search, which re-searches from alpha by plain alpha-beta: T. Marsland and M. Campbell,
    /// *Parallel Search of Strongly Ordered Game Trees* (ACM Computing Surveys 14(4), 1982), as it is taught beside
    /// SCOUT. Returns the value, outside the window a bound.
    pub(super) fn pvs(&mut self, visit: Visit<'_, G>, window: Window) -> SearchedScore {
        self.search_node(visit, Query::Window(window), |worker, node, transition| {
            let child = visit.after(transition);
            if node.move_count == 1 {
                return Ok(worker.pvs(child, node.window.after(transition))?.before(transition));
            }
            let mut alpha_beta = |window: Window| {
                Ok(worker.alpha_beta(child, window.after(transition))?.before(transition))
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

/// Converts MIN's view of a window to MAX's view, and the reverse.
fn negated(window: Window) -> Window {
    Window { alpha: -window.beta, beta: -window.alpha }
}

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// F4': MAX to move.
    pub(super) fn f4(&mut self, visit: Visit<'_, G>, window: Window) -> SearchedScore {
        self.search_node(visit, Query::Window(window), |worker, node, transition| {
            let mut search =
                |window| worker.search_after(MinimaxPlayer::Max, visit, transition, window);
            let window = node.window;
            if node.move_count == 1 {
                return search(window);
            }
            // [9]: more than m?
            let m = node.raised_alpha();
            let t = search(Window { alpha: m, beta: m + G::VALUE_STEP })?;
            // [10], [11], [12]
            if t.gain <= m || t.gain >= window.beta || visit.depth < exact_below(G::ALTERNATES) {
                return Ok(t);
            }
            // [13]
            let again = search(Window { alpha: t.gain, beta: window.beta })?;
            worker.counters.researches += 1;
            Ok(t.confirmed_by(again))
        })
    }

    /// G4': MIN to move.
    fn g4(&mut self, visit: Visit<'_, G>, window: Window) -> SearchedScore {
        let min = |score| MinimaxPlayer::Min.convert(score);
        let query = Query::Window(negated(window));
        let score = self.search_node(visit, query, |worker, node, transition| {
            let mut search =
                |window| worker.search_after(MinimaxPlayer::Min, visit, transition, window);
            let window = negated(node.window);
            if node.move_count == 1 {
                return search(window).map(min);
            }
            // [9]: less than m?
            let m = -node.raised_alpha();
            let t = search(Window { alpha: m - G::VALUE_STEP, beta: m })?;
            // [10], [11], [12]
            if t.gain >= m || t.gain <= window.alpha || visit.depth < exact_below(G::ALTERNATES) {
                return Ok(min(t));
            }
            // [13]
            let again = search(Window { alpha: window.alpha, beta: t.gain })?;
            worker.counters.researches += 1;
            Ok(min(t).confirmed_by(min(again)))
        });
        score.map(min)
    }

    /// The value of a position by one move of `mover`.
    fn search_after(
        &mut self,
        mover: MinimaxPlayer,
        visit: Visit<'_, G>,
        transition: &Transition<G::Position>,
        window: Window,
    ) -> SearchedScore {
        let gain = mover.convert(Score::proven(transition.gain)).gain;
        let window = Window { alpha: window.alpha - gain, beta: window.beta - gain };
        let score = match mover.after(transition.next) {
            MinimaxPlayer::Max => self.f4(visit.after(transition), window)?,
            MinimaxPlayer::Min => self.g4(visit.after(transition), window)?,
        };
        Ok(Score { gain: gain + score.gain, ..score })
    }
}

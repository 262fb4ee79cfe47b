//! The depth-first searches: ways to choose windows over the common recursion of [`worker`]. Minimax, alpha-beta
//! and the memory-enhanced test drivers, which call it, are here.

mod negascout;
mod node;
mod scout;
mod selective;
mod worker;

pub(crate) use node::Visit;
pub(crate) use worker::Worker;

use node::SearchedScore;
use selective::Selectivity;

use crate::search::game::Game;
use crate::search::transposition_table::TranspositionTable;
use crate::search::value::{MinimaxPlayer, Query, Score, Window};
use crate::search::variant::{DepthFirst, MtdDriver};

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// Searches a tree to a fixed depth and returns its value. `window` is for the searches that can begin with an
    /// aspiration window ([`DepthFirst::supports_aspiration`]), `guess` for the MTD drivers.
    pub(crate) fn search(
        &mut self,
        search: DepthFirst,
        root: &G::Position,
        depth: u32,
        window: Window,
        guess: Option<i32>,
    ) -> SearchedScore {
        let full = Window::around(self.game.value_range(root), G::VALUE_STEP);
        let parameters = &self.options.selective;
        self.selectivity =
            Selectivity::new(parameters, depth, G::VALUE_STEP, self.game.has_long_turns());
        self.evaluated_depth =
            (search == DepthFirst::Selective).then_some(parameters.evaluated_ordering_depth as u32);
        let visit = Visit::root(root, depth);
        match search {
            DepthFirst::Minimax => self.minimax(visit),
            DepthFirst::AlphaBeta => self.alpha_beta(visit, full),
            DepthFirst::Scout => self.eval(visit, MinimaxPlayer::Max),
            DepthFirst::NegaScout => self.negascout(visit, window),
            DepthFirst::NegaScoutMinimax => self.f4(visit, window),
            DepthFirst::Pvs => self.pvs(visit, full),
            DepthFirst::Selective => self.selective(visit, window, None),
            DepthFirst::Mtd(driver) => self.mtd(driver, visit, guess),
        }
    }

    /// Minimax, searching every move of every position: C. Shannon, *Programming a Computer for
    /// Playing Chess* (Philosophical Magazine 41, 1950), in the negamax form of D. Knuth and R. Moore
    /// (*An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975). Returns the value.
    fn minimax(&mut self, visit: Visit<'_, G>) -> SearchedScore {
        self.search_node(visit, Query::Value, |worker, _, transition| {
            Ok(worker.minimax(visit.after(transition))?.before(transition))
        })
    }

    /// Alpha-beta, cutting off positions that one of the players will avoid: D. Knuth and R. Moore,
    /// *An Analysis of Alpha-Beta Pruning* (Artificial Intelligence 6, 1975), fail-soft after
    /// J. Fishburn (1981). Returns the value, outside the window a bound.
    fn alpha_beta(&mut self, visit: Visit<'_, G>, window: Window) -> SearchedScore {
        self.search_node(visit, Query::Window(window), |worker, node, transition| {
            let window = node.raised_window().after(transition);
            Ok(worker.alpha_beta(visit.after(transition), window)?.before(transition))
        })
    }

    /// A driver of memory-enhanced tests. Returns the value.
    fn mtd(&mut self, driver: MtdDriver, root: Visit<'_, G>, guess: Option<i32>) -> SearchedScore {
        let range = self.game.value_range(root.position);
        let (mut lower, mut upper) = (Score::proven(range.0), Score::proven(range.1));
        let min = lower.gain + 1;
        let mut bound = driver.first_bound(range, guess).clamp(min, upper.gain.max(min));
        while lower.gain < upper.gain {
            let window = Window { alpha: bound - 1, beta: bound };
            let window = self.game.align_window(root.position, window);
            let score = self.alpha_beta(root, window)?;
            if score.gain >= window.beta {
                lower = score;
            } else {
                upper = score;
            }
            if lower.gain < upper.gain {
                self.counters.researches += 1;
                bound = driver.next_bound(lower.gain, upper.gain, score.gain);
            }
        }
        Ok(Score { gain: lower.gain, proven: lower.proven && upper.proven })
    }
}

/// Memory-enhanced test drivers (MTD): A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, *Best-First
/// Fixed-Depth Minimax Algorithms* (Artificial Intelligence 87, 1996).
///
/// A driver finds a value by null-window searches at the root; each returns a lower or an upper bound. The
/// transposition table keeps one from repeating the work of the last. SSS*, DUAL*, MTD(f) and bisection (K.
/// Coplan's C*, 1982) differ only in the bounds they test.
impl MtdDriver {
    /// The first bound to test: is the value at least this?
    fn first_bound(self, (min, max): (i32, i32), guess: Option<i32>) -> i32 {
        match (self, guess) {
            (MtdDriver::Above, _) => max,
            (MtdDriver::Below, _) => min + 1,
            (MtdDriver::Guess | MtdDriver::Bisection, Some(guess)) => guess,
            (MtdDriver::Guess, None) => 0,
            (MtdDriver::Bisection, None) => Self::middle(min, max),
        }
    }

    /// The next bound to test, when the value is from `min` to `max` and the last test returned one of the two.
    fn next_bound(self, min: i32, max: i32, found: i32) -> i32 {
        match self {
            MtdDriver::Bisection => Self::middle(min, max),
            // After an upper bound: is it reached? After a lower bound: is it exceeded?
            _ if found == max => max,
            _ => min + 1,
        }
    }

    /// Greater than `min`, because a test of `min` itself would return nothing new.
    fn middle(min: i32, max: i32) -> i32 {
        min + (max - min + 1) / 2
    }
}

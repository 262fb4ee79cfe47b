//! Memory-enhanced test drivers (MTD): A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, *Best-First
//! Fixed-Depth Minimax Algorithms* (Artificial Intelligence 87, 1996).
//!
//! A driver finds a value by null-window searches at the root alone; each returns a lower or an
//! upper bound. The transposition table keeps one search from repeating the work of the last.
//! SSS*, DUAL*, MTD(f) and bisection (K. Coplan's C*, 1982) differ only in the sequence of bounds
//! they test.

use super::worker::Worker;
use crate::search::game::Game;
use crate::search::shared::Stopped;
use crate::search::transposition_table::TranspositionTable;
use crate::search::value::{Score, Window};
use crate::search::variant::MtdDriver;

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

    /// The next bound to test, when the value is from `min` to `max` and the last test returned
    /// `found`, one of the two.
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

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// The value of a position at `depth` plies.
    pub(super) fn mtd(
        &mut self,
        driver: MtdDriver,
        root: &G::Position,
        depth: u32,
        guess: Option<i32>,
    ) -> Result<Score, Stopped> {
        let range = self.game.value_range(root);
        let (mut lower, mut upper) = (Score::proven(range.0), Score::proven(range.1));
        let min = lower.gain + 1;
        let mut bound = driver.first_bound(range, guess).clamp(min, upper.gain.max(min));
        while lower.gain < upper.gain {
            let window = self.game.align_window(root, Window { alpha: bound - 1, beta: bound });
            let score = self.alpha_beta(root, depth, window, 0)?;
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

//! Memory-enhanced test drivers: A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, *Best-First
//! Fixed-Depth Minimax Algorithms* (Artificial Intelligence 87, 1996).
//!
//! A value is closed in on by null-window searches alone, each of which says on which side of a
//! bound it lies. What makes this good is memory: what one search found out the next need not.
//! From where the bounds come is all the difference between SSS* (from above), DUAL* (from
//! below), MTD(f) (from a guess) and bisection (K. Coplan's C*, 1982).

use super::worker::Worker;
use crate::search::game::Game;
use crate::search::memory::TranspositionTable;
use crate::search::threads::Stopped;
use crate::search::value::{Score, Window};
use crate::search::variant::MtdDriver;

impl MtdDriver {
    /// The bound to ask about first: is the value at least this?
    fn first(self, (least, most): (i32, i32), guess: Option<i32>) -> i32 {
        match (self, guess) {
            (MtdDriver::Above, _) => most,
            (MtdDriver::Below, _) => least + 1,
            (MtdDriver::Guess | MtdDriver::Bisection, Some(guess)) => guess,
            (MtdDriver::Guess, None) => 0,
            (MtdDriver::Bisection, None) => Self::middle(least, most),
        }
    }

    /// The bound to ask about next, when the value is known to lie from `least` to `most` and
    /// the last test has found one of the two.
    fn next(self, least: i32, most: i32, found: i32) -> i32 {
        match self {
            MtdDriver::Bisection => Self::middle(least, most),
            // Down from an upper bound: is it reached? Up from a lower one: is there more?
            _ if found == most => most,
            _ => least + 1,
        }
    }

    /// Above `least`, or the test would tell nothing.
    fn middle(least: i32, most: i32) -> i32 {
        least + (most - least + 1) / 2
    }
}

impl<G: Game, M: TranspositionTable<G::Move>> Worker<'_, G, M> {
    /// The value of a position searched `depth` plies deep.
    pub(super) fn mtd(
        &mut self,
        driver: MtdDriver,
        root: &G::Position,
        depth: u32,
        guess: Option<i32>,
    ) -> Result<Score, Stopped> {
        let range = self.game.value_range(root);
        let (mut lower, mut upper) = (Score::proven(range.0), Score::proven(range.1));
        let least = lower.gain + 1;
        let mut bound = driver.first(range, guess).clamp(least, upper.gain.max(least));
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
                bound = driver.next(lower.gain, upper.gain, score.gain);
            }
        }
        Ok(Score { gain: lower.gain, proven: lower.proven && upper.proven })
    }
}

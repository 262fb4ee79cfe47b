//! How a depth-first proof-number search goes about its work.

use super::numbers::ProofNumbers;
use crate::search::game::Game;
use crate::search::value::Window;

/// How a depth-first proof-number search goes about its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofOptions {
    /// What a position counts for before it has been visited.
    pub initial: InitialNumbers,
    /// Percent by which the best move may get worse than the second before the search goes over to
    /// that. With some patience there are fewer changes and so fewer visits that only find the way
    /// back to where the search was before: the 1 + ε of J. Pawlewicz and Ł. Lew, *Improving
    /// Depth-First PN-Search* (2007).
    pub epsilon_percent: u32,
}

/// What a position counts for before it has been visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialNumbers {
    /// One leaf, whatever the claim.
    One,
    /// The more of the values that the position can have speak against a claim, the harder it is
    /// taken to be: the proof number is how many these are, the disproof number how many speak
    /// for it. Where there are two values it is [`InitialNumbers::One`].
    Values,
}

impl ProofOptions {
    /// As published.
    pub const PLAIN: ProofOptions =
        ProofOptions { initial: InitialNumbers::One, epsilon_percent: 0 };

    /// The proof number at which the best move is no longer searched, when this is that of the
    /// second.
    #[inline]
    pub(super) fn out_of_patience(self, second: u32) -> u32 {
        let patience = u64::from(second) * u64::from(self.epsilon_percent) / 100;
        (u64::from(second) + patience + 1).min(ProofNumbers::INFINITE.into()) as u32
    }
}

impl Default for ProofOptions {
    /// What takes the fewest nodes in endings of Kalah: with 16 to 20 seeds in play half of those
    /// of [`ProofOptions::PLAIN`], with more seeds less than that.
    fn default() -> Self {
        ProofOptions { initial: InitialNumbers::Values, epsilon_percent: 25 }
    }
}

impl InitialNumbers {
    /// The first numbers of a position whose mover makes the claim.
    #[inline]
    pub(super) fn of<G: Game>(
        self,
        game: &G,
        position: &G::Position,
        window: Window,
    ) -> ProofNumbers {
        match self {
            InitialNumbers::One => ProofNumbers::UNKNOWN,
            InitialNumbers::Values => {
                let (least, most) = game.value_range(position);
                let count =
                    |from: i32, to: i32| ((to - from) / G::VALUE_STEP).max(1).cast_unsigned();
                ProofNumbers {
                    proof: count(least, window.beta),
                    disproof: count(window.alpha, most),
                }
            }
        }
    }
}

//! How a depth-first proof-number search goes about its work.

use super::numbers::Numbers;
use crate::search::game::Game;
use crate::search::value::Window;

/// How a depth-first proof-number search goes about its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofConduct {
    /// What a position counts for before it has been visited.
    pub first: FirstNumbers,
    /// Percent by which the best move may get worse than the second before the search goes over to
    /// that. With some patience there are fewer changes and so fewer visits that only find the way
    /// back to where the search was before: the 1 + ε of J. Pawlewicz and Ł. Lew, *Improving
    /// Depth-First PN-Search* (2007).
    pub patience: u32,
}

/// What a position counts for before it has been visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstNumbers {
    /// One leaf, whatever the claim.
    One,
    /// The more of the values that the position can have speak against a claim, the harder it is
    /// taken to be: the proof number is how many these are, the disproof number how many speak
    /// for it. Where there are two values it is [`FirstNumbers::One`].
    Values,
}

impl ProofConduct {
    /// As published.
    pub const PLAIN: ProofConduct = ProofConduct { first: FirstNumbers::One, patience: 0 };

    /// The proof number at which the best move is no longer searched, when this is that of the
    /// second.
    #[inline]
    pub(super) fn out_of_patience(self, second: u32) -> u32 {
        let patience = u64::from(second) * u64::from(self.patience) / 100;
        (u64::from(second) + patience + 1).min(Numbers::INFINITE.into()) as u32
    }
}

impl Default for ProofConduct {
    /// What takes the fewest nodes in endings of Kalah: with 16 to 20 seeds in play half of those
    /// of [`ProofConduct::PLAIN`], with more seeds less than that.
    fn default() -> Self {
        ProofConduct { first: FirstNumbers::Values, patience: 25 }
    }
}

impl FirstNumbers {
    /// The first numbers of a position whose mover makes the claim.
    #[inline]
    pub(super) fn of<G: Game>(self, game: &G, position: &G::Position, window: Window) -> Numbers {
        match self {
            FirstNumbers::One => Numbers::UNKNOWN,
            FirstNumbers::Values => {
                let (least, most) = game.range(position);
                let count = |from: i32, to: i32| ((to - from) / G::STEP).max(1).cast_unsigned();
                Numbers { proof: count(least, window.beta), disproof: count(window.alpha, most) }
            }
        }
    }
}

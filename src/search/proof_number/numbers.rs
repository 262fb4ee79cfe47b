//! Proof and disproof numbers.

use crate::board::Next;
use crate::search::game::Game;
use crate::search::value::Window;

/// The proof and the disproof number of a claim about a position: the least number of leaves that
/// must be evaluated to prove it, and to disprove it. When the claim is decided, one number is 0 and
/// the other is [`ProofNumbers::INFINITE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    /// Leaves needed to prove the claim.
    pub proof: u32,
    /// Leaves needed to disprove the claim.
    pub disproof: u32,
}

impl ProofNumbers {
    /// The number when no leaves are sufficient.
    pub const INFINITE: u32 = u32::MAX;

    /// The numbers of a leaf that has not been evaluated.
    pub const UNKNOWN: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
    /// The numbers of a claim that holds.
    pub const PROVEN: ProofNumbers = ProofNumbers { proof: 0, disproof: ProofNumbers::INFINITE };
    /// The numbers of a claim that does not hold.
    pub const DISPROVED: ProofNumbers = ProofNumbers { proof: ProofNumbers::INFINITE, disproof: 0 };

    /// Whether the claim holds; `None` while it is undecided.
    pub fn answer(self) -> Option<bool> {
        match self {
            ProofNumbers { proof: 0, .. } => Some(true),
            ProofNumbers { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// The numbers of a claim (a null window) about a position with this value.
    #[inline]
    pub(super) fn from_value(value: i32, window: Window) -> ProofNumbers {
        if value >= window.beta { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVED }
    }

    /// The numbers of the opposite claim.
    #[inline]
    pub(super) fn negated(self) -> ProofNumbers {
        ProofNumbers { proof: self.disproof, disproof: self.proof }
    }

    /// Converts the numbers of a position after a move to the view of the player who made the move.
    #[inline]
    pub(super) fn before(self, next: Next) -> ProofNumbers {
        match next {
            Next::Again | Next::Over => self,
            Next::Other => self.negated(),
        }
    }

    /// The numbers of an OR node by those of its moves: one proves the claim, all disprove it.
    #[inline]
    pub(super) fn from_moves(moves: impl IntoIterator<Item = ProofNumbers>) -> ProofNumbers {
        moves.into_iter().fold(ProofNumbers::DISPROVED, |all, one| ProofNumbers {
            proof: all.proof.min(one.proof),
            disproof: sum(all.disproof, one.disproof),
        })
    }
}

/// A saturating sum that is infinite only if one of the summands is.
#[inline]
fn sum(a: u32, b: u32) -> u32 {
    if a.max(b) == ProofNumbers::INFINITE {
        ProofNumbers::INFINITE
    } else {
        a.saturating_add(b).min(ProofNumbers::INFINITE - 1)
    }
}

/// The claim that a position is worth at least `value` as a null window: that its value is at least beta.
pub(super) fn claim(value: i32) -> Window {
    Window { alpha: value - 1, beta: value }
}

/// The claim with its window aligned to the possible values, or the numbers if their range decides it.
#[inline]
pub(super) fn align_claim<G: Game>(
    game: &G,
    position: &G::Position,
    window: Window,
) -> Result<Window, ProofNumbers> {
    let (min, max) = game.value_range(position);
    if window.alpha >= max {
        Err(ProofNumbers::DISPROVED)
    } else if window.beta <= min {
        Err(ProofNumbers::PROVEN)
    } else {
        Ok(game.align_window(position, window))
    }
}

/// Options of depth-first proof-number search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofOptions {
    /// The numbers of positions that have not been visited.
    pub initial: InitialNumbers,
    /// The percentage by which the proof number of the best move may exceed that of the second best before the
    /// search switches: the 1 + ε trick of J. Pawlewicz and Ł. Lew, *Improving Depth-First PN-Search* (2007). After
    /// each switch nodes must be visited again.
    pub epsilon_percent: u32,
}

/// The numbers of positions that have not been visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialNumbers {
    /// 1 and 1, as for one leaf.
    One,
    /// The proof number is the number of possible values that contradict the claim, the disproof number that of
    /// those that satisfy it: with two values as [`InitialNumbers::One`].
    Values,
}

impl ProofOptions {
    /// The search as published.
    pub const PLAIN: ProofOptions =
        ProofOptions { initial: InitialNumbers::One, epsilon_percent: 0 };

    /// The proof number at which the search leaves the best move, given that of the second best.
    #[inline]
    pub(super) fn proof_threshold(self, second: u32) -> u32 {
        let epsilon = u64::from(second) * u64::from(self.epsilon_percent) / 100;
        (u64::from(second) + epsilon + 1).min(ProofNumbers::INFINITE.into()) as u32
    }
}

impl Default for ProofOptions {
    /// The options that need the fewest nodes in Kalah endgames: with 16 to 20 seeds in play half
    /// as many as [`ProofOptions::PLAIN`], with more seeds less than half.
    fn default() -> Self {
        ProofOptions { initial: InitialNumbers::Values, epsilon_percent: 25 }
    }
}

impl InitialNumbers {
    /// The initial numbers of a position, from the view of the player to move.
    #[inline]
    pub(super) fn numbers<G: Game>(
        self,
        game: &G,
        position: &G::Position,
        window: Window,
    ) -> ProofNumbers {
        match self {
            InitialNumbers::One => ProofNumbers::UNKNOWN,
            InitialNumbers::Values => {
                let (min, max) = game.value_range(position);
                let count =
                    |from: i32, to: i32| ((to - from) / G::VALUE_STEP).max(1).cast_unsigned();
                ProofNumbers { proof: count(min, window.beta), disproof: count(window.alpha, max) }
            }
        }
    }
}

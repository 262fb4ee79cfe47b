//! Proof and disproof numbers.

use crate::board::Next;
use crate::search::game::Game;
use crate::search::value::Window;

/// How hard a claim about a position still is: the least numbers of leaves that have to be
/// evaluated to prove it, and to disprove it. One of the two is 0, and the other
/// [`ProofNumbers::INFINITE`], when it is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    /// Leaves that it takes to prove the claim.
    pub proof: u32,
    /// Leaves that it takes to disprove the claim.
    pub disproof: u32,
}

impl ProofNumbers {
    /// What no number of leaves can do.
    pub const INFINITE: u32 = u32::MAX;

    /// Of a leaf that has not been evaluated: doing it decides the claim one way or the other.
    pub const UNKNOWN: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
    /// Of a claim that holds.
    pub const PROVEN: ProofNumbers = ProofNumbers { proof: 0, disproof: ProofNumbers::INFINITE };
    /// Of a claim that does not hold.
    pub const DISPROVED: ProofNumbers = ProofNumbers { proof: ProofNumbers::INFINITE, disproof: 0 };

    /// Whether the claim holds; `None` as long as that is open.
    pub fn answer(self) -> Option<bool> {
        match self {
            ProofNumbers { proof: 0, .. } => Some(true),
            ProofNumbers { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Of a value known not to lie inside the null window: the claim is that it lies above.
    #[inline]
    pub(super) fn of(value: i32, window: Window) -> ProofNumbers {
        if value >= window.beta { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVED }
    }

    /// The numbers of the contrary claim.
    #[inline]
    pub(super) fn contrary(self) -> ProofNumbers {
        ProofNumbers { proof: self.disproof, disproof: self.proof }
    }

    /// These numbers of a position, as the player sees them who moved there.
    #[inline]
    pub(super) fn before(self, next: Next) -> ProofNumbers {
        match next {
            Next::Again | Next::Over => self,
            Next::Other => self.contrary(),
        }
    }

    /// The numbers of a position whose mover makes the claim, by those of its moves: one of them
    /// is enough to prove it, and it takes all of them to disprove it.
    #[inline]
    pub(super) fn of_choice(moves: impl IntoIterator<Item = ProofNumbers>) -> ProofNumbers {
        moves.into_iter().fold(ProofNumbers::DISPROVED, |all, one| ProofNumbers {
            proof: all.proof.min(one.proof),
            disproof: sum(all.disproof, one.disproof),
        })
    }
}

/// A sum that is infinite only when one of its parts is.
#[inline]
fn sum(a: u32, b: u32) -> u32 {
    if a.max(b) == ProofNumbers::INFINITE {
        ProofNumbers::INFINITE
    } else {
        a.saturating_add(b).min(ProofNumbers::INFINITE - 1)
    }
}

/// The claim that a position is worth `value` or more to the player to move: a null window, of
/// which the value lies above or below.
pub(super) fn claim(value: i32) -> Window {
    Window { alpha: value - 1, beta: value }
}

/// A claim with its window as wide as the position allows, or the numbers of one that the range of
/// values settles.
#[inline]
pub(super) fn settle<G: Game>(
    game: &G,
    position: &G::Position,
    window: Window,
) -> Result<Window, ProofNumbers> {
    let (least, most) = game.value_range(position);
    if window.alpha >= most {
        Err(ProofNumbers::DISPROVED)
    } else if window.beta <= least {
        Err(ProofNumbers::PROVEN)
    } else {
        Ok(game.align_window(position, window))
    }
}

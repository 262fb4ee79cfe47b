//! Proof and disproof numbers.

use crate::board::Next;
use crate::search::game::Game;
use crate::search::value::Window;

/// How hard a claim about a position still is: the least numbers of leaves that have to be
/// evaluated to prove it, and to disprove it. One of the two is 0, and the other
/// [`Numbers::INFINITE`], when it is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Leaves that it takes to prove the claim.
    pub proof: u32,
    /// Leaves that it takes to disprove the claim.
    pub disproof: u32,
}

impl Numbers {
    /// What no number of leaves can do.
    pub const INFINITE: u32 = u32::MAX;

    /// Of a leaf that has not been evaluated: doing it decides the claim one way or the other.
    pub const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1 };
    /// Of a claim that holds.
    pub const PROVEN: Numbers = Numbers { proof: 0, disproof: Numbers::INFINITE };
    /// Of a claim that does not hold.
    pub const DISPROVED: Numbers = Numbers { proof: Numbers::INFINITE, disproof: 0 };

    /// Whether the claim holds; `None` as long as that is open.
    pub fn answer(self) -> Option<bool> {
        match self {
            Numbers { proof: 0, .. } => Some(true),
            Numbers { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Of a value known not to lie inside the null window: the claim is that it lies above.
    #[inline]
    pub(super) fn of(value: i32, window: Window) -> Numbers {
        if value >= window.beta { Numbers::PROVEN } else { Numbers::DISPROVED }
    }

    /// The numbers of the contrary claim.
    #[inline]
    pub(super) fn contrary(self) -> Numbers {
        Numbers { proof: self.disproof, disproof: self.proof }
    }

    /// These numbers of a position, as the player sees them who moved there.
    #[inline]
    pub(super) fn before(self, next: Next) -> Numbers {
        match next {
            Next::Again | Next::Over => self,
            Next::Other => self.contrary(),
        }
    }

    /// The numbers of a position whose mover makes the claim, by those of its moves: one of them
    /// is enough to prove it, and it takes all of them to disprove it.
    #[inline]
    pub(super) fn of_choice(moves: impl IntoIterator<Item = Numbers>) -> Numbers {
        moves.into_iter().fold(Numbers::DISPROVED, |all, one| Numbers {
            proof: all.proof.min(one.proof),
            disproof: sum(all.disproof, one.disproof),
        })
    }
}

/// A sum that is infinite only when one of its parts is.
#[inline]
fn sum(a: u32, b: u32) -> u32 {
    if a.max(b) == Numbers::INFINITE {
        Numbers::INFINITE
    } else {
        a.saturating_add(b).min(Numbers::INFINITE - 1)
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
) -> Result<Window, Numbers> {
    let (least, most) = game.range(position);
    if window.alpha >= most {
        Err(Numbers::DISPROVED)
    } else if window.beta <= least {
        Err(Numbers::PROVEN)
    } else {
        Ok(game.align(position, window))
    }
}

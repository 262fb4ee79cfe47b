//! Gains, windows and bounds.
//!
//! A search values a position by its *gain*: what the mover will still add to the result, what
//! has been won so far left aside. In Kalah that is the rest of the store difference, in seeds.
//! Two facts hold there for the gain of every position and for every estimate of it, and all
//! windows use them: it lies within plus or minus the seeds in the houses, and it has their
//! parity.

use super::step::Transition;
use crate::board::Next;

/// Hundredths of a seed in a seed.
pub const CENTISEEDS: i32 = 100;

/// What a search found out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The gain from the view of the player to move, in Kalah in seeds.
    pub gain: i32,
    /// Whether it (as a value, or as the bound it is) follows from the rules alone, with no
    /// estimate in any line it rests on.
    pub proven: bool,
}

impl Score {
    /// A score that follows from the rules.
    pub(crate) fn proven(gain: i32) -> Score {
        Score { gain, proven: true }
    }

    /// The score of the position before a step, when this is the score of the one after it.
    #[inline]
    pub(crate) fn before<P>(self, step: &Transition<P>) -> Score {
        Score { gain: step.before(self.gain), ..self }
    }

    /// What a null-window search that found a lower bound, and the search from that bound on that
    /// came after it, say together. When the second comes to no more than the bound, it takes
    /// both to make the value.
    #[inline]
    pub(crate) fn confirmed_by(self, again: Score) -> Score {
        let proven = again.proven && (self.proven || again.gain > self.gain);
        Score { proven, ..again }
    }
}

/// The open interval of gains that a search is to tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// At or below, an upper bound is enough.
    pub alpha: i32,
    /// At or above, a lower bound is enough.
    pub beta: i32,
}

impl Window {
    /// A window that holds all values of a range, none of them on its edge.
    pub(crate) fn around((least, most): (i32, i32), step: i32) -> Window {
        Window { alpha: least - step, beta: most + step }
    }

    /// The window just above `gain`: is the value greater? The next possible value is a step up.
    #[inline]
    pub(crate) fn null_above(gain: i32, step: i32) -> Window {
        Window { alpha: gain, beta: gain + step }
    }

    /// Both ends moved outwards to the parity of the seeds in play. Nothing that can be the
    /// value comes in or goes out.
    #[inline]
    pub(crate) fn aligned(self, seeds: i32) -> Window {
        Window {
            alpha: self.alpha - ((self.alpha - seeds) & 1),
            beta: self.beta + ((self.beta - seeds) & 1),
        }
    }

    /// The same question, asked of the position after a step. The sign follows the mover: an
    /// extra turn keeps it.
    #[inline]
    pub(crate) fn after<P>(self, step: &Transition<P>) -> Window {
        let (alpha, beta) = (self.alpha - step.gain, self.beta - step.gain);
        match step.next {
            Next::Again | Next::Over => Window { alpha, beta },
            Next::Other => Window { alpha: -beta, beta: -alpha },
        }
    }

    /// What a gain found with this window says about the value.
    #[inline]
    pub(crate) fn bound_of(self, gain: i32) -> Bound {
        if gain <= self.alpha {
            Bound::Upper
        } else if gain >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }
}

/// How a gain found by a search relates to the value searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is at most this.
    Upper,
    /// The value is at least this.
    Lower,
    /// The value is this.
    Exact,
}

impl Bound {
    /// Whether a gain with this bound answers the question of a window.
    #[inline]
    pub(crate) fn settles(self, gain: i32, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Upper => gain <= window.alpha,
            Bound::Lower => gain >= window.beta,
        }
    }
}

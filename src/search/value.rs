//! Gains, windows and bounds.
//!
//! A search values a position by its *gain*: the seeds the mover will still add to the store
//! difference, present stores left aside. Two facts hold for the gain of every position and for
//! every estimate of it, and all windows use them: it lies within plus or minus the seeds in the
//! houses, and it has their parity.

use crate::board::{Next, Played};

/// Hundredths of a seed in a seed.
pub const CENTISEEDS: i32 = 100;

/// What a search found out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The gain in seeds, from the view of the player to move.
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

    /// The score of the position before `played`, when this is the score of the one after it.
    #[inline]
    pub(crate) fn before<R>(self, played: &Played<R>) -> Score {
        let ply = played.banked as i32 - played.conceded as i32;
        let gain = match played.next {
            Next::Again | Next::Over => ply + self.gain,
            Next::Other => ply - self.gain,
        };
        Score { gain, ..self }
    }
}

/// The open interval of gains that a search is to tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// At or below, an upper bound is enough.
    pub(crate) alpha: i32,
    /// At or above, a lower bound is enough.
    pub(crate) beta: i32,
}

impl Window {
    /// A window that no gain of `seeds` seeds in play lies outside of, nor on the edge.
    pub(crate) fn full(seeds: i32) -> Window {
        Window { alpha: -seeds - 2, beta: seeds + 2 }
    }

    /// The window just above `gain`: is the value greater? The next value of the same parity is
    /// two seeds up.
    pub(crate) fn null_above(gain: i32) -> Window {
        Window { alpha: gain, beta: gain + 2 }
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

    /// Whether no value lies strictly inside (of an aligned window).
    #[inline]
    pub(crate) fn is_null(self) -> bool {
        self.beta - self.alpha <= 2
    }

    /// The same question, asked of the position after `played`. The sign follows the mover: an
    /// extra turn keeps it.
    #[inline]
    pub(crate) fn after<R>(self, played: &Played<R>) -> Window {
        let ply = played.banked as i32 - played.conceded as i32;
        let (alpha, beta) = (self.alpha - ply, self.beta - ply);
        match played.next {
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

//! Gains, windows and bounds, how a move changes them, and what a search asks about a position: its value,
//! its value within a window, or the answer of SCOUT's TEST.
//!
//! A search values a position by its *gain*: the part of the result that is still to be decided, from the view of
//! the player to move. In Kalah that is the final margin minus the present store difference, in seeds. All windows
//! rely on two facts about gains and estimates in Kalah: they are at most the number of seeds in the houses, and
//! have its parity.

use crate::board::Next;

/// Centiseeds in a seed.
pub const CENTISEEDS: i32 = 100;

/// A move that has been made: what it gains and what it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Transition<P> {
    /// The position reached, from the view of the player who moves next.
    pub position: P,
    /// What the move itself gains, from the view of the player who made it.
    pub gain: i32,
    /// Who moves next. When the game is over, `gain` includes everything that was left.
    pub next: Next,
}

impl<P> Transition<P> {
    /// Converts a gain after the move, from the next player's view, to that before the move, from the mover's.
    #[inline]
    pub(super) fn gain_before(&self, after: i32) -> i32 {
        match self.next {
            Next::Again | Next::Over => self.gain + after,
            Next::Other => self.gain - after,
        }
    }
}

/// The result of searching a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The gain from the view of the player to move, in Kalah in seeds.
    pub gain: i32,
    /// Whether the gain (as a value, or as a bound) follows from the rules without any estimate.
    pub proven: bool,
}

impl Score {
    /// A score that follows from the rules.
    pub(crate) fn proven(gain: i32) -> Score {
        Score { gain, proven: true }
    }

    /// Converts the score after a move to the score before it.
    #[inline]
    pub(crate) fn before<P>(self, transition: &Transition<P>) -> Score {
        Score { gain: transition.gain_before(self.gain), ..self }
    }

    /// Combines a null-window score that failed high with the score of the re-search from that
    /// bound. If the re-search returns no more than the bound, the exact value rests on both.
    #[inline]
    pub(crate) fn confirmed_by(self, again: Score) -> Score {
        let proven = again.proven && (self.proven || again.gain > self.gain);
        Score { proven, ..again }
    }
}

/// The open interval of gains that a search has to distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// At or below this gain an upper bound is sufficient.
    pub alpha: i32,
    /// At or above this gain a lower bound is sufficient.
    pub beta: i32,
}

impl Window {
    /// The smallest window that contains a whole range of values.
    pub(crate) fn around((min, max): (i32, i32), value_step: i32) -> Window {
        Window { alpha: min - value_step, beta: max + value_step }
    }

    /// The null window that tests whether the value is greater than `gain`.
    #[inline]
    pub(crate) fn null_above(gain: i32, value_step: i32) -> Window {
        Window { alpha: gain, beta: gain + value_step }
    }

    /// Moves both ends outwards to the parity of the seeds in play. The possible values inside stay the same.
    #[inline]
    pub(crate) fn aligned(self, seeds: i32) -> Window {
        Window {
            alpha: self.alpha - ((self.alpha - seeds) & 1),
            beta: self.beta + ((self.beta - seeds) & 1),
        }
    }

    /// The same window after a move. It is negated only when the turn passes: an extra turn keeps the sign.
    #[inline]
    pub(crate) fn after<P>(self, transition: &Transition<P>) -> Window {
        let (alpha, beta) = (self.alpha - transition.gain, self.beta - transition.gain);
        match transition.next {
            Next::Again | Next::Over => Window { alpha, beta },
            Next::Other => Window { alpha: -beta, beta: -alpha },
        }
    }

    /// The kind of bound that a gain found with this window is.
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

/// How a gain found by a search relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is at most this gain.
    Upper,
    /// The value is at least this gain.
    Lower,
    /// The value is this gain.
    Exact,
}

impl Bound {
    /// Whether a gain with this bound is sufficient for a window, so that no search is needed.
    #[inline]
    pub(crate) fn is_cutoff(self, gain: i32, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Upper => gain <= window.alpha,
            Bound::Lower => gain >= window.beta,
        }
    }
}

/// What a search asks about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// The value.
    Value,
    /// The value if it lies inside the window, otherwise a bound.
    Window(Window),
    /// Whether the value passes a test.
    Test(BoundTest),
}

/// A test of SCOUT: how the value of a position, from MAX's view, compares with a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundTest {
    /// The player to move in the position.
    pub player: MinimaxPlayer,
    /// The comparison to test.
    pub comparison: Comparison,
    /// The bound to compare the value with.
    pub value: i32,
}

/// The players MAX and MIN of papers that write all values from MAX's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinimaxPlayer {
    /// Maximises the value; the player to move at the root.
    Max,
    /// Minimises the value.
    Min,
}

/// A comparison of a value with a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `<=`
    AtMost,
}

impl Query {
    /// The equivalent window from the view of the player to move; `full` returns that of all values.
    #[inline]
    pub(super) fn window(self, full: impl FnOnce() -> Window) -> Window {
        match self {
            Query::Value => full(),
            Query::Window(window) => window,
            Query::Test(BoundTest { player, comparison, value }) => {
                let alpha = match comparison {
                    Comparison::Greater | Comparison::AtMost => value,
                    Comparison::AtLeast | Comparison::Less => value - 1,
                };
                match player {
                    MinimaxPlayer::Max => Window { alpha, beta: alpha + 1 },
                    MinimaxPlayer::Min => Window { alpha: -alpha - 1, beta: -alpha },
                }
            }
        }
    }
}

impl BoundTest {
    /// The negation of a `<` or `<=` test, which papers reduce to `>=` and `>`; `None` for these.
    pub(super) fn negated(self) -> Option<BoundTest> {
        let comparison = match self.comparison {
            Comparison::Less => Comparison::AtLeast,
            Comparison::AtMost => Comparison::Greater,
            Comparison::Greater | Comparison::AtLeast => return None,
        };
        Some(BoundTest { comparison, ..self })
    }
}

impl MinimaxPlayer {
    /// Converts a score between this player's view and MAX's view, in either direction.
    pub(super) fn convert(self, score: Score) -> Score {
        match self {
            MinimaxPlayer::Max => score,
            MinimaxPlayer::Min => Score { gain: -score.gain, ..score },
        }
    }

    /// The player who moves next.
    pub(super) fn after(self, next: Next) -> MinimaxPlayer {
        match (next, self) {
            (Next::Again | Next::Over, player) => player,
            (Next::Other, MinimaxPlayer::Max) => MinimaxPlayer::Min,
            (Next::Other, MinimaxPlayer::Min) => MinimaxPlayer::Max,
        }
    }
}

impl Comparison {
    /// Whether `value` compares this way with `bound`.
    pub fn holds(self, value: i32, bound: i32) -> bool {
        match self {
            Comparison::Greater => value > bound,
            Comparison::AtLeast => value >= bound,
            Comparison::Less => value < bound,
            Comparison::AtMost => value <= bound,
        }
    }
}

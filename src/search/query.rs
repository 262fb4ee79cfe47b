//! What a search wants to know about a position: its value, its value within a window, or the
//! answer of SCOUT's TEST.

use super::value::{Score, Window};
use crate::board::Next;

/// What a search wants to know about a position.
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
    /// The equivalent window from the view of the player to move; `full` returns the window that
    /// contains all values.
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
    /// The negation of a `<` or `<=` test, which papers reduce to `>=` and `>`; `None` for `>` and
    /// `>=`.
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
    /// Converts a score between this player's view and MAX's view; the conversion is its own
    /// inverse.
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

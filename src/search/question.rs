//! What searches ask about positions.

use super::value::{Score, Window};
use crate::board::Next;

/// What a search wants to know of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Its value.
    Value,
    /// Its value, as far as it lies in the window.
    Window(Window),
    /// On which side of some value it lies.
    Test(BoundTest),
}

/// A question of SCOUT: does the value of a position, as MAX sees it, stand in this comparison to
/// some value?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundTest {
    /// Who is to move in the position.
    pub player: MinimaxPlayer,
    /// The comparison asked about.
    pub comparison: Comparison,
    /// What the value is compared with.
    pub value: i32,
}

/// The players as papers name them who write down values from the view of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinimaxPlayer {
    /// Who wants the value great: the player to move at the root.
    Max,
    /// Who wants it small.
    Min,
}

/// How a value is compared with another.
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
    /// The window that leaves just this question open, as the player to move sees it; `whole` is
    /// the one that leaves everything open.
    #[inline]
    pub(super) fn window(self, whole: impl FnOnce() -> Window) -> Window {
        match self {
            Query::Value => whole(),
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
    /// The test that holds just when this does not, for those that papers put down to others.
    pub(super) fn contrary(self) -> Option<BoundTest> {
        let comparison = match self.comparison {
            Comparison::Less => Comparison::AtLeast,
            Comparison::AtMost => Comparison::Greater,
            Comparison::Greater | Comparison::AtLeast => return None,
        };
        Some(BoundTest { comparison, ..self })
    }
}

impl MinimaxPlayer {
    /// A score of this player's as MAX sees it, and one of MAX's as this player does.
    pub(super) fn sees(self, score: Score) -> Score {
        match self {
            MinimaxPlayer::Max => score,
            MinimaxPlayer::Min => Score { gain: -score.gain, ..score },
        }
    }

    /// Who moves next.
    pub(super) fn after(self, next: Next) -> MinimaxPlayer {
        match (next, self) {
            (Next::Again | Next::Over, player) => player,
            (Next::Other, MinimaxPlayer::Max) => MinimaxPlayer::Min,
            (Next::Other, MinimaxPlayer::Min) => MinimaxPlayer::Max,
        }
    }
}

impl Comparison {
    /// Whether `value` stands in this comparison to `other`.
    pub fn holds(self, value: i32, other: i32) -> bool {
        match self {
            Comparison::Greater => value > other,
            Comparison::AtLeast => value >= other,
            Comparison::Less => value < other,
            Comparison::AtMost => value <= other,
        }
    }
}

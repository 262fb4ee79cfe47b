//! What searches ask about positions.

use super::value::{Score, Window};
use crate::board::Next;

/// What a search wants to know of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Its value.
    Value,
    /// Its value, as far as it lies in the window.
    Window(Window),
    /// On which side of some value it lies.
    Test(Test),
}

/// A question of SCOUT: does the value of a position, as MAX sees it, stand in this relation to
/// some value?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// Who is to move in the position.
    pub player: Player,
    /// The relation asked about.
    pub relation: Relation,
    /// What the value is compared with.
    pub value: i32,
}

/// The players as papers name them who write down values from the view of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Who wants the value great: the player to move at the root.
    Max,
    /// Who wants it small.
    Min,
}

/// How a value is compared with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `<=`
    AtMost,
}

impl Question {
    /// The window that leaves just this question open, as the player to move sees it; `whole` is
    /// the one that leaves everything open.
    #[inline]
    pub(super) fn window(self, whole: impl FnOnce() -> Window) -> Window {
        match self {
            Question::Value => whole(),
            Question::Window(window) => window,
            Question::Test(Test { player, relation, value }) => {
                let alpha = match relation {
                    Relation::Greater | Relation::AtMost => value,
                    Relation::AtLeast | Relation::Less => value - 1,
                };
                match player {
                    Player::Max => Window { alpha, beta: alpha + 1 },
                    Player::Min => Window { alpha: -alpha - 1, beta: -alpha },
                }
            }
        }
    }
}

impl Test {
    /// The test that holds just when this does not, for those that papers put down to others.
    pub(super) fn contrary(self) -> Option<Test> {
        let relation = match self.relation {
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Greater | Relation::AtLeast => return None,
        };
        Some(Test { relation, ..self })
    }
}

impl Player {
    /// A score of this player's as MAX sees it, and one of MAX's as this player does.
    pub(super) fn sees(self, score: Score) -> Score {
        match self {
            Player::Max => score,
            Player::Min => Score { gain: -score.gain, ..score },
        }
    }

    /// Who moves next.
    pub(super) fn after(self, next: Next) -> Player {
        match (next, self) {
            (Next::Again | Next::Over, player) => player,
            (Next::Other, Player::Max) => Player::Min,
            (Next::Other, Player::Min) => Player::Max,
        }
    }
}

impl Relation {
    /// Whether `value` stands in this relation to `other`.
    pub fn holds(self, value: i32, other: i32) -> bool {
        match self {
            Relation::Greater => value > other,
            Relation::AtLeast => value >= other,
            Relation::Less => value < other,
            Relation::AtMost => value <= other,
        }
    }
}

//! The result of a review.

use serde::{Deserialize, Serialize};

use super::explanation::Explanation;
use kalah::board::{Board, Move, RuleSet, Side, Sowing};
use kalah_games::AnnotatedGame;

/// The version of the JSON of a [`Review`].
pub const REVIEW_VERSION: u32 = 1;

/// The largest loss of a move that is still good, in seeds.
const GOOD: i32 = 2;

/// A reviewed game. All values are margins in seeds from the view of South: what South's store will hold
/// more than North's at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Review {
    /// The version of this form.
    pub version: u32,
    /// The board before the first move.
    pub start: String,
    /// The capture rule.
    #[cfg_attr(test, schemars(with = "kalah_command::schemas::CaptureRule"))]
    pub capture: String,
    /// The way of sowing; single if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::SowingRule>"))]
    pub sowing: Option<String>,
    /// The moves that were played.
    pub moves: Vec<ReviewedMove>,
    /// The value after the last move.
    #[serde(rename = "final")]
    pub last: i32,
    /// Whether all values are proven.
    pub proven: bool,
    /// South's play.
    pub south: ReviewedSide,
    /// North's play.
    pub north: ReviewedSide,
    /// The first of the plies with the greatest loss; `None` if nothing was given away.
    pub sharpest: Option<usize>,
    /// The plies with the greatest losses, at most five, in order.
    #[serde(default)]
    pub moments: Vec<usize>,
}

/// A move of a reviewed game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewedMove {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// Who moved, `S` or `N`.
    pub side: String,
    /// The letter of the move.
    #[serde(rename = "move")]
    pub letter: String,
    /// The board before the move.
    pub board: String,
    /// The value before the move, with best play.
    pub value: i32,
    /// The value after the move.
    pub after: i32,
    /// The moves that keep the value. Where it is an estimate, the best move alone, and the move that was
    /// played if it is estimated as high.
    pub best: Vec<String>,
    /// Seeds given away.
    pub loss: i32,
    /// Whether both values are proven.
    pub proven: bool,
    /// `best`, `good`, `gives away n`, `throws the win away` or `throws the draw away`.
    pub mark: String,
    /// Best play from the board on, the letters separated by spaces.
    pub line: String,
    /// Why seeds were given away; `None` of a move that gave none away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Explanation>,
}

/// The play of one side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewedSide {
    /// The mean score in per cent of the moves that were not forced.
    pub accuracy: f64,
    /// Seeds given away.
    pub lost: i32,
    /// Seeds given away with more than two thirds of all seeds in the houses.
    pub opening: i32,
    /// Seeds given away in between.
    pub middle: i32,
    /// Seeds given away with at most a third of all seeds in the houses.
    pub ending: i32,
}

impl ReviewedSide {
    /// Sums up the moves of a side, each with the board before it.
    pub(super) fn new<'a>(
        side: Side,
        moves: impl Iterator<Item = (&'a Board, &'a ReviewedMove)>,
    ) -> ReviewedSide {
        let mut sums = ReviewedSide::default();
        let mut scores = Vec::new();
        for (board, reviewed) in moves.filter(|(board, _)| board.side() == side) {
            let loss = reviewed.loss;
            sums.lost += loss;
            let (left, total) = (board.seeds_in_play(), board.seeds());
            if 3 * left > 2 * total {
                sums.opening += loss;
            } else if 3 * left > total {
                sums.middle += loss;
            } else {
                sums.ending += loss;
            }
            if board.moves().nth(1).is_some() {
                scores.push(score(loss, total));
            }
        }
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        let accuracy = if scores.is_empty() { 100.0 } else { mean };
        // One decimal is what anybody reads.
        sums.accuracy = (accuracy * 10.0).round() / 10.0;
        sums
    }
}

impl Review {
    /// The values of the game in order, the last one after the last move.
    pub fn values(&self) -> impl Iterator<Item = i32> {
        self.moves.iter().map(|reviewed| reviewed.value).chain([self.last])
    }

    fn rule_set(&self) -> Option<RuleSet> {
        let sowing = self.sowing.as_ref().map_or(Ok(Sowing::default()), |sowing| sowing.parse());
        Some(RuleSet::new(self.capture.parse().ok()?, sowing.ok()?))
    }

    /// Whether this is a review of the moves of a game.
    pub fn is_of(&self, game: &AnnotatedGame) -> bool {
        let moves = self.moves.iter().map(|reviewed| reviewed.letter.parse::<Move>().ok());
        self.version == REVIEW_VERSION
            && self.rule_set() == Some(game.start.rules().into())
            && self.start == game.start.fen()
            && moves.eq(game.moves.iter().map(|ply| Some(ply.mv)))
    }
}

/// The mark of a move. `before` is the value with best play and `after` the one that the move leads to,
/// both for the mover.
pub(super) fn mark(before: i32, after: i32) -> String {
    let loss = before - after;
    if loss <= 0 {
        "best".to_owned()
    } else if before > 0 && after <= 0 {
        "throws the win away".to_owned()
    } else if before == 0 {
        "throws the draw away".to_owned()
    } else if loss <= GOOD {
        "good".to_owned()
    } else {
        format!("gives away {loss}")
    }
}

/// The score of a move in per cent: 100 for the best, and half as much for every eighth of all seeds that
/// it gives away.
fn score(loss: i32, total: u32) -> f64 {
    let eighth = f64::from(total.max(8)) / 8.0;
    100.0 * (-f64::from(loss.max(0)) / eighth).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_what_was_given_away() {
        for (before, after, expected) in [
            (8, 8, "best"),
            (8, 6, "good"),
            (8, 4, "gives away 4"),
            (2, 0, "throws the win away"),
            (8, -8, "throws the win away"),
            (0, -2, "throws the draw away"),
            (-2, -4, "good"),
            (-2, -10, "gives away 8"),
        ] {
            assert_eq!(mark(before, after), expected);
        }
        assert!((score(0, 48) - 100.0).abs() < 1e-9 && (score(6, 48) - 50.0).abs() < 1e-9);
        assert!((score(2, 2) - 25.0).abs() < 1e-9);
    }
}

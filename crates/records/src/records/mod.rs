//! Records of games: lines of JSON in files, which are read and written.

pub(crate) mod difference;
mod file;
pub(crate) mod read;
mod text;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    FaultKind, OpeningSettings, PlayerSettings, ResignRule, Termination, TournamentFormat,
};
use kalah::board::{Board, Capture, FenError, MovesError, RuleSet, Side, Sowing};
use kalah::search::Bound;
use kalah_games::{GameOutcome, result_of_moves};

pub use difference::require_equal;
pub use file::{LinesFile, append_text, ends_within_a_line, lock_record};
pub use read::{JsonLine, JsonLines, RecordError, RecordedGames, read_lines};
pub use text::{date_tags, game_of_record, games_from_text};

/// A game that was played: one line of JSON. Only members named `time` depend on the speed of the
/// machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// The number of the game in its tournament, from 1.
    pub game: u64,
    /// The round, from 1.
    pub round: u64,
    /// The settings of the tournament, the same in all its games.
    pub conditions: Conditions,
    /// Who played South.
    pub south: Seat,
    /// Who played North.
    pub north: Seat,
    /// The board at the start, as FEN.
    pub opening: String,
    /// The moves from the opening.
    pub moves: Vec<MoveRecord>,
    /// The result.
    pub result: GameResult,
    /// The margin in seeds from the view of South; `None` after a fault or a resignation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
    /// Why the game ended.
    pub reason: Termination,
    /// An explanation of the termination in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// When it was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<GameTime>,
}

/// The settings of a tournament, repeated in each of its records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Conditions {
    /// The version of this program.
    pub kalah: String,
    /// Who plays whom.
    pub format: TournamentFormat,
    /// The names of all players.
    pub players: Vec<String>,
    /// Houses a side.
    pub houses: usize,
    /// Seeds in each house at the start.
    pub seeds: u16,
    /// The capture rule.
    #[serde(with = "as_text")]
    #[cfg_attr(test, schemars(with = "kalah_command::schemas::CaptureRule"))]
    pub capture: Capture,
    /// The way of sowing; single if absent.
    #[serde(default, with = "as_text", skip_serializing_if = "is_single")]
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::SowingRule>"))]
    pub sowing: Sowing,
    /// The source of the openings, as on the command line.
    #[serde(with = "as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub openings: OpeningSettings,
    /// A checksum of the positions of an openings file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<String>,
    /// The random seed of the openings and of the players' seeds.
    pub seed: u64,
    /// The rule by which players resign; `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Games are adjudicated at their proven margin with this many seeds in the houses, or fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicate: Option<u32>,
}

impl Conditions {
    /// The rules but for the number of houses.
    pub fn rule_set(&self) -> RuleSet {
        RuleSet::new(self.capture, self.sowing)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_single(sowing: &Sowing) -> bool {
    *sowing == Sowing::Single
}

/// A player in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Seat {
    /// The player's settings.
    #[serde(flatten)]
    pub player: PlayerSettings,
    /// The `id name` of the engine.
    pub id: String,
    /// The random seed of the player, unless its options set another.
    pub random_seed: u64,
}

/// A move, with the last search information that the player sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveRecord {
    /// The letter of the house.
    #[serde(rename = "move")]
    pub letter: char,
    /// The expected margin in hundredths of a seed, from the view of the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// Set if the score is only a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<ScoreBound>,
    /// Whether the player reported the score as proven.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proven: bool,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time for the move in milliseconds, measured by the referee.
    pub time: f64,
}

impl MoveRecord {
    /// The side that moved. South's letters are upper case.
    pub fn side(&self) -> Side {
        if self.letter.is_ascii_uppercase() { Side::South } else { Side::North }
    }
}

/// The kind of bound that an inexact score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ScoreBound {
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

/// What stands before a score: `>` if it is a lower bound, `<` if it is an upper one.
pub fn bound_mark(bound: Option<ScoreBound>) -> &'static str {
    match bound {
        Some(ScoreBound::Lower) => ">",
        Some(ScoreBound::Upper) => "<",
        None => "",
    }
}

impl ScoreBound {
    /// The kind of a bound; `None` if the score is exact.
    pub fn of(bound: Bound) -> Option<ScoreBound> {
        match bound {
            Bound::Exact => None,
            Bound::Lower => Some(ScoreBound::Lower),
            Bound::Upper => Some(ScoreBound::Upper),
        }
    }
}

/// The date and duration of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameTime {
    /// The start, UTC, as RFC 3339.
    pub begun: String,
    /// The duration.
    pub seconds: f64,
}

/// The result of a game, written as in PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum GameResult {
    /// South won.
    #[serde(rename = "1-0")]
    #[strum(to_string = "1-0")]
    South = 2,
    /// North won.
    #[serde(rename = "0-1")]
    #[strum(to_string = "0-1")]
    North = 0,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    #[strum(to_string = "1/2-1/2")]
    Draw = 1,
}

impl GameResult {
    /// The result of a margin, from the view of South.
    pub fn from_margin(margin: i32) -> GameResult {
        match margin.signum() {
            1 => GameResult::South,
            -1 => GameResult::North,
            _ => GameResult::Draw,
        }
    }

    /// The result after a loss by fault or resignation.
    pub fn lost_by(side: Side) -> GameResult {
        if side == Side::South { GameResult::North } else { GameResult::South }
    }

    /// Half points of South: 0, 1 or 2.
    pub fn half_points(self) -> usize {
        self as usize
    }
}

impl From<GameResult> for GameOutcome {
    fn from(result: GameResult) -> GameOutcome {
        match result {
            GameResult::South => GameOutcome::South,
            GameResult::North => GameOutcome::North,
            GameResult::Draw => GameOutcome::Draw,
        }
    }
}

impl GameRecord {
    /// The player of a side.
    pub fn seat(&self, side: Side) -> &Seat {
        [&self.south, &self.north][side.index()]
    }

    /// The record without its times, which depend on the speed of the machine.
    #[must_use]
    pub fn without_times(&self) -> GameRecord {
        let mut record = self.clone();
        record.time = None;
        record.moves.iter_mut().for_each(|ply| ply.time = 0.0);
        record
    }

    /// Checks that the moves lead to the result, and that they end the game if it was played out.
    ///
    /// # Errors
    /// Says what contradicts the moves, or which of them is invalid.
    pub fn check_result(&self) -> Result<(), String> {
        let boards = self.boards().map_err(|error| error.to_string())?;
        let end = &boards[boards.len() - 1];
        result_of_moves(end, self.result.into(), self.margin)?;
        let reason = self.reason;
        if end.is_over() != (reason == Termination::PlayedOut) {
            let end = if end.is_over() { "end" } else { "do not end" };
            return Err(format!("the moves {end} the game, but its reason is '{reason}'"));
        }
        let resigned = self.moves.last().filter(|_| reason == Termination::Resigned);
        if resigned.is_some_and(|ply| self.result != GameResult::lost_by(ply.side())) {
            return Err(format!("the result is {}, but the last to move resigned", self.result));
        }
        Ok(())
    }

    /// The boards of the game, from the opening to the end. An illegal last move, by which the
    /// game was lost, adds no board.
    ///
    /// # Errors
    /// If the opening or a move is invalid.
    pub fn boards(&self) -> Result<Vec<Board>, ReplayError> {
        let opening = Board::from_fen(&self.opening, self.conditions.rule_set())?;
        let mut boards = vec![opening];
        let ends_illegally = self.reason == Termination::Fault(FaultKind::IllegalMove);
        for played in opening.replay(self.moves.iter().map(|ply| ply.letter)) {
            match played {
                Ok((_, board)) => boards.push(board),
                Err(MovesError::Illegal { number, .. })
                    if ends_illegally && number == self.moves.len() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(boards)
    }
}

/// A recorded game that cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The opening is not a board.
    #[error(transparent)]
    Opening(#[from] FenError),
    /// A move is not one, or illegal.
    #[error(transparent)]
    Moves(#[from] MovesError),
}

/// Serialization as text, by `Display` and `FromStr`.
mod as_text {
    use std::fmt::Display;

    pub(super) use kalah_games::deserialize_from_str as deserialize;
    use serde::Serializer;

    pub(crate) fn serialize<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }
}

//! What is kept of a game: one line of JSON.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::super::adjudication::ResignRule;
use super::super::openings::OpeningSettings;
use super::super::players::FaultKind;
use super::super::players::PlayerSettings;
use super::super::schedule::TournamentFormat;
use crate::board::{Board, Capture, House, Side};
use crate::search::Bound;

/// A game that was played. All that depends on the speed of a machine is in members called
/// `time`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the game in its tournament, from 1.
    pub game: u64,
    /// The round, from 1.
    pub round: u64,
    /// What holds for all games of the tournament.
    pub conditions: Conditions,
    /// Who played South.
    pub south: Seat,
    /// Who played North.
    pub north: Seat,
    /// Where the game began.
    pub opening: String,
    /// The moves from there.
    pub moves: Vec<MoveRecord>,
    /// Who won.
    pub result: GameResult,
    /// The margin in seeds from the view of South; none when a fault or a resignation ended the
    /// game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
    /// What ended the game.
    pub reason: Termination,
    /// More of it, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// When it was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<GameTime>,
}

/// What holds for all games of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The version of this crate that held it.
    pub kalah: String,
    /// How players met.
    pub format: TournamentFormat,
    /// All players.
    pub players: Vec<String>,
    /// Houses a side.
    pub houses: usize,
    /// Seeds in each house at the start.
    pub seeds: u16,
    /// The capture rule.
    #[serde(with = "as_text")]
    pub capture: Capture,
    /// Where the openings came from.
    #[serde(with = "as_text")]
    pub openings: OpeningSettings,
    /// What tells the positions of a file of openings from those of another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<String>,
    /// What openings and seeds of players were drawn from.
    pub seed: u64,
    /// When players resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// With how many seeds in the houses games were ended at their proven margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicate: Option<u32>,
}

/// A player in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// As was asked for.
    #[serde(flatten)]
    pub player: PlayerSettings,
    /// How the engine introduced itself.
    pub id: String,
    /// What its chance was drawn from, unless its options said otherwise.
    pub random_seed: u64,
}

/// A move, and what the player said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The letter of the house.
    #[serde(rename = "move")]
    pub letter: char,
    /// The margin that was expected, in hundredths of a seed, from the view of the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// `lower` or `upper` when the score is a bound only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<ScoreBound>,
    /// Whether the score was said to be exact.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proven: bool,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds from the question to the answer.
    pub time: f64,
}

impl MoveRecord {
    /// Who made the move: the letters of South are large.
    pub fn side(&self) -> Side {
        if self.letter.is_ascii_uppercase() { Side::South } else { Side::North }
    }
}

/// How a score that is not exact relates to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreBound {
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

impl ScoreBound {
    pub(crate) fn of(bound: Bound) -> Option<ScoreBound> {
        match bound {
            Bound::Exact => None,
            Bound::Lower => Some(ScoreBound::Lower),
            Bound::Upper => Some(ScoreBound::Upper),
        }
    }
}

/// When a game was played, and for how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameTime {
    /// When it began, in the form of RFC 3339.
    pub begun: String,
    /// How long it took.
    pub seconds: f64,
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// South won.
    #[serde(rename = "1-0")]
    South,
    /// North won.
    #[serde(rename = "0-1")]
    North,
    /// Nobody did.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// The result of a margin, from the view of South.
    pub(crate) fn of_margin(margin: i32) -> GameResult {
        match margin.signum() {
            1 => GameResult::South,
            -1 => GameResult::North,
            _ => GameResult::Draw,
        }
    }

    /// The result when a player has lost.
    pub(crate) fn lost_by(side: Side) -> GameResult {
        match side {
            Side::South => GameResult::North,
            Side::North => GameResult::South,
        }
    }

    /// Half points of South: 0, 1 or 2.
    pub fn half_points(self) -> usize {
        match self {
            GameResult::South => 2,
            GameResult::North => 0,
            GameResult::Draw => 1,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            GameResult::South => "1-0",
            GameResult::North => "0-1",
            GameResult::Draw => "1/2-1/2",
        })
    }
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "TerminationText", into = "TerminationText")]
pub enum Termination {
    /// A side had no seeds left.
    PlayedOut,
    /// A player gave up.
    Resigned,
    /// The referee proved how it would end.
    Adjudicated,
    /// A player was at fault.
    Fault(FaultKind),
}

/// A reason as it is written.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
enum TerminationText {
    Play(PlayTermination),
    Fault(FaultKind),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PlayTermination {
    #[serde(rename = "played out")]
    PlayedOut,
    Resigned,
    Adjudicated,
}

impl From<TerminationText> for Termination {
    fn from(text: TerminationText) -> Termination {
        match text {
            TerminationText::Play(PlayTermination::PlayedOut) => Termination::PlayedOut,
            TerminationText::Play(PlayTermination::Resigned) => Termination::Resigned,
            TerminationText::Play(PlayTermination::Adjudicated) => Termination::Adjudicated,
            TerminationText::Fault(fault) => Termination::Fault(fault),
        }
    }
}

impl From<Termination> for TerminationText {
    fn from(reason: Termination) -> TerminationText {
        match reason {
            Termination::PlayedOut => TerminationText::Play(PlayTermination::PlayedOut),
            Termination::Resigned => TerminationText::Play(PlayTermination::Resigned),
            Termination::Adjudicated => TerminationText::Play(PlayTermination::Adjudicated),
            Termination::Fault(fault) => TerminationText::Fault(fault),
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::PlayedOut => f.pad("played out"),
            Termination::Resigned => f.pad("resigned"),
            Termination::Adjudicated => f.pad("adjudicated"),
            Termination::Fault(fault) => f.pad(&fault.to_string()),
        }
    }
}

impl GameRecord {
    /// Who played a side.
    pub fn seat(&self, side: Side) -> &Seat {
        match side {
            Side::South => &self.south,
            Side::North => &self.north,
        }
    }

    /// The same but for what depends on the speed of a machine.
    #[must_use]
    pub fn without_times(&self) -> GameRecord {
        let mut record = self.clone();
        record.time = None;
        record.moves.iter_mut().for_each(|ply| ply.time = 0.0);
        record
    }

    /// The boards of the game, from the opening to the end. A last move against the rules, which
    /// lost the game, leads to none.
    ///
    /// # Errors
    /// When the record is of no game that can be played; says what is wrong.
    pub fn boards(&self) -> Result<Vec<Board>, String> {
        let opening = Board::from_fen(&self.opening, self.conditions.capture);
        let mut board = opening.map_err(|error| error.to_string())?;
        let mut boards = vec![board];
        let lost = self.reason == Termination::Fault(FaultKind::IllegalMove);
        for (number, ply) in self.moves.iter().enumerate() {
            let wrong = |reason: &dyn fmt::Display| format!("move {}: {reason}", number + 1);
            let house = House::from_letter(ply.letter).ok_or_else(|| wrong(&"no letter"))?;
            match board.play(house) {
                Ok(_) => boards.push(board),
                Err(_) if lost && number + 1 == self.moves.len() => {}
                Err(error) => return Err(wrong(&error)),
            }
        }
        Ok(boards)
    }
}

/// Types that read what they write.
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
        from: D,
    ) -> Result<T, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

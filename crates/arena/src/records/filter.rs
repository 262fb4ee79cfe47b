//! Filters for the games of a record.

use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{self, IntoDeserializer};
use strum::EnumString;

use super::super::key_values::SettingsError;
use super::{GameRecord, Termination};
use kalah::board::{Side, shortened};
use kalah_games::{AnnotatedGame, GameOutcome};

/// The properties that games must have. The default accepts all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Players, all of which must play in the game.
    pub players: Vec<String>,
    /// The result for the first of these players, or for South if there are none.
    pub outcome: Option<PlayerOutcome>,
    /// Why the game ended.
    pub reason: Option<Termination>,
    /// Ranges, one of which must contain the number of the game; any number if there are none.
    pub games: Vec<GameRange>,
    /// The board at the start, as in [`GameRecord::opening`].
    pub opening: Option<String>,
}

impl GameFilter {
    /// Whether a recorded game has all the properties.
    pub fn matches(&self, game: &GameRecord) -> bool {
        let names = Side::ALL.map(|side| game.seat(side).player.name.as_str());
        self.has_players(names)
            && self.has_outcome(names, Some(game.result.half_points()))
            && self.reason.is_none_or(|expected| expected == game.reason)
            && self.has_number(game.game)
            && self.opening.as_ref().is_none_or(|expected| expected == &game.opening)
    }

    /// Whether the game with this number in a text has all the properties.
    pub fn matches_game(&self, number: u64, game: &AnnotatedGame) -> bool {
        let names = ["South", "North"].map(|side| game.tag(side).unwrap_or_default());
        let half_points = match game.result {
            GameOutcome::South => Some(2),
            GameOutcome::Draw => Some(1),
            GameOutcome::North => Some(0),
            GameOutcome::Unknown => None,
        };
        let reason = game.tag("Reason").or(game.tag("Termination"));
        let is_reason = |expected: Termination| match reason {
            Some(reason) => reason == expected.to_string(),
            None => expected == Termination::PlayedOut && game.end().is_over(),
        };
        self.has_players(names)
            && self.has_outcome(names, half_points)
            && self.reason.is_none_or(is_reason)
            && self.has_number(number)
            && self.opening.as_ref().is_none_or(|expected| *expected == game.start.fen())
    }

    fn has_players(&self, names: [&str; 2]) -> bool {
        self.players.iter().all(|name| names.contains(&name.as_str()))
    }

    /// South's half points decide.
    fn has_outcome(&self, names: [&str; 2], half_points: Option<usize>) -> bool {
        let is_north = |name: &String| names[0] != name && names[1] == name;
        let is_north = self.players.first().is_some_and(is_north);
        let half_points = half_points.map(|half| if is_north { 2 - half } else { half });
        let outcome = half_points.map(|half_points| match half_points {
            0 => PlayerOutcome::Loss,
            1 => PlayerOutcome::Draw,
            _ => PlayerOutcome::Win,
        });
        self.outcome.is_none_or(|expected| Some(expected) == outcome)
    }

    fn has_number(&self, number: u64) -> bool {
        self.games.is_empty() || self.games.iter().any(|range| range.0.contains(&number))
    }
}

/// The result of a game for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase", parse_err_ty = SettingsError, parse_err_fn = unknown_outcome)]
pub enum PlayerOutcome {
    /// The player won.
    Win,
    /// The game was drawn.
    Draw,
    /// The player lost.
    Loss,
}

fn unknown_outcome(_: &str) -> SettingsError {
    SettingsError::new("expected one of: win, draw, loss")
}

impl FromStr for Termination {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Termination, SettingsError> {
        let text: StrDeserializer<'_, de::value::Error> = text.into_deserializer();
        Termination::deserialize(text).map_err(|_| {
            SettingsError::new(
                "expected one of: played out, resigned, adjudicated, time forfeit, illegal move, \
                 crashed, stalled",
            )
        })
    }
}

/// A range of game numbers; as text `3-7`, or `3` for one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRange(RangeInclusive<u64>);

impl FromStr for GameRange {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<GameRange, SettingsError> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(GameRange(first..=last)),
            _ => Err(SettingsError::new(format!(
                "'{}' is not a game number from 1 or a range such as 3-7",
                shortened(text)
            ))),
        }
    }
}

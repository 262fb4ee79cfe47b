//! Filters for the games of a record.

use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{self, IntoDeserializer};
use strum::EnumString;

use super::super::key_values::SettingsError;
use super::{GameRecord, Termination};
use crate::board::{Side, shortened};

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
    /// Whether a game has all the properties.
    pub fn matches(&self, game: &GameRecord) -> bool {
        let sides_of = |name: &String| Side::ALL.map(|side| &game.seat(side).player.name == name);
        let is_north = self.players.first().is_some_and(|name| sides_of(name) == [false, true]);
        let half_points = game.result.half_points();
        let outcome = match if is_north { 2 - half_points } else { half_points } {
            0 => PlayerOutcome::Loss,
            1 => PlayerOutcome::Draw,
            _ => PlayerOutcome::Win,
        };
        self.players.iter().all(|name| sides_of(name).contains(&true))
            && self.outcome.is_none_or(|expected| expected == outcome)
            && self.reason.is_none_or(|expected| expected == game.reason)
            && (self.games.is_empty()
                || self.games.iter().any(|range| range.0.contains(&game.game)))
            && self.opening.as_ref().is_none_or(|expected| expected == &game.opening)
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
    SettingsError::invalid("expected one of: win, draw, loss")
}

impl FromStr for Termination {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Termination, SettingsError> {
        let text: StrDeserializer<'_, de::value::Error> = text.into_deserializer();
        Termination::deserialize(text).map_err(|_| {
            SettingsError::invalid(
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
            _ => Err(SettingsError::Invalid(format!(
                "'{}' is not a game number from 1 or a range such as 3-7",
                shortened(text)
            ))),
        }
    }
}

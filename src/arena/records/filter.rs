//! Which games of a record are wanted.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use super::super::players::FaultKind;
use super::game_record::{GameRecord, Termination};
use crate::board::{Side, shortened};

/// What games must have in common. The default asks for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Players that play in it, all of them.
    pub players: Vec<String>,
    /// The result for the first of these players; for South when none is named.
    pub outcome: Option<PlayerOutcome>,
    /// What ended it.
    pub reason: Option<Termination>,
    /// Its number is in one of these ranges; any number when there are none.
    pub games: Vec<GameRange>,
    /// Where it began, as [`GameRecord::opening`] has it.
    pub opening: Option<String>,
}

impl GameFilter {
    /// Whether a game is wanted.
    pub fn has(&self, game: &GameRecord) -> bool {
        let plays = |name: &String| Side::ALL.map(|side| &game.seat(side).player.name == name);
        let is_north = self.players.first().is_some_and(|name| plays(name) == [false, true]);
        let half_points = game.result.half_points();
        let outcome = PlayerOutcome::of(if is_north { 2 - half_points } else { half_points });
        self.players.iter().all(|name| plays(name).contains(&true))
            && self.outcome.is_none_or(|wanted| wanted == outcome)
            && self.reason.is_none_or(|wanted| wanted == game.reason)
            && (self.games.is_empty() || self.games.iter().any(|games| games.has(game.game)))
            && self.opening.as_ref().is_none_or(|wanted| wanted == &game.opening)
    }
}

/// How a game ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerOutcome {
    /// The player won.
    Win,
    /// Nobody did.
    Draw,
    /// The player lost.
    Loss,
}

impl PlayerOutcome {
    /// All outcomes.
    pub const ALL: [PlayerOutcome; 3] =
        [PlayerOutcome::Win, PlayerOutcome::Draw, PlayerOutcome::Loss];

    fn of(half_points: usize) -> PlayerOutcome {
        match half_points {
            0 => PlayerOutcome::Loss,
            1 => PlayerOutcome::Draw,
            _ => PlayerOutcome::Win,
        }
    }
}

impl fmt::Display for PlayerOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlayerOutcome::Win => "win",
            PlayerOutcome::Draw => "draw",
            PlayerOutcome::Loss => "loss",
        })
    }
}

/// A word that is none of those there are.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there are {}", .0.join(", "))]
pub struct UnknownValue(Vec<String>);

impl UnknownValue {
    fn instead_of(known: impl IntoIterator<Item: ToString>) -> UnknownValue {
        UnknownValue(known.into_iter().map(|word| word.to_string()).collect())
    }
}

impl FromStr for PlayerOutcome {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<PlayerOutcome, UnknownValue> {
        let mut all = PlayerOutcome::ALL.into_iter();
        let found = all.find(|outcome| outcome.to_string() == text);
        found.ok_or_else(|| UnknownValue::instead_of(PlayerOutcome::ALL))
    }
}

impl Termination {
    /// All reasons.
    pub const ALL: [Termination; 7] = [
        Termination::PlayedOut,
        Termination::Resigned,
        Termination::Adjudicated,
        Termination::Fault(FaultKind::TimeForfeit),
        Termination::Fault(FaultKind::IllegalMove),
        Termination::Fault(FaultKind::Crashed),
        Termination::Fault(FaultKind::Stalled),
    ];
}

impl FromStr for Termination {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<Termination, UnknownValue> {
        let found = Termination::ALL.into_iter().find(|reason| reason.to_string() == text);
        found.ok_or_else(|| UnknownValue::instead_of(Termination::ALL))
    }
}

/// Numbers of games that follow each other: as text `3-7`, or `3` alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRange(RangeInclusive<u64>);

impl GameRange {
    fn has(&self, game: u64) -> bool {
        self.0.contains(&game)
    }
}

/// A text that is no range of games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no game and no range of games as 3-7 is")]
pub struct InvalidGameRange(String);

impl FromStr for GameRange {
    type Err = InvalidGameRange;

    fn from_str(text: &str) -> Result<GameRange, InvalidGameRange> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(GameRange(first..=last)),
            _ => Err(InvalidGameRange(shortened(text))),
        }
    }
}

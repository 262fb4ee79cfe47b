//! Who plays whom, when, from which opening: a game's number says it all.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::search::mixed;

/// How players meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody. With two players, a match.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 2] = [Format::RoundRobin, Format::Gauntlet];
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
        })
    }
}

/// A text that names no format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown format: there are round-robin and gauntlet")]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.to_string() == text).ok_or(UnknownFormat)
    }
}

/// The games of a tournament. In each round every two players that meet play a pair of games: the
/// same opening, which is the round's, with sides changed. The games of a pair have numbers that
/// follow each other.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    seed: u64,
    meetings: Vec<[usize; 2]>,
}

/// What the number of a game says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pairing {
    /// From 0; also the number of the opening.
    pub round: u64,
    /// Players, South first.
    pub players: [usize; 2],
    /// What the chance of each is drawn from.
    pub random_seeds: [u64; 2],
}

impl Schedule {
    pub(super) fn new(format: Format, players: usize, seed: u64) -> Schedule {
        let all =
            (0..players).flat_map(|first| (first + 1..players).map(move |last| [first, last]));
        let meetings =
            all.filter(|[first, _]| format == Format::RoundRobin || *first == 0).collect();
        Schedule { seed, meetings }
    }

    /// Games of one round.
    pub(super) fn games_a_round(&self) -> u64 {
        2 * self.meetings.len() as u64
    }

    /// Game `number`, from 0.
    pub(super) fn game(&self, number: u64) -> Pairing {
        let (pair, change) = (number / 2, number % 2 == 1);
        let (round, meeting) =
            (pair / self.meetings.len() as u64, pair % self.meetings.len() as u64);
        let mut players = self.meetings[meeting as usize];
        // Half of what a protocol's number holds: every program can take it.
        let seeds = [0, 1].map(|side| mixed(mixed(self.seed) ^ mixed(2 * number + side)) >> 1);
        if change {
            players.swap(0, 1);
        }
        Pairing { round, players, random_seeds: seeds }
    }
}

/// A part of a tournament, for one of several machines: as text `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// How many of the first `games` belong to this part: an even number of them, as pairs stay
    /// together.
    pub(super) fn games(self, games: u64) -> u64 {
        let pairs = games / 2;
        2 * (pairs / self.of + u64::from(pairs % self.of >= self.part))
    }

    /// The number, from 0, of this part's game `index`, from 0.
    pub(super) fn game(self, index: u64) -> u64 {
        2 * (index / 2 * self.of + self.part - 1) + index % 2
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

/// A text that names no part.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a shard is a part and their number, as 3/16 is the third of sixteen")]
pub struct NoShard;

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Shard, NoShard> {
        let (part, of) = text.split_once('/').ok_or(NoShard)?;
        let (part, of) = (part.parse().map_err(|_| NoShard)?, of.parse().map_err(|_| NoShard)?);
        if (1..=of).contains(&part) { Ok(Shard { part, of }) } else { Err(NoShard) }
    }
}

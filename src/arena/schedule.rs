//! Who plays whom, when, from which opening: a game's number says it all.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::search::splitmix64;

/// How players meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Everybody meets everybody. With two players, a match.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

impl TournamentFormat {
    /// All formats.
    pub const ALL: [TournamentFormat; 2] =
        [TournamentFormat::RoundRobin, TournamentFormat::Gauntlet];
}

impl fmt::Display for TournamentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TournamentFormat::RoundRobin => "round-robin",
            TournamentFormat::Gauntlet => "gauntlet",
        })
    }
}

/// A text that names no format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown format: there are round-robin and gauntlet")]
pub struct TournamentFormatError;

impl FromStr for TournamentFormat {
    type Err = TournamentFormatError;

    fn from_str(text: &str) -> Result<TournamentFormat, TournamentFormatError> {
        TournamentFormat::ALL
            .into_iter()
            .find(|format| format.to_string() == text)
            .ok_or(TournamentFormatError)
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
    pub(super) fn new(format: TournamentFormat, players: usize, seed: u64) -> Schedule {
        let all =
            (0..players).flat_map(|first| (first + 1..players).map(move |last| [first, last]));
        let meetings = all
            .filter(|[first, _]| format == TournamentFormat::RoundRobin || *first == 0)
            .collect();
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
        // The number may be any that is in a record.
        let place = number.wrapping_mul(2);
        // Half of what a protocol's number holds: every program can take it.
        let seeds =
            [0, 1].map(|side| splitmix64(splitmix64(self.seed) ^ splitmix64(place + side)) >> 1);
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

    /// The numbers of the games of this part, of `games` in all, from 0. Pairs stay together.
    pub(super) fn games(self, games: u64) -> impl Iterator<Item = u64> + Send + use<> {
        let first_pair = self.part - 1;
        let pairs = (0..self.pairs(games)).map(move |nth| first_pair + nth * self.of);
        pairs.flat_map(|pair| [2 * pair, 2 * pair + 1])
    }

    /// Whether game `number`, from 0, belongs to this part.
    pub(super) fn has(self, number: u64) -> bool {
        number / 2 % self.of == self.part - 1
    }

    /// Pairs of games of this part, of `games` in all.
    pub(super) fn pairs(self, games: u64) -> u64 {
        let (all, more) = (games / 2 / self.of, games / 2 % self.of);
        all + u64::from(self.part <= more)
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
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let (part, of) = text.split_once('/').ok_or(ShardError)?;
        let (part, of) =
            (part.parse().map_err(|_| ShardError)?, of.parse().map_err(|_| ShardError)?);
        if (1..=of).contains(&part) { Ok(Shard { part, of }) } else { Err(ShardError) }
    }
}

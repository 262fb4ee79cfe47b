//! The schedule: the number of a game determines its players, sides, opening and random seeds.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

use crate::SettingsError;
use kalah::board::splitmix64;

/// Who plays whom.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Display, EnumString,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = SettingsError, parse_err_fn = unknown_format)]
pub enum TournamentFormat {
    /// Each player plays every other. With two players, a match.
    #[default]
    RoundRobin,
    /// The first player plays every other.
    Gauntlet,
}

fn unknown_format(_: &str) -> SettingsError {
    SettingsError::new("expected round-robin or gauntlet")
}

/// The games of a tournament. In each round every two opponents play a pair of games from the
/// opening of the round, once with each side. The two games of a pair have consecutive numbers.
#[derive(Clone, Debug)]
pub struct Schedule {
    seed: u64,
    opponents: Vec<[usize; 2]>,
}

/// What the number of a game determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// From 0; also the number of the opening.
    pub round: u64,
    /// The numbers of the players, South first.
    pub players: [usize; 2],
    /// The random seeds of the players, South first.
    pub random_seeds: [u64; 2],
}

/// Every two of this number of players.
pub(super) fn opponents(players: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..players).flat_map(move |first| (first + 1..players).map(move |last| [first, last]))
}

impl Schedule {
    /// The games of a tournament of this number of players.
    pub fn new(format: TournamentFormat, players: usize, seed: u64) -> Schedule {
        let plays = |[first, _]: &[usize; 2]| format == TournamentFormat::RoundRobin || *first == 0;
        Schedule { seed, opponents: opponents(players).filter(plays).collect() }
    }

    /// The games of each round.
    pub fn games_per_round(&self) -> u64 {
        2 * self.opponents.len() as u64
    }

    /// The pairing of game `number`, from 0.
    pub fn pairing(&self, number: u64) -> Pairing {
        let (pair, is_second) = (number / 2, number % 2 == 1);
        let pairs_per_round = self.opponents.len() as u64;
        let mut players = self.opponents[(pair % pairs_per_round) as usize];
        // The number may come from a record and be arbitrarily large.
        let stream = number.wrapping_mul(2);
        // Without the top bit, so that it fits a signed number of any program.
        let random_seeds =
            [0, 1].map(|side| splitmix64(splitmix64(self.seed) ^ splitmix64(stream + side)) >> 1);
        if is_second {
            players.swap(0, 1);
        }
        Pairing { round: pair / pairs_per_round, players, random_seeds }
    }
}

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
    players: usize,
    pairs_per_round: u64,
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

impl Schedule {
    /// The games of a tournament of this number of players.
    pub fn new(format: TournamentFormat, players: usize, seed: u64) -> Schedule {
        let opponents = players.saturating_sub(1) as u64;
        let pairs_per_round = match format {
            TournamentFormat::RoundRobin => players as u64 * opponents / 2,
            TournamentFormat::Gauntlet => opponents,
        };
        Schedule { seed, players, pairs_per_round }
    }

    /// The games of each round.
    pub fn games_per_round(&self) -> u64 {
        2 * self.pairs_per_round
    }

    /// The pairing of game `number`, from 0.
    pub fn pairing(&self, number: u64) -> Pairing {
        let (pair, is_second) = (number / 2, number % 2 == 1);
        // The first player against each later one, then the second, and so on.
        let (mut first, mut later) = (0, self.players as u64 - 1);
        let mut place = pair % self.pairs_per_round;
        while place >= later {
            place -= later;
            first += 1;
            later -= 1;
        }
        let mut players = [first, first + 1 + place as usize];
        // The number may come from a record and be arbitrarily large.
        let stream = number.wrapping_mul(2);
        // Without the top bit, so that it fits a signed number of any program.
        let random_seeds =
            [0, 1].map(|side| splitmix64(splitmix64(self.seed) ^ splitmix64(stream + side)) >> 1);
        if is_second {
            players.swap(0, 1);
        }
        Pairing { round: pair / self.pairs_per_round, players, random_seeds }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pairing, Schedule, TournamentFormat};

    #[test]
    fn in_each_round_every_two_opponents_play_a_pair() {
        for players in 2..=7 {
            for format in [TournamentFormat::RoundRobin, TournamentFormat::Gauntlet] {
                let schedule = Schedule::new(format, players, 1);
                let firsts = if format == TournamentFormat::Gauntlet { 1 } else { players };
                let opponents = (0..firsts)
                    .flat_map(|first| (first + 1..players).map(move |last| [first, last]));
                let round: Vec<_> =
                    opponents.flat_map(|[first, last]| [[first, last], [last, first]]).collect();
                assert_eq!(schedule.games_per_round(), round.len() as u64);
                for number in 0..3 * schedule.games_per_round() {
                    let Pairing { round: of, players, .. } = schedule.pairing(number);
                    let place = number as usize;
                    assert_eq!(of as usize, place / round.len());
                    assert_eq!(players, round[place % round.len()], "{format}, game {number}");
                }
            }
        }
    }
}

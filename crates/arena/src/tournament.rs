//! The settings of a tournament, and the errors that prevent or end one.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use rustc_hash::FxHashSet;
use thiserror::Error;

use super::adjudication::ResignRule;
use super::openings::{OpeningBook, OpeningError, OpeningSettings};
use super::players::{PlayerSettings, StartError};
use super::records::{Conditions, RecordError};
use super::schedule::{Schedule, Shard, TournamentFormat};
use super::statistics::Sprt;
use kalah::board::{Board, Side};

/// A tournament to play.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Who plays whom.
    pub format: TournamentFormat,
    /// At least two, with different names.
    pub players: Vec<PlayerSettings>,
    /// The start position; it fixes the rules and the size of the board, and openings lead on
    /// from it.
    pub start: Board,
    /// The openings of the games.
    pub openings: OpeningSettings,
    /// Random seed of the openings and the players.
    pub seed: u64,
    /// Games of every two opponents; an even number, since each opening is played twice.
    pub games: u64,
    /// The part of the games to play here.
    pub shard: Shard,
    /// Games played at the same time.
    pub concurrency: NonZeroUsize,
    /// When players resign; never if `None`.
    pub resign: Option<ResignRule>,
    /// Seeds in the houses at or below which games end at their proven margin.
    pub adjudicate: Option<u32>,
    /// A sequential test that ends a match once it is decided.
    pub sprt: Option<Sprt>,
    /// The file of the games; games that it contains are not played again.
    pub record: Option<PathBuf>,
}

/// Why a tournament cannot begin, or cannot continue.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// There are fewer than two players.
    #[error("a tournament needs at least two players, not {0}")]
    TooFewPlayers(usize),
    /// Two players have the same name.
    #[error("two players have the name '{0}': set 'name' for one of them")]
    SameName(String),
    /// The number of games is odd.
    #[error("games must be an even number, as each opening is played twice: not {0}")]
    OddGames(u64),
    /// A sequential test with more than two players, or with a shard.
    #[error("SPRT needs exactly two players and no sharding")]
    SprtNeedsMatch,
    /// A player cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A built-in player failed. The game has no result and is not in the record.
    #[error("game {game} is abandoned: player '{name}': {reason}")]
    Abandoned {
        /// The number of the game, from 1.
        game: u64,
        /// The player.
        name: String,
        /// What has failed.
        reason: String,
    },
    /// There are no openings.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The record cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no memory for adjudication.
    #[error(transparent)]
    Memory(#[from] kalah::search::TableTooLarge),
    /// The system refused a thread.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
}

impl Tournament {
    /// A round-robin tournament with the default openings: 100 games of every two opponents, one at a
    /// time, with the random seed 1 and without record, resignation, adjudication and test.
    pub fn new(players: Vec<PlayerSettings>, start: Board) -> Tournament {
        Tournament {
            format: TournamentFormat::RoundRobin,
            players,
            start,
            openings: OpeningSettings::default(),
            seed: 1,
            games: 100,
            shard: Shard::WHOLE,
            concurrency: NonZeroUsize::MIN,
            resign: None,
            adjudicate: None,
            sprt: None,
            record: None,
        }
    }

    /// Checks the settings, as [`Tournament::run`] does before it starts a player.
    ///
    /// # Errors
    /// When there are fewer than two players, two with the same name, an odd number of games, or a
    /// sequential test of anything but a match.
    pub fn check(&self) -> Result<(), ArenaError> {
        if self.players.len() < 2 {
            return Err(ArenaError::TooFewPlayers(self.players.len()));
        }
        let mut names = FxHashSet::default();
        if let Some(player) = self.players.iter().find(|player| !names.insert(&player.name)) {
            return Err(ArenaError::SameName(player.name.clone()));
        }
        if !self.games.is_multiple_of(2) {
            return Err(ArenaError::OddGames(self.games));
        }
        if self.sprt.is_some() && (self.players.len() > 2 || self.shard != Shard::WHOLE) {
            return Err(ArenaError::SprtNeedsMatch);
        }
        Ok(())
    }

    /// The number of games, all shards together.
    pub fn total_games(&self) -> u64 {
        let schedule = Schedule::new(self.format, self.players.len(), self.seed);
        self.rounds().saturating_mul(schedule.games_per_round())
    }

    /// The number of games of this shard.
    pub fn shard_games(&self) -> u64 {
        2 * self.shard.pairs(self.total_games())
    }

    /// The number of rounds. In each, every two opponents play a pair of games.
    pub(super) fn rounds(&self) -> u64 {
        self.games / 2
    }

    /// The conditions that every record repeats.
    ///
    /// # Errors
    /// When a file of openings cannot be read.
    pub fn common_conditions(&self) -> Result<Conditions, OpeningError> {
        let openings = OpeningBook::new(&self.openings, &self.start, self.seed)?;
        Ok(self.conditions(openings.checksum()))
    }

    /// The conditions that every record repeats, with the checksum of a file of openings.
    pub(super) fn conditions(&self, openings_checksum: Option<u64>) -> Conditions {
        let rules = self.start.rules();
        Conditions {
            kalah: env!("CARGO_PKG_VERSION").to_owned(),
            format: self.format,
            players: self.players.iter().map(|player| player.name.clone()).collect(),
            houses: rules.houses(),
            seeds: self.start.houses(Side::South)[0],
            capture: rules.capture(),
            openings: self.openings.clone(),
            positions: openings_checksum.map(|checksum| format!("{checksum:016x}")),
            seed: self.seed,
            resign: self.resign,
            adjudicate: self.adjudicate,
        }
    }
}

//! The settings of a tournament, and the errors that prevent or end one.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::{PlayerError, Shard};
use kalah::StopToken;
use kalah::board::{Board, Side};
use kalah_records::statistics::Sprt;
use kalah_records::{
    Conditions, OpeningBook, OpeningError, OpeningSettings, PlayerSettings, RecordError,
    ResignRule, Schedule, TournamentFormat,
};

/// The games of a match that goes on until its sequential test is decided: more than can be played.
pub const UNLIMITED_GAMES: u64 = u64::MAX - 3;

/// A tournament to play.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Who plays whom.
    pub format: TournamentFormat,
    /// At least two, with different names.
    pub players: Vec<PlayerSettings>,
    /// The start position; it fixes the rules and the size of the board, and openings lead on from it.
    pub start: Board,
    /// The openings of the games.
    pub openings: OpeningSettings,
    /// Random seed of the openings and the players.
    pub seed: u64,
    /// Games of every two opponents; an even number, since each opening is played twice. With a
    /// sequential test it can be [`UNLIMITED_GAMES`].
    pub games: u64,
    /// The part of the games to play here.
    pub shard: Shard,
    /// Games played at the same time.
    pub concurrency: NonZeroUsize,
    /// Whether each game at a time has processors of its own, which needs Linux.
    pub affinity: bool,
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
#[allow(missing_docs, reason = "the messages say what the fields are")]
#[derive(Debug, Error)]
pub enum ArenaError {
    /// The settings contradict each other.
    #[error("{0}")]
    Settings(String),
    /// A player cannot be started.
    #[error("player '{name}': {reason}")]
    Start { name: String, reason: String },
    /// It was stopped before play began.
    #[error("interrupted")]
    Stopped,
    /// A built-in player failed. The game has no result and is not in the record.
    #[error("game {game} is abandoned: player '{name}': {reason}")]
    Abandoned { game: u64, name: String, reason: String },
    /// There are no openings.
    #[error(transparent)]
    Opening(OpeningError),
    /// The record cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no memory for adjudication.
    #[error(transparent)]
    Memory(#[from] kalah::search::TableTooLarge),
    /// The games cannot have processors of their own.
    #[error("cannot bind games to processors")]
    Affinity(#[source] io::Error),
    /// The system refused a thread.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
}

impl From<OpeningError> for ArenaError {
    fn from(error: OpeningError) -> ArenaError {
        match error {
            OpeningError::Interrupted => ArenaError::Stopped,
            error => ArenaError::Opening(error),
        }
    }
}

impl ArenaError {
    pub(super) fn start(player: &PlayerSettings, error: PlayerError) -> ArenaError {
        match error {
            PlayerError::Stopped => ArenaError::Stopped,
            error => ArenaError::Start { name: player.name.clone(), reason: error.to_string() },
        }
    }
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
            affinity: false,
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
        let players = self.players.len();
        let mut names = FxHashSet::default();
        Err(ArenaError::Settings(if players < 2 {
            format!("a tournament needs at least two players, not {players}")
        } else if let Some(twice) = self.players.iter().find(|player| !names.insert(&player.name)) {
            format!("two players have the name '{}': set 'name' for one of them", twice.name)
        } else if !self.games.is_multiple_of(2) {
            let games = self.games;
            format!("games must be an even number, as each opening is played twice: not {games}")
        } else if self.games == UNLIMITED_GAMES && self.sprt.is_none() {
            "without a limit of the games there has to be a sequential test".to_owned()
        } else if self.sprt.is_some() && (players > 2 || self.shard != Shard::WHOLE) {
            "SPRT needs exactly two players and no sharding".to_owned()
        } else {
            return Ok(());
        }))
    }

    /// The number of games, all shards together.
    pub fn total_games(&self) -> u64 {
        self.rounds().saturating_mul(self.schedule().games_per_round())
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
        Ok(self.conditions(&self.opening_book(&StopToken::new())?))
    }

    pub(super) fn opening_book(&self, stop: &StopToken) -> Result<OpeningBook, OpeningError> {
        OpeningBook::new(&self.openings, &self.start, self.seed, stop)
    }

    /// The numbers of games determine players, sides and openings by this.
    pub(super) fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.players.len(), self.seed)
    }

    /// The conditions that every record repeats, with the checksum of a file of openings.
    pub fn conditions(&self, openings: &OpeningBook) -> Conditions {
        let rules = self.start.rules();
        Conditions {
            kalah: env!("CARGO_PKG_VERSION").to_owned(),
            format: self.format,
            players: self.players.iter().map(|player| player.name.clone()).collect(),
            houses: rules.houses(),
            seeds: self.start.houses(Side::South)[0],
            capture: rules.capture(),
            sowing: rules.sowing(),
            openings: self.openings.clone(),
            positions: openings.checksum().map(|checksum| format!("{checksum:016x}")),
            seed: self.seed,
            resign: self.resign,
            adjudicate: self.adjudicate,
        }
    }
}

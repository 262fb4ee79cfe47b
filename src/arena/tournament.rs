//! What a tournament is.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use rustc_hash::FxHashSet;

use super::adjudication::ResignRule;
use super::error::ArenaError;
use super::openings::OpeningSettings;
use super::players::PlayerSettings;
use super::records::Conditions;
use super::schedule::{Shard, TournamentFormat};
use super::statistics::Sprt;
use crate::board::{Board, Side};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Who meets whom.
    pub format: TournamentFormat,
    /// Two at least, no two of the same name.
    pub players: Vec<PlayerSettings>,
    /// The start of the game; it gives rules and size, and openings lead on from it.
    pub start: Board,
    /// Where the games begin.
    pub openings: OpeningSettings,
    /// What openings and the seeds of players are drawn from.
    pub seed: u64,
    /// Games of every two players that meet; an even number, for each opening is played twice.
    pub games: u64,
    /// The part of the games that is played here.
    pub shard: Shard,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// When players resign.
    pub resign: Option<ResignRule>,
    /// With how many seeds in the houses the referee ends games at their proven margin.
    pub adjudicate: Option<u32>,
    /// What ends a match as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// The file for the records; games that are in it are not played again.
    pub record: Option<PathBuf>,
}

impl Tournament {
    /// Checks what can be known to be wrong before anybody plays, as [`Tournament::run`] does.
    ///
    /// # Errors
    /// When there are too few players, two of a name, an odd number of games, or a test of no match.
    pub fn check(&self) -> Result<(), ArenaError> {
        if self.players.len() < 2 {
            return Err(ArenaError::Players(self.players.len()));
        }
        let mut names = FxHashSet::default();
        if let Some(player) = self.players.iter().find(|player| !names.insert(&player.name)) {
            return Err(ArenaError::SameName(player.name.clone()));
        }
        if !self.games.is_multiple_of(2) {
            return Err(ArenaError::OddGames(self.games));
        }
        if self.sprt.is_some() && (self.players.len() > 2 || self.shard != Shard::WHOLE) {
            return Err(ArenaError::NoMatch);
        }
        Ok(())
    }

    /// Rounds to be played: in each, every two players that meet play a pair of games.
    pub(super) fn rounds(&self) -> u64 {
        self.games / 2
    }

    /// What holds for all games, the checksum of a file of openings among it.
    pub(super) fn conditions(&self, positions: Option<u64>) -> Conditions {
        let rules = self.start.rules();
        Conditions {
            kalah: env!("CARGO_PKG_VERSION").to_owned(),
            format: self.format,
            players: self.players.iter().map(|player| player.name.clone()).collect(),
            houses: rules.houses(),
            seeds: self.start.houses(Side::South)[0],
            capture: rules.capture(),
            openings: self.openings.clone(),
            positions: positions.map(|checksum| format!("{checksum:016x}")),
            seed: self.seed,
            resign: self.resign,
            adjudicate: self.adjudicate,
        }
    }
}

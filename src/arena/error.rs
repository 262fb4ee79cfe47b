//! What can go wrong with a tournament.

use std::io;

use thiserror::Error;

use super::openings::OpeningError;
use super::players::StartError;
use super::records::RecordError;

/// Why a tournament cannot be held, or cannot go on.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// There are not two players.
    #[error("a tournament takes two players or more, not {0}")]
    Players(usize),
    /// Two players have the same name.
    #[error("two players are called '{0}': give one of them another 'name'")]
    SameName(String),
    /// An opening would be played once only.
    #[error("{0} games: it takes an even number of them, as each opening is played twice")]
    OddGames(u64),
    /// A test that the tournament does not allow for.
    #[error("a sequential test takes a match of two players that is played in one piece")]
    NoMatch,
    /// A player cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There are no openings.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The referee has no memory to prove positions in.
    #[error(transparent)]
    Memory(#[from] crate::search::TableTooLarge),
    /// No thread is to be had.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
}

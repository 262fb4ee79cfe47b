//! Errors of the engine, of its options and of its protocol loop.

use std::io;

use thiserror::Error;

use crate::board::{BoardError, Move};
use crate::printable::with_causes;
use crate::search::{TableTooLarge, Variant};
use crate::tablebase::TablebaseError;

/// An option that cannot be set, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct OptionError(pub(super) String);

/// Why an engine does not do what it is asked to do. Nothing has changed.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The option or its value is wrong.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// `searchmoves` has an illegal move.
    #[error("searchmoves: {0} cannot be played")]
    SearchMove(Move),
    /// The search of the options does not support a limit.
    #[error("the search {search} does not support '{limit}': use {instead}")]
    Limit {
        /// The search.
        search: Variant,
        /// The limit given.
        limit: &'static str,
        /// The limits that the search supports.
        instead: &'static str,
    },
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// The tablebase files cannot be read.
    #[error("{}", with_causes(.0))]
    Tablebase(#[from] TablebaseError),
}

/// Why the protocol loop has ended before the end of its input.
#[derive(Debug, Error)]
pub enum UciLoopError {
    /// Writing failed, but not because the reader of the output has closed it.
    #[error("cannot write the output")]
    Output(#[source] io::Error),
    /// Reading failed.
    #[error("cannot read the input")]
    Input(#[source] io::Error),
    /// A thread cannot be started.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// The engine cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The start board cannot be set up.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The search thread has ended, which is a defect of the engine.
    #[error("the search thread failed")]
    SearchThread,
}

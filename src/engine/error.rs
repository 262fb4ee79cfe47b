//! Errors of the engine, of its options and of its protocol loop.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::board::{BoardError, FenError, HousesOutOfRange, Move, MovesError};
use crate::printable::with_causes;
use crate::protocol::ParseError;
use crate::search::{TableTooLarge, Variant};
use crate::tablebase::TablebaseError;

/// An option that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("unknown option '{0}'")]
    Unknown(String),
    /// The option is about the program: its board or its log file.
    #[error("option {0} can only be set for an engine that runs as a program")]
    ProgramOnly(String),
    /// A file cannot be used.
    #[error("option {name}: '{}': {reason}", path.display())]
    File {
        /// The option.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// An option other than a button has no value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// A button has a value.
    #[error("option {0} is a button and takes no value")]
    ButtonWithValue(&'static str),
    /// The value has the wrong type or is out of range.
    #[error("option {name} takes {expected}, not '{value}'")]
    Value {
        /// The option.
        name: &'static str,
        /// The values it takes.
        expected: String,
        /// The value given.
        value: String,
    },
}

/// A command that was not carried out. It has changed nothing.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The line is not a command.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The option or its value is wrong.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The options of the board do not fit together.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// No rules have this number of houses.
    #[error(transparent)]
    Houses(#[from] HousesOutOfRange),
    /// The text of the board is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is illegal.
    #[error(transparent)]
    Moves(#[from] MovesError),
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
    /// The log file cannot be opened.
    #[error("the log file cannot be opened: {0}")]
    LogFile(#[from] io::Error),
    /// The command is not allowed while a search is running.
    #[error("'{0}' has to wait for the end of the search")]
    Searching(&'static str),
    /// `stop` needs a running search.
    #[error("no search is running")]
    NotSearching,
    /// `ponderhit` needs a search that ponders.
    #[error("no search is pondering")]
    NotPondering,
}

/// Why the protocol loop has ended before the end of its input.
#[derive(Debug, Error)]
pub enum UciLoopError {
    /// Writing failed. [`run`](super::run) does not count it as an error if the reader of the output
    /// has closed it.
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
    /// The search thread has ended, which is a defect of the engine.
    #[error("the search thread failed")]
    SearchThread,
}

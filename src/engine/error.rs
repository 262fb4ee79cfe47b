//! What can go wrong with a command.

use std::io;

use thiserror::Error;

use super::options::OptionError;
use super::reader::MAX_LINE;
use crate::board::{BoardError, FenError, HousesOutOfRange, MovesError};
use crate::protocol::ParseError;
use crate::search::{TableTooLarge, Variant};
use crate::tablebase::TablebaseError;

/// A command that could not be obeyed. Nothing has changed by it.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The line is no command.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The line is longer than any command.
    #[error("the line is longer than {MAX_LINE} bytes")]
    LineTooLong,
    /// The line is not text.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// The option or its value is wrong.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The options make no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The options make no rules.
    #[error(transparent)]
    Houses(#[from] HousesOutOfRange),
    /// The board's text is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move cannot be played.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// `searchmoves` names a move that cannot be played.
    #[error("searchmoves: {0} cannot be played")]
    SearchMove(char),
    /// The search that is set knows no such limit.
    #[error("'{limit}' is no limit for the search {search}: it takes {instead}")]
    Limit {
        /// The search.
        search: Variant,
        /// The limit given.
        limit: &'static str,
        /// Limits that can be given.
        instead: &'static str,
    },
    /// The table cannot be had.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// The tables in files cannot be read.
    #[error("{}", .0.with_causes())]
    Tablebase(#[from] TablebaseError),
    /// The log file cannot be written to.
    #[error("the log file cannot be opened: {0}")]
    LogFile(#[from] io::Error),
    /// Not while searching.
    #[error("'{0}' has to wait for the end of the search")]
    Searching(&'static str),
    /// Only while searching.
    #[error("'{0}' without a search to hear it")]
    NotSearching(&'static str),
}

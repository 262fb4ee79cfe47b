//! What can be wrong with a proof file.

use std::io;

use thiserror::Error;

use super::claim::ClaimText;
use crate::board::BoardError;
use crate::file_header::FileHeaderError;
use crate::tablebase::TablebaseError;

/// Why a proof file proves nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProofFileError {
    /// The file could not be read.
    #[error("cannot be read")]
    Read(#[source] io::Error),
    /// The file is no proof file, has another format version, or is damaged.
    #[error(transparent)]
    Format(#[from] FileHeaderError),
    /// The header contains an invalid value; its name.
    #[error("the header has no valid {0}")]
    Header(&'static str),
    /// The header has no valid board.
    #[error("the header has no valid board")]
    Board(#[from] BoardError),
    /// Positions with this many seeds have no unique keys.
    #[error(
        "{seeds} seeds in the houses of a board of {houses} houses a side are too many for a proof"
    )]
    TooManySeeds {
        /// Houses a side.
        houses: usize,
        /// Seeds in the houses.
        seeds: u32,
    },
    /// The tablebase could not be built.
    #[error(transparent)]
    Tablebase(TablebaseError),
    /// A gain in the tablebase is not the one that the moves of its position give.
    #[error("the tablebase is wrong: {found:+} instead of {expected:+} for <{position}>")]
    Gain {
        /// The seeds in the houses, the mover's first.
        position: String,
        /// The gain in the table.
        found: i32,
        /// The gain of the best move.
        expected: i32,
    },
    /// The claims of the proof do not fit into memory.
    #[error("not enough memory for the proof")]
    OutOfMemory,
    /// The proof is wrong.
    #[error("wrong at claim {claim} of the proof: {fault}")]
    Fault {
        /// The number of the first wrong claim, in the order of the file, from 1 on.
        claim: u64,
        /// What is wrong with it.
        fault: ProofFault,
    },
    /// The stop token was stopped.
    #[error("stopped before the proof was verified")]
    Stopped,
}

impl From<TablebaseError> for ProofFileError {
    fn from(error: TablebaseError) -> ProofFileError {
        match error {
            TablebaseError::Stopped => ProofFileError::Stopped,
            error => ProofFileError::Tablebase(error),
        }
    }
}

impl ProofFileError {
    /// The error of a fault at a claim.
    pub(super) fn at(claim: u64, fault: ProofFault) -> ProofFileError {
        match fault {
            ProofFault::OutOfMemory => ProofFileError::OutOfMemory,
            fault => ProofFileError::Fault { claim, fault },
        }
    }
}

/// What is wrong with a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProofFault {
    /// A claim contradicts a gain of the tablebase or a claim before it.
    #[error("refuted by the tablebase or an earlier claim: {0}")]
    Contradiction(ClaimText),
    /// The file names a move that the position does not have.
    #[error("the proving move does not exist: {0}")]
    NoSuchMove(ClaimText),
    /// The search of a leaf refuted its claim.
    #[error("refuted by a search: {0}")]
    Refuted(ClaimText),
    /// The search of a leaf reached its limit.
    #[error("undecided by a search: {0}")]
    Undecided(ClaimText),
    /// The writer has no proof of a claim.
    #[error("no proof found: {0}")]
    Unproven(ClaimText),
    /// The proof ends too early.
    #[error("the proof ends too early")]
    End,
    /// The proof goes on after its end, or has another size than the header says.
    #[error("the proof has another size than the header says")]
    Size,
    /// The claims do not fit into memory.
    #[error("not enough memory for the claims")]
    OutOfMemory,
}

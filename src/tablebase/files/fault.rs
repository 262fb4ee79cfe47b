//! What can be wrong with a file.

use std::io;

use thiserror::Error;

use super::layout::VERSION;
use crate::board::Rules;

/// Why a file is not read, or not believed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileFault {
    /// The system cannot read or write it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The name is none that a table has.
    #[error("no table has such a name")]
    Name,
    /// It does not begin as a table does.
    #[error("it is no table")]
    Foreign,
    /// Another program has written it.
    #[error("it is of version {0}, and this program reads version {VERSION}")]
    Version(u16),
    /// The header is not as it was written.
    #[error("its header is damaged")]
    Header,
    /// It is of other rules or of another layer than its name says.
    #[error("its name is wrong: it is of {houses} houses, {capture} capture and {seeds} seeds",
        houses = rules.houses(), capture = rules.capture())]
    Misnamed {
        /// The rules of its positions.
        rules: Rules,
        /// Their seeds.
        seeds: u32,
    },
    /// It is cut off, or goes on behind its end.
    #[error("it has {found} bytes where it should have {expected}")]
    Length {
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// The checksums are not as they were written.
    #[error("its checksums are damaged")]
    Checksums,
    /// A block is not as it was written.
    #[error("its block {0} is damaged")]
    Block(u64),
    /// A gain is none that a position can have.
    #[error("its entry {0} is of no gain")]
    Entry(u64),
    /// Gains are other than what the moves of their positions lead to.
    #[error(
        "wrong gains: {wrong}; the first is of {position}: {found:+}, and by its moves {expected:+}"
    )]
    Gains {
        /// How many.
        wrong: u64,
        /// The first of them, South to move.
        position: String,
        /// What the file has.
        found: i32,
        /// The best of the moves.
        expected: i32,
    },
}

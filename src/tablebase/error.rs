//! Errors of tablebases.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS};
use crate::board::Rules;
use crate::file_header::FileHeaderError;
use crate::printable::counted;

/// A tablebase cannot be built, read or verified.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// The board has too many houses.
    #[error("{0} houses a side, but tablebases have at most {MAX_TABLE_HOUSES}")]
    Houses(usize),
    /// The positions have too many seeds.
    #[error("{0} seeds in the houses, but tablebases have at most {MAX_TABLE_SEEDS}")]
    Seeds(u32),
    /// The table fits no machine.
    #[error("a table of {} a side and {seeds} seeds takes too much memory to build", counted(*houses, "house"))]
    TooLarge {
        /// Houses a side.
        houses: usize,
        /// The maximum number of seeds in the houses.
        seeds: u32,
    },
    /// The system refuses memory.
    #[error(
        "the system refuses {} MiB of memory for a table of {houses} houses a side and {seeds} seeds",
        size.div_ceil(1 << 20)
    )]
    MemoryRefused {
        /// Houses a side.
        houses: usize,
        /// The maximum number of seeds in the houses.
        seeds: u32,
        /// Bytes.
        size: usize,
    },
    /// There is not enough memory at the moment.
    #[error(
        "a table of {houses} houses a side and {seeds} seeds takes {} MiB of memory to build, but \
         only {} MiB are available",
        needed.div_ceil(1 << 20), available >> 20
    )]
    NotEnoughMemory {
        /// Houses a side.
        houses: usize,
        /// The maximum number of seeds in the houses.
        seeds: u32,
        /// Bytes needed.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// There is not enough space on the disk.
    #[error(
        "the files in '{}' take {} MiB more, but only {} MiB are available on that disk",
        directory.display(), needed.div_ceil(1 << 20), available >> 20
    )]
    NotEnoughDisk {
        /// The directory of the files.
        directory: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// Another process is building tables in this directory.
    #[error("another process is building tables in '{}'", .0.display())]
    Busy(PathBuf),
    /// A directory cannot be used.
    #[error("cannot {action} '{}'", directory.display())]
    Directory {
        /// What failed.
        action: &'static str,
        /// The directory.
        directory: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file cannot be read or written, or its contents are wrong.
    #[error("'{}'", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: TablebaseFileError,
    },
    /// The file of a layer is missing.
    #[error("there is no file for the layer of {} in '{}'", counted(*seeds, "seed"), directory.display())]
    MissingLayer {
        /// The directory of the files.
        directory: PathBuf,
        /// Seeds in the houses of the positions of the layer.
        seeds: u32,
    },
    /// The work was stopped. The files of complete layers stay.
    #[error("stopped")]
    Stopped,
}

/// The file of a layer cannot be read or written, or its contents are wrong.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablebaseFileError {
    /// The system cannot read or write it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The name does not follow the pattern `kalah-6-standard-20.ktb`.
    #[error("the file name is not that of a tablebase file")]
    Name,
    /// The header is wrong, or the length of the file.
    #[error(transparent)]
    Header(#[from] FileHeaderError),
    /// The header and the name of the file are of different rules or layers.
    #[error("the file name is wrong: the header says {rules}, {}", counted(*seeds, "seed"))]
    Misnamed {
        /// The rules according to the header.
        rules: Rules,
        /// The seeds according to the header.
        seeds: u32,
    },
    /// The checksums are damaged.
    #[error("the checksums are damaged")]
    Checksums,
    /// A block is damaged.
    #[error("block {0} is damaged")]
    Block(u64),
    /// An entry holds a value that is not a gain of its position.
    #[error("invalid value at entry {0}")]
    Entry(u64),
    /// Gains contradict the gains of the positions after the moves.
    #[error("wrong gains: {wrong}; the first is {found:+} instead of {expected:+}, of {position}")]
    Gains {
        /// The number of wrong gains.
        wrong: u64,
        /// The first position with a wrong gain, South to move.
        position: String,
        /// The gain in the file.
        found: i32,
        /// The gain of the best move.
        expected: i32,
    },
}

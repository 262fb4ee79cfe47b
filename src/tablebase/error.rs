//! Why there is no table.

use std::error::Error as _;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::files::FileFault;
use super::index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS};

/// A table that cannot be made or used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// The board has too many houses.
    #[error("{0} houses a side: tables are for {MAX_TABLE_HOUSES} at most")]
    Houses(usize),
    /// The positions have too many seeds.
    #[error("{0} seeds in the houses: tables are for {MAX_TABLE_SEEDS} at most")]
    Seeds(u32),
    /// There is not enough memory on any machine, or the system does not give it.
    #[error("a table of {houses} houses a side and {seeds} seeds takes too much memory to build")]
    Memory {
        /// Houses a side.
        houses: usize,
        /// Seeds in the houses, at most.
        seeds: u32,
    },
    /// There is not enough memory now.
    #[error(
        "a table of {houses} houses a side and {seeds} seeds takes {} MiB of memory to build, and \
         there are {} MiB",
        needed.div_ceil(1 << 20), available >> 20
    )]
    MemoryLeft {
        /// Houses a side.
        houses: usize,
        /// Seeds in the houses, at most.
        seeds: u32,
        /// Bytes that building takes.
        needed: u64,
        /// Bytes there are.
        available: u64,
    },
    /// There is not enough room on the disk.
    #[error(
        "the files to be written to '{}' take {} MiB, and there are {} MiB on that disk",
        directory.display(), needed.div_ceil(1 << 20), available >> 20
    )]
    DiskLeft {
        /// Where the files were to go.
        directory: PathBuf,
        /// Bytes that the files take.
        needed: u64,
        /// Bytes there are.
        available: u64,
    },
    /// Another program builds tables there.
    #[error("tables are being built in '{}': wait for the end of that", .0.display())]
    Busy(PathBuf),
    /// A directory cannot be used.
    #[error("cannot {what} '{}'", directory.display())]
    Directory {
        /// What cannot be done.
        what: &'static str,
        /// With which directory.
        directory: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be read or written, or is not what it should be.
    #[error("'{}'", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        source: FileFault,
    },
    /// The files have fewer seeds.
    #[error("there is no layer of {seeds} seeds in '{}'", directory.display())]
    NoLayer {
        /// Where they are.
        directory: PathBuf,
        /// Seeds in the houses of the positions that are not there.
        seeds: u32,
    },
    /// Whoever watched the work wanted no more of it. Layers that are whole have their files.
    #[error("interrupted")]
    Interrupted,
}

impl TablebaseError {
    /// The error with what led to it, for those who tell it on a line of their own.
    pub(crate) fn in_full(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        text
    }
}

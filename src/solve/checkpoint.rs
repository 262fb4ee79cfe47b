//! Checkpoints: the table of bounds in a file.
//!
//! All numbers are little-endian:
//!
//! ```text
//! bytes 0 to 7    "KALAHBND"
//!       8 to 11   version, 1
//!       12        houses a side
//!       13        capture: 0 standard, 1 empty
//!       14        binary logarithm of the number of entries
//!       15        0
//!       16 …      entries of 8 bytes, see [`BoundsTable`]
//!       last 4    CRC-32 of all bytes before
//! ```

use std::io::{self, Read, Write};

use crc32fast::Hasher;
use thiserror::Error;

use super::bounds_table::BoundsTable;
use super::solver::Solver;
use crate::board::{Capture, Rules};

const MAGIC: [u8; 8] = *b"KALAHBND";
const VERSION: u32 = 1;
const ENTRIES_AT_A_TIME: usize = 1 << 13;

/// Why a checkpoint was not loaded.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The input could not be read.
    #[error("cannot be read")]
    Read(#[source] io::Error),
    /// The input does not begin like a checkpoint.
    #[error("not a checkpoint of the solver")]
    Foreign,
    /// The checkpoint has another format version.
    #[error("has format version {0}, but this program reads version {VERSION}")]
    Version(u32),
    /// The checkpoint is for a board with other rules.
    #[error("is for a board of {houses} houses a side with {capture} capture")]
    Rules {
        /// Houses a side.
        houses: u8,
        /// The capture rule.
        capture: Capture,
    },
    /// The checkpoint is truncated or its checksum is wrong.
    #[error("is damaged")]
    Damaged,
    /// The table does not fit into memory; its size in MiB.
    #[error("has a table of {0} MiB, for which there is not enough memory")]
    OutOfMemory(usize),
}

impl Solver {
    /// Whether there is anything to save in a checkpoint.
    pub fn has_results(&self) -> bool {
        self.tables.bounds.is_some()
    }

    /// Writes the bounds of all positions searched so far, for
    /// [`load_checkpoint`](Self::load_checkpoint).
    ///
    /// # Errors
    /// Returns an error if writing fails, or if there are no [results](Self::has_results).
    ///
    /// ```
    /// use kalah::solve::SolverResources;
    /// use kalah::{Board, Rules, Solver};
    ///
    /// let board = Board::start(Rules::default(), 2)?;
    /// let resources = SolverResources { mebibytes: 16, ..SolverResources::default() };
    /// let mut solver = Solver::new(resources);
    /// solver.solve(&board)?;
    /// let mut checkpoint = Vec::new();
    /// solver.save_checkpoint(&mut checkpoint)?;
    ///
    /// let mut other = Solver::new(resources);
    /// other.load_checkpoint(board.rules(), &mut &checkpoint[..])?;
    /// assert_eq!(other.probe(&board), solver.probe(&board));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_checkpoint(&self, output: &mut dyn Write) -> io::Result<()> {
        let no_results = || io::Error::other("no position has been searched yet");
        let (rules, table) = (self.tables.rules, self.tables.bounds.as_ref());
        let table = table.ok_or_else(no_results)?;
        let mut hasher = Hasher::new();
        let mut put = |bytes: &[u8]| {
            hasher.update(bytes);
            output.write_all(bytes)
        };
        put(&MAGIC)?;
        put(&VERSION.to_le_bytes())?;
        let [houses, capture] =
            [rules.houses(), rules.capture().index()].map(|number| number as u8);
        put(&[houses, capture, table.entries_log2() as u8, 0])?;
        let mut bytes = Vec::with_capacity(ENTRIES_AT_A_TIME * size_of::<u64>());
        for start in (0..1 << table.entries_log2()).step_by(ENTRIES_AT_A_TIME) {
            bytes.clear();
            let words = table.words(start..start + ENTRIES_AT_A_TIME);
            bytes.extend(words.flat_map(u64::to_le_bytes));
            put(&bytes)?;
        }
        output.write_all(&hasher.finalize().to_le_bytes())
    }

    /// Replaces the bounds of this solver by those of a checkpoint for these rules.
    ///
    /// # Errors
    /// Returns an error if the input is not a valid checkpoint for these rules. The solver is then
    /// unchanged.
    pub fn load_checkpoint(
        &mut self,
        rules: Rules,
        input: &mut dyn Read,
    ) -> Result<(), CheckpointError> {
        let mut hasher = Hasher::new();
        let mut magic = [0; MAGIC.len()];
        match read(input, &mut magic) {
            Ok(()) if magic == MAGIC => hasher.update(&magic),
            // Too short to tell.
            Ok(()) | Err(CheckpointError::Damaged) => return Err(CheckpointError::Foreign),
            Err(error) => return Err(error),
        }
        let mut header = [0; 8];
        read(input, &mut header)?;
        hasher.update(&header);
        let [v0, v1, v2, v3, houses, capture, log2, zero] = header;
        let version = u32::from_le_bytes([v0, v1, v2, v3]);
        if version != VERSION {
            return Err(CheckpointError::Version(version));
        }
        let capture = Capture::ALL.into_iter().find(|it| it.index() == usize::from(capture));
        let capture = capture.ok_or(CheckpointError::Damaged)?;
        if usize::from(houses) != rules.houses() || capture != rules.capture() {
            return Err(CheckpointError::Rules { houses, capture });
        }
        if zero != 0 || !BoundsTable::ENTRIES_LOG2.contains(&u32::from(log2)) {
            return Err(CheckpointError::Damaged);
        }
        let size = size_of::<u64>() << log2;
        let mut table = BoundsTable::new(size).ok_or(CheckpointError::OutOfMemory(size >> 20))?;
        let mut bytes = vec![0; ENTRIES_AT_A_TIME * size_of::<u64>()];
        for start in (0..1 << log2).step_by(ENTRIES_AT_A_TIME) {
            read(input, &mut bytes)?;
            hasher.update(&bytes);
            let (words, _) = bytes.as_chunks();
            table.set_words(start, words.iter().map(|word| u64::from_le_bytes(*word)));
        }
        let mut checksum = [0; 4];
        read(input, &mut checksum)?;
        let at_end = matches!(input.read(&mut [0]), Ok(0));
        if u32::from_le_bytes(checksum) != hasher.finalize() || !at_end {
            return Err(CheckpointError::Damaged);
        }
        self.tables.set_rules(rules);
        self.tables.bounds = Some(table);
        Ok(())
    }
}

fn read(input: &mut dyn Read, bytes: &mut [u8]) -> Result<(), CheckpointError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => CheckpointError::Damaged,
        _ => CheckpointError::Read(error),
    })
}

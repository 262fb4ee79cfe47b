//! What a solver has found out, kept in a file.
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
//!       16 …      entries of 8 bytes, see the table of bounds
//!       last 4    CRC-32 of all before
//! ```

use std::io::{self, Read, Write};

use crc32fast::Hasher;
use thiserror::Error;

use super::solver::Solver;
use super::table::BoundsTable;
use crate::board::{Capture, Rules};

const MAGIC: [u8; 8] = *b"KALAHBND";
const VERSION: u32 = 1;
const ENTRIES_AT_A_TIME: usize = 1 << 13;

/// A checkpoint that is not used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// It cannot be read.
    #[error("cannot be read")]
    Read(#[source] io::Error),
    /// It is something else.
    #[error("is no checkpoint of a solver")]
    Foreign,
    /// It was written by a later program.
    #[error("is of version {0}, this program knows version {VERSION}")]
    Version(u32),
    /// It is about another game.
    #[error("is about {houses} houses a side and {capture} capture")]
    Rules {
        /// Houses a side.
        houses: u8,
        /// The capture rule.
        capture: Capture,
    },
    /// Its end is missing, or bytes are not what was written.
    #[error("is damaged")]
    Damaged,
    /// There is not enough memory for it.
    #[error("does not fit in memory")]
    Memory,
}

impl Solver {
    /// Whether there is anything to be saved.
    pub fn has_results(&self) -> bool {
        self.found().is_some()
    }

    /// Writes down what has been found out so far.
    ///
    /// # Errors
    /// When it cannot be written, or nothing has been found out.
    pub fn save_checkpoint(&self, output: &mut dyn Write) -> io::Result<()> {
        let nothing = || io::Error::other("nothing has been found out yet");
        let (rules, table) = self.found().ok_or_else(nothing)?;
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

    /// Takes up what was saved for these rules, in place of what has been found out here.
    ///
    /// # Errors
    /// When it is not a whole checkpoint for these rules; the solver is then as it was.
    pub fn load_checkpoint(
        &mut self,
        rules: Rules,
        input: &mut dyn Read,
    ) -> Result<(), CheckpointError> {
        let mut hasher = Hasher::new();
        let mut magic = [0; MAGIC.len()];
        match read(input, &mut magic) {
            Ok(()) if magic == MAGIC => hasher.update(&magic),
            // What is shorter may be anything.
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
        let capture = Capture::ALL.into_iter().find(|known| known.index() == usize::from(capture));
        let capture = capture.ok_or(CheckpointError::Damaged)?;
        if usize::from(houses) != rules.houses() || capture != rules.capture() {
            return Err(CheckpointError::Rules { houses, capture });
        }
        if zero != 0 || !BoundsTable::LOG2.contains(&u32::from(log2)) {
            return Err(CheckpointError::Damaged);
        }
        let mut table =
            BoundsTable::new(size_of::<u64>() << log2).ok_or(CheckpointError::Memory)?;
        let mut bytes = vec![0; ENTRIES_AT_A_TIME * size_of::<u64>()];
        for start in (0..1 << log2).step_by(ENTRIES_AT_A_TIME) {
            read(input, &mut bytes)?;
            hasher.update(&bytes);
            let (words, _) = bytes.as_chunks();
            table.set_words(start, words.iter().map(|word| u64::from_le_bytes(*word)));
        }
        let mut sum = [0; 4];
        read(input, &mut sum)?;
        let at_end = matches!(input.read(&mut [0]), Ok(0));
        if u32::from_le_bytes(sum) != hasher.finalize() || !at_end {
            return Err(CheckpointError::Damaged);
        }
        self.take_up(rules, table);
        Ok(())
    }
}

fn read(input: &mut dyn Read, bytes: &mut [u8]) -> Result<(), CheckpointError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => CheckpointError::Damaged,
        _ => CheckpointError::Read(error),
    })
}

//! Checkpoints: what a long search has found, in a file that is only appended to.
//!
//! All numbers are little-endian:
//!
//! ```text
//! bytes 0 to 7    89 "KBD" 0d 0a 1a 0a
//!       8 to 9    version, 4
//!       10        houses a side
//!       11        rule set: 0 standard capture, 1 empty capture, 2 relay sowing
//!       12 to 15  CRC-32 of the 12 bytes before
//!       16 …      records of 16 bytes:
//!
//! bytes 0 to 7    the hash of the position, see [`PositionHash`]
//!       8         seeds in its houses
//!       9         lower bound of the gain: (bound + seeds) / 2
//!       10        upper bound, the same way
//!       11        0
//!       12 to 15  CRC-32 of the 12 bytes before
//! ```

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use log::warn;
use thiserror::Error;

use super::bounds::{BoundsEntry, BoundsTable, GainBounds, MAX_SEEDS, PositionHash};
use super::keys::hash_of_board;
use super::request::ProvenMargin;
use crate::atomic_file;
use crate::board::{Board, Rules};
use crate::file_header::{FileFormat, FileHeaderError};
use crate::file_lock::FileLock;
use crate::lock::lock;
use crate::sys::Instant;

const FORMAT: FileFormat =
    FileFormat { name: "checkpoint", magic: *b"\x89KBD\r\n\x1a\n", version: 4 };
const HEADER: usize = 16;
const RECORD: usize = 16;

/// The flush interval: a kill loses at most one.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Interval between syncs: a crash of the system loses at most this much.
const SYNC_INTERVAL: Duration = Duration::from_secs(10);

/// This many bytes are written and synced before their time.
const MAX_DELAYED: usize = 256 << 10;

/// Torn ends up to this length, in bytes, are cut off; longer ones are corruption.
const MAX_LOST: u64 = 1 << 20;

/// If writing fails, this many bytes stay buffered; further records are dropped.
const MAX_WAITING: usize = 64 << 20;

/// Why a checkpoint cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file could not be opened, read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not begin with the header of a checkpoint.
    #[error(transparent)]
    Header(#[from] FileHeaderError),
    /// The checkpoint is for a board with other rules.
    #[error("is for {0}")]
    Rules(Rules),
    /// A record is damaged, and it is not the last, or its numbers are not bounds.
    #[error("is damaged at byte {0}")]
    Damaged(u64),
    /// Another process writes to the checkpoint.
    #[error("is in use by another process")]
    Busy,
    /// The records do not fit into memory.
    #[error("has {0} bytes, for which there is not enough memory")]
    OutOfMemory(u64),
}

/// What a [`Solver`](super::Solver) has proven, in a file that outlives the process.
///
/// While the solver works, it appends what it has found to the file every second. A process that is killed loses
/// that second; an incomplete record is cut off when the file is opened again. The file serves all boards of one
/// pair of rules, and is locked as long as the checkpoint lives.
///
/// ```
/// use kalah::solve::{Checkpoint, SolverResources};
/// use kalah::{Board, Rules, Solver};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("checkpoint");
/// let board = Board::start(Rules::default(), 3)?;
/// let resources = SolverResources { mebibytes: 16, ..SolverResources::default() };
/// let mut solver = Solver::new(resources);
/// solver.set_checkpoint(Checkpoint::open(&path, board.rules())?);
/// solver.solve(&board)?;
/// solver.flush_checkpoint()?;
/// drop(solver);
///
/// let checkpoint = Checkpoint::open(&path, board.rules())?;
/// let proven = checkpoint.probe(&board).ok_or("not in the checkpoint")?;
/// assert_eq!((proven.lower, proven.upper), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Checkpoint {
    rules: Rules,
    /// The records of the file, until a table of bounds has them.
    records: Vec<Record>,
    journal: Mutex<Journal>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub hash: PositionHash,
    pub seeds: u32,
    pub bounds: GainBounds,
}

/// The open end of the file.
#[derive(Debug)]
struct Journal {
    path: PathBuf,
    file: Arc<FileLock>,
    /// The length of the file; 0 before the first record has been written.
    end: u64,
    /// How much of it is on the disk.
    synced: u64,
    /// Records that are not in the file yet.
    waiting: Vec<u8>,
    /// Records that were dropped because too many were waiting.
    dropped: u64,
    last_write: Instant,
    last_sync: Instant,
    /// Whether it was said that the file cannot be written.
    warned: bool,
    /// The first failure to bring it to the disk, which the system reports only once.
    sync_error: Option<io::Error>,
    header: [u8; HEADER],
    /// Whether there was no file before.
    is_new: bool,
}

impl Checkpoint {
    /// Opens the checkpoint of a file for these rules, or a new one if there is no file.
    ///
    /// # Errors
    /// Returns an error, and leaves the file as it is, if it is not a checkpoint for these rules, is
    /// damaged before its last record, is in use, or cannot be read and written.
    pub fn open(path: &Path, rules: Rules) -> Result<Checkpoint, CheckpointError> {
        let is_new = !path.exists();
        let file = FileLock::open(path)?.ok_or(CheckpointError::Busy)?;
        let header = FORMAT.write(rules, &[]);
        let now = Instant::now();
        let journal = Journal {
            path: path.to_owned(),
            file: Arc::new(file),
            end: 0,
            synced: 0,
            waiting: Vec::new(),
            dropped: 0,
            last_write: now,
            last_sync: now,
            warned: false,
            sync_error: None,
            header,
            is_new,
        };
        let mut checkpoint =
            Checkpoint { rules, records: Vec::new(), journal: Mutex::new(journal) };
        checkpoint.read()?;
        Ok(checkpoint)
    }

    /// Reads the file and cuts off what was not completely written.
    fn read(&mut self) -> Result<(), CheckpointError> {
        let journal = self.journal.get_mut().unwrap_or_else(PoisonError::into_inner);
        let length = journal.file.metadata()?.len();
        let mut input = BufReader::new(&**journal.file);
        let mut start = Vec::new();
        input.by_ref().take(HEADER as u64).read_to_end(&mut start)?;
        if journal.header.starts_with(&start) && start.len() < HEADER {
            // New, or killed before the first record.
            return Ok(());
        }
        let (_, rules) =
            FORMAT.read::<HEADER, CheckpointError>(&mut &start[..], start.len() as u64)?;
        if rules != self.rules {
            return Err(CheckpointError::Rules(rules));
        }
        let records = (length.saturating_sub(HEADER as u64) / RECORD as u64) as usize;
        let no_memory = |_| CheckpointError::OutOfMemory(length);
        self.records.try_reserve_exact(records).map_err(no_memory)?;
        let (mut end, mut damaged) = (HEADER as u64, None);
        for at in (HEADER as u64..).step_by(RECORD).take(records) {
            let mut bytes = [0; RECORD];
            input.read_exact(&mut bytes)?;
            // A system that crashed wrote what comes later, but not this.
            if bytes == [0; RECORD] {
                break;
            }
            if !has_checksum(&bytes) {
                // The last ones may have been lost with the system.
                damaged = damaged.or(Some(at));
                continue;
            }
            let record = Record::read(&bytes).filter(|_| damaged.is_none());
            self.records.push(record.ok_or(CheckpointError::Damaged(damaged.unwrap_or(at)))?);
            end = at + RECORD as u64;
        }
        if length - end > MAX_LOST {
            return Err(CheckpointError::Damaged(end));
        }
        if end < length {
            journal.file.set_len(end)?;
        }
        (journal.end, journal.synced) = (end, end);
        Ok(())
    }

    /// The rules of its boards.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The bounds of a board that the file had when it was opened; `None` if it had none. It takes time
    /// for each record, and finds nothing once a solver has the checkpoint.
    pub fn probe(&self, board: &Board) -> Option<ProvenMargin> {
        let hash = hash_of_board(board).filter(|_| board.rules() == self.rules)?;
        let of_board = self.records.iter().filter(|record| record.hash == hash);
        let bounds = of_board.map(|record| record.bounds);
        let bounds = bounds.reduce(GainBounds::intersection)?;
        let GainBounds { lower, upper } = Some(bounds).filter(|it| it.lower <= it.upper)?;
        let difference = board.store_difference();
        Some(ProvenMargin { lower: difference + lower, upper: difference + upper, best: None })
    }

    /// Takes the records that were in the file.
    pub(super) fn take_records(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }

    /// Moves the records of the file into a table of bounds.
    pub(super) fn restore(&mut self, table: &BoundsTable) {
        for Record { hash, seeds, bounds } in self.take_records() {
            table.update(hash, seeds, BoundsEntry { bounds, best: None });
        }
    }

    /// Keeps bounds of a position's gain, unless they contradict each other: then the file was wrong.
    pub(super) fn keep(&self, hash: PositionHash, seeds: u32, bounds: GainBounds) {
        if bounds.lower > bounds.upper {
            return;
        }
        let mut journal = lock(&self.journal);
        if journal.waiting.len() < MAX_WAITING {
            journal.waiting.extend(Record { hash, seeds, bounds }.bytes());
        } else {
            journal.dropped += 1;
        }
        if !journal.is_write_due() {
            return;
        }
        let result = journal.write();
        let file = journal.is_sync_due().then(|| journal.begin_sync());
        if let Err(error) = result
            && !std::mem::replace(&mut journal.warned, true)
        {
            warn!("cannot write '{}': {error}; the search continues", journal.path.display());
        }
        drop(journal);
        if let Some(file) = file {
            // Without the lock, so that no other thread waits.
            let result = file.sync_data();
            lock(&self.journal).note_sync(result);
        }
    }

    /// Writes what is not in the file yet, and waits until it is on the disk.
    ///
    /// # Errors
    /// Returns an error if that fails or has failed before, or if records were dropped because earlier
    /// writes had failed. The file then has no wrong records, but some may be missing.
    pub fn flush(&self) -> io::Result<()> {
        let mut journal = lock(&self.journal);
        journal.write()?;
        let result = journal.begin_sync().sync_data();
        journal.note_sync(result);
        atomic_file::sync_directory_of(&journal.path);
        if let Some(error) = &journal.sync_error {
            return Err(io::Error::new(error.kind(), format!("records may be lost: {error}")));
        }
        match journal.dropped {
            0 => Ok(()),
            records => Err(io::Error::other(format!("{records} records were dropped"))),
        }
    }
}

impl Journal {
    fn is_write_due(&self) -> bool {
        let elapsed = self.last_write.elapsed();
        elapsed >= WRITE_INTERVAL || self.waiting.len() >= MAX_DELAYED && !self.warned
    }

    fn is_sync_due(&self) -> bool {
        let is_much = self.end - self.synced >= MAX_DELAYED as u64;
        is_much || self.end > self.synced && self.last_sync.elapsed() >= SYNC_INTERVAL
    }

    /// The file, for which the caller waits until it is on the disk.
    fn begin_sync(&mut self) -> Arc<FileLock> {
        (self.synced, self.last_sync) = (self.end, Instant::now());
        Arc::clone(&self.file)
    }

    fn note_sync(&mut self, result: io::Result<()>) {
        if let Err(error) = result
            && self.sync_error.is_none()
        {
            warn!("records of '{}' may be lost: {error}", self.path.display());
            self.sync_error = Some(error);
        }
    }

    fn write(&mut self) -> io::Result<()> {
        self.last_write = Instant::now();
        if self.waiting.is_empty() {
            return Ok(());
        }
        let header = if self.end == 0 { &self.header[..] } else { &[] };
        let mut file: &File = &self.file;
        file.seek(SeekFrom::Start(self.end))?;
        let written = file.write_all(header).and_then(|()| file.write_all(&self.waiting));
        if let Err(error) = written {
            // Removes the part that was written.
            let _ = file.set_len(self.end);
            return Err(error);
        }
        self.end += (header.len() + self.waiting.len()) as u64;
        self.waiting.clear();
        self.warned = false;
        Ok(())
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        let _ = self.write();
        // A file without any record need not stay.
        if self.is_new && self.end == 0 {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the bytes of a record were written as a whole.
fn has_checksum(bytes: &[u8; RECORD]) -> bool {
    crc32fast::hash(&bytes[..12]).to_le_bytes() == bytes[12..]
}

impl Record {
    fn bytes(&self) -> [u8; RECORD] {
        let level = |gain: i32| gain.midpoint(self.seeds as i32) as u8;
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.hash.0.to_le_bytes());
        let GainBounds { lower, upper } = self.bounds;
        bytes[8..11].copy_from_slice(&[self.seeds as u8, level(lower), level(upper)]);
        let checksum = crc32fast::hash(&bytes[..12]);
        bytes[12..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// `None` if the bytes are not a record.
    fn read(bytes: &[u8; RECORD]) -> Option<Record> {
        let [hash @ .., seeds, lower, upper, 0, _, _, _, _] = bytes else { return None };
        let seeds = u32::from(*seeds);
        if lower > upper || u32::from(*upper) > seeds || seeds > MAX_SEEDS {
            return None;
        }
        let gain = |level: u8| 2 * i32::from(level) - seeds as i32;
        let bounds = GainBounds { lower: gain(*lower), upper: gain(*upper) };
        Some(Record { hash: PositionHash(u64::from_le_bytes(*hash)), seeds, bounds })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let open = || Checkpoint::open(&path, Rules::default()).unwrap();
        let hash = PositionHash::from_key;
        let checkpoint = open();
        checkpoint.keep(hash(7), 20, GainBounds { lower: -20, upper: 14 });
        checkpoint.keep(hash(8), 21, GainBounds { lower: 3, upper: 3 });
        checkpoint.keep(hash(9), 21, GainBounds { lower: 5, upper: 3 });
        assert!(checkpoint.flush().is_ok());
        lock(&checkpoint.journal).note_sync(Err(io::Error::other("a broken disk")));
        let error = checkpoint.flush().map_err(|error| error.to_string());
        assert_eq!(error, Err("records may be lost: a broken disk".to_owned()));
        drop(checkpoint);

        let mut checkpoint = open();
        let table = BoundsTable::new(1 << 20).unwrap();
        checkpoint.restore(&table);
        let bounds = |number, seeds| table.probe(hash(number), seeds).map(|entry| entry.bounds);
        assert_eq!(bounds(7, 20), Some(GainBounds { lower: -20, upper: 14 }));
        assert_eq!(bounds(8, 21), Some(GainBounds { lower: 3, upper: 3 }));
        assert_eq!(bounds(9, 21), None, "a contradiction is not kept");
    }
}

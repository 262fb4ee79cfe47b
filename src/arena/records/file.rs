//! Record files that are written: locked, appended to, and cut back to whole lines.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::GameRecord;
use super::read::{GameLine, JsonLine, JsonLines, RecordError};
use crate::atomic_file::{directory_of, remove_strays, replace_file, sync_directory_of};
use crate::printable::printable_json;
use crate::regular_file;

/// Attempts to lock a record.
const ATTEMPTS: usize = 100;

/// Time between two of them.
const PAUSE: Duration = Duration::from_millis(10);

/// The lock on a record, as long as it lives.
#[derive(Debug)]
pub struct RecordLock(File);

impl Drop for RecordLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that another thread is just starting has its
        // files, and with them the lock, until its program begins.
        let _ = self.0.unlock();
    }
}

/// Locks a record against other writers.
///
/// # Errors
/// If the file cannot be opened, or another process is writing to it.
pub fn lock_record(path: &Path) -> Result<RecordLock, RecordError> {
    let io = |source| RecordError::Io { action: "open", path: path.to_owned(), source };
    lock(regular_file::open(path).map_err(io)?, path)
}

fn lock(file: File, path: &Path) -> Result<RecordLock, RecordError> {
    for attempt in 1.. {
        match file.try_lock() {
            // The lock of a process that was killed may outlive it for a moment, for the same
            // reason.
            Err(fs::TryLockError::WouldBlock) if attempt < ATTEMPTS => thread::sleep(PAUSE),
            Err(fs::TryLockError::WouldBlock) => break,
            // Some file systems have no locks.
            Ok(()) | Err(fs::TryLockError::Error(_)) => return Ok(RecordLock(file)),
        }
    }
    Err(RecordError::Busy(path.to_owned()))
}

/// Whether the path still names the open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let inode = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    Ok(inode(file.metadata()?) == inode(fs::metadata(path)?))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// A file of records, locked against other writers.
pub(crate) struct LinesFile {
    path: PathBuf,
    file: RecordLock,
    end: u64,
}

impl LinesFile {
    /// Opens or creates a file. Calls `visit` with each of its records, and with the reader behind it;
    /// fails if that does. Cuts off a torn last line and returns whether there was one.
    pub(crate) fn open<T: JsonLine>(
        path: &Path,
        mut visit: impl FnMut(T, &JsonLines<T, BufReader<&File>>) -> Result<(), RecordError>,
    ) -> Result<(LinesFile, bool), RecordError> {
        let io = |action| move |source| RecordError::Io { action, path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = regular_file::open_with(path, &mut options).map_err(io("open"))?;
        // A replaced file is not a link to it. The file exists by now.
        let real = fs::canonicalize(path).map_err(io("open"))?;
        let file = lock(file, path)?;
        // Another process may have replaced the file before it released the lock.
        if !is_at(&file.0, &real).map_err(io("open"))? {
            return Err(RecordError::Busy(path.to_owned()));
        }
        sync_directory_of(&real);
        remove_strays(directory_of(&real));
        let mut lines = JsonLines::new(BufReader::new(&file.0), path);
        while let Some(line) = lines.next() {
            visit(line?, &lines)?;
        }
        let (end, is_torn) = (lines.end(), lines.was_torn());
        if is_torn {
            file.0.set_len(end).map_err(io("write"))?;
        }
        Ok((LinesFile { path: real, file, end }, is_torn))
    }

    /// Appends records and waits until they are on the disk. Returns the bytes of each in the file.
    pub(crate) fn append<T: JsonLine>(
        &mut self,
        records: &[T],
    ) -> Result<Vec<Range<u64>>, RecordError> {
        let mut text = String::new();
        let mut places = Vec::new();
        let mut write = || {
            for record in records {
                let start = self.end + text.len() as u64;
                text.push_str(&printable_json(&serde_json::to_string(record)?));
                text.push('\n');
                places.push(start..self.end + text.len() as u64);
            }
            self.file.0.seek(SeekFrom::Start(self.end))?;
            self.file.0.write_all(text.as_bytes())?;
            self.file.0.sync_data()
        };
        if let Err(source) = write() {
            // Removes the part that was written.
            let _ = self.file.0.set_len(self.end);
            return Err(self.error("write", source));
        }
        self.end += text.len() as u64;
        Ok(places)
    }

    /// Whether there is no record in the file.
    pub(crate) fn is_empty(&self) -> bool {
        self.end == 0
    }

    fn error(&self, action: &'static str, source: io::Error) -> RecordError {
        RecordError::Io { action, path: self.path.clone(), source }
    }
}

/// The record of a running tournament.
pub(crate) struct RecordFile {
    file: LinesFile,
    /// In the order of the file.
    lines: Vec<GameLine>,
}

impl RecordFile {
    /// Opens or creates a record. Calls `visit` with each of its games and fails if that does.
    /// Cuts off a torn last line and returns whether there was one.
    pub(crate) fn open(
        path: &Path,
        mut visit: impl FnMut(&GameRecord) -> Result<(), String>,
    ) -> Result<(RecordFile, bool), RecordError> {
        let mut lines = Vec::new();
        let (file, is_torn) = LinesFile::open(path, |game: GameRecord, games| {
            let number = games.line();
            visit(&game).map_err(|reason| {
                let reason = format!("line {number}, game {}: {reason}", game.game);
                RecordError::OtherTournament { path: path.to_owned(), reason }
            })?;
            lines.push(games.line_of(&game));
            Ok(())
        })?;
        Ok((RecordFile { file, lines }, is_torn))
    }

    /// Appends games and waits until they are on the disk.
    pub(crate) fn append(&mut self, games: &[GameRecord]) -> Result<(), RecordError> {
        let places = self.file.append(games)?;
        self.lines.extend(games.iter().zip(places).map(|(game, place)| GameLine {
            game: game.game,
            start: place.start,
            length: place.end - place.start,
        }));
        Ok(())
    }

    /// Sorts the games by number at the end of the tournament: concurrent games end in any order.
    pub(crate) fn sort(mut self) -> Result<(), RecordError> {
        // A file that was deleted meanwhile is restored from the open handle.
        let is_gone = fs::metadata(&self.file.path)
            .is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        if self.lines.is_sorted() && !is_gone {
            return Ok(());
        }
        self.lines.sort_unstable();
        self.rewrite().map_err(|source| self.file.error("sort", source))
    }

    fn rewrite(&self) -> io::Result<()> {
        let LinesFile { path, file, .. } = &self.file;
        replace_file(path, |new| {
            let mut new = BufWriter::new(new);
            for line in &self.lines {
                new.write_all(&line.read(&file.0)?)?;
            }
            new.flush()
        })?;
        // The new file keeps the permissions of the old one.
        fs::set_permissions(path, file.0.metadata()?.permissions())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_copy_of_the_open_file_in_another_process_does_not_keep_the_lock() -> Result<(), RecordError>
    {
        let io = |source| RecordError::Io { action: "open", path: PathBuf::new(), source };
        let record = tempfile::NamedTempFile::new().map_err(io)?;
        let locked = lock_record(record.path())?;
        // As a process has it between `fork` and `exec`.
        let copy = locked.0.try_clone().map_err(io)?;
        assert!(matches!(lock_record(record.path()), Err(RecordError::Busy(_))));
        drop(locked);
        lock_record(record.path())?;
        drop(copy);
        Ok(())
    }
}

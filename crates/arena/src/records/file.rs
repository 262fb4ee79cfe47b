//! Record files that are written: locked, appended to, and cut back to whole lines.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::GameRecord;
use super::read::{GameLine, JsonLine, JsonLines, RecordError};
use kalah::atomic_file::{directory_of, remove_strays, replace_file, sync_directory_of};
use kalah::file_lock::FileLock;
use kalah::printable::printable_json;
use kalah::regular_file;

/// Locks a record against other writers.
///
/// # Errors
/// If the file cannot be opened, or another process is writing to it.
pub fn lock_record(path: &Path) -> Result<FileLock, RecordError> {
    lock(regular_file::open(path).map_err(RecordError::io("open", path))?, path)
}

fn lock(file: File, path: &Path) -> Result<FileLock, RecordError> {
    FileLock::new(file).ok_or_else(|| is_busy(path))
}

fn is_busy(path: &Path) -> RecordError {
    RecordError::unusable(path, " is being written to by another process")
}

/// A file of records, locked against other writers.
#[derive(Debug)]
pub struct LinesFile {
    path: PathBuf,
    file: FileLock,
    end: u64,
}

impl LinesFile {
    /// Opens or creates a file. Calls `visit` with each of its records, and with the reader behind it;
    /// fails if that does. Cuts off a torn last line and returns whether there was one.
    ///
    /// # Errors
    /// If the file cannot be opened, read or cut, another process has it, or `visit` fails.
    pub fn open<T: JsonLine>(
        path: &Path,
        mut visit: impl FnMut(T, &JsonLines<T, BufReader<&File>>) -> Result<(), RecordError>,
    ) -> Result<(LinesFile, bool), RecordError> {
        let io = |action| RecordError::io(action, path);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = regular_file::open_with(path, &mut options).map_err(io("open"))?;
        // A replaced file is not a link to it. The file exists by now.
        let real = fs::canonicalize(path).map_err(io("open"))?;
        let file = lock(file, path)?;
        // Another process may have replaced the file before it released the lock.
        if !file.is_at(&real).map_err(io("open"))? {
            return Err(is_busy(path));
        }
        sync_directory_of(&real);
        remove_strays(directory_of(&real));
        let mut lines = JsonLines::new(BufReader::new(&*file), path);
        while let Some(line) = lines.next() {
            visit(line?, &lines)?;
        }
        let (end, is_torn) = (lines.end(), lines.was_torn());
        if is_torn {
            file.set_len(end).map_err(io("write"))?;
        }
        Ok((LinesFile { path: real, file, end }, is_torn))
    }

    /// Appends records and waits until they are on the disk. Returns the bytes of each in the file.
    ///
    /// # Errors
    /// If writing fails; the file is then as it was.
    pub fn append<T: JsonLine>(&mut self, records: &[T]) -> Result<Vec<Range<u64>>, RecordError> {
        let mut text = String::new();
        let mut places = Vec::new();
        let mut write = || {
            for record in records {
                let start = self.end + text.len() as u64;
                text.push_str(&printable_json(&serde_json::to_string(record)?));
                text.push('\n');
                places.push(start..self.end + text.len() as u64);
            }
            let mut file: &File = &self.file;
            file.seek(SeekFrom::Start(self.end))?;
            file.write_all(text.as_bytes())?;
            file.sync_data()
        };
        if let Err(source) = write() {
            // Removes the part that was written.
            let _ = self.file.set_len(self.end);
            return Err(RecordError::io("write", &self.path)(source));
        }
        self.end += text.len() as u64;
        Ok(places)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.end == 0
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
                let difference = format!("line {number}, game {}: {reason}", game.game);
                RecordError::other_tournament(path, &difference)
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
        self.rewrite().map_err(RecordError::io("sort", &self.file.path))
    }

    fn rewrite(&self) -> io::Result<()> {
        let LinesFile { path, file, .. } = &self.file;
        replace_file(path, |new| {
            let mut new = BufWriter::new(new);
            for line in &self.lines {
                new.write_all(&line.read(file)?)?;
            }
            new.flush()
        })?;
        // The new file keeps the permissions of the old one.
        fs::set_permissions(path, file.metadata()?.permissions())
    }
}

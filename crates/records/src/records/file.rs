//! Record files that are written: locked, appended to, and cut back to whole lines.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::read::{GameNumber, JsonLine, JsonLines, RecordError};
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

/// Whether the last line of a file with this many bytes has no end, as other programs leave it. The next byte is
/// then written behind it.
///
/// # Errors
/// If the file cannot be read.
pub fn ends_within_a_line(mut file: &File, bytes: u64) -> io::Result<bool> {
    let mut last = [b'\n'];
    if let Some(place) = bytes.checked_sub(1) {
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(&mut last)?;
    }
    Ok(!matches!(last[0], b'\n' | b'\r'))
}

/// Writes text at the end of a file, at this place, and waits until it is on the disk.
///
/// # Errors
/// If writing fails; the file is then cut back to where it ended.
pub fn append_text(mut file: &File, end: u64, text: &str) -> io::Result<()> {
    let mut write = || {
        file.seek(SeekFrom::Start(end))?;
        file.write_all(text.as_bytes())?;
        file.sync_data()
    };
    write().inspect_err(|_| {
        let _ = file.set_len(end);
    })
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
        let (mut end, is_torn) = (lines.end(), lines.was_torn());
        if is_torn {
            file.set_len(end).map_err(io("write"))?;
        }
        if ends_within_a_line(&file, end).map_err(io("read"))? {
            let mut file: &File = &file;
            file.write_all(b"\n").map_err(io("write"))?;
            end += 1;
        }
        Ok((LinesFile { path: real, file, end }, is_torn))
    }

    /// Where the next record is written, in bytes from the start of the file.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Appends records and waits until they are on the disk.
    ///
    /// # Errors
    /// If writing fails; the file is then as it was.
    pub fn append<T: JsonLine>(&mut self, records: &[T]) -> Result<(), RecordError> {
        let with_path = RecordError::io("write", &self.path);
        let mut text = String::new();
        for record in records {
            let json = serde_json::to_string(record).map_err(|error| with_path(error.into()))?;
            text.push_str(&printable_json(&json));
            text.push('\n');
        }
        append_text(&self.file, self.end, &text).map_err(with_path)?;
        self.end += text.len() as u64;
        Ok(())
    }

    /// Sorts games by number at the end of a tournament: concurrent games end in any order.
    ///
    /// # Errors
    /// If reading or writing fails; the file is then as it was.
    pub fn sort_games(self) -> Result<(), RecordError> {
        let LinesFile { path, file, .. } = self;
        let error = RecordError::io("sort", &path);
        let mut input: &File = &file;
        input.rewind().map_err(&error)?;
        let mut games: JsonLines<GameNumber, _> = JsonLines::new(BufReader::new(input), &path);
        let mut lines = Vec::new();
        while let Some(number) = games.next().transpose()? {
            lines.push(games.line_of(number.game));
        }
        // A file that was deleted meanwhile is restored from the open handle.
        let is_gone =
            fs::metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        if lines.is_sorted() && !is_gone {
            return Ok(());
        }
        lines.sort_unstable();
        let sorted = replace_file(&path, |new| {
            let mut new = BufWriter::new(new);
            for line in lines {
                new.write_all(&line.read(&file)?)?;
            }
            new.flush()
        });
        // The new file keeps the permissions of the old one.
        let permissions = || fs::set_permissions(&path, file.metadata()?.permissions());
        sorted.and_then(|()| permissions()).map_err(error)
    }
}

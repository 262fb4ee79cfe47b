//! The record file of a running tournament, to which finished games are appended.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::GameRecord;
use super::read::{GameLine, RecordError, RecordedGames};
use crate::atomic_file::{replace_file, sync_directory_of};

/// Locks a record against tournaments as long as the returned file is open.
///
/// # Errors
/// If the file cannot be opened, or a tournament is writing to it.
pub fn lock_record(path: &Path) -> Result<File, RecordError> {
    let io = |source| RecordError::Io { action: "open", path: path.to_owned(), source };
    let file = File::open(path).map_err(io)?;
    lock(&file, path)?;
    Ok(file)
}

fn lock(file: &File, path: &Path) -> Result<(), RecordError> {
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(RecordError::Busy(path.to_owned())),
        // Some file systems have no locks.
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(()),
    }
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

/// The record of a running tournament, locked against other tournaments.
pub(crate) struct RecordFile {
    path: PathBuf,
    file: File,
    /// In the order of the file.
    lines: Vec<GameLine>,
    end: u64,
}

impl RecordFile {
    /// Opens or creates a record. Calls `visit` with each of its games and fails if that does.
    /// Cuts off a torn last line and returns whether there was one.
    pub(crate) fn open(
        path: &Path,
        mut visit: impl FnMut(&GameRecord) -> Result<(), String>,
    ) -> Result<(RecordFile, bool), RecordError> {
        let io = |action| move |source| RecordError::Io { action, path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(io("open"))?;
        // `sort` replaces the file, not a link to it. The file exists by now.
        let real = fs::canonicalize(path).map_err(io("open"))?;
        if !file.metadata().map_err(io("open"))?.is_file() {
            return Err(io("open")(io::Error::other("not a regular file")));
        }
        lock(&file, path)?;
        // Another tournament may have replaced the file before it released the lock.
        if !is_at(&file, &real).map_err(io("open"))? {
            return Err(RecordError::Busy(path.to_owned()));
        }
        sync_directory_of(&real);
        let mut games = RecordedGames::new(BufReader::new(&file), path);
        let mut lines = Vec::new();
        while let Some(game) = games.next() {
            let game = game?;
            let number = games.line();
            visit(&game).map_err(|reason| {
                let reason = format!("line {number}, game {}: {reason}", game.game);
                RecordError::OtherTournament { path: path.to_owned(), reason }
            })?;
            lines.push(games.line_of(&game));
        }
        let (end, is_torn) = (games.end(), games.was_torn());
        if is_torn {
            file.set_len(end).map_err(io("write"))?;
        }
        Ok((RecordFile { path: real, file, lines, end }, is_torn))
    }

    /// Appends games and waits until they are on the disk.
    pub(crate) fn append(&mut self, games: &[GameRecord]) -> Result<(), RecordError> {
        let mut text = Vec::new();
        let mut lines = Vec::new();
        let mut write = || {
            for game in games {
                let before = text.len() as u64;
                serde_json::to_writer(&mut text, game)?;
                text.push(b'\n');
                let (start, length) = (self.end + before, text.len() as u64 - before);
                lines.push(GameLine { game: game.game, start, length });
            }
            self.file.seek(SeekFrom::Start(self.end))?;
            self.file.write_all(&text)?;
            self.file.sync_data()
        };
        if let Err(source) = write() {
            // Removes the part that was written.
            let _ = self.file.set_len(self.end);
            return Err(self.error("write", source));
        }
        self.end += text.len() as u64;
        self.lines.append(&mut lines);
        Ok(())
    }

    /// Sorts the games by number at the end of the tournament: concurrent games end in any order.
    pub(crate) fn sort(mut self) -> Result<(), RecordError> {
        // A file that was deleted meanwhile is restored from the open handle.
        let is_gone =
            fs::metadata(&self.path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        if self.lines.is_sorted() && !is_gone {
            return Ok(());
        }
        self.lines.sort_unstable();
        self.rewrite().map_err(|source| self.error("sort", source))
    }

    fn rewrite(&self) -> io::Result<()> {
        replace_file(&self.path, |new| {
            let mut new = BufWriter::new(new);
            for line in &self.lines {
                new.write_all(&line.read(&self.file)?)?;
            }
            new.flush()
        })?;
        // The new file keeps the permissions of the old one.
        fs::set_permissions(&self.path, self.file.metadata()?.permissions())
    }

    fn error(&self, action: &'static str, source: io::Error) -> RecordError {
        RecordError::Io { action, path: self.path.clone(), source }
    }
}

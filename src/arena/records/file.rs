//! Records in a file, one line a game: added to while a tournament goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::RecordError;
use super::game_record::GameRecord;
use super::games::{GameLine, RecordedGames};
use crate::atomic_file::{replace_file, sync_directory_of};

/// Keeps tournaments away from a record while the file that is returned is open.
///
/// # Errors
/// When the file cannot be opened, or a tournament writes to it.
pub fn lock_record(path: &Path) -> Result<File, RecordError> {
    let io = |source| RecordError::Io { what: "open", path: path.to_owned(), source };
    let file = File::open(path).map_err(io)?;
    lock(&file, path)?;
    Ok(file)
}

fn lock(file: &File, path: &Path) -> Result<(), RecordError> {
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(RecordError::Busy(path.to_owned())),
        // On a file system without locks nobody can be kept out.
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(()),
    }
}

/// Whether this file is the one of that name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    Ok(place(file.metadata()?) == place(fs::metadata(path)?))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// The record of a tournament that goes on. Locked against others while it does.
pub(crate) struct RecordFile {
    path: PathBuf,
    file: File,
    /// In the order of the file.
    lines: Vec<GameLine>,
    end: u64,
}

impl RecordFile {
    /// Opens a record, or begins one. All games in it are shown to `visit`, which says what is
    /// wrong with them, if anything. What is left of a torn line is cut off; tells whether there
    /// was one.
    pub(crate) fn open(
        path: &Path,
        mut visit: impl FnMut(&GameRecord) -> Result<(), String>,
    ) -> Result<(RecordFile, bool), RecordError> {
        let io = |what| move |source| RecordError::Io { what, path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(io("open"))?;
        // The file that a link names, not the link, is to be put in order at the end. It is there
        // now, even if the link named none before.
        let real = fs::canonicalize(path).map_err(io("open"))?;
        if !file.metadata().map_err(io("open"))?.is_file() {
            return Err(io("open")(io::Error::other("it is no ordinary file")));
        }
        lock(&file, path)?;
        // Another tournament may have put another file in its place before it let go of the lock.
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

    /// Adds games, and returns when they would outlive a loss of power.
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
            // What is there in part would stand before the next game.
            let _ = self.file.set_len(self.end);
            return Err(self.error("write", source));
        }
        self.end += text.len() as u64;
        self.lines.append(&mut lines);
        Ok(())
    }

    /// Puts the games in the order of their numbers, now that no more are to come: games that are
    /// played at the same time end in any order.
    pub(crate) fn put_in_order(mut self) -> Result<(), RecordError> {
        // A file that was removed meanwhile is written anew as long as there is a hold on it.
        let is_gone =
            fs::metadata(&self.path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        if self.lines.is_sorted() && !is_gone {
            return Ok(());
        }
        self.lines.sort_unstable();
        self.rewrite().map_err(|source| self.error("put in order", source))
    }

    fn rewrite(&self) -> io::Result<()> {
        replace_file(&self.path, |new| {
            let mut new = BufWriter::new(new);
            for line in &self.lines {
                new.write_all(&line.read(&self.file)?)?;
            }
            new.flush()
        })?;
        // Also when the file was removed meanwhile: who may read it is not for us to change.
        fs::set_permissions(&self.path, self.file.metadata()?.permissions())
    }

    fn error(&self, what: &'static str, source: io::Error) -> RecordError {
        RecordError::Io { what, path: self.path.clone(), source }
    }
}

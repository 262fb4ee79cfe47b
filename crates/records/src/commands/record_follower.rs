//! Follows the record of a tournament that another process plays.

use std::fs::Metadata;
use std::io::{BufReader, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::records::RecordedGames;
use crate::{GameRecord, RecordError};
use kalah::regular_file;

/// Reads the games of a record as they come. Nothing is locked, so that the writer is not disturbed.
///
/// A file that does not exist has no games yet. A game whose line is not complete is read when it is. A file
/// that was cut back or replaced, as the writer does at the end of a tournament, is read from its beginning.
#[derive(Debug)]
pub(super) struct RecordFollower {
    path: PathBuf,
    /// What was read of the file, in bytes and in lines.
    end: u64,
    line: u64,
    /// What told the file from others, and its length, when it was read last.
    seen: Option<(u64, u64)>,
}

/// What has come since the last look at a record.
#[derive(Debug, Default)]
pub(super) struct NewGames {
    /// Whether the games are all of the file, and those of earlier looks do not count any more.
    pub is_all: bool,
    pub games: Vec<GameRecord>,
}

impl RecordFollower {
    /// Follows a record, which need not exist yet.
    pub(super) fn new(path: &Path) -> RecordFollower {
        RecordFollower { path: path.to_owned(), end: 0, line: 0, seen: None }
    }

    /// Reads what has come since the last call.
    pub(super) fn read(&mut self) -> Result<NewGames, RecordError> {
        let error = RecordError::io("read", &self.path);
        // Its state is that of the open file, which its name may not name any more.
        let mut file = match regular_file::open(&self.path) {
            Ok(file) => file,
            Err(missing) if missing.kind() == ErrorKind::NotFound => {
                let is_all = self.seen.take().is_some();
                (self.end, self.line) = (0, 0);
                return Ok(NewGames { is_all, games: Vec::new() });
            }
            Err(source) => return Err(error(source)),
        };
        let metadata = file.metadata().map_err(&error)?;
        let state = (identity(&metadata), metadata.len());
        if self.seen == Some(state) {
            return Ok(NewGames::default());
        }
        let is_other = |(identity, _)| identity != state.0 || state.1 < self.end;
        let is_all = self.seen.is_some_and(is_other);
        if is_all {
            (self.end, self.line) = (0, 0);
        }
        file.seek(SeekFrom::Start(self.end)).map_err(error)?;
        let mut lines = RecordedGames::new(BufReader::new(file), &self.path).behind(self.line);
        let games = lines.by_ref().collect::<Result<Vec<_>, _>>()?;
        self.end += lines.end();
        self.line = lines.line() - 1;
        // It may have grown meanwhile: then the next look finds another length.
        self.seen = Some(state);
        Ok(NewGames { is_all, games })
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

/// Without such a number a replaced file is noticed when it is shorter.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> u64 {
    0
}

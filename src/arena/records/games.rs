//! The games of a record, read one after the other: there may be more than the memory holds.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::error::RecordError;
use super::game_record::GameRecord;

/// How the line of a game begins. What is torn and does not begin so is no record of ours.
const BEGINNING: &[u8] = br#"{"game":"#;

/// Reads the games of a file in their order. A last line that was torn when its writer ended is
/// passed over.
///
/// # Errors
/// When the file cannot be read or has a line that is no game.
pub fn read_games(path: &Path) -> Result<RecordedGames, RecordError> {
    let io = |source| RecordError::Io { what: "read", path: path.to_owned(), source };
    let file = File::open(path).map_err(io)?;
    Ok(RecordedGames::new(BufReader::new(file), path))
}

/// Whether a file begins as records of games do.
pub fn is_record(path: &Path) -> bool {
    let mut beginning = [0; BEGINNING.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && beginning == BEGINNING
}

/// The games of a file.
pub struct RecordedGames<R = BufReader<File>> {
    lines: R,
    path: PathBuf,
    line: u64,
    end: u64,
    text: Vec<u8>,
    was_torn: bool,
}

impl<R> RecordedGames<R> {
    pub(crate) fn new(lines: R, path: &Path) -> RecordedGames<R> {
        let path = path.to_owned();
        RecordedGames { lines, path, line: 0, end: 0, text: Vec::new(), was_torn: false }
    }

    /// The line of the last game as it stands in the file, with its end.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether a torn last line was passed over.
    pub fn was_torn(&self) -> bool {
        self.was_torn
    }

    /// The number of the last line, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Where the last game ends, in bytes.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Where the last game stands.
    pub(crate) fn line_of(&self, last: &GameRecord) -> GameLine {
        let length = self.text.len() as u64;
        GameLine { game: last.game, start: self.end - length, length }
    }
}

impl RecordedGames {
    pub(crate) fn into_file(self) -> File {
        self.lines.into_inner()
    }
}

impl<R: BufRead> Iterator for RecordedGames<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.line += 1;
        self.text.clear();
        let read = self.lines.read_until(b'\n', &mut self.text);
        if let Err(source) = read {
            return Some(Err(RecordError::Io { what: "read", path: self.path.clone(), source }));
        }
        if self.text.is_empty() {
            return None;
        }
        let game = serde_json::from_slice::<GameRecord>(&self.text);
        let can_be_torn = match &game {
            // All of it but its end may be there; without it, it is played again.
            Ok(_) => true,
            // What is JSON to its end was not torn: it is something else.
            Err(error) => !error.is_data() && is_torn(&self.text),
        };
        if can_be_torn && !self.text.ends_with(b"\n") {
            self.was_torn = true;
            return None;
        }
        match game {
            Ok(game) => {
                self.end += self.text.len() as u64;
                Some(Ok(game))
            }
            Err(error) => Some(Err(RecordError::InvalidLine {
                path: self.path.clone(),
                line: self.line,
                reason: format!("no record of a game: {error}"),
            })),
        }
    }
}

/// Whether a line without an end can be what is left of a game: its beginning, and the zeros that
/// a file system leaves behind where it had no time to write.
fn is_torn(line: &[u8]) -> bool {
    let length = line.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let common = length.min(BEGINNING.len());
    line[..common] == BEGINNING[..common]
}

/// The line of a game in a file. Lines are ordered by the numbers of their games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GameLine {
    /// The number of the game, from 1.
    pub game: u64,
    /// Where the line begins, in bytes.
    pub start: u64,
    /// Its bytes, with the end of the line.
    pub length: u64,
}

impl GameLine {
    /// The line as it stands in its file.
    pub(crate) fn read(self, mut file: &File) -> io::Result<Vec<u8>> {
        let mut text = vec![0; self.length as usize];
        file.seek(SeekFrom::Start(self.start))?;
        file.read_exact(&mut text)?;
        Ok(text)
    }
}

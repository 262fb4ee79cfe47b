//! Reads records line by line: a file may be larger than memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use kalah_games::AnnotatedGame;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::GameRecord;

/// Most bytes of a line: far more than any game has.
const MAX_LINE: u64 = 1 << 24;

/// What is recorded as a line of JSON.
pub trait JsonLine: Serialize + DeserializeOwned {
    /// What a line is, for error messages.
    const NAME: &'static str;
    /// The starts of all lines. A partial last line that starts otherwise is not a torn record.
    const BEGINNINGS: &'static [&'static [u8]];
}

impl JsonLine for GameRecord {
    const NAME: &'static str = "a record of a game";
    const BEGINNINGS: &'static [&'static [u8]] = &[br#"{"game":"#];
}

impl JsonLine for AnnotatedGame {
    const NAME: &'static str = "a game of a server";
    const BEGINNINGS: &'static [&'static [u8]] = &[br#"{"tags":{"South":"#];
}

/// Why a record file cannot be used.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be opened, read or written.
    #[error("cannot {action} '{}'", path.display())]
    Io {
        /// The operation that failed.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file has a line that is no record, or records of something else, or another process has it.
    #[error("'{}'{problem}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, as the rest of a sentence.
        problem: String,
    },
    /// The files are empty.
    #[error("there are no games in the record")]
    NoGames,
}

impl RecordError {
    /// An operation on a file that the system has refused.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl Fn(io::Error) -> RecordError {
        move |source| RecordError::Io { action, path: path.to_owned(), source }
    }

    pub(crate) fn unusable(path: &Path, problem: impl Into<String>) -> RecordError {
        RecordError::Unusable { path: path.to_owned(), problem: problem.into() }
    }

    /// A line, from 1, that is not a record.
    pub(crate) fn line(path: &Path, line: u64, reason: &str) -> RecordError {
        RecordError::unusable(path, format!(", line {line}: {reason}"))
    }

    /// The file is of another tournament.
    pub fn other_tournament(path: &Path, difference: &str) -> RecordError {
        RecordError::unusable(path, format!(" is of another tournament: {difference}"))
    }
}

/// Opens a record to read its games in file order. A torn last line, which an interrupted writer
/// left, is skipped.
///
/// # Errors
/// If the file cannot be opened. The iterator returns an error for a line that is not a game.
pub fn read_games(path: &Path) -> Result<RecordedGames, RecordError> {
    // A pipe, such as the output of a command, is as good as a file.
    let file = File::open(path).map_err(RecordError::io("read", path))?;
    Ok(RecordedGames::new(BufReader::new(file), path))
}

/// An iterator over the games of a record file.
pub type RecordedGames<R = BufReader<File>> = JsonLines<GameRecord, R>;

/// An iterator over the lines of a record file.
pub struct JsonLines<T, R = BufReader<File>> {
    lines: R,
    path: PathBuf,
    line: u64,
    end: u64,
    text: Vec<u8>,
    was_torn: bool,
    values: PhantomData<T>,
}

impl<T, R> JsonLines<T, R> {
    pub(crate) fn new(lines: R, path: &Path) -> JsonLines<T, R> {
        let (path, text) = (path.to_owned(), Vec::new());
        JsonLines { lines, path, line: 0, end: 0, text, was_torn: false, values: PhantomData }
    }

    /// The last line that was read, with its line break.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether a torn last line was skipped.
    pub fn was_torn(&self) -> bool {
        self.was_torn
    }

    /// The number of the last line, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The end of the last line, in bytes from the start of the file.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }
}

impl<R> RecordedGames<R> {
    /// The place of the last game in the file.
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

impl<T: JsonLine, R: BufRead> Iterator for JsonLines<T, R> {
    type Item = Result<T, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.line += 1;
        self.text.clear();
        let read = self.lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.text);
        if let Err(error) = read {
            return Some(Err(RecordError::io("read", &self.path)(error)));
        }
        if self.text.is_empty() {
            return None;
        }
        let (path, line) = (&self.path, self.line);
        let invalid = |reason: String| RecordError::line(path, line, &reason);
        if self.text.len() as u64 == MAX_LINE {
            return Some(Err(invalid(format!("longer than {MAX_LINE} bytes"))));
        }
        let value = serde_json::from_slice::<T>(&self.text);
        let can_be_torn = match &value {
            // Only the line break may be missing; what the line says is then done again.
            Ok(_) => true,
            // Complete JSON that is not a record was not torn.
            Err(error) => !error.is_data() && is_torn(&self.text, T::BEGINNINGS),
        };
        if can_be_torn && !self.text.ends_with(b"\n") {
            self.was_torn = true;
            return None;
        }
        match value {
            Ok(value) => {
                self.end += self.text.len() as u64;
                Some(Ok(value))
            }
            Err(error) => Some(Err(invalid(not_json_of(T::NAME, &error)))),
        }
    }
}

/// What is wrong with a line that should be JSON of something.
fn not_json_of(name: &str, error: &serde_json::Error) -> String {
    let (message, column) = (message_without_place(error), error.column());
    // What the rules do not allow has no place.
    let place = if column > 0 { format!(" at column {column}") } else { String::new() };
    format!("not {name}: {message}{place}")
}

/// The message of an error of JSON, without the line and column at its end.
pub(super) fn message_without_place(error: &serde_json::Error) -> String {
    let mut message = error.to_string();
    message.truncate(message.rfind(" at line ").unwrap_or(message.len()));
    message
}

/// Whether a line without a line break can be the rest of a record: one of its beginnings, followed
/// by the zeros that some file systems leave after a crash.
fn is_torn(line: &[u8], beginnings: &[&[u8]]) -> bool {
    let length = line.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    beginnings.iter().any(|beginning| {
        let common = length.min(beginning.len());
        line[..common] == beginning[..common]
    })
}

/// The place of a game in a file. Places are ordered by the numbers of their games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GameLine {
    /// The number of the game, from 1.
    pub game: u64,
    /// The start of the line, in bytes.
    pub start: u64,
    /// Its length in bytes, with the line break.
    pub length: u64,
}

impl GameLine {
    pub(crate) fn read(self, mut file: &File) -> io::Result<Vec<u8>> {
        let mut text = vec![0; self.length as usize];
        file.seek(SeekFrom::Start(self.start))?;
        file.read_exact(&mut text)?;
        Ok(text)
    }
}

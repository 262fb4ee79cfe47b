//! Reads records line by line: a file may be larger than memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use kalah::text_file;
use kalah_games::{AnnotatedGame, UncheckedGame, message_without_place};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::GameRecord;

/// Most bytes of a line: far more than any game has.
const MAX_LINE: u64 = 1 << 26;

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
#[allow(missing_docs, reason = "the messages say what the fields are")]
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be opened, read or written.
    #[error("cannot {action} '{}'", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    /// The file has a line that is no record, or records of something else, or another process has it.
    #[error("'{}'{problem}", path.display())]
    Unusable { path: PathBuf, problem: String },
    /// The files are empty.
    #[error("there are no games in the record")]
    NoGames,
}

impl RecordError {
    /// An operation on a file that the system has refused.
    pub fn io(action: &'static str, path: &Path) -> impl Fn(io::Error) -> RecordError {
        move |source| RecordError::Io { action, path: path.to_owned(), source }
    }

    pub(crate) fn unusable(path: &Path, problem: impl Into<String>) -> RecordError {
        RecordError::Unusable { path: path.to_owned(), problem: problem.into() }
    }

    /// A line, from 1, that is not a record.
    pub fn line(path: &Path, line: u64, reason: &str) -> RecordError {
        RecordError::unusable(path, format!(", line {line}: {reason}"))
    }

    /// The file is of another tournament.
    pub fn other_tournament(path: &Path, difference: &str) -> RecordError {
        RecordError::unusable(path, format!(" is of another tournament: {difference}"))
    }
}

/// Opens a record, a pipe, or standard input for `-`, to read its lines in file order, such as [`GameRecord`]s. Empty
/// lines are passed over, and so is a torn last line, which an interrupted writer left.
///
/// # Errors
/// If the file cannot be opened. The iterator returns an error for a line that is something else.
pub fn read_lines<T>(path: &Path) -> Result<JsonLines<T>, RecordError> {
    let input = text_file::open(path).map_err(RecordError::io("read", path))?;
    Ok(JsonLines::new(BufReader::new(input), path))
}

/// An iterator over the games of a record file.
pub type RecordedGames<R = BufReader<Box<dyn Read + Send>>> = JsonLines<GameRecord, R>;

/// An iterator over the lines of a record file.
pub struct JsonLines<T, R = BufReader<Box<dyn Read + Send>>> {
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
        JsonLines {
            lines,
            path: path.to_owned(),
            line: 0,
            end: 0,
            text: Vec::new(),
            was_torn: false,
            values: PhantomData,
        }
    }

    /// The same, of what stands behind this number of lines, from where reading began.
    #[must_use]
    pub fn behind(self, line: u64) -> JsonLines<T, R> {
        JsonLines { line, ..self }
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
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The place of the last line, which has the game of this number.
    pub(crate) fn line_of(&self, game: u64) -> GameLine {
        let length = self.text.len() as u64;
        GameLine { game, start: self.end - length, length }
    }
}

/// A record of a game as far as its place in the file depends on it.
#[derive(Deserialize, Serialize)]
pub(crate) struct GameNumber {
    pub game: u64,
}

impl JsonLine for GameNumber {
    const NAME: &'static str = GameRecord::NAME;
    const BEGINNINGS: &'static [&'static [u8]] = GameRecord::BEGINNINGS;
}

impl<T: JsonLine, R: BufRead> Iterator for JsonLines<T, R> {
    type Item = Result<T, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = loop {
            self.line += 1;
            self.text.clear();
            if let Err(error) = read_line(&mut self.lines, &mut self.text) {
                return Some(Err(RecordError::io("read", &self.path)(error)));
            }
            if self.text.is_empty() {
                return None;
            }
            let mark = text_file::BYTE_ORDER_MARK.as_bytes();
            let is_marked = self.line == 1 && self.text.starts_with(mark);
            let start = if is_marked { mark.len() } else { 0 };
            if !self.text[start..].trim_ascii().is_empty() {
                break start;
            }
            self.end += self.text.len() as u64;
        };
        let (path, line) = (&self.path, self.line);
        let invalid = |reason: String| RecordError::line(path, line, &reason);
        if self.text.len() as u64 >= MAX_LINE {
            return Some(Err(invalid(format!("longer than {MAX_LINE} bytes"))));
        }
        let json = &self.text[start..];
        if line == 1 && text_file::is_utf16(json) {
            return Some(Err(invalid("text in UTF-16, expected UTF-8".to_owned())));
        }
        let value = serde_json::from_slice::<T>(json);
        let is_ended = self.text.ends_with(b"\n") || self.text.ends_with(b"\r");
        // Complete JSON was not torn.
        let is_complete = value.as_ref().map_or_else(serde_json::Error::is_data, |_| true);
        if !is_complete && !is_ended && is_torn(&self.text, T::BEGINNINGS) {
            self.was_torn = true;
            return None;
        }
        match value {
            Ok(value) => {
                self.end += self.text.len() as u64;
                Some(Ok(value))
            }
            Err(error) => Some(Err(invalid(not_json_of(T::NAME, json, &error)))),
        }
    }
}

/// Reads a line with its end, LF, CR or both, or the first [`MAX_LINE`] bytes of one that is longer.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    while !line.ends_with(b"\n") && (line.len() as u64) < MAX_LINE {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() || (line.ends_with(b"\r") && buffer[0] != b'\n') {
            break;
        }
        let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let used = end.map_or(buffer.len(), |end| end + 1);
        line.extend_from_slice(&buffer[..used]);
        input.consume(used);
    }
    Ok(())
}

/// What is wrong with a line that should be JSON of something.
fn not_json_of(name: &str, json: &[u8], error: &serde_json::Error) -> String {
    if name == GameRecord::NAME && serde_json::from_slice::<UncheckedGame>(json).is_ok() {
        let of_server = "but a game without its match, as servers record them";
        return format!("not {name}, {of_server}: 'kalah games' and 'kalah review' read it");
    }
    let (message, column) = (message_without_place(error), error.column());
    // What the rules do not allow has no place.
    let place = if column > 0 { format!(" at column {column}") } else { String::new() };
    format!("not {name}: {message}{place}")
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
    /// The line without a byte order mark, which begins the file and not this game.
    pub(crate) fn read(self, mut file: &File) -> io::Result<Vec<u8>> {
        let mut text = vec![0; self.length as usize];
        file.seek(SeekFrom::Start(self.start))?;
        file.read_exact(&mut text)?;
        if text.starts_with(text_file::BYTE_ORDER_MARK.as_bytes()) {
            text.drain(..text_file::BYTE_ORDER_MARK.len());
        }
        Ok(text)
    }
}

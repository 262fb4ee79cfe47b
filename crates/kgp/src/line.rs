//! A line of the protocol, to text and back.

use std::fmt::{self, Display};
use std::str::FromStr;

use thiserror::Error;

use super::wide_board::WideBoard;

/// Characters of the longest line that a server reads.
pub const MAX_LINE: usize = 16_384;

/// A line: `[id][@ref] command arguments…`.
///
/// ```
/// use kalah_kgp::Line;
///
/// let line: Line = "8@6 error \"no such move\"".parse()?;
/// assert_eq!((line.id, line.reference, line.command.as_str()), (Some(8), Some(6), "error"));
/// assert_eq!(line.text(0), Some("no such move"));
/// assert_eq!(Line::reply(6, "move").with(3).to_string(), "@6 move 3");
/// # Ok::<(), kalah_kgp::LineError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its own number, to which others refer.
    pub id: Option<u64>,
    /// The number of the line that it answers.
    pub reference: Option<u64>,
    /// The command word.
    pub command: String,
    /// What follows the command.
    pub arguments: Vec<Argument>,
}

/// An argument of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A word or a number.
    Word(String),
    /// A text in quotation marks, without them.
    Text(String),
    /// A board in angle brackets.
    Board(WideBoard),
}

/// A text is not a line of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a line of the Kalah Game Protocol")]
pub struct LineError;

impl Line {
    /// A command without id, reference and arguments.
    pub fn command(command: &str) -> Line {
        Line { id: None, reference: None, command: command.to_owned(), arguments: Vec::new() }
    }

    /// A command that answers the line with this number.
    pub fn reply(reference: u64, command: &str) -> Line {
        Line { reference: Some(reference), ..Line::command(command) }
    }

    /// The line with a number of its own.
    #[must_use]
    pub fn with_id(self, id: u64) -> Line {
        Line { id: Some(id), ..self }
    }

    /// The line with one more argument.
    #[must_use]
    pub fn with(mut self, argument: impl Into<Argument>) -> Line {
        self.arguments.push(argument.into());
        self
    }

    /// The line with one more argument, a text.
    #[must_use]
    pub fn with_text(self, text: &str) -> Line {
        self.with(Argument::Text(text.to_owned()))
    }

    /// The argument with this index, as a word or text.
    pub fn text(&self, index: usize) -> Option<&str> {
        match self.arguments.get(index)? {
            Argument::Word(text) | Argument::Text(text) => Some(text),
            Argument::Board(_) => None,
        }
    }

    /// The argument with this index, as a number that is not negative.
    pub fn number(&self, index: usize) -> Option<u64> {
        match self.arguments.get(index)? {
            Argument::Word(word) => number(word),
            _ => None,
        }
    }

    /// The argument with this index, as a board.
    pub fn board(&self, index: usize) -> Option<&WideBoard> {
        match self.arguments.get(index)? {
            Argument::Board(board) => Some(board),
            _ => None,
        }
    }
}

impl From<&str> for Argument {
    fn from(word: &str) -> Argument {
        Argument::Word(word.to_owned())
    }
}

impl From<u64> for Argument {
    fn from(number: u64) -> Argument {
        Argument::Word(number.to_string())
    }
}

impl From<WideBoard> for Argument {
    fn from(board: WideBoard) -> Argument {
        Argument::Board(board)
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        if let Some(reference) = self.reference {
            write!(f, "@{reference}")?;
        }
        if self.id.is_some() || self.reference.is_some() {
            f.write_str(" ")?;
        }
        f.write_str(&self.command)?;
        for argument in &self.arguments {
            match argument {
                Argument::Word(word) => write!(f, " {word}")?,
                Argument::Text(text) => write!(f, " \"{}\"", escaped(text))?,
                Argument::Board(board) => write!(f, " {board}")?,
            }
        }
        Ok(())
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

impl FromStr for Line {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Line, LineError> {
        // Some write a byte order mark before their first line.
        let text = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        parse(text.trim_end()).ok_or(LineError)
    }
}

fn parse(mut text: &str) -> Option<Line> {
    let (mut id, mut reference) = (None, None);
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '@') {
        let (numbers, rest) = text.split_once(char::is_whitespace)?;
        let (own, other) = numbers.split_once('@').map_or((numbers, None), |(a, b)| (a, Some(b)));
        if !own.is_empty() {
            id = Some(number(own)?);
        }
        if let Some(other) = other {
            reference = Some(number(other)?);
        }
        text = rest.trim_start();
    }
    let (command, mut rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mut arguments = Vec::new();
    loop {
        rest = rest.trim_start();
        let (argument, after) = match rest.chars().next() {
            None => break,
            Some('"') => parse_text(&rest[1..])?,
            Some('<') => {
                let (board, after) = rest.split_at(rest.find('>')? + 1);
                (Argument::Board(board.parse().ok()?), after)
            }
            Some(_) => {
                let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                (word.into(), after)
            }
        };
        arguments.push(argument);
        rest = after;
    }
    (!command.is_empty()).then(|| Line { id, reference, command: command.to_owned(), arguments })
}

fn number(text: &str) -> Option<u64> {
    // `parse` would also take a sign.
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A text up to its closing quotation mark, and what follows it.
fn parse_text(text: &str) -> Option<(Argument, &str)> {
    let mut parsed = String::new();
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            '"' => return Some((Argument::Text(parsed), chars.as_str())),
            '\\' => match chars.next()? {
                'n' => parsed.push('\n'),
                c => parsed.push(c),
            },
            c => parsed.push(c),
        }
    }
}

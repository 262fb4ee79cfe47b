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
/// assert_eq!(Line::reply(6, "move").with_number(3).to_string(), "@6 move 3");
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
pub enum LineError {
    /// It has no command word.
    #[error("no command")]
    NoCommand,
    /// The number before the command, or after `@`, is not one.
    #[error("the number of the line is not one")]
    Number,
    /// A text has no end.
    #[error("a text without its closing quotation mark")]
    OpenText,
    /// A board is not one.
    #[error("not a board")]
    Board,
}

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

    /// The line with one more argument, a word.
    #[must_use]
    pub fn with_word(mut self, word: &str) -> Line {
        self.arguments.push(Argument::Word(word.to_owned()));
        self
    }

    /// The line with one more argument, a number.
    #[must_use]
    pub fn with_number(self, number: u64) -> Line {
        self.with_word(&number.to_string())
    }

    /// The line with one more argument, a text.
    #[must_use]
    pub fn with_text(mut self, text: &str) -> Line {
        self.arguments.push(Argument::Text(text.to_owned()));
        self
    }

    /// The line with one more argument, a board.
    #[must_use]
    pub fn with_board(mut self, board: WideBoard) -> Line {
        self.arguments.push(Argument::Board(board));
        self
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
            Argument::Word(word) => number(word).ok(),
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
        let mut rest = text.trim();
        let mut line = Line::command("");
        if rest.starts_with(|c: char| c.is_ascii_digit() || c == '@') {
            let (numbers, after) =
                rest.split_once(char::is_whitespace).ok_or(LineError::NoCommand)?;
            let (id, reference) = match numbers.split_once('@') {
                Some((id, reference)) => (id, Some(reference)),
                None => (numbers, None),
            };
            line.id = (!id.is_empty()).then(|| number(id)).transpose()?;
            line.reference = reference.map(number).transpose()?;
            rest = after.trim_start();
        }
        let (command, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if command.is_empty() {
            return Err(LineError::NoCommand);
        }
        command.clone_into(&mut line.command);
        line.arguments = parse_arguments(arguments)?;
        Ok(line)
    }
}

fn number(text: &str) -> Result<u64, LineError> {
    // `parse` would also take a sign.
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().map_err(|_| LineError::Number)
    } else {
        Err(LineError::Number)
    }
}

fn parse_arguments(text: &str) -> Result<Vec<Argument>, LineError> {
    let mut arguments = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (argument, after) = match first {
            '"' => {
                let (text, after) = parse_text(&rest[1..])?;
                (Argument::Text(text), after)
            }
            '<' => {
                let end = rest.find('>').ok_or(LineError::Board)? + 1;
                let board = rest[..end].parse().map_err(|_| LineError::Board)?;
                (Argument::Board(board), &rest[end..])
            }
            _ => {
                let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                (Argument::Word(word.to_owned()), after)
            }
        };
        arguments.push(argument);
        rest = after.trim_start();
    }
    Ok(arguments)
}

/// A text up to its closing quotation mark, and what follows it.
fn parse_text(text: &str) -> Result<(String, &str), LineError> {
    let mut parsed = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((parsed, &text[at + 1..])),
            '\\' => match chars.next() {
                Some((_, 'n')) => parsed.push('\n'),
                Some((_, c)) => parsed.push(c),
                None => return Err(LineError::OpenText),
            },
            c => parsed.push(c),
        }
    }
    Err(LineError::OpenText)
}

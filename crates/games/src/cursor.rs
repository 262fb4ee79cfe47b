//! A place in a text, and the words of games there: tags, comments, numbers.

use thiserror::Error;

use super::game::{GameOutcome, is_tag_name};
use kalah::board::shortened;
use kalah::printable::printable;

/// Digits of a character's number, at most.
const MAX_CODE: usize = 6;

/// A text that is not a game: where, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {what}")]
pub struct GameTextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there and what was expected.
    pub what: String,
    /// Whether it is a game whose result or margin is not that of its moves. What follows can be read.
    pub is_contradiction: bool,
}

/// A character as it is named in an error.
pub(super) fn found(c: char) -> String {
    format!("'{}'", printable(c.encode_utf8(&mut [0; 4])))
}

/// A place in a text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { rest: text, line: 1, column: 1 }
    }

    pub(super) fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn error(self, what: impl Into<String>) -> GameTextError {
        let (line, column, what) = (self.line, self.column, what.into());
        GameTextError { line, column, what, is_contradiction: false }
    }

    /// The next character; any line end is a line feed.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next().map(|c| if c == '\r' { '\n' } else { c })
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        let length = if self.rest.starts_with("\r\n") { 2 } else { c.len_utf8() };
        self.rest = &self.rest[length..];
        if c == '\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else {
            self.column += 1;
        }
        Some(c)
    }

    pub(super) fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// Takes the characters that are accepted.
    fn take_while(&mut self, is_accepted: impl Fn(char) -> bool) -> &'a str {
        let start = self.rest;
        while self.peek().is_some_and(&is_accepted) {
            self.next();
        }
        &start[..start.len() - self.rest.len()]
    }

    fn skip(&mut self, c: char, of: &str) -> Result<(), GameTextError> {
        match self.peek() {
            Some(next) if next == c => {
                self.next();
                Ok(())
            }
            Some(next) => Err(self.error(format!("{}, expected '{c}' of {of}", found(next)))),
            None => Err(self.error(format!("the text ends, expected '{c}' of {of}"))),
        }
    }

    /// `[Name "value"]`.
    pub(super) fn tag(&mut self) -> Result<(&'a str, String), GameTextError> {
        self.skip('[', "a tag")?;
        self.skip_spaces();
        let place = *self;
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_tag_name(name) {
            return Err(
                place.error("expected the name of a tag: a letter, then letters, digits and _")
            );
        }
        self.skip_spaces();
        self.skip('"', "a tag's value")?;
        let mut value = String::new();
        loop {
            let place = *self;
            match self.next() {
                Some('"') => break,
                Some('\\') => value.push(self.escaped()),
                Some('\n') | None => {
                    return Err(place.error("the line ends, expected '\"' of a tag's value"));
                }
                Some(c) => value.push(c),
            }
        }
        self.skip_spaces();
        self.skip(']', "a tag")?;
        Ok((name, value))
    }

    /// `{comment}`, or `; comment` to the end of the line. Line breaks in braces count as spaces.
    pub(super) fn comment(&mut self) -> Result<String, GameTextError> {
        let place = *self;
        let is_braced = self.next() == Some('{');
        let mut comment = String::new();
        // The bytes up to the last character that is not a space, or is escaped.
        let mut end = 0;
        loop {
            match self.next() {
                Some('}') if is_braced => break,
                None if is_braced => return Err(place.error("a comment without its '}'")),
                Some('\n') if !is_braced => break,
                None => break,
                Some('\\') => {
                    comment.push(self.escaped());
                    end = comment.len();
                }
                Some(c) if c.is_whitespace() => {
                    if !comment.is_empty() {
                        comment.push(if c == '\n' { ' ' } else { c });
                    }
                }
                Some(c) => {
                    comment.push(c);
                    end = comment.len();
                }
            }
        }
        comment.truncate(end);
        Ok(comment)
    }

    /// What follows a backslash: one of `\ " { }`, or as in Rust `n r t u{1b}`. Before anything else it is
    /// a backslash.
    fn escaped(&mut self) -> char {
        let (c, length) = match self.peek() {
            Some(c @ ('\\' | '"' | '{' | '}')) => (c, 1),
            Some('n') => ('\n', 1),
            Some('r') => ('\r', 1),
            Some('t') => ('\t', 1),
            _ => self.code().unwrap_or(('\\', 0)),
        };
        for _ in 0..length {
            self.next();
        }
        c
    }

    /// The character of a code such as `u{1b}`, and the length of the code.
    fn code(&self) -> Option<(char, usize)> {
        let code = self.rest.strip_prefix("u{")?;
        // Not looked for further on: a long text without '}' would be read again at each escape.
        let end = code.bytes().take(MAX_CODE + 1).position(|byte| byte == b'}')?;
        let c = char::from_u32(u32::from_str_radix(&code[..end], 16).ok()?)?;
        Some((c, end + 3))
    }

    /// Takes a result; the number of a turn, such as `12.` or `12...`, is skipped, and `None` returned.
    pub(super) fn number_or_result(&mut self) -> Result<Option<GameOutcome>, GameTextError> {
        let place = *self;
        let word = self.take_while(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '*'));
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.take_while(|c| c == '.');
            return Ok(None);
        }
        word.parse().map(Some).map_err(|_| {
            let what = "expected the number of a turn or a result (1-0, 0-1, 1/2-1/2 or *)";
            place.error(format!("'{}', {what}", shortened(word)))
        })
    }
}

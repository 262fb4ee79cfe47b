//! Parsing of commands.

use std::iter::Peekable;
use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Duration;

use thiserror::Error;

use super::command::{Command, Go, PositionBase, PositionCommand};
use crate::board::{Move, shortened};
use crate::search::MAX_DEPTH;

/// Milliseconds in some three centuries: more than any clock shows, and far from overflow.
const MAX_MILLISECONDS: i64 = 10_000_000_000_000;

/// A line that is not a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The first word is not a command.
    #[error("unknown command '{0}'")]
    UnknownCommand(String),
    /// A word that is not allowed here.
    #[error("unexpected '{word}' after '{command}'")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// The word.
        word: String,
    },
    /// The line ends too early.
    #[error("'{command}' needs {what}")]
    Missing {
        /// The command, or the word of it that needs more.
        command: String,
        /// What is missing.
        what: &'static str,
    },
    /// Not a number, or a number out of range.
    #[error("'{name}' takes a whole number from {min} to {max}, not '{text}'")]
    Number {
        /// The word before the number.
        name: String,
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
        /// The text in its place.
        text: String,
    },
    /// `go perft` with other limits.
    #[error("'perft' does not search and takes no other limits")]
    PerftNotAlone,
    /// A word occurs twice.
    #[error("'{0}' is given twice")]
    Twice(String),
}

/// The words after the name of a command.
struct Words<'a> {
    command: &'static str,
    line: &'a str,
    left: Peekable<SplitAsciiWhitespace<'a>>,
}

impl<'a> Words<'a> {
    fn number(&mut self, name: &str, min: i64, max: i64) -> Result<i64, ParseError> {
        let missing = || ParseError::Missing { command: name.to_owned(), what: "a number" };
        let text = self.left.next().ok_or_else(missing)?;
        let out_of_range =
            || ParseError::Number { name: name.to_owned(), min, max, text: shortened(text) };
        if text.starts_with('+') {
            return Err(out_of_range());
        }
        let number = text.parse::<i64>().map_err(|_| out_of_range())?;
        (min..=max).contains(&number).then_some(number).ok_or_else(out_of_range)
    }

    fn milliseconds(&mut self, name: &str) -> Result<Duration, ParseError> {
        let number = self.number(name, 0, MAX_MILLISECONDS)?;
        Ok(Duration::from_millis(number.unsigned_abs()))
    }

    /// Time on a clock. A negative time counts as 0.
    fn clock(&mut self, name: &str) -> Result<Duration, ParseError> {
        let number = self.number(name, -MAX_MILLISECONDS, MAX_MILLISECONDS)?;
        Ok(Duration::from_millis(number.max(0).unsigned_abs()))
    }

    fn missing<T>(&self, what: &'static str) -> Result<T, ParseError> {
        Err(ParseError::Missing { command: self.command.to_owned(), what })
    }

    fn unexpected<T>(&self, word: &str) -> Result<T, ParseError> {
        Err(ParseError::Unexpected { command: self.command, word: shortened(word) })
    }

    fn end(mut self) -> Result<(), ParseError> {
        match self.left.next() {
            Some(word) => self.unexpected(word),
            None => Ok(()),
        }
    }

    /// The rest of the line, with its inner spaces.
    fn rest(mut self) -> &'a str {
        self.left.next().map_or("", |word| {
            // The word is a slice of the line: its address gives its index.
            let start = word.as_ptr().addr() - self.line.as_ptr().addr();
            self.line[start..].trim_ascii_end()
        })
    }
}

impl FromStr for Command {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Command, ParseError> {
        let mut words = line.split_ascii_whitespace().peekable();
        let first = words.next().unwrap_or_default();
        let after = |command| Words { command, line, left: words.clone() };
        let alone = |name, command| after(name).end().map(|()| command);
        match first {
            "uci" => alone("uci", Command::Uci),
            "isready" => alone("isready", Command::IsReady),
            "ucinewgame" => alone("ucinewgame", Command::UciNewGame),
            "stop" => alone("stop", Command::Stop),
            "ponderhit" => alone("ponderhit", Command::PonderHit),
            "quit" => alone("quit", Command::Quit),
            "d" => alone("d", Command::Display),
            "eval" => alone("eval", Command::Eval),
            "debug" => debug(after("debug")),
            "setoption" => set_option(after("setoption")),
            "position" => position(after("position")),
            "go" => go(after("go")),
            _ => Err(ParseError::UnknownCommand(shortened(first))),
        }
    }
}

fn debug(mut words: Words<'_>) -> Result<Command, ParseError> {
    let on = match words.left.next() {
        Some("on") => true,
        Some("off") => false,
        Some(word) => return words.unexpected(word),
        None => return words.missing("'on' or 'off'"),
    };
    words.end().map(|()| Command::Debug(on))
}

fn set_option(mut words: Words<'_>) -> Result<Command, ParseError> {
    match words.left.next() {
        Some("name") => {}
        Some(word) => return words.unexpected(word),
        None => return words.missing("'name'"),
    }
    let mut name = Vec::new();
    while let Some(word) = words.left.next_if(|&word| word != "value") {
        name.push(word);
    }
    if name.is_empty() {
        return words.missing("the name of an option");
    }
    let has_value = words.left.next().is_some();
    let value = has_value.then(|| words.rest().to_owned());
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn position(mut words: Words<'_>) -> Result<Command, ParseError> {
    let base = match words.left.next() {
        Some("startpos") => PositionBase::Start,
        Some("fen") => {
            let mut fen = Vec::new();
            while let Some(word) = words.left.next_if(|&word| word != "moves") {
                fen.push(word);
            }
            if fen.is_empty() {
                return words.missing("a board after 'fen'");
            }
            PositionBase::Fen(fen.join(" "))
        }
        Some(word) => return words.unexpected(word),
        None => return words.missing("'startpos' or 'fen'"),
    };
    match words.left.next() {
        None | Some("moves") => {}
        Some(word) => return words.unexpected(word),
    }
    Ok(Command::Position(PositionCommand { base, moves: words.rest().to_owned() }))
}

fn go(mut words: Words<'_>) -> Result<Command, ParseError> {
    let mut go = Go::default();
    let mut seen: Vec<&str> = Vec::new();
    while let Some(word) = words.left.next() {
        // South is White for clients that know only the words of UCI.
        let meaning = match word {
            "wtime" => "stime",
            "btime" => "ntime",
            "winc" => "sinc",
            "binc" => "ninc",
            _ => word,
        };
        if seen.contains(&meaning) {
            return Err(ParseError::Twice(shortened(word)));
        }
        seen.push(meaning);
        let depth = i64::from(MAX_DEPTH);
        match meaning {
            "depth" => go.limits.depth = Some(words.number(word, 1, depth)? as u32),
            "nodes" => {
                go.limits.nodes = Some(words.number(word, 1, i64::MAX)?.unsigned_abs());
            }
            "iterations" => {
                go.limits.iterations = Some(words.number(word, 1, i64::MAX)?.unsigned_abs());
            }
            "movetime" => go.limits.movetime = Some(words.milliseconds(word)?),
            "stime" => go.time[0] = Some(words.clock(word)?),
            "ntime" => go.time[1] = Some(words.clock(word)?),
            "sinc" => go.increment[0] = Some(words.milliseconds(word)?),
            "ninc" => go.increment[1] = Some(words.milliseconds(word)?),
            "movestogo" => {
                go.moves_to_go = Some(words.number(word, 1, i64::from(u32::MAX))? as u32);
            }
            "infinite" => go.limits.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => go.limits.searchmoves = search_moves(&mut words)?,
            "perft" => go.perft = Some(words.number(word, 0, depth)? as u32),
            _ => return words.unexpected(word),
        }
    }
    if go.perft.is_some() && seen.len() > 1 {
        return Err(ParseError::PerftNotAlone);
    }
    Ok(Command::Go(Box::new(go)))
}

/// Takes words while they consist of letters of houses, which no other word of `go` does.
fn search_moves(words: &mut Words<'_>) -> Result<Vec<Move>, ParseError> {
    let letters = |word: &str| word.chars().map(|letter| letter.to_string().parse().ok()).collect();
    let mut moves = Vec::new();
    while let Some(more) = words.left.peek().and_then(|word| letters(word)) {
        words.left.next();
        let more: Vec<Move> = more;
        moves.extend(more);
    }
    if moves.is_empty() {
        let command = "searchmoves".to_owned();
        return Err(ParseError::Missing { command, what: "moves" });
    }
    Ok(moves)
}

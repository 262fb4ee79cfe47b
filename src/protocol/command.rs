//! Commands of the protocol: parsed from text, and written as text.

use std::fmt;
use std::iter::Peekable;
use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Duration;

use thiserror::Error;

use super::{InputLine, MAX_LINE};
use crate::board::{Move, Side, shortened};
use crate::search::{Clock, Limits, MAX_DEPTH};

/// A command of the protocol: `parse` reads it from a line, and `Display` writes the line.
///
/// ```
/// use kalah::protocol::Command;
///
/// let Ok(Command::Go(go)) = "go depth 8".parse() else { panic!("a search") };
/// assert_eq!(go.limits.depth, Some(8));
/// assert_eq!(Command::Go(go).to_string(), "go depth 8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: asks for the name and the options.
    Uci,
    /// `isready`: asks for an answer once all earlier commands have taken effect.
    IsReady,
    /// `ucinewgame`: forgets earlier games.
    UciNewGame,
    /// `setoption`: sets an option.
    SetOption {
        /// Name of the option, words separated by single spaces.
        name: String,
        /// Value; buttons have none.
        value: Option<String>,
    },
    /// `position`: sets the position to search.
    Position(PositionCommand),
    /// `go`: starts a search.
    Go(Box<Go>),
    /// `stop`: ends the search, which answers.
    Stop,
    /// `ponderhit`: the opponent has played the expected move.
    PonderHit,
    /// `debug on` or `debug off`: whether lines of the protocol are logged.
    Debug(bool),
    /// `d`: prints the board.
    Display,
    /// `eval`: prints the evaluation.
    Eval,
    /// `quit`: ends the engine.
    Quit,
}

/// The commands of one word.
static ALONE: [(&str, Command); 8] = [
    ("uci", Command::Uci),
    ("isready", Command::IsReady),
    ("ucinewgame", Command::UciNewGame),
    ("stop", Command::Stop),
    ("ponderhit", Command::PonderHit),
    ("d", Command::Display),
    ("eval", Command::Eval),
    ("quit", Command::Quit),
];

/// The text of a position, by default the start of a game. The board that it names depends on the options, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand {
    /// The board before the moves.
    pub base: PositionBase,
    /// Letters of the moves, with or without spaces between them.
    pub moves: String,
}

/// The board before the moves of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PositionBase {
    /// `startpos`: the start of a game.
    #[default]
    Start,
    /// `fen`: a board in the notation of [`crate::board::Board::from_fen`].
    Fen(String),
}

/// The words of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The limits except the clock and the ponderhit, which `go` gives for both sides.
    pub limits: Limits,
    /// Time left on the clocks of South and North.
    pub time: [Option<Duration>; 2],
    /// Time added to the clocks of South and North after each move.
    pub increment: [Option<Duration>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Whether the search ponders until the ponderhit.
    pub ponder: bool,
    /// Counts the leaves to this depth instead of searching.
    pub perft: Option<u32>,
}

impl Go {
    /// The limits with the clock of the side to move; the houses of `searchmoves` are that side's moves.
    pub fn limits_for(&self, side: Side) -> Limits {
        let clock = self.time[side.index()].map(|remaining| Clock {
            remaining,
            increment: self.increment[side.index()].unwrap_or_default(),
            moves_to_go: self.moves_to_go,
        });
        let mut limits = Limits { clock, ..self.limits.clone() };
        for mv in &mut limits.searchmoves {
            mv.side = side;
        }
        limits
    }

    /// Whether the search ends without a stop when `side` is to move and its clock runs.
    pub fn is_limited_for(&self, side: Side) -> bool {
        let limits = &self.limits;
        let limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.iterations.is_some()
            || limits.movetime.is_some()
            || self.time[side.index()].is_some()
            || self.perft.is_some();
        limited && !limits.infinite
    }
}

impl fmt::Display for Command {
    /// A line without its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Position(position) => write!(f, "position {position}"),
            Command::Go(go) => write!(f, "go{go}"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            alone => {
                let known = ALONE.iter().find(|(_, command)| command == alone);
                f.write_str(known.map_or("", |(name, _)| name))
            }
        }
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            PositionBase::Start => f.write_str("startpos")?,
            PositionBase::Fen(fen) => write!(f, "fen {fen}")?,
        }
        if self.moves.is_empty() { Ok(()) } else { write!(f, " moves {}", self.moves) }
    }
}

impl fmt::Display for Go {
    /// The words after `go`, each after a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = &self.limits;
        let clocks = ["stime", "ntime"].into_iter().zip(self.time);
        let increments = ["sinc", "ninc"].into_iter().zip(self.increment);
        let times = clocks.chain(increments).chain([("movetime", limits.movetime)]);
        let times = times.map(|(name, time)| (name, time.map(|time| time.as_millis())));
        let numbers = [
            ("movestogo", self.moves_to_go.map(u128::from)),
            ("depth", limits.depth.map(u128::from)),
            ("nodes", limits.nodes.map(u128::from)),
            ("iterations", limits.iterations.map(u128::from)),
            ("perft", self.perft.map(u128::from)),
        ];
        for (name, number) in times.chain(numbers) {
            if let Some(number) = number {
                write!(f, " {name} {number}")?;
            }
        }
        for (name, is_set) in [("infinite", limits.infinite), ("ponder", self.ponder)] {
            if is_set {
                write!(f, " {name}")?;
            }
        }
        if !limits.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        limits.searchmoves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// Milliseconds in some three centuries: more than any clock shows, and far from overflow.
const MAX_MILLISECONDS: i64 = 10_000_000_000_000;

/// A line that is not a command, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ParseError(String);

/// Parses a whole number of a range, without a plus sign.
pub(crate) fn whole_number(text: &str, min: i64, max: i64) -> Option<i64> {
    let digits = Some(text).filter(|text| !text.starts_with('+'));
    digits?.parse().ok().filter(|number| (min..=max).contains(number))
}

/// The error for a line that ends too early: `name` needs `what`.
fn missing<T>(name: &str, what: &str) -> Result<T, ParseError> {
    Err(ParseError(format!("'{name}' needs {what}")))
}

/// The words after the name of a command.
struct Words<'a> {
    command: &'static str,
    line: &'a str,
    left: Peekable<SplitAsciiWhitespace<'a>>,
}

impl<'a> Words<'a> {
    fn number(&mut self, name: &str, min: i64, max: i64) -> Result<i64, ParseError> {
        let Some(text) = self.left.next() else { return missing(name, "a number") };
        whole_number(text, min, max).ok_or_else(|| {
            let text = shortened(text);
            let range = format!("a whole number from {min} to {max}");
            ParseError(format!("'{name}' takes {range}, not '{text}'"))
        })
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

    /// The error for a word that is not allowed here, or for a missing one.
    fn unexpected<T>(&self, word: Option<&str>, expected: &str) -> Result<T, ParseError> {
        let Some(word) = word else { return missing(self.command, expected) };
        let (command, word) = (self.command, shortened(word));
        Err(ParseError(format!("unexpected '{word}' after '{command}'")))
    }

    fn end(mut self) -> Result<(), ParseError> {
        let word = self.left.next();
        if word.is_some() { self.unexpected(word, "") } else { Ok(()) }
    }

    /// The words before `end`, with single spaces between them.
    fn words_before(&mut self, end: &str) -> String {
        let words = std::iter::from_fn(|| self.left.next_if(|&word| word != end));
        words.collect::<Vec<_>>().join(" ")
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

impl TryFrom<&InputLine> for Command {
    type Error = ParseError;

    fn try_from(line: &InputLine) -> Result<Command, ParseError> {
        match line {
            InputLine::Text(text) => text.parse(),
            InputLine::TooLong => {
                Err(ParseError(format!("the line is longer than {MAX_LINE} bytes")))
            }
            InputLine::NotUtf8 => Err(ParseError("the line is not UTF-8".to_owned())),
            InputLine::Utf16 => Err(ParseError("the input is UTF-16, expected UTF-8".to_owned())),
        }
    }
}

impl FromStr for Command {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Command, ParseError> {
        let mut words = line.split_ascii_whitespace().peekable();
        let first = words.next().unwrap_or_default();
        let after = |command| Words { command, line, left: words.clone() };
        if let Some((name, command)) = ALONE.iter().find(|(name, _)| *name == first) {
            return after(name).end().map(|()| command.clone());
        }
        match first {
            "debug" => debug(after("debug")),
            "setoption" => set_option(after("setoption")),
            "position" => position(after("position")),
            "go" => go(after("go")),
            _ => Err(ParseError(format!("unknown command '{}'", shortened(first)))),
        }
    }
}

fn debug(mut words: Words<'_>) -> Result<Command, ParseError> {
    let on = match words.left.next() {
        Some("on") => true,
        Some("off") => false,
        word => return words.unexpected(word, "'on' or 'off'"),
    };
    words.end().map(|()| Command::Debug(on))
}

fn set_option(mut words: Words<'_>) -> Result<Command, ParseError> {
    match words.left.next() {
        Some("name") => {}
        word => return words.unexpected(word, "'name'"),
    }
    let name = words.words_before("value");
    if name.is_empty() {
        return missing(words.command, "the name of an option");
    }
    let has_value = words.left.next().is_some();
    let value = has_value.then(|| words.rest().to_owned());
    Ok(Command::SetOption { name, value })
}

fn position(mut words: Words<'_>) -> Result<Command, ParseError> {
    let base = match words.left.next() {
        Some("startpos") => PositionBase::Start,
        Some("fen") => {
            let fen = words.words_before("moves");
            if fen.is_empty() {
                return missing(words.command, "a board after 'fen'");
            }
            PositionBase::Fen(fen)
        }
        word => return words.unexpected(word, "'startpos' or 'fen'"),
    };
    match words.left.next() {
        None | Some("moves") => {}
        word => return words.unexpected(word, "moves"),
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
            return Err(ParseError(format!("'{}' is given twice", shortened(word))));
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
            _ => return words.unexpected(Some(word), ""),
        }
    }
    if go.perft.is_some() && seen.len() > 1 {
        let text = "'perft' does not search and takes no other limits";
        return Err(ParseError(text.to_owned()));
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
    if moves.is_empty() { missing("searchmoves", "moves") } else { Ok(moves) }
}

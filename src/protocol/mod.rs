//! The text of the protocol, for engine and client: bytes to lines to commands and replies, and back.
//!
//! `protocol.md` at the top of the repository specifies it.

mod command;
mod message;

use std::fmt;
use std::io::{self, BufRead, ErrorKind};
use std::mem;

use crate::board::Move;
use crate::printable::printable;
use crate::search::{Bound, CENTISEEDS, PvLine, SearchStats};
use crate::text_file;

pub(crate) use command::whole_number;
pub use command::{Command, Go, ParseError, PositionBase, PositionCommand};
pub use message::{EngineInfo, EngineMessage, EngineScore};

/// Bytes of the longest line that is read, without its end: far more than the moves of any game.
pub const MAX_LINE: usize = 1 << 20;

/// A line without its end, as a [`LineReader`] returns it.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
    /// Text.
    Text(String),
    /// Longer than [`MAX_LINE`]; its text is dropped.
    TooLong,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A line of text in UTF-16.
    Utf16,
}

/// Reads lines of text, which end with LF, CR or both; a byte order mark before the first one is dropped.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    lines: u64,
    /// Whether the last line ended with CR, so that LF may follow.
    follows_cr: bool,
    is_utf16: bool,
    /// Whether the rest of a line that is too long comes next.
    is_skipped: bool,
}

impl<R: BufRead> LineReader<R> {
    /// Reads the lines of this input.
    pub fn new(input: R) -> LineReader<R> {
        LineReader { input, lines: 0, follows_cr: false, is_utf16: false, is_skipped: false }
    }

    /// The number of the last line, from 1.
    pub fn number(&self) -> u64 {
        self.lines
    }

    /// Reads a line; `None` at the end of input.
    ///
    /// # Errors
    /// Returns an error if reading fails, unless a signal interrupted it.
    pub fn next_line(&mut self) -> io::Result<Option<InputLine>> {
        let mut line = Vec::new();
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if mem::take(&mut self.follows_cr) && buffer.first() == Some(&b'\n') {
                self.input.consume(1);
                continue;
            }
            if buffer.is_empty() && (line.is_empty() || self.is_skipped) {
                return Ok(None);
            }
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let is_too_long = line.len() + part.len() > MAX_LINE;
            if !self.is_skipped && !is_too_long {
                line.extend_from_slice(part);
            }
            self.follows_cr = end.is_some_and(|end| buffer[end] == b'\r');
            let is_done = end.is_some() || buffer.is_empty();
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if self.is_skipped {
                self.is_skipped = !is_done;
            } else if is_too_long {
                self.is_skipped = !is_done;
                self.lines += 1;
                return Ok(Some(InputLine::TooLong));
            } else if is_done {
                break;
            }
        }
        if self.lines == 0 {
            self.is_utf16 = text_file::is_utf16(&line);
            if line.starts_with(text_file::BYTE_ORDER_MARK.as_bytes()) {
                line.drain(..text_file::BYTE_ORDER_MARK.len());
            }
        }
        self.lines += 1;
        Ok(Some(match String::from_utf8(line) {
            _ if self.is_utf16 => InputLine::Utf16,
            Ok(text) => InputLine::Text(text),
            Err(_) => InputLine::NotUtf8,
        }))
    }
}

/// The specification, `protocol.md`, as Markdown.
pub const SPECIFICATION: &str = include_str!("../../protocol.md");

/// A reply of the protocol. `Display` writes one line without its end, except where noted.
#[derive(Clone, Debug)]
pub enum Reply {
    /// `id KEY VALUE`
    Id(&'static str, String),
    /// `option …`, with these words.
    Option(String),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info …` with a line of play.
    Line(PvLine, SearchStats),
    /// `info nodes N time MS nps N`, without a line of play.
    Work(SearchStats),
    /// `info string …`
    Info(String),
    /// `info string error: …`
    Error(String),
    /// `bestmove M [ponder M]`, or `bestmove 0000` when there is no move.
    BestMove {
        /// The move to play.
        best: Option<Move>,
        /// The expected reply to it.
        ponder: Option<Move>,
    },
    /// Text of several lines for the user.
    Text(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(key, value) => write!(f, "id {key} {value}"),
            Reply::Option(text) => write!(f, "option {text}"),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Line(line, stats) => write_line(f, line, stats),
            Reply::Work(stats) => {
                let SearchStats { nodes, time, .. } = stats;
                write!(f, "info nodes {nodes} time {} nps {}", time.as_millis(), stats.nps())
            }
            Reply::Info(text) => write!(f, "info string {text}"),
            // Errors quote input, which may contain control characters.
            Reply::Error(text) => write!(f, "info string error: {}", printable(text)),
            Reply::BestMove { best: None, .. } => f.write_str("bestmove 0000"),
            Reply::BestMove { best: Some(best), ponder: None } => write!(f, "bestmove {best}"),
            Reply::BestMove { best: Some(best), ponder: Some(ponder) } => {
                write!(f, "bestmove {best} ponder {ponder}")
            }
            Reply::Text(text) => f.write_str(text),
        }
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, line: &PvLine, stats: &SearchStats) -> fmt::Result {
    let PvLine { depth, seldepth, multipv, margin, bound, proven, pv } = line;
    let score = margin * CENTISEEDS;
    write!(f, "info depth {depth} seldepth {seldepth} multipv {multipv} score cp {score}")?;
    f.write_str(match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    })?;
    if *proven {
        f.write_str(" proven")?;
    }
    let SearchStats { nodes, tbhits, time, hashfull } = stats;
    let (nps, time) = (stats.nps(), time.as_millis());
    write!(f, " nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {time} pv")?;
    pv.iter().try_for_each(|ply| write!(f, " {ply}"))
}

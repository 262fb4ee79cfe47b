//! The text of the protocol, for engine and client: commands and replies to lines, and back. Nothing
//! here reads, writes or keeps state.
//!
//! `protocol.md` at the top of the repository specifies it.

mod command;
mod message;
mod parse;

use std::fmt;

use crate::board::Move;
use crate::printable::printable;
use crate::search::{Bound, CENTISEEDS, PvLine, SearchStats};

pub use command::{Command, Go, PositionBase, PositionCommand};
pub use message::{EngineInfo, EngineMessage, EngineScore};
pub use parse::ParseError;

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

//! Replies as a client reads them. Engines are not trusted: whatever makes no sense is
//! [`EngineMessage::Other`], and words that are not known are skipped.

use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use crate::search::Bound;

/// A line that an engine said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineMessage {
    /// `id name …`
    Name(String),
    /// `option name …`: the name, and what follows the word `type`.
    Option {
        /// The name of the option.
        name: String,
        /// Type, default and range as they are written.
        kind: String,
    },
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info …` other than text.
    Info(EngineInfo),
    /// `info string error: …`
    Error(String),
    /// `bestmove M [ponder M]`. Whether they can be played is not known here.
    BestMove {
        /// The move as it is written; `None` for `0000`.
        best: Option<String>,
        /// The answer expected.
        ponder: Option<String>,
    },
    /// Anything else.
    Other,
}

/// What an `info` line says, as far as it says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Rank of the line of play, 1 for the best.
    pub multipv: Option<u32>,
    /// What the position is worth.
    pub score: Option<EngineScore>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time since `go`.
    pub time: Option<Duration>,
    /// The moves expected, as they are written.
    pub pv: Vec<String>,
}

/// `score cp C [lowerbound|upperbound] [proven]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineScore {
    /// The expected margin in hundredths of a seed, from the view of the player to move.
    pub centiseeds: i32,
    /// How the value relates to it.
    pub bound: Bound,
    /// Whether it is the game-theoretic value.
    pub proven: bool,
}

impl From<&str> for EngineMessage {
    fn from(line: &str) -> EngineMessage {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("uciok") => EngineMessage::UciOk,
            Some("readyok") => EngineMessage::ReadyOk,
            Some("bestmove") => best_move(words),
            Some("info") => info(words, line),
            Some("id") if words.next() == Some("name") => EngineMessage::Name(joined(words)),
            Some("option") if words.next() == Some("name") => option(words),
            _ => EngineMessage::Other,
        }
    }
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn best_move(mut words: SplitAsciiWhitespace<'_>) -> EngineMessage {
    let Some(best) = words.next() else { return EngineMessage::Other };
    let best = (best != "0000").then(|| best.to_owned());
    let has_ponder = words.next() == Some("ponder");
    let ponder = words.next().filter(|_| has_ponder).map(str::to_owned);
    EngineMessage::BestMove { best, ponder }
}

fn option(mut words: SplitAsciiWhitespace<'_>) -> EngineMessage {
    let name = joined(words.by_ref().take_while(|&word| word != "type"));
    if name.is_empty() {
        EngineMessage::Other
    } else {
        EngineMessage::Option { name, kind: joined(words) }
    }
}

fn info(mut words: SplitAsciiWhitespace<'_>, line: &str) -> EngineMessage {
    let mut info = EngineInfo::default();
    let mut score = None;
    let (mut bound, mut proven) = (Bound::Exact, false);
    while let Some(word) = words.next() {
        match word {
            "string" => {
                let is_error = words.next().is_some_and(|word| word.starts_with("error:"));
                let error = line.split_once("error:").filter(|_| is_error);
                return error.map_or(EngineMessage::Other, |(_, text)| {
                    EngineMessage::Error(text.trim().to_owned())
                });
            }
            "depth" => info.depth = number(&mut words),
            "multipv" => info.multipv = number(&mut words),
            "nodes" => info.nodes = number(&mut words),
            "time" => info.time = number(&mut words).map(Duration::from_millis),
            "cp" => score = number(&mut words),
            "lowerbound" => bound = Bound::Lower,
            "upperbound" => bound = Bound::Upper,
            "proven" => proven = true,
            "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
            _ => {}
        }
    }
    info.score = score.map(|centiseeds| EngineScore { centiseeds, bound, proven });
    EngineMessage::Info(info)
}

fn number<T: std::str::FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

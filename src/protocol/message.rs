//! Messages of an engine, as a client parses them. Engines are not trusted: a line that is not a
//! message is [`EngineMessage::Other`], and unknown words are skipped.

use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use crate::search::Bound;

/// A line that an engine has written.
///
/// ```
/// use kalah::protocol::EngineMessage;
///
/// let EngineMessage::BestMove { best, .. } = EngineMessage::from("bestmove C ponder f") else {
///     panic!("a move")
/// };
/// assert_eq!(best.as_deref(), Some("C"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineMessage {
    /// `id KEY VALUE`
    Id {
        /// What it says: `name`, `author`.
        key: String,
        /// The words after it.
        value: String,
    },
    /// `option name …`
    Option {
        /// Name of the option.
        name: String,
        /// The words after `type`: type, default and range.
        kind: String,
    },
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info …` without a text.
    Info(EngineInfo),
    /// `info string error: …`
    Error(String),
    /// `bestmove M [ponder M]`. The moves may be illegal.
    BestMove {
        /// The move as written; `None` for `0000`.
        best: Option<String>,
        /// The expected reply to it.
        ponder: Option<String>,
    },
    /// Anything else.
    Other,
}

/// The values of an `info` line. Those that it does not have are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// Plies searched.
    pub depth: Option<u32>,
    /// The deepest ply visited.
    pub seldepth: Option<u32>,
    /// Rank of the line of play, 1 for the best.
    pub multipv: Option<u32>,
    /// Value of the position.
    pub score: Option<EngineScore>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// How much of the transposition table is filled, in permille.
    pub hashfull: Option<u32>,
    /// Successful probes of exact tables.
    pub tbhits: Option<u64>,
    /// Time since `go`.
    pub time: Option<Duration>,
    /// The principal variation, as written.
    pub pv: Vec<String>,
}

/// `score cp C [lowerbound|upperbound] [proven]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineScore {
    /// The expected margin in hundredths of a seed, from the view of the player to move.
    pub centiseeds: i32,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// Whether the value is proven.
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
            Some("id") => words.next().map_or(EngineMessage::Other, |key| EngineMessage::Id {
                key: key.to_owned(),
                value: joined(words),
            }),
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
            "seldepth" => info.seldepth = number(&mut words),
            "multipv" => info.multipv = number(&mut words),
            "nodes" => info.nodes = number(&mut words),
            "nps" => info.nps = number(&mut words),
            "hashfull" => info.hashfull = number(&mut words),
            "tbhits" => info.tbhits = number(&mut words),
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

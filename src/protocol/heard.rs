//! Replies as a client reads them. Engines are not trusted: whatever makes no sense is
//! [`Heard::Other`], and words that are not known are skipped.

use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use crate::search::Bound;

/// A line that an engine said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
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
    Info(HeardInfo),
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
pub struct HeardInfo {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Rank of the line of play, 1 for the best.
    pub multipv: Option<u32>,
    /// What the position is worth.
    pub score: Option<HeardScore>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time since `go`.
    pub time: Option<Duration>,
    /// The moves expected, as they are written.
    pub pv: Vec<String>,
}

/// `score cp C [lowerbound|upperbound] [proven]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeardScore {
    /// The expected margin in hundredths of a seed, from the view of the player to move.
    pub centiseeds: i32,
    /// How the value relates to it.
    pub bound: Bound,
    /// Whether it is the game-theoretic value.
    pub proven: bool,
}

impl From<&str> for Heard {
    fn from(line: &str) -> Heard {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("uciok") => Heard::UciOk,
            Some("readyok") => Heard::ReadyOk,
            Some("bestmove") => best_move(words),
            Some("info") => info(words, line),
            Some("id") if words.next() == Some("name") => Heard::Name(joined(words)),
            Some("option") if words.next() == Some("name") => option(words),
            _ => Heard::Other,
        }
    }
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn best_move(mut words: SplitAsciiWhitespace<'_>) -> Heard {
    let Some(best) = words.next() else { return Heard::Other };
    let best = (best != "0000").then(|| best.to_owned());
    let has_ponder = words.next() == Some("ponder");
    let ponder = words.next().filter(|_| has_ponder).map(str::to_owned);
    Heard::BestMove { best, ponder }
}

fn option(mut words: SplitAsciiWhitespace<'_>) -> Heard {
    let name = joined(words.by_ref().take_while(|&word| word != "type"));
    if name.is_empty() { Heard::Other } else { Heard::Option { name, kind: joined(words) } }
}

fn info(mut words: SplitAsciiWhitespace<'_>, line: &str) -> Heard {
    let mut info = HeardInfo::default();
    let mut score = None;
    let (mut bound, mut proven) = (Bound::Exact, false);
    while let Some(word) = words.next() {
        match word {
            "string" => {
                let is_error = words.next().is_some_and(|word| word.starts_with("error:"));
                let error = line.split_once("error:").filter(|_| is_error);
                return error
                    .map_or(Heard::Other, |(_, text)| Heard::Error(text.trim().to_owned()));
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
    info.score = score.map(|centiseeds| HeardScore { centiseeds, bound, proven });
    Heard::Info(info)
}

fn number<T: std::str::FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

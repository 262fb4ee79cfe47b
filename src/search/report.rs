//! What a search tells while it goes on and when it ends.

use std::time::Duration;

use super::counters::Counters;
use super::value::Bound;
use crate::board::Move;

/// One line of play and what it is worth, as of some iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvLine {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// The greatest ply visited in it.
    pub seldepth: u32,
    /// Rank of the line among those reported, from 1.
    pub multipv: usize,
    /// The expected final margin in seeds, from the view of the player to move.
    pub margin: i32,
    /// How the true value of the iteration relates to `margin`.
    pub bound: Bound,
    /// Whether `margin` is the game-theoretic value: in the first line that of the position, of the
    /// moves searched, in later ones that of the line's first move.
    pub proven: bool,
    /// The moves, as far as they are known; one at least.
    pub pv: Vec<Move>,
}

/// How much work a search has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchStats {
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Positions looked up in tables of exact gains.
    pub tbhits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Parts in a thousand of the table filled by this search.
    pub hashfull: u32,
}

impl SearchStats {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        let nanoseconds = self.time.as_nanos().max(1);
        (u128::from(self.nodes) * 1_000_000_000 / nanoseconds).try_into().unwrap_or(u64::MAX)
    }
}

/// The answer to a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play; `None` when there is none to choose from.
    pub best: Option<Move>,
    /// What is expected to be played after it.
    pub ponder: Option<Move>,
    /// The lines of the last iteration that was finished, best first. Empty when not even the
    /// first one was.
    pub lines: Vec<PvLine>,
    /// The work done.
    pub stats: SearchStats,
    /// The work done, in detail.
    pub counters: Counters,
}

/// Someone who wants to hear of a search as it goes on.
pub trait Observer {
    /// A line was found or confirmed.
    fn line(&mut self, line: &PvLine, stats: &SearchStats);

    /// Something that people should know.
    fn note(&mut self, _: &str) {}
}

/// Hears nothing.
impl Observer for () {
    fn line(&mut self, _: &PvLine, _: &SearchStats) {}
}

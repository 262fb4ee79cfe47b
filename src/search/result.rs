//! The result of a search, its statistics, and the information it reports while it runs.

use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

use super::value::Bound;
use crate::board::Move;

/// A principal variation and its value, as of one iteration.
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
    /// How `margin` bounds the true value of the iteration.
    pub bound: Bound,
    /// Whether `margin` is the game-theoretic value: in the first line that of the position (with
    /// the moves searched), in later lines that of the line's first move.
    pub proven: bool,
    /// The moves of the line that are known, at least one.
    pub pv: Vec<Move>,
}

/// The work a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Successful probes of exact tables.
    pub tbhits: u64,
    /// Time since the search was requested.
    pub time: Duration,
    /// The part of the table filled by this search, in permille.
    pub hashfull: u32,
}

impl SearchStats {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        let nanoseconds = self.time.as_nanos().max(1);
        (u128::from(self.nodes) * 1_000_000_000 / nanoseconds).try_into().unwrap_or(u64::MAX)
    }
}

/// Counters of one search, over all its threads and iterations, for comparing searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Visits to positions.
    pub nodes: u64,
    /// Visits that generated moves. All others were leaves or cut off by a table or the range of values.
    pub interior: u64,
    /// Positions evaluated.
    pub leaves: u64,
    /// Moves that ended the game; the positions they lead to are not counted as nodes.
    pub finished: u64,
    /// Re-searches of positions and of whole trees.
    pub researches: u64,
    /// Visits cut off by tables of exact gains.
    pub tablebase_hits: u64,
    /// Visits cut off by the transposition table.
    pub table_hits: u64,
    /// Cutoffs by the number of the move that caused them, from 1. The last entry counts all later moves, too.
    pub cutoffs: [u64; Counters::MOVES],
}

impl Counters {
    /// Length of [`Counters::cutoffs`].
    pub const MOVES: usize = 12;

    /// Counts a cutoff by the move with this number, from 1.
    #[inline]
    pub(super) fn count_cutoff(&mut self, move_number: usize) {
        self.cutoffs[move_number.clamp(1, Self::MOVES) - 1] += 1;
    }
}

impl fmt::Display for Counters {
    /// Names and counts on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counters { nodes, interior, leaves, finished, researches, .. } = self;
        let Counters { tablebase_hits, table_hits, cutoffs, .. } = self;
        write!(
            f,
            "nodes {nodes} interior {interior} leaves {leaves} finished {finished} \
             researches {researches} tablehits {table_hits} tbhits {tablebase_hits} cutoffs"
        )?;
        cutoffs.iter().try_for_each(|count| write!(f, " {count}"))
    }
}

impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        self.nodes += other.nodes;
        self.interior += other.interior;
        self.leaves += other.leaves;
        self.finished += other.finished;
        self.researches += other.researches;
        self.tablebase_hits += other.tablebase_hits;
        self.table_hits += other.table_hits;
        for (count, other) in self.cutoffs.iter_mut().zip(other.cutoffs) {
            *count += other;
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` when there is no move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The lines of the last finished iteration, best first; empty when no iteration was finished.
    pub lines: Vec<PvLine>,
    /// The work done.
    pub stats: SearchStats,
    /// The work done, in detail.
    pub counters: Counters,
}

/// What is found while a search runs.
#[derive(Clone, Copy, Debug)]
pub enum SearchReport<'a> {
    /// A line of play was found or confirmed, with the work so far.
    Line(&'a PvLine, &'a SearchStats),
    /// A message for the user.
    Note(&'a str),
}

/// Called with each report of a search.
pub type SearchObserver<'a> = &'a mut dyn FnMut(SearchReport<'_>);

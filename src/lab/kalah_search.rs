//! Searches of Kalah to a fixed depth, each with a memory of its own.

use super::error::{LabError, check_depth, check_effort};
use crate::board::Board;
use crate::search::{
    Bound, Limits, Observer, PvLine, SearchOptions, SearchResult, SearchStats, Searcher,
};
use crate::stop::StopToken;

/// What a search did.
pub(super) struct Searched {
    pub outcome: SearchResult,
    /// Nodes from the beginning of the search to the end of the iteration of a depth.
    pub nodes_to_depth: Vec<(u32, u64)>,
}

struct Iterations(Vec<(u32, u64)>);

impl Observer for Iterations {
    fn line(&mut self, line: &PvLine, effort: &SearchStats) {
        // Bounds are told of iterations that are not over.
        if line.bound == Bound::Exact {
            self.0.push((line.depth, effort.nodes));
        }
    }
}

/// Searches with an empty table of its own, by iterative deepening.
pub(super) fn searched(
    board: &Board,
    depth: u32,
    settings: &SearchOptions,
    hash_mebibytes: usize,
) -> Result<Searched, LabError> {
    let mut searcher = Searcher::new(hash_mebibytes)?;
    let stop = StopToken::new();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut iterations = Iterations(Vec::new());
    let outcome = searcher.search(board, &limits, settings, &stop, &mut iterations);
    Ok(Searched { outcome, nodes_to_depth: iterations.0 })
}

/// Refuses depths that there are not, and those that would take for ever.
pub(super) fn check_search(houses: usize, depth: u32, exponent: f64) -> Result<(), LabError> {
    check_depth(depth)?;
    let nodes = (houses as f64).powf(exponent * f64::from(depth));
    check_effort(|| format!("a search of {houses} houses to depth {depth}"), nodes, 0)
}

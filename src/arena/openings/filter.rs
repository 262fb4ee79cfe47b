//! Openings that promise neither side too much.

use crate::board::Board;
use crate::search::{Limits, SearchOptions, Searcher, TableTooLarge};
use crate::stop::StopToken;

/// Keeps positions that a search holds for balanced: `margin=` and `depth=`. A later version,
/// whose evaluation is another, may keep others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginFilter {
    /// The greatest expected margin of either side, in seeds.
    pub margin: u32,
    /// Depth of the searches, in plies; from 1 to [`MAX_DEPTH`](crate::search::MAX_DEPTH).
    pub depth: u32,
}

impl MarginFilter {
    /// The depth of the searches when none is given.
    pub(super) const DEPTH: u32 = 10;
}

/// Enough for searches as shallow as these.
const HASH_MEBIBYTES: usize = 1;

/// A filter at work.
pub(super) struct Filtering {
    margin: u32,
    searcher: Searcher,
    limits: Limits,
    /// One thread, so that the margin is the same every time.
    settings: SearchOptions,
}

impl Filtering {
    pub(super) fn new(filter: MarginFilter) -> Result<Filtering, TableTooLarge> {
        Ok(Filtering {
            margin: filter.margin,
            searcher: Searcher::new(HASH_MEBIBYTES)?,
            limits: Limits { depth: Some(filter.depth), ..Limits::default() },
            settings: SearchOptions::negascout(),
        })
    }

    /// Whether this position passes, whatever was searched before it.
    pub(super) fn keeps(&mut self, board: &Board) -> bool {
        self.searcher.clear();
        let stop = StopToken::new();
        let outcome = self.searcher.search(board, &self.limits, &self.settings, &stop, &mut ());
        outcome.lines.first().is_some_and(|line| line.margin.unsigned_abs() <= self.margin)
    }
}

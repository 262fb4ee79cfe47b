//! What a position may be worth: where the tests begin.

use crate::board::{Board, House, Next};
use crate::search::{Limits, SearchOptions, Searcher};
use crate::stop::StopToken;

/// Plies of the search that guesses. A guess by 20 milliseconds of search saves tests that take
/// seconds: from the static evaluation all first moves of Kalah(6,4) took half as long again.
const DEPTH: u32 = 12;

/// And never more positions: large boards take long to such a depth.
const NODES: u64 = 100_000;

/// The size of its table, in MiB.
const HASH: usize = 1;

/// Guesses by a short search.
#[derive(Default)]
pub(super) struct Guesses {
    searcher: Option<Searcher>,
}

impl Guesses {
    /// What the margin may be, in seeds, from the view of the player to move.
    pub(super) fn margin(&mut self, board: &Board) -> Option<i32> {
        if board.is_over() {
            return None;
        }
        if self.searcher.is_none() {
            self.searcher = Searcher::new(HASH).ok();
        }
        let stop = StopToken::new();
        let limits = Limits { depth: Some(DEPTH), nodes: Some(NODES), ..Limits::default() };
        let searcher = self.searcher.as_mut()?;
        let outcome = searcher.search(board, &limits, &SearchOptions::negascout(), &stop, &mut ());
        Some(outcome.lines.first()?.margin)
    }

    /// The same for a move.
    pub(super) fn margin_after(&mut self, board: &Board, house: House) -> Option<(House, i32)> {
        let mut after = *board;
        let next = after.play(house).ok()?;
        let margin = self.margin(&after)?;
        Some((house, if next == Next::Again { margin } else { -margin }))
    }
}

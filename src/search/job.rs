//! One search to run: the root position, the limits and the options.

use super::kalah_game::Houses;
use super::limits::Limits;
use super::options::SearchOptions;
use super::result::{Counters, PvLine, SearchResult, SearchStats};
use super::time_manager::TimeManager;
use crate::board::{Board, House, Move, Position, RowTables, Sowings};

/// The position to search and its moves.
pub(super) struct RootPosition<'a, R: RowTables> {
    pub board: &'a Board,
    pub sowings: &'static Sowings<R>,
    pub houses: Houses<R>,
    /// The moves to search.
    pub moves: Vec<House>,
    /// The legal moves that are not searched.
    pub excluded: Vec<House>,
}

impl<'a, R: RowTables> RootPosition<'a, R> {
    /// Restricts the search to `searchmoves`, unless it is empty.
    pub(super) fn new(
        board: &'a Board,
        sowings: &'static Sowings<R>,
        position: Position<R>,
        searchmoves: &[House],
    ) -> RootPosition<'a, R> {
        let (moves, excluded): (Vec<House>, Vec<House>) =
            board.moves().partition(|house| searchmoves.is_empty() || searchmoves.contains(house));
        let houses = Houses { position, seeds: board.seeds_in_play() as i32 };
        RootPosition { board, sowings, houses, moves, excluded }
    }

    /// A move of the player to move.
    pub(super) fn mv(&self, house: House) -> Move {
        Move { side: self.board.side(), house }
    }

    /// The result of a search. The best move is `best`, otherwise the first move of the first line,
    /// otherwise, if the search was stopped before it found anything, any move.
    pub(super) fn result(
        &self,
        best: Option<House>,
        lines: Vec<PvLine>,
        stats: SearchStats,
        counters: Counters,
    ) -> SearchResult {
        let pv = lines.first().map_or(&[][..], |line| &line.pv);
        let any = || self.moves.last().map(|&house| self.mv(house));
        let best = best.map(|house| self.mv(house)).or(pv.first().copied()).or_else(any);
        let ponder = pv.get(1).copied().filter(|_| best == pv.first().copied());
        SearchResult { best, ponder, lines, stats, counters }
    }
}

/// One search to run.
pub(super) struct SearchJob<'a, R: RowTables> {
    pub root: &'a RootPosition<'a, R>,
    pub limits: &'a Limits,
    pub options: &'a SearchOptions,
    pub time: TimeManager,
}

impl<R: RowTables> SearchJob<'_, R> {
    /// Whether there is only one move and a clock runs, so that saving time is worth more than
    /// knowing the value.
    pub(super) fn is_forced(&self) -> bool {
        self.root.moves.len() == 1 && self.limits.clock.is_some()
    }
}

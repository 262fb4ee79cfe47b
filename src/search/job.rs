//! One search to run: the root position, the limits and the options.

use super::evaluation::Evaluation;
use super::kalah_game::Houses;
use super::limits::{Limits, TimeManager};
use super::options::SearchOptions;
use super::result::{Counters, PvLine, SearchResult, SearchStats};
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
        searchmoves: &[Move],
    ) -> RootPosition<'a, R> {
        let (moves, excluded): (Vec<Move>, Vec<Move>) =
            board.moves().partition(|mv| searchmoves.is_empty() || searchmoves.contains(mv));
        let houses_of = |moves: Vec<Move>| moves.into_iter().map(|mv| mv.house).collect();
        let (moves, excluded) = (houses_of(moves), houses_of(excluded));
        let houses = Houses::new(sowings, position);
        RootPosition { board, sowings, houses, moves, excluded }
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
        let any = || self.moves.last().map(|&house| self.board.move_from(house));
        let best =
            best.map(|house| self.board.move_from(house)).or(pv.first().copied()).or_else(any);
        let ponder = pv.get(1).copied().filter(|_| best == pv.first().copied());
        SearchResult { best, ponder, lines, stats, counters }
    }
}

pub(super) struct SearchJob<'a, R: RowTables> {
    pub root: &'a RootPosition<'a, R>,
    pub limits: &'a Limits,
    pub options: &'a SearchOptions,
    pub evaluation: &'a Evaluation,
    pub time: TimeManager,
}

impl<R: RowTables> SearchJob<'_, R> {
    /// Whether there is only one move and a clock runs, so that time is worth more than the value.
    pub(super) fn is_forced(&self) -> bool {
        self.root.moves.len() == 1 && self.limits.clock.is_some()
    }
}

//! Iterative deepening with aspiration windows, for one line of play or several.

use std::time::Duration;

use super::counters::Counters;
use super::depth_first::Worker;
use super::exact_tables::ExactTables;
use super::game::Game;
use super::kalah_game::{Houses, Kalah};
use super::report::{Observer, PvLine, SearchResult, SearchStats};
use super::root::Root;
use super::table::HashTable;
use super::threads::Stopped;
use super::value::{Bound, Score, Window};
use super::variant::{DepthFirst, MtdDriver};
use crate::board::{Board, House, Move, RowTables};

/// Seeds on either side of the last iteration's value that the first window takes in.
const ASPIRATION: i32 = 4;

/// How many times wider the window gets each time the value lies outside.
const WIDENING: i32 = 4;

/// Lower and upper bounds are worth telling only in a search that takes long.
const TELL_BOUNDS_AFTER: Duration = Duration::from_secs(1);

/// How far to go, and for how many lines.
pub(super) struct Plan {
    pub search: DepthFirst,
    /// Whether to begin with a window around the value of the iteration before, if the search
    /// works with one.
    pub aspiration: bool,
    pub last_depth: u32,
    pub multipv: usize,
    /// No more than one move can be made and time is worth saving.
    pub forced: bool,
}

/// What a search has found.
#[derive(Default)]
pub(super) struct Findings {
    /// The lines of the last finished iteration.
    pub lines: Vec<PvLine>,
    /// The best move of an iteration that was cut short, when it had found one.
    unfinished: Option<House>,
    pub counters: Counters,
}

impl Findings {
    /// The answer they make.
    pub(super) fn outcome<R: RowTables>(
        self,
        root: &Root<'_, R>,
        stats: SearchStats,
    ) -> SearchResult {
        let pv = self.lines.first().map_or(&[][..], |line| &line.pv);
        let ply = |house| Move { side: root.board.side(), house };
        // Stopped before a single iteration was through, any move is better than none.
        let any = || root.moves.last().copied().map(ply);
        let best = self.unfinished.map(ply).or(pv.first().copied()).or_else(any);
        let ponder = pv.get(1).copied().filter(|_| best == pv.first().copied());
        SearchResult { best, ponder, lines: self.lines, stats, counters: self.counters }
    }
}

/// One thread's iterations over one root.
pub(super) struct Deepening<'a, R: RowTables> {
    root: &'a Root<'a, R>,
    plan: &'a Plan,
    table: &'a HashTable,
    worker: Worker<'a, Kalah<'a, R>, HashTable>,
}

impl<'a, R: RowTables> Deepening<'a, R> {
    pub(super) fn new(
        root: &'a Root<'a, R>,
        plan: &'a Plan,
        table: &'a HashTable,
        worker: Worker<'a, Kalah<'a, R>, HashTable>,
    ) -> Deepening<'a, R> {
        Deepening { root, plan, table, worker }
    }

    /// Searches deeper and deeper until the plan is fulfilled, everything is proven, or time is
    /// up.
    pub(super) fn deepen(mut self, observer: &mut dyn Observer) -> Findings {
        let mut findings = Findings::default();
        for depth in 1..=self.plan.last_depth {
            let Ok(lines) = self.iteration(depth, &findings.lines, observer) else {
                // Only for the first line is a better move better than all that was known, and only
                // where the best move of the iteration before has been tried first. Bisection also
                // asks for much less than is known: many a move is worth that.
                let is_better = self.worker.excluded == self.root.excluded
                    && self.plan.search != DepthFirst::Mtd(MtdDriver::Bisection)
                    && (self.worker.begins_with_best() || findings.lines.is_empty());
                findings.unfinished = self.worker.root_best.filter(|_| is_better);
                break;
            };
            findings.lines = lines;
            let proven = findings.lines.iter().all(|line| line.proven);
            if proven || self.plan.forced || self.worker.shared.time().past_soft_limit() {
                break;
            }
        }
        // What is not yet published; that the search is over is known.
        let _ = self.worker.poll();
        findings.counters = self.worker.counters;
        findings
    }

    fn iteration(
        &mut self,
        depth: u32,
        previous: &[PvLine],
        observer: &mut dyn Observer,
    ) -> Result<Vec<PvLine>, Stopped> {
        self.worker.excluded.clone_from(&self.root.excluded);
        self.worker.seldepth = 0;
        let mut lines = Vec::with_capacity(self.plan.multipv);
        for rank in 0..self.plan.multipv {
            let previous = previous.get(rank);
            let (house, score) = self.value(depth, rank + 1, previous, observer)?;
            self.worker.excluded.push(house);
            lines.push(self.line(depth, rank + 1, house, score, Bound::Exact));
        }
        // A later line can turn out better than an earlier one; the sort is stable.
        lines.sort_by_key(|line| -line.margin);
        let stats = self.stats();
        for (line, multipv) in lines.iter_mut().zip(1..) {
            line.multipv = multipv;
            observer.line(line, &stats);
        }
        Ok(lines)
    }

    /// The best of the moves that are not excluded, and its score.
    fn value(
        &mut self,
        depth: u32,
        multipv: usize,
        previous: Option<&PvLine>,
        observer: &mut dyn Observer,
    ) -> Result<(House, Score), Stopped> {
        let guess = previous.map(|line| line.margin - self.root.board.store_difference());
        self.worker.root_first = previous.and_then(|line| line.pv.first()).map(|first| first.house);
        self.worker.root_best = None;
        if self.plan.aspiration && self.plan.search.has_window() {
            return self.aspire(depth, multipv, guess, observer);
        }
        let whole =
            Window::around(self.worker.game.value_range(&self.root.houses), Kalah::<R>::VALUE_STEP);
        let score = self.worker.search(self.plan.search, &self.root.houses, depth, whole, guess)?;
        // A test driver asks no more of the least value there is: any move has it.
        let any = || self.root.moves.iter().find(|house| !self.worker.excluded.contains(house));
        match self.worker.root_best.or_else(|| any().copied()) {
            Some(house) => Ok((house, score)),
            None => Err(Stopped),
        }
    }

    /// Searches with a window around the guess, wider and wider until the value lies inside.
    fn aspire(
        &mut self,
        depth: u32,
        multipv: usize,
        guess: Option<i32>,
        observer: &mut dyn Observer,
    ) -> Result<(House, Score), Stopped> {
        let houses: Houses<R> = self.root.houses;
        let full = Window::around(self.worker.game.value_range(&houses), Kalah::<R>::VALUE_STEP);
        let mut margin = ASPIRATION;
        let mut window = guess.map_or(full, |guess| Window {
            alpha: (guess - margin).max(full.alpha),
            beta: (guess + margin).min(full.beta),
        });
        loop {
            let score = self.worker.search(self.plan.search, &houses, depth, window, guess)?;
            let bound = window.bound_of(score.gain);
            margin = margin.saturating_mul(WIDENING);
            match (bound, self.worker.root_best) {
                (Bound::Exact, Some(house)) => return Ok((house, score)),
                (Bound::Lower, Some(house)) => {
                    window.beta = (score.gain + margin).min(full.beta);
                    if self.worker.shared.time().elapsed() >= TELL_BOUNDS_AFTER {
                        let line = self.line(depth, multipv, house, score, bound);
                        observer.line(&line, &self.stats());
                    }
                }
                // An upper bound: no other gain comes without a move.
                _ => {
                    // What looked best does not hold.
                    self.worker.root_best = None;
                    window.alpha = (score.gain - margin).max(full.alpha);
                }
            }
            self.worker.counters.researches += 1;
        }
    }

    fn line(&self, depth: u32, multipv: usize, house: House, score: Score, bound: Bound) -> PvLine {
        PvLine {
            depth,
            seldepth: self.worker.seldepth as u32,
            multipv,
            margin: self.root.board.store_difference() + score.gain,
            bound,
            proven: score.proven && bound == Bound::Exact,
            pv: match self.worker.memory() {
                Some(table) => {
                    let tables = self.worker.game.tables;
                    principal_variation(table, tables, self.root.board, house, depth)
                }
                None => vec![Move { side: self.root.board.side(), house }],
            },
        }
    }

    fn stats(&self) -> SearchStats {
        self.worker.shared.stats(self.worker.unpublished(), self.table.permille_full())
    }
}

/// The line of play after `first`, as the table remembers it, and to the end of the game where that can
/// be looked up.
fn principal_variation(
    table: &HashTable,
    tables: Option<&ExactTables>,
    board: &Board,
    first: House,
    depth: u32,
) -> Vec<Move> {
    let mut board = *board;
    let mut pv = Vec::new();
    let mut next = Some(first);
    while let Some(house) = next {
        let side = board.side();
        // A wrong match in the table can name an empty house; the line ends there.
        if board.play(house).is_err() {
            break;
        }
        pv.push(Move { side, house });
        let in_depth = pv.len() < depth as usize;
        let known = tables.and_then(|tables| tables.best_move(&board));
        let searched = || table.probe(board.key()).filter(|_| in_depth)?.best;
        next = known.or_else(searched);
    }
    pv
}

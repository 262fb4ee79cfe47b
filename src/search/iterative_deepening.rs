//! Iterative deepening with aspiration windows, for one line of play or several.

use std::time::Duration;

use super::depth_first::Worker;
use super::game::Game;
use super::job::RootPosition;
use super::kalah_game::KalahGame;
use super::result::{Counters, Observer, PvLine, SearchStats};
use super::shared::Stopped;
use super::transposition_table::{HashTable, TableEntry};
use super::value::{Bound, Score, Window};
use super::variant::{DepthFirst, MtdDriver};
use crate::board::{House, Move, RowTables};

/// Half the width of the first aspiration window, in seeds.
const ASPIRATION: i32 = 4;

/// The factor by which the aspiration window grows each time the value lies outside.
const WIDENING: i32 = 4;

/// Searches shorter than this do not report lower and upper bounds.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(1);

/// What to search, how deep, and for how many lines.
pub(super) struct DeepeningOptions {
    pub search: DepthFirst,
    /// Whether to use aspiration windows, if the search supports them.
    pub aspiration: bool,
    pub max_depth: u32,
    pub multipv: usize,
    /// Whether the first iteration is sufficient, because there is only one move.
    pub forced: bool,
}

/// The result of iterative deepening.
#[derive(Default)]
pub(super) struct DeepeningResult {
    /// The lines of the last finished iteration.
    pub lines: Vec<PvLine>,
    /// The best move of an iteration that was stopped, if it is better than that of `lines`.
    pub best: Option<House>,
    pub counters: Counters,
}

/// One thread's iterations over one root position.
pub(super) struct IterativeDeepening<'a, R: RowTables> {
    pub root: &'a RootPosition<'a, R>,
    pub options: &'a DeepeningOptions,
    pub table: &'a HashTable,
    pub worker: Worker<'a, KalahGame<'a, R>, HashTable>,
}

impl<R: RowTables> IterativeDeepening<'_, R> {
    /// Searches deeper and deeper until the maximum depth is reached, all lines are proven, or the
    /// search is stopped.
    pub(super) fn run(mut self, observer: &mut dyn Observer) -> DeepeningResult {
        let mut result = DeepeningResult::default();
        for depth in 1..=self.options.max_depth {
            let Ok(lines) = self.iteration(depth, &result.lines, observer) else {
                // The best move so far is better than that of the last iteration only if it belongs
                // to the first line and that move was searched first. A bisection driver also tests
                // bounds far below the value, which many moves reach.
                let is_better = self.worker.excluded == self.root.excluded
                    && self.options.search != DepthFirst::Mtd(MtdDriver::Bisection)
                    && (self.worker.searches_best_first() || result.lines.is_empty());
                result.best = self.worker.root_best.filter(|_| is_better);
                break;
            };
            result.lines = lines;
            let proven = result.lines.iter().all(|line| line.proven);
            if proven || self.options.forced || self.worker.shared.time.past_soft_limit() {
                break;
            }
        }
        // Publish the remaining nodes; whether the search is stopped no longer matters.
        let _ = self.worker.poll();
        result.counters = self.worker.counters;
        result
    }

    fn iteration(
        &mut self,
        depth: u32,
        previous: &[PvLine],
        observer: &mut dyn Observer,
    ) -> Result<Vec<PvLine>, Stopped> {
        self.worker.excluded.clone_from(&self.root.excluded);
        self.worker.seldepth = 0;
        let mut lines = Vec::with_capacity(self.options.multipv);
        for index in 0..self.options.multipv {
            let previous = previous.get(index);
            let (house, score) = self.search_line(depth, index + 1, previous, observer)?;
            self.worker.excluded.push(house);
            lines.push(self.line(depth, index + 1, house, score, Bound::Exact));
        }
        // A later line can turn out better than an earlier one; the sort is stable.
        lines.sort_by_key(|line| -line.margin);
        let stats = self.stats();
        for (line, multipv) in lines.iter_mut().zip(1..) {
            line.multipv = multipv;
            observer.on_pv_line(line, &stats);
        }
        Ok(lines)
    }

    /// The best of the moves that are not excluded, and its score.
    fn search_line(
        &mut self,
        depth: u32,
        multipv: usize,
        previous: Option<&PvLine>,
        observer: &mut dyn Observer,
    ) -> Result<(House, Score), Stopped> {
        let guess = previous.map(|line| line.margin - self.root.board.store_difference());
        self.worker.previous_best =
            previous.and_then(|line| line.pv.first()).map(|first| first.house);
        self.worker.root_best = None;
        if self.options.aspiration && self.options.search.supports_aspiration() {
            return self.search_with_aspiration(depth, multipv, guess, observer);
        }
        let (search, houses) = (self.options.search, &self.root.houses);
        let score = self.worker.search(search, houses, depth, self.full_window(), guess)?;
        // A test driver that finds the least possible value has no best move: any move reaches it.
        let any = || self.root.moves.iter().find(|house| !self.worker.excluded.contains(house));
        match self.worker.root_best.or_else(|| any().copied()) {
            Some(house) => Ok((house, score)),
            None => Err(Stopped),
        }
    }

    fn full_window(&self) -> Window {
        let range = self.worker.game.value_range(&self.root.houses);
        Window::around(range, KalahGame::<R>::VALUE_STEP)
    }

    /// Searches with a window around the guess, which is widened until the value lies inside.
    fn search_with_aspiration(
        &mut self,
        depth: u32,
        multipv: usize,
        guess: Option<i32>,
        observer: &mut dyn Observer,
    ) -> Result<(House, Score), Stopped> {
        let (search, houses, full) = (self.options.search, &self.root.houses, self.full_window());
        let mut margin = ASPIRATION;
        let mut window = guess.map_or(full, |guess| Window {
            alpha: (guess - margin).max(full.alpha),
            beta: (guess + margin).min(full.beta),
        });
        loop {
            let score = self.worker.search(search, houses, depth, window, guess)?;
            let bound = window.bound_of(score.gain);
            margin = margin.saturating_mul(WIDENING);
            match (bound, self.worker.root_best) {
                (Bound::Exact, Some(house)) => return Ok((house, score)),
                (Bound::Lower, Some(house)) => {
                    window.beta = (score.gain + margin).min(full.beta);
                    if self.worker.shared.time.elapsed() >= REPORT_BOUNDS_AFTER {
                        let line = self.line(depth, multipv, house, score, bound);
                        observer.on_pv_line(&line, &self.stats());
                    }
                }
                // Failed low: the best move so far is refuted.
                _ => {
                    self.worker.root_best = None;
                    window.alpha = (score.gain - margin).max(full.alpha);
                }
            }
            self.worker.counters.researches += 1;
        }
    }

    fn line(&self, depth: u32, multipv: usize, house: House, score: Score, bound: Bound) -> PvLine {
        let margin = self.root.board.store_difference() + score.gain;
        let proven = score.proven && bound == Bound::Exact;
        PvLine {
            depth,
            seldepth: self.worker.seldepth,
            multipv,
            margin,
            bound,
            proven,
            pv: self.principal_variation(house, depth, proven.then_some(margin)),
        }
    }

    /// The line of play that begins with `first`, by the best moves of the transposition table, and
    /// from where the exact tables begin to the end of the game. A line with a proven margin ends
    /// where the table no longer proves it.
    fn principal_variation(&self, first: House, depth: u32, proven: Option<i32>) -> Vec<Move> {
        let mut board = *self.root.board;
        let mut pv = Vec::new();
        let mut next = Some(board.move_from(first));
        while let Some(mv) = next {
            // After a key collision the move can be illegal; the line ends there.
            if board.play(mv).is_err() {
                break;
            }
            pv.push(mv);
            let in_depth = pv.len() < depth as usize;
            let is_sound = |entry: &TableEntry<House>| {
                proven.is_none_or(|margin| {
                    let is_own = board.side() == self.root.board.side();
                    let rest = if is_own { margin } else { -margin } - board.store_difference();
                    let reached = entry.bound != Bound::Upper && entry.score.gain >= rest;
                    entry.score.proven && reached
                })
            };
            let table = self.worker.table().filter(|_| in_depth);
            let searched = || table?.probe(board.key()).filter(is_sound)?.best;
            let exact = self.worker.game.tables.and_then(|tables| tables.best_move(&board));
            next = exact.or_else(|| searched().map(|house| board.move_from(house)));
        }
        pv
    }

    fn stats(&self) -> SearchStats {
        self.worker.shared.stats(self.worker.unpublished(), self.table.permille_full())
    }
}

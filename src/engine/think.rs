//! Finding one move: the search and the exact solver share the time for it.
//!
//! ```text
//!             the solver would not finish
//!          ┌────────────────────────────────────────────┐
//!          │                                            ▼
//!   split time ──► search ──► solve ──► search without the refuted moves ──► its move, or one
//!                    │          │                                            proven better
//!                    ▼          ▼
//!                 proven     proven ──► choose a move that has the margin
//! ```
//!
//! The search goes first, so that there is a move in any case and a first guess for the solver. A
//! margin that the solver proves is final. If it does not finish, what it has proven so far still
//! corrects the search: a refuted move is not played, a move proven better is.

use std::sync::Arc;
use std::time::Duration;

use log::debug;

use super::book_result::book_result;
use super::engine::Engine;
use super::game_solver::TimeSplit;
use super::skill::Level;
use super::tables::TableBudget;
use crate::board::{Board, Move, Next};
use crate::search::{
    Bound, Limits, MAX_DEPTH, PvLine, SearchObserver, SearchOptions, SearchReport, SearchResult,
    SearchStats, Searcher, TimeManager, Variant,
};
use crate::solve::{FirstGuess, Solution, SolveRequest};
use crate::stop::StopToken;
use crate::sys::processors;

/// The table of weaker play, empty at every move: the move does not depend on what was searched before.
const HANDICAP_MEBIBYTES: usize = 1;

/// The most time for the line of play after the move, once the margin is proven.
const MAX_LINE_TIME: Duration = Duration::from_millis(150);

impl Engine {
    /// Finds a move, within checked limits and with a running clock, and returns when the search may answer.
    pub(super) fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        time: &TimeManager,
        observer: SearchObserver<'_>,
    ) -> SearchResult {
        let result = self.find_move(board, limits, time, observer);
        time.wait_to_answer(limits);
        result
    }

    fn find_move(
        &mut self,
        board: &Board,
        limits: &Limits,
        time: &TimeManager,
        observer: SearchObserver<'_>,
    ) -> SearchResult {
        let options = Arc::clone(&self.options);
        let search = &options.search;
        let is_to_depth = matches!(search.variant, Variant::DepthFirst(_));
        if let Some(handicap) = options.skill.handicap().filter(|_| is_to_depth) {
            return self.find_weaker_move(handicap, board, limits, time, observer);
        }
        // A search to a depth or a node count gives the same result every time: it looks up the
        // small table only, and the book and the solver, whose time varies, take no part.
        let is_timed = limits.depth.is_none() && limits.nodes.is_none();
        let is_exact = options.exact && is_to_depth && !board.is_over();
        if is_exact
            && is_timed
            && options.own_book
            && let Some(result) = book_result(board, limits, &options, time, observer)
        {
            return result;
        }
        let table_budget = if is_timed {
            TableBudget::Time(time.budget.map(|budget| budget.soft))
        } else {
            TableBudget::Reproducible
        };
        let tables = (is_exact && (is_timed || reaches_tables(board, limits)))
            .then(|| self.tables.for_search(board.rules(), table_budget, &options, observer));
        self.searcher.set_tables(tables.flatten());
        let moves = board.moves().count();
        let is_forced = moves == 1 && limits.clock.is_some();
        let is_one_line = limits.searchmoves.is_empty() && search.multipv.get().min(moves) == 1;
        if !is_exact || !is_timed || !is_one_line || is_forced {
            return self.searcher.search_until(time.clone(), board, limits, search, observer);
        }
        let info = InfoForwarder { observer, depth: 0, nodes: 0, tbhits: 0 };
        TimedThink { engine: self, board, limits, time, search, info }.run()
    }

    fn find_weaker_move(
        &mut self,
        handicap: Level,
        board: &Board,
        limits: &Limits,
        time: &TimeManager,
        observer: SearchObserver<'_>,
    ) -> SearchResult {
        let seed = self.options.search.depth_first.random_seed;
        let seed = if seed == 0 { self.noise_seed } else { seed };
        let search = handicap.search(&self.options.search, seed);
        let limits = handicap.limits(board, limits, seed);
        let mut fresh = Searcher::new(HANDICAP_MEBIBYTES);
        // Without memory for another table, its own: then it is cleared at each move.
        let searcher = fresh.as_mut().unwrap_or_else(|_| {
            self.searcher.clear();
            self.searcher.set_tables(None);
            &mut self.searcher
        });
        searcher.search_until(time.clone(), board, &limits, &search, observer)
    }
}

/// Whether a search to a depth or a node count is likely to reach positions in the small table: for
/// a few thousand nodes far from there it is not built, which would take as long as the search.
fn reaches_tables(board: &Board, limits: &Limits) -> bool {
    const FEW_SEEDS: u32 = 24;
    const MIN_NODES: u64 = 100_000;
    const MIN_DEPTH: u32 = 10;
    let is_large = limits.nodes.is_none_or(|nodes| nodes >= MIN_NODES)
        && limits.depth.is_none_or(|depth| depth >= MIN_DEPTH);
    is_large || board.seeds_in_play() <= FEW_SEEDS
}

/// A move limited by time, which the search and the solver share.
struct TimedThink<'a> {
    engine: &'a mut Engine,
    board: &'a Board,
    limits: &'a Limits,
    time: &'a TimeManager,
    search: &'a SearchOptions,
    info: InfoForwarder<'a>,
}

impl TimedThink<'_> {
    fn run(mut self) -> SearchResult {
        let (time, board) = (self.time, self.board);
        let threads = self.search.threads.min(processors());
        let solver = &self.engine.solver;
        let rate = solver.nodes_per_second(board.rules(), threads);
        let nodes = solver.expected_nodes(board);
        let split = TimeSplit::new(time.budget, nodes, rate);
        debug!("{nodes:.0} nodes to solve, {rate:.0} a second: {split:?}");
        let Some(split) = split else { return self.search(time.clone(), Vec::new()) };

        let found = self.search(time.part(split.search), Vec::new());
        let is_proven = found.lines.first().is_some_and(|line| line.proven);
        if is_proven || time.past_hard_limit() {
            return found;
        }

        let stop = time.stop_after(split.solve_until);
        // Before the ponderhit there is no deadline yet.
        let solver_time = stop.remaining().unwrap_or(split.solve_until);
        let Engine { tables, solver, options, .. } = &mut *self.engine;
        let table = tables.for_solver(board, solver_time, split.expected_solve, threads, &stop);
        solver.prepare(board, options.solver_mebibytes, threads, table);
        let solution = self.solve(&stop, &found);
        self.info.nodes += self.engine.solver.take_nodes();
        if let Some(solution) = solution {
            return self.choose(solution.margin, found);
        }

        let result = self.search_rest(found);
        self.play_proven_better(result)
    }

    /// Searches these moves, or all if there are none. Only a search of all moves reports its lines.
    fn search(&mut self, time: TimeManager, searchmoves: Vec<Move>) -> SearchResult {
        let TimedThink { engine, board, limits, search, info, .. } = self;
        let is_complete = searchmoves.is_empty();
        let limits = Limits { searchmoves, ..limits.clone() };
        let observer: SearchObserver<'_> =
            if is_complete { &mut |report| info.forward_deeper(report) } else { &mut |_| {} };
        let mut result = engine.searcher.search_until(time, board, &limits, search, observer);
        info.add_to(&mut result.stats);
        result
    }

    /// Solves the board. Bounds proven meanwhile are reported as those of the line that the search has found.
    fn solve(&mut self, stop: &StopToken, found: &SearchResult) -> Option<Solution> {
        let TimedThink { engine, board, time, info, .. } = self;
        let line = found.lines.first();
        let guess = line.map(|line| FirstGuess { margin: line.margin, best: found.best });
        let request = SolveRequest { guess, ..SolveRequest::default() };
        let mut reported = board.possible_margins(board.side()).into_inner();
        engine.solver.solve(board, request, stop, |progress| {
            let Some((lower, upper)) = progress.bounds() else { return };
            let (old_lower, old_upper) = std::mem::replace(&mut reported, (lower, upper));
            if let Some(line) = line {
                let (time, nodes) = (time.elapsed(), info.nodes + progress.nodes());
                let stats = SearchStats { time, nodes, tbhits: info.tbhits, ..found.stats };
                let mut forward = |margin, bound| {
                    info.forward(&PvLine { margin, bound, proven: false, ..line.clone() }, &stats);
                };
                if lower > old_lower {
                    forward(lower, Bound::Lower);
                }
                if upper < old_upper {
                    forward(upper, Bound::Upper);
                }
            }
            // There is no estimate before the first leaf is expanded.
            let left = progress.nodes_left();
            if left > 0 {
                let text = format!("solving: margin {lower} to {upper}, some {left} nodes left");
                (info.observer)(SearchReport::Note(&text));
            }
        })
    }

    /// Chooses a move that has the proven margin, and finds the line of play after it.
    fn choose(&mut self, margin: i32, mut result: SearchResult) -> SearchResult {
        let share = self.time.budget.map_or(MAX_LINE_TIME, |budget| budget.soft / 5);
        let stop = self.time.stop.child_with_timeout(share.min(MAX_LINE_TIME));
        let guess = Some(FirstGuess { margin, best: None });
        let request = SolveRequest { line: true, guess, ..SolveRequest::default() };
        let solution = self.engine.solver.solve(self.board, request, &stop, |_| ());
        self.info.nodes += self.engine.solver.take_nodes();
        let mut pv = solution.map(|solution| solution.line).unwrap_or_default();
        if pv.is_empty() {
            let reaches_margin =
                |mv: &Move| self.bounds_of_move(*mv).is_some_and(|(lower, _)| lower >= margin);
            let proven = self.proven_best().filter(|&(lower, _)| lower == margin);
            pv.extend(proven.map(|(_, mv)| mv).or_else(|| self.board.moves().find(reaches_margin)));
        }
        // That the proof leaves no move in the solver's table is all but impossible.
        let Some(&best) = pv.first() else { return result };
        result.stats.time = self.time.elapsed();
        (result.stats.nodes, result.stats.tbhits) = (self.info.nodes, self.info.tbhits);
        (result.best, result.ponder) = (Some(best), pv.get(1).copied());
        let depth = (pv.len() as u32).clamp(1, MAX_DEPTH);
        let bound = Bound::Exact;
        let line = PvLine { depth, seldepth: depth, multipv: 1, margin, bound, proven: true, pv };
        self.info.forward(&line, &result.stats);
        result.lines = vec![line];
        result
    }

    /// Searches to the end of the time, without the moves that the solver has refuted: those proven to be worth
    /// less than the search has found. If its own move is one of them, it is played only if all others seem to be
    /// worth even less (`docs/notebook/strength.md` has what this brings).
    fn search_rest(&mut self, found: SearchResult) -> SearchResult {
        let line = found.lines.first();
        let (margin, depth) = line.map_or((i32::MIN, 0), |line| (line.margin, line.depth));
        let upper = |mv| self.bounds_of_move(mv).map_or(i32::MAX, |(_, upper)| upper);
        let (refuted, others): (Vec<_>, Vec<_>) =
            self.board.moves().map(|mv| (mv, upper(mv))).partition(|&(_, upper)| upper < margin);
        let refuted_to = refuted.iter().find(|&&(mv, _)| found.best == Some(mv));
        let refuted_to = refuted_to.map(|&(_, upper)| upper);
        let has_time = match refuted_to {
            Some(_) => !self.time.past_hard_limit(),
            None => !self.time.past_soft_limit(),
        };
        if others.is_empty() || !has_time {
            return found;
        }
        let is_complete = refuted.is_empty();
        let searchmoves = others.into_iter().filter(|_| !is_complete).map(|(mv, _)| mv).collect();
        let mut result = self.search(self.time.clone(), searchmoves);
        match result.lines.first_mut() {
            Some(line) if refuted_to.map_or(line.depth >= depth, |upper| line.margin >= upper) => {
                if !is_complete {
                    // The refuted moves may be worth more than this one.
                    line.proven &= refuted.iter().all(|&(_, upper)| line.margin >= upper);
                    self.info.forward(line, &result.stats);
                }
                result
            }
            _ => SearchResult { stats: result.stats, ..found },
        }
    }

    /// Replaces the move of the search by one that the solver has proven to be worth more, or to be worth as much
    /// when the move of the search is proven to be worth no more.
    fn play_proven_better(&mut self, mut result: SearchResult) -> SearchResult {
        result.stats.time = self.time.elapsed();
        result.stats.nodes = self.info.nodes;
        let Some((lower, best)) = self.proven_best() else { return result };
        let Some(line) = result.lines.first() else { return result };
        let is_better = || match result.best {
            Some(found) if lower == line.margin => {
                self.bounds_of_move(found).is_some_and(|(_, upper)| upper <= lower)
            }
            _ => lower > line.margin,
        };
        if result.best != Some(best) && is_better() {
            let bound = Bound::Lower;
            let line = PvLine { margin: lower, bound, pv: vec![best], ..line.clone() };
            self.info.forward(&line, &result.stats);
            (result.best, result.ponder) = (Some(best), None);
            result.lines[0] = line;
        }
        result
    }

    /// The lower bound that the solver has proven of the margin, with a move that reaches it.
    fn proven_best(&self) -> Option<(i32, Move)> {
        let proven = self.engine.solver.probe(self.board)?;
        let best = proven.best.filter(|&mv| self.board.is_legal(mv))?;
        Some((proven.lower, best))
    }

    /// The lower and the upper bound that the solver has proven of a move's margin.
    fn bounds_of_move(&self, mv: Move) -> Option<(i32, i32)> {
        let mut after = *self.board;
        let next = after.play(mv).ok()?;
        let proven = self.engine.solver.probe(&after)?;
        Some(match next {
            Next::Other => (-proven.upper, -proven.lower),
            _ => (proven.lower, proven.upper),
        })
    }
}

/// Forwards the lines of several searches and of the solver as those of one search: lines less deep
/// than an earlier one are left out, and the work of earlier parts is added.
struct InfoForwarder<'a> {
    observer: SearchObserver<'a>,
    /// Depth of the deepest line forwarded.
    depth: u32,
    /// Work of the parts that have ended.
    nodes: u64,
    tbhits: u64,
}

impl InfoForwarder<'_> {
    /// Adds the work of earlier parts to the statistics of a part that has just ended.
    fn add_to(&mut self, stats: &mut SearchStats) {
        *stats = self.total(stats);
        (self.nodes, self.tbhits) = (stats.nodes, stats.tbhits);
    }

    fn total(&self, stats: &SearchStats) -> SearchStats {
        let (nodes, tbhits) = (self.nodes + stats.nodes, self.tbhits + stats.tbhits);
        SearchStats { nodes, tbhits, ..*stats }
    }

    /// Forwards a line with statistics that include all parts.
    fn forward(&mut self, line: &PvLine, stats: &SearchStats) {
        self.depth = self.depth.max(line.depth);
        (self.observer)(SearchReport::Line(line, stats));
    }

    /// Forwards what a part reports.
    fn forward_deeper(&mut self, report: SearchReport<'_>) {
        match report {
            SearchReport::Line(line, stats) if line.depth >= self.depth || line.proven => {
                self.depth = line.depth;
                let stats = self.total(stats);
                (self.observer)(SearchReport::Line(line, &stats));
            }
            SearchReport::Line(..) => {}
            SearchReport::Note(_) => (self.observer)(report),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::board::Rules;
    use crate::engine::EngineOptions;

    #[test]
    fn a_refuted_move_is_not_played() {
        let board = Board::start(Rules::default(), 2).unwrap();
        let options = EngineOptions { hash_mebibytes: 1, ..EngineOptions::default() };
        let mut engine = Engine::with_options(options).unwrap();
        let stop = StopToken::new();
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let search = SearchOptions::default();
        let found = engine.searcher.search(&board, &limits, &search, &stop, &mut |_| {});
        engine.solver.prepare(&board, 16, NonZeroUsize::MIN, None);
        let mut values = Vec::new();
        for mv in board.moves() {
            let mut after = board;
            let next = after.play(mv).unwrap();
            let solution = engine.solver.solve(&after, SolveRequest::default(), &stop, |_| ());
            let margin = solution.unwrap().margin;
            values.push((mv, if next == Next::Other { -margin } else { margin }));
        }
        let max = values.iter().map(|value| value.1).max().unwrap();
        let time = &TimeManager::new(&limits, board.seeds_in_play(), Duration::ZERO, &stop);
        let info = InfoForwarder { observer: &mut |_| {}, depth: 0, nodes: 0, tbhits: 0 };
        let (board, limits, search, engine) = (&board, &limits, &search, &mut engine);
        let mut think = TimedThink { engine, board, limits, time, search, info };
        let mut played = |best, margin| {
            let mut result = found.clone();
            result.best = Some(best);
            result.lines[0] = PvLine { margin, pv: vec![best], ..result.lines[0].clone() };
            let played = think.search_rest(result).best;
            let value = values.iter().find(|value| Some(value.0) == played);
            value.map(|value| (value.0, value.1))
        };
        for &(mv, value) in &values {
            let other = played(mv, value).map(|(_, value)| value);
            assert!(other >= Some(value), "a worse move instead of {mv}, which is not refuted");
            let other = played(mv, max).map(|(_, value)| value);
            assert_eq!(other, Some(max), "instead of {mv}, which is worth {value}");
            assert_eq!(played(mv, max + 2), Some((mv, value)), "none is worth this much");
        }
    }
}

//! Finding one move: the search and the exact solver share the time for it.
//!
//! ```text
//!    ┌─────────────┐  the solver would not finish   ┌───────────────────────────────────┐
//!    │ split time  ├───────────────────────────────►│ search to the end of the time     │
//!    └──────┬──────┘                                └───────────────────────────────────┘
//!           ▼                                                         ▲
//!    ┌─────────────┐  proven, or no time left                         │
//! ┌─►│   search    ├─────────────────────────────► its move           │
//! │  └──────┬──────┘                                                  │
//! │         ▼                                                         │
//! │  ┌─────────────┐  proven                 ┌────────┐               │
//! │  │    solve    ├────────────────────────►│ choose ├─► its move    │
//! │  └──────┬──────┘                         └────────┘               │
//! │         ▼                                                         │
//! │  ┌─────────────┐  no time left                                    │
//! │  │   repair    ├─────────────────────────────► its move           │
//! │  └──────┬──────┘                                                  │
//! │         │                           a clock runs                  │
//! │         ├─────────────────────────────────────────────────────────┘
//! └─────────┘ without a clock: once more, with twice the time for both
//! ```
//!
//! The search goes first, so that there is a move in any case and a first guess for the solver. A
//! margin that the solver proves is final. If it does not finish, what it has proven so far still
//! repairs the result of the search: a move proven better is played, a refuted one is not.
//!
//! [`crate::engine`] says which searches come here at all.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use log::debug;

use super::book_result::book_result;
use super::game_solver::GameSolver;
use super::options::EngineOptions;
use super::solver_budget::TimeSplit;
use super::tables::{EngineTables, TableBudget};
use crate::board::{Board, Move, Next};
use crate::search::{
    Bound, Limits, MAX_DEPTH, Observer, PvLine, SearchOptions, SearchResult, SearchStats, Searcher,
    TimeManager, Variant,
};
use crate::solve::{FirstGuess, Solution, SolveRequest};
use crate::stop::StopToken;

/// The most time for the line of play after the move, once the margin is proven.
const MAX_LINE_TIME: Duration = Duration::from_millis(150);

/// What takes part in finding moves, with everything it keeps from one move of a game to the next.
pub(super) struct EngineParts {
    pub searcher: Searcher,
    pub tables: EngineTables,
    pub solver: GameSolver,
}

impl EngineParts {
    /// Finds a move.
    pub(super) fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        options: &EngineOptions,
        time: &TimeManager,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let EngineParts { searcher, tables, .. } = self;
        let is_to_depth = matches!(options.search.variant, Variant::DepthFirst(_));
        if !options.exact || !is_to_depth || board.is_over() {
            return searcher.search_until(time.clone(), board, limits, &options.search, observer);
        }
        // A search to a depth or a node count gives the same result every time: it looks up the
        // small table only, and the book and the solver, whose time varies, take no part.
        let is_timed = limits.depth.is_none() && limits.nodes.is_none();
        if is_timed
            && options.own_book
            && let Some(result) = book_result(board, limits, options, time, observer)
        {
            return result;
        }
        let table_budget = if is_timed {
            TableBudget::Time(time.budget().map(|budget| budget.soft))
        } else {
            TableBudget::Reproducible
        };
        let tables = (is_timed || reaches_tables(board, limits))
            .then(|| tables.for_search(board.rules(), table_budget, options, observer));
        let search = SearchOptions { tables: tables.flatten(), ..options.search.clone() };
        let moves = board.moves().count();
        let is_forced = moves == 1 && limits.clock.is_some();
        let wants_one_line = limits.searchmoves.is_empty() && search.multipv.get().min(moves) == 1;
        if !is_timed || !wants_one_line || is_forced {
            return searcher.search_until(time.clone(), board, limits, &search, observer);
        }
        let memory = options.solver_mebibytes;
        let info = InfoForwarder { observer, depth: 0, nodes: 0, tbhits: 0 };
        TimedThink { parts: self, board, limits, time, search, memory, info }.run()
    }
}

/// Whether a search to a depth or a node count is likely to reach positions in the small table: for
/// a few thousand nodes far from there it is not built.
fn reaches_tables(board: &Board, limits: &Limits) -> bool {
    const FEW_SEEDS: u32 = 24;
    const MIN_NODES: u64 = 100_000;
    const MIN_DEPTH: u32 = 10;
    let is_large = limits.nodes.is_none_or(|nodes| nodes >= MIN_NODES)
        && limits.depth.is_none_or(|depth| depth >= MIN_DEPTH);
    is_large || board.seeds_in_play() <= FEW_SEEDS
}

/// A move limited by time, for which the search and the solver take turns.
struct TimedThink<'a> {
    parts: &'a mut EngineParts,
    board: &'a Board,
    limits: &'a Limits,
    time: &'a TimeManager,
    search: SearchOptions,
    /// Memory of the solver in MiB.
    memory: usize,
    info: InfoForwarder<'a>,
}

impl TimedThink<'_> {
    fn run(mut self) -> SearchResult {
        let time = self.time;
        let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self.search.threads.min(threads);
        let nodes = self.parts.solver.expected_nodes(self.board);
        let rate = self.parts.solver.nodes_per_second(threads);
        let split = TimeSplit::new(time.budget(), nodes, rate);
        debug!("{nodes:.0} nodes to solve, {rate:.0} a second: {split:?}");
        let Some(mut split) = split else { return self.search(time.clone(), Vec::new(), None) };
        let mut previous = None;
        loop {
            let result = self.search(time.part(split.search), Vec::new(), previous.take());
            let is_proven = result.lines.first().is_some_and(|line| line.proven);
            if is_proven || time.past_hard_limit() {
                return result;
            }

            let stop = match split.solve_until {
                Some(end) => time.stop_after(end),
                None => time.token().child_with_timeout(2 * split.search),
            };
            // Before the ponderhit there is no deadline yet.
            let solver_time = split.solve_until.map(|end| stop.remaining().unwrap_or(end));
            let (board, expected) = (self.board, split.expected_solve);
            let table = self.parts.tables.for_solver(board, solver_time, expected, threads, &stop);
            self.parts.solver.prepare(board, self.memory, threads, table);
            let best = result.best;
            let guess = result.lines.first().map(|line| FirstGuess { margin: line.margin, best });
            let request = SolveRequest { guess, ..SolveRequest::default() };
            let solution = self.solve(request, &stop, &result);
            self.info.nodes += self.parts.solver.take_nodes();
            if let Some(solution) = solution {
                return self.choose(solution.margin, result);
            }

            let result = self.play_proven_better(result);
            let result = self.replace_refuted(result, split.search);

            if time.past_soft_limit() {
                return result;
            }
            if split.solve_until.is_some() {
                return self.search_rest(result);
            }
            previous = Some(result);
            split.search *= 2;
        }
    }

    /// Searches these moves, or all if there are none, and returns the previous result if the search gets
    /// less deep than that. Only a search of all moves reports its lines.
    fn search(
        &mut self,
        time: TimeManager,
        searchmoves: Vec<Move>,
        previous: Option<SearchResult>,
    ) -> SearchResult {
        let TimedThink { parts, board, limits, search, info, .. } = self;
        let is_complete = searchmoves.is_empty();
        let limits = Limits { searchmoves, ..limits.clone() };
        let observer: &mut dyn Observer = if is_complete { info } else { &mut () };
        let mut result = parts.searcher.search_until(time, board, &limits, search, observer);
        let depth = |result: &SearchResult| result.lines.first().map(|line| line.depth);
        info.add_to(&mut result.stats);
        match previous {
            Some(previous) if depth(&result) < depth(&previous) => {
                SearchResult { stats: result.stats, ..previous }
            }
            _ => result,
        }
    }

    /// Searches to the end of the time, without the moves that the solver has proven to be worth less than
    /// the best one found.
    fn search_rest(&mut self, found: SearchResult) -> SearchResult {
        let Some(margin) = found.lines.first().map(|line| line.margin) else { return found };
        let upper = |mv| self.bounds_of_move(mv).map_or(i32::MAX, |(_, upper)| upper);
        let (worse, searchmoves): (Vec<_>, Vec<_>) =
            self.board.moves().partition(|&mv| found.best != Some(mv) && upper(mv) < margin);
        if worse.is_empty() {
            let result = self.search(self.time.clone(), Vec::new(), Some(found));
            return self.play_proven_better(result);
        }
        let most = worse.into_iter().map(upper).max().unwrap_or(i32::MIN);
        let mut result = self.search(self.time.clone(), searchmoves, Some(found));
        if let Some(line) = result.lines.first_mut() {
            line.proven &= line.margin >= most;
            self.info.forward(line, &result.stats);
        }
        self.play_proven_better(result)
    }

    /// Solves the board. Bounds that are proven meanwhile are reported as those of the line that the
    /// search has found.
    fn solve(
        &mut self,
        request: SolveRequest,
        stop: &StopToken,
        found: &SearchResult,
    ) -> Option<Solution> {
        let TimedThink { parts, board, time, info, .. } = self;
        let (seeds, difference) = (board.seeds_in_play() as i32, board.store_difference());
        let mut reported = (difference - seeds, difference + seeds);
        parts.solver.solve_and_report(board, request, stop, |progress| {
            let Some((lower, upper)) = progress.bounds() else { return };
            let (old_lower, old_upper) = std::mem::replace(&mut reported, (lower, upper));
            if let Some(line) = found.lines.first() {
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
            let left = progress.nodes_left();
            info.on_message(&format!("solving: margin {lower} to {upper}, some {left} nodes left"));
        })
    }

    /// Chooses a move that has the proven margin, and finds the line of play after it.
    fn choose(&mut self, margin: i32, mut result: SearchResult) -> SearchResult {
        let stop = self.stop_of_line();
        let guess = Some(FirstGuess { margin, best: None });
        let request = SolveRequest { line: true, guess, ..SolveRequest::default() };
        let line =
            self.parts.solver.solve(self.board, request, &stop).map(|solution| solution.line);
        let mut line = line.unwrap_or_default();
        let proven =
            || self.parts.solver.probe(self.board).filter(|proven| proven.lower == margin)?.best;
        let reaches_margin =
            |mv: &Move| self.bounds_of_move(*mv).is_some_and(|(lower, _)| lower >= margin);
        let best = line.first().copied().or_else(proven).filter(|&mv| self.is_legal(mv));
        let best = best.or_else(|| self.board.moves().find(reaches_margin));
        // That the proof leaves no move in the solver's table is all but impossible.
        let Some(best) = best else { return result };
        if line.is_empty() {
            line = self.line_after(best);
        }
        self.info.nodes += self.parts.solver.take_nodes();
        result.stats.time = self.time.elapsed();
        (result.stats.nodes, result.stats.tbhits) = (self.info.nodes, self.info.tbhits);
        let depth = (line.len() as u32).clamp(1, MAX_DEPTH);
        let bound = Bound::Exact;
        let line =
            PvLine { depth, seldepth: depth, multipv: 1, margin, bound, proven: true, pv: line };
        self.info.forward(&line, &result.stats);
        result.best = Some(best);
        result.ponder = line.pv.get(1).copied();
        result.lines = vec![line];
        result
    }

    /// Stops the solver while it finds the line of play after a move whose margin is proven.
    fn stop_of_line(&self) -> StopToken {
        let share = self.time.budget().map_or(MAX_LINE_TIME, |budget| budget.soft / 5);
        self.time.token().child_with_timeout(share.min(MAX_LINE_TIME))
    }

    /// A move, and the best play after it if the solver finds it in time.
    fn line_after(&mut self, mv: Move) -> Vec<Move> {
        let mut line = vec![mv];
        let mut after = *self.board;
        if after.play(mv).is_ok() && !after.is_over() {
            let stop = self.stop_of_line();
            let request = SolveRequest { line: true, ..SolveRequest::default() };
            let solution = self.parts.solver.solve(&after, request, &stop);
            line.extend(solution.map(|solution| solution.line).unwrap_or_default());
        }
        line
    }

    /// Replaces the move of the search by one that the solver has proven to be worth more, or to be
    /// worth as much when the move of the search is proven to be worth no more.
    fn play_proven_better(&mut self, mut result: SearchResult) -> SearchResult {
        result.stats.time = self.time.elapsed();
        result.stats.nodes = self.info.nodes;
        let Some(proven) = self.parts.solver.probe(self.board) else { return result };
        let (lower, Some(best)) = (proven.lower, proven.best) else { return result };
        let Some(line) = result.lines.first() else { return result };
        let is_better = || match result.best {
            Some(found) if lower == line.margin => {
                self.bounds_of_move(found).is_some_and(|(_, upper)| upper <= lower)
            }
            _ => lower > line.margin,
        };
        if result.best != Some(best) && self.is_legal(best) && is_better() {
            let bound = Bound::Lower;
            let line = PvLine { margin: lower, bound, pv: vec![best], ..line.clone() };
            self.info.forward(&line, &result.stats);
            (result.best, result.ponder) = (Some(best), None);
            result.lines[0] = line;
        }
        result
    }

    /// Replaces a move that the solver has refuted, that is proven to be worth less than the search
    /// found, by the best of the moves that are not refuted.
    fn replace_refuted(&mut self, result: SearchResult, time: Duration) -> SearchResult {
        let line = result.lines.first().zip(result.best);
        let Some((margin, best)) = line.map(|(line, best)| (line.margin, best)) else {
            return result;
        };
        let refutation = |mv| {
            let (_, upper) = self.bounds_of_move(mv)?;
            (upper < margin).then_some(upper)
        };
        let Some(refuted_to) = refutation(best) else { return result };
        let searchmoves: Vec<_> =
            self.board.moves().filter(|&mv| refutation(mv).is_none()).collect();
        if searchmoves.is_empty() || self.time.past_hard_limit() {
            return result;
        }
        let mut other = self.search(self.time.part(time), searchmoves, None);
        match other.lines.first_mut() {
            Some(line) if line.margin >= refuted_to => {
                // The refuted moves may be worth more than this one.
                line.proven &= line.margin >= margin;
                self.info.forward(line, &other.stats);
                other
            }
            _ => SearchResult { stats: other.stats, ..result },
        }
    }

    /// The lower and the upper bound that the solver has proven of a move's margin.
    fn bounds_of_move(&self, mv: Move) -> Option<(i32, i32)> {
        let mut after = *self.board;
        let next = after.play(mv).ok()?;
        let proven = self.parts.solver.probe(&after)?;
        Some(match next {
            Next::Other => (-proven.upper, -proven.lower),
            _ => (proven.lower, proven.upper),
        })
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.board.moves().any(|legal| legal == mv)
    }
}

/// Forwards the lines of several searches and of the solver as those of one search: lines less deep
/// than an earlier one are left out, and the work of earlier parts is added.
struct InfoForwarder<'a> {
    observer: &'a mut dyn Observer,
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
        self.observer.on_pv_line(line, stats);
    }
}

impl Observer for InfoForwarder<'_> {
    fn on_pv_line(&mut self, line: &PvLine, stats: &SearchStats) {
        if line.depth >= self.depth || line.proven {
            self.depth = line.depth;
            let stats = self.total(stats);
            self.observer.on_pv_line(line, &stats);
        }
    }

    fn on_message(&mut self, text: &str) {
        self.observer.on_message(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rules;

    #[test]
    fn a_refuted_move_is_not_played() -> Result<(), Box<dyn std::error::Error>> {
        let board = Board::start(Rules::default(), 2)?;
        let (tables, solver) = (EngineTables::default(), GameSolver::default());
        let mut parts = EngineParts { searcher: Searcher::new(1)?, tables, solver };
        let stop = StopToken::new();
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let search = SearchOptions::default();
        let found = parts.searcher.search(&board, &limits, &search, &stop, &mut ());
        parts.solver.prepare(&board, 16, NonZeroUsize::MIN, None);
        let mut values = Vec::new();
        for mv in board.moves() {
            let mut after = board;
            let next = after.play(mv)?;
            let solution = parts.solver.solve(&after, SolveRequest::default(), &stop);
            let margin = solution.ok_or("not solved")?.margin;
            values.push((mv, if next == Next::Other { -margin } else { margin }));
        }
        let max = values.iter().map(|value| value.1).max().ok_or("no value")?;
        let time = &TimeManager::new(&limits, board.seeds_in_play(), Duration::ZERO, &stop);
        let info = InfoForwarder { observer: &mut (), depth: 0, nodes: 0, tbhits: 0 };
        let (board, limits, parts) = (&board, &limits, &mut parts);
        let mut think = TimedThink { parts, board, limits, time, search, memory: 16, info };
        let mut replaced = |best, margin| {
            let mut result = found.clone();
            result.best = Some(best);
            result.lines[0] = PvLine { margin, pv: vec![best], ..result.lines[0].clone() };
            think.replace_refuted(result, MAX_LINE_TIME).best
        };
        for &(mv, value) in &values {
            assert_eq!(replaced(mv, value), Some(mv), "it was right");
            let other = replaced(mv, max);
            let other = values.iter().find(|value| Some(value.0) == other).map(|value| value.1);
            assert_eq!(other, Some(max), "instead of {mv}, which is worth {value}");
            assert_eq!(replaced(mv, max + 2), Some(mv), "none is worth this much");
        }
        Ok(())
    }
}

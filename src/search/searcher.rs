//! The entry point of the search: keeps tables from move to move, chooses the variant, and runs the
//! depth-first searches by iterative deepening with aspiration windows, for one line of play or several.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use log::warn;

use super::depth_first::Worker;
use super::evaluation::Evaluation;
use super::exact_tables::ExactTables;
use super::game::Game;
use super::job::{RootPosition, SearchJob};
use super::kalah_game::KalahGame;
use super::limits::{Limits, TimeManager};
use super::monte_carlo::{self, Allocation, ReusedTree};
use super::move_ordering::{MoveOrdering, Oversights};
use super::options::{DepthFirstOptions, SearchOptions};
use super::proof_number::{KalahProofSearch, NumberTable};
use super::result::{Counters, PvLine, SearchObserver, SearchReport, SearchResult, SearchStats};
use super::shared::{SharedState, Stopped};
use super::transposition_table::{HashTable, MAX_DEPTH, TableEntry, TableTooLarge};
use super::value::{Bound, Score, Window};
use super::variant::{DepthFirst, MtdDriver, Variant};
use crate::board::{AnyPosition, Board, House, Move, RowTables};
use crate::stop::{StopOnPanic, StopToken};
use crate::sys::processors;

/// Half the width of the first aspiration window, in seeds.
const ASPIRATION: i32 = 4;

/// The factor by which the aspiration window grows each time the value lies outside.
const WIDENING: i32 = 4;

/// Searches shorter than this do not report lower and upper bounds.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(1);

type SearchKind = (Variant, DepthFirstOptions, Option<Oversights>, Evaluation);

/// A search with the tables that it reuses from one move to the next.
///
/// ```
/// use kalah::search::{SearchOptions, Searcher};
/// use kalah::{Board, Limits, Rules, StopToken};
///
/// let board = Board::start(Rules::default(), 4)?;
/// let mut searcher = Searcher::new(16)?;
/// let stop = StopToken::new();
/// let limits = Limits { depth: Some(10), ..Limits::default() };
/// let result = searcher.search(&board, &limits, &SearchOptions::default(), &stop, &mut |_| {});
/// let best = result.best.ok_or("the game is over")?;
/// println!("{best}, expecting to win by {} seeds", result.lines[0].margin);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    table: HashTable,
    hash_mebibytes: usize,
    /// The table of proof-number search, of the same size; allocated on first use.
    number_table: Option<NumberTable>,
    exact_tables: Option<Arc<ExactTables>>,
    /// The search that filled the tables.
    last_search: Option<SearchKind>,
    tree: ReusedTree,
}

impl Searcher {
    /// Allocates a transposition table of `hash_mebibytes` MiB. Tables of other searches may grow as large.
    ///
    /// # Errors
    /// If there is not enough memory for the table.
    pub fn new(hash_mebibytes: usize) -> Result<Searcher, TableTooLarge> {
        Ok(Searcher {
            table: HashTable::new(hash_mebibytes)?,
            hash_mebibytes,
            number_table: None,
            exact_tables: None,
            last_search: None,
            tree: ReusedTree::new(hash_mebibytes),
        })
    }

    /// Replaces all tables by empty ones of another size.
    ///
    /// # Errors
    /// If there is not enough memory; the old tables are then unchanged.
    pub fn resize(&mut self, hash_mebibytes: usize) -> Result<(), TableTooLarge> {
        self.table.resize(hash_mebibytes)?;
        self.hash_mebibytes = hash_mebibytes;
        self.number_table = None;
        self.tree = ReusedTree::new(hash_mebibytes);
        Ok(())
    }

    /// Sets tables of exact gains, which depth-first searches of boards of their rules look up from now on.
    pub fn set_tables(&mut self, tables: Option<Arc<ExactTables>>) {
        self.exact_tables = tables;
    }

    /// Clears all tables but those of exact gains.
    pub fn clear(&mut self) {
        self.table.clear();
        self.number_table = None;
        self.tree = ReusedTree::new(self.hash_mebibytes);
    }

    /// Searches for the best move. Clears the tables first if the last search had another [`Variant`],
    /// [`DepthFirstOptions`] or [`Evaluation`]. Returns when a limit is reached or the value is proven; an infinite
    /// or pondering search waits for the stop or the ponderhit.
    pub fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        options: &SearchOptions,
        stop: &StopToken,
        observer: SearchObserver<'_>,
    ) -> SearchResult {
        let time = TimeManager::new(limits, board.seeds_in_play(), options.move_overhead, stop);
        let result = self.search_until(time.clone(), board, limits, options, observer);
        time.wait_to_answer(limits);
        result
    }

    /// The same with a clock that is already running; never waits.
    pub(crate) fn search_until(
        &mut self,
        time: TimeManager,
        board: &Board,
        limits: &Limits,
        options: &SearchOptions,
        observer: SearchObserver<'_>,
    ) -> SearchResult {
        // Results of another search would change the node counts of this one, and deeper ones its values.
        let evaluation = options.evaluation(board.rules());
        let search = (options.variant, options.depth_first, options.oversights, evaluation.clone());
        if self.last_search.replace(search.clone()).is_some_and(|last| last != search) {
            self.clear();
        }
        let evaluation = &evaluation;
        match board.position() {
            AnyPosition::Narrow(sowings, position) => {
                let root = &RootPosition::new(board, sowings, position, &limits.searchmoves);
                self.run(SearchJob { root, limits, options, evaluation, time }, observer)
            }
            AnyPosition::Wide(sowings, position) => {
                let root = &RootPosition::new(board, sowings, position, &limits.searchmoves);
                self.run(SearchJob { root, limits, options, evaluation, time }, observer)
            }
        }
    }

    fn run<R: RowTables>(
        &mut self,
        job: SearchJob<'_, R>,
        observer: SearchObserver<'_>,
    ) -> SearchResult {
        match job.options.variant {
            Variant::DepthFirst(search) => self.search_depth_first(search, &job, observer),
            Variant::ProofNumber => self.search_proof_number(job, observer),
            Variant::FlatMonteCarlo => monte_carlo::flat(Allocation::Equal, job, observer),
            Variant::FlatUcb => monte_carlo::flat(Allocation::Ucb1, job, observer),
            Variant::MonteCarloTree => monte_carlo::tree(&mut self.tree, job, observer),
        }
    }

    fn search_proof_number<R: RowTables>(
        &mut self,
        job: SearchJob<'_, R>,
        observer: SearchObserver<'_>,
    ) -> SearchResult {
        let forced = job.is_forced();
        let SearchJob { root, limits, evaluation, time, .. } = job;
        let game = KalahGame { sowings: root.sowings, evaluation, tables: None };
        let shared = SharedState::new(time, limits.nodes, 1);
        let table = self.number_table.get_or_insert_with(|| NumberTable::new(self.hash_mebibytes));
        KalahProofSearch::new(root, &game, forced, table, &shared).run(observer)
    }

    /// Lazy SMP: all threads search the same position and share the transposition table. The in-flight table
    /// ([`super::shared::InFlightTable`]) keeps them from doing the same work.
    fn search_depth_first<R: RowTables>(
        &mut self,
        search: DepthFirst,
        job: &SearchJob<'_, R>,
        observer: SearchObserver<'_>,
    ) -> SearchResult {
        let &SearchJob { root, limits, options, evaluation, .. } = job;
        self.table.new_age();
        // More threads than processors would only compete for processor time.
        let threads = options.threads.min(processors()).get();
        let Searcher { table, exact_tables, .. } = &*self;
        let rules = root.board.rules();
        let tables = exact_tables.as_deref().filter(|tables| tables.rules() == rules);
        let game = &KalahGame { sowings: root.sowings, evaluation, tables };
        let shared = &SharedState::new(job.time.clone(), limits.nodes, threads);
        let start = || {
            let mut worker = Worker::new(game, table, shared, options.depth_first);
            worker.oversights = options.oversights;
            if tables.is_some_and(ExactTables::has_files) {
                worker.poll_often();
            }
            IterativeDeepening { job, search, table, worker }
        };
        let mut result = DeepeningResult::default();
        if !root.moves.is_empty() {
            thread::scope(|scope| {
                let mut helpers = Vec::new();
                for number in 1..threads {
                    let helper = start();
                    let name = format!("search {number}");
                    let run = move || helper.run(&mut |_| {}).counters;
                    match thread::Builder::new().name(name).spawn_scoped(scope, run) {
                        Ok(helper) => helpers.push(helper),
                        Err(error) => {
                            warn!("searching with only {number} threads: {error}");
                            break;
                        }
                    }
                }
                let _guard = StopOnPanic(&shared.stop);
                result = start().run(observer);
                shared.stop.stop();
                for helper in helpers {
                    if let Ok(counters) = helper.join() {
                        result.counters += &counters;
                    }
                }
            });
        }
        let DeepeningResult { lines, best, counters } = result;
        let stats = shared.stats(table.permille_full());
        root.result(best, lines, stats, counters)
    }
}

#[derive(Default)]
struct DeepeningResult {
    /// The lines of the last finished iteration.
    lines: Vec<PvLine>,
    /// The best move of an iteration that was stopped, if it is better than that of `lines`.
    best: Option<House>,
    counters: Counters,
}

/// One thread's iterations over one root position.
struct IterativeDeepening<'a, R: RowTables> {
    job: &'a SearchJob<'a, R>,
    search: DepthFirst,
    table: &'a HashTable,
    worker: Worker<'a, KalahGame<'a, R>, HashTable>,
}

impl<R: RowTables> IterativeDeepening<'_, R> {
    /// Searches deeper and deeper until the maximum depth, a proof of all lines, or a stop.
    fn run(mut self, observer: SearchObserver<'_>) -> DeepeningResult {
        let mut result = DeepeningResult::default();
        let max_depth = self.job.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=max_depth {
            let Ok(lines) = self.iteration(depth, &result.lines, observer) else {
                // The best move so far is better than that of the last iteration only if it belongs
                // to the first line and that move was searched first. A bisection driver also tests
                // bounds far below the value, which many moves reach.
                let is_dynamic = self.job.options.depth_first.ordering == MoveOrdering::Dynamic;
                let is_better = self.worker.excluded == self.job.root.excluded
                    && self.search != DepthFirst::Mtd(MtdDriver::Bisection)
                    && (is_dynamic || result.lines.is_empty());
                result.best = self.worker.root_best.filter(|_| is_better);
                break;
            };
            result.lines = lines;
            let proven = result.lines.iter().all(|line| line.proven);
            if proven || self.job.is_forced() || self.worker.shared.time.past_soft_limit() {
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
        observer: SearchObserver<'_>,
    ) -> Result<Vec<PvLine>, Stopped> {
        let SearchJob { root, options, .. } = self.job;
        self.worker.excluded.clone_from(&root.excluded);
        self.worker.seldepth = 0;
        let mut lines = Vec::new();
        for index in 0..options.multipv.get().min(root.moves.len()) {
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
            observer(SearchReport::Line(line, &stats));
        }
        Ok(lines)
    }

    /// The best of the moves that are not excluded, and its score.
    fn search_line(
        &mut self,
        depth: u32,
        multipv: usize,
        previous: Option<&PvLine>,
        observer: SearchObserver<'_>,
    ) -> Result<(House, Score), Stopped> {
        let guess = previous.map(|line| line.margin - self.job.root.board.store_difference());
        self.worker.previous_best =
            previous.and_then(|line| line.pv.first()).map(|first| first.house);
        self.worker.root_best = None;
        if self.job.options.aspiration && self.search.supports_aspiration() {
            return self.search_with_aspiration(depth, multipv, guess, observer);
        }
        let (search, houses) = (self.search, &self.job.root.houses);
        let score = self.worker.search(search, houses, depth, self.full_window(), guess)?;
        // A test driver that finds the least possible value has no best move: any move reaches it.
        let any = || self.job.root.moves.iter().find(|house| !self.worker.excluded.contains(house));
        match self.worker.root_best.or_else(|| any().copied()) {
            Some(house) => Ok((house, score)),
            None => Err(Stopped),
        }
    }

    fn full_window(&self) -> Window {
        let range = self.worker.game.value_range(&self.job.root.houses);
        Window::around(range, KalahGame::<R>::VALUE_STEP)
    }

    /// Searches with a window around the guess, which is widened until the value lies inside.
    fn search_with_aspiration(
        &mut self,
        depth: u32,
        multipv: usize,
        guess: Option<i32>,
        observer: SearchObserver<'_>,
    ) -> Result<(House, Score), Stopped> {
        let (search, houses, full) = (self.search, &self.job.root.houses, self.full_window());
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
                        observer(SearchReport::Line(&line, &self.stats()));
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
        let margin = self.job.root.board.store_difference() + score.gain;
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

    /// The line of play that begins with `first`, by the moves of the transposition table, and by the exact tables
    /// to the end of the game. With a proven margin it ends where the table no longer proves it.
    fn principal_variation(&self, first: House, depth: u32, proven: Option<i32>) -> Vec<Move> {
        let mut board = *self.job.root.board;
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
                    let is_own = board.side() == self.job.root.board.side();
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

    /// The work so far; whether the search is stopped is noticed later.
    fn stats(&mut self) -> SearchStats {
        let _ = self.worker.poll();
        self.worker.shared.stats(self.table.permille_full())
    }
}

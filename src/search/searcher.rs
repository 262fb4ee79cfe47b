//! The entry point of the search: chooses the variant, and keeps tables from move to move.

use std::num::NonZeroUsize;
use std::thread;

use log::warn;

use super::depth_first::Worker;
use super::evaluation::Evaluation;
use super::exact_tables::ExactTables;
use super::iterative_deepening::{DeepeningOptions, DeepeningResult, IterativeDeepening};
use super::job::{RootPosition, SearchJob};
use super::kalah_game::KalahGame;
use super::limits::Limits;
use super::monte_carlo::{self, Allocation, ReusedTree};
use super::move_ordering::Oversights;
use super::options::{DepthFirstOptions, SearchOptions};
use super::proof_number::{KalahProofSearch, NumberTable};
use super::result::{Observer, SearchResult};
use super::shared::{NodeCount, SharedState};
use super::time_manager::TimeManager;
use super::transposition_table::{HashTable, MAX_DEPTH, TableTooLarge};
use super::variant::{DepthFirst, Variant};
use crate::board::{AnyPosition, Board, RowTables};
use crate::stop::StopToken;

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
/// let result = searcher.search(&board, &limits, &SearchOptions::default(), &stop, &mut ());
/// let best = result.best.ok_or("the game is over")?;
/// println!("{best}, expecting to win by {} seeds", result.lines[0].margin);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    table: HashTable,
    hash_mebibytes: usize,
    /// The table of proof-number search, of the same size; allocated on first use.
    number_table: Option<NumberTable>,
    /// The search that filled the tables.
    last_search: Option<(Variant, DepthFirstOptions, Option<Oversights>, Evaluation)>,
    tree: ReusedTree,
}

impl Searcher {
    /// Allocates a transposition table of `hash_mebibytes` MiB. The tables of the other searches may
    /// grow to the same size.
    ///
    /// # Errors
    /// If there is not enough memory for the table.
    pub fn new(hash_mebibytes: usize) -> Result<Searcher, TableTooLarge> {
        Ok(Searcher {
            table: HashTable::new(hash_mebibytes)?,
            hash_mebibytes,
            number_table: None,
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

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.table.clear();
        self.number_table = None;
        self.tree.clear();
    }

    /// Searches for the best move. Clears the tables first if the last search had another
    /// [`Variant`], [`DepthFirstOptions`] or [`Evaluation`]. Returns when a limit is reached or the
    /// value is proven; an infinite or pondering search then still waits for the stop or the
    /// ponderhit.
    pub fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        options: &SearchOptions,
        stop: &StopToken,
        observer: &mut dyn Observer,
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
        observer: &mut dyn Observer,
    ) -> SearchResult {
        match board.position() {
            AnyPosition::Narrow(sowings, position) => {
                let root = RootPosition::new(board, sowings, position, &limits.searchmoves);
                self.run(SearchJob { root: &root, limits, options, time }, observer)
            }
            AnyPosition::Wide(sowings, position) => {
                let root = RootPosition::new(board, sowings, position, &limits.searchmoves);
                self.run(SearchJob { root: &root, limits, options, time }, observer)
            }
        }
    }

    fn run<R: RowTables>(
        &mut self,
        job: SearchJob<'_, R>,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let SearchOptions { variant, depth_first, oversights, .. } = *job.options;
        // Results of another search would change the node counts of this one, and deeper entries
        // its values.
        let evaluation = job.options.evaluation(job.root.board.rules());
        let is_other = |last: &(Variant, DepthFirstOptions, Option<Oversights>, Evaluation)| {
            (last.0, last.1, last.2) != (variant, depth_first, oversights)
                || !last.3.ptr_eq(&evaluation)
        };
        if self.last_search.as_ref().is_some_and(is_other) {
            self.clear();
        }
        self.last_search = Some((variant, depth_first, oversights, evaluation));
        match variant {
            Variant::DepthFirst(search) => self.search_depth_first(search, job, observer),
            Variant::ProofNumber => self.search_proof_number(job, observer),
            Variant::FlatMonteCarlo => monte_carlo::flat(Allocation::Equal, job, observer),
            Variant::FlatUcb => monte_carlo::flat(Allocation::Ucb1, job, observer),
            Variant::MonteCarloTree => monte_carlo::tree(&mut self.tree, job, observer),
        }
    }

    fn search_proof_number<R: RowTables>(
        &mut self,
        job: SearchJob<'_, R>,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let forced = job.is_forced();
        let SearchJob { root, limits, options, time } = job;
        let evaluation = options.evaluation(root.board.rules());
        let game = KalahGame::without_tables(root.sowings, &evaluation);
        let shared = SharedState::new(time, limits.nodes, 1);
        let table = self.number_table.get_or_insert_with(|| NumberTable::new(self.hash_mebibytes));
        KalahProofSearch::new(root, &game, forced, table, &shared).run(observer)
    }

    fn search_depth_first<R: RowTables>(
        &mut self,
        search: DepthFirst,
        job: SearchJob<'_, R>,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let forced = job.is_forced();
        let SearchJob { root, limits, options, time } = job;
        self.table.new_age();
        // More threads than processors would only compete for processor time.
        let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = options.threads.min(processors).get();
        let shared = SharedState::new(time, limits.nodes, threads);
        let deepening = DeepeningOptions {
            search,
            aspiration: options.aspiration,
            max_depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            multipv: options.multipv.get().min(root.moves.len()),
            forced,
        };
        let DeepeningResult { lines, best, counters } = if root.moves.is_empty() {
            DeepeningResult::default()
        } else {
            self.deepen_with_threads(threads, root, &deepening, options, &shared, observer)
        };
        let stats = shared.stats(NodeCount::default(), self.table.permille_full());
        root.result(best, lines, stats, counters)
    }

    /// Lazy SMP: all threads search the same position independently and share the transposition
    /// table. The in-flight table ([`super::shared::InFlightTable`]) keeps them from doing the same
    /// work.
    fn deepen_with_threads<R: RowTables>(
        &self,
        threads: usize,
        root: &RootPosition<'_, R>,
        deepening: &DeepeningOptions,
        options: &SearchOptions,
        shared: &SharedState,
        observer: &mut dyn Observer,
    ) -> DeepeningResult {
        let table = &self.table;
        let rules = root.board.rules();
        let exact_tables = options.tables.as_deref().filter(|tables| tables.rules() == rules);
        let evaluation = &options.evaluation(rules);
        let game = &KalahGame { sowings: root.sowings, evaluation, tables: exact_tables };
        let start = || {
            let mut worker = Worker::new(game, table, shared, options.depth_first);
            worker.oversights = options.oversights;
            if exact_tables.is_some_and(ExactTables::has_files) {
                worker.poll_often();
            }
            IterativeDeepening { root, options: deepening, table, worker }
        };
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            for number in 1..threads {
                let helper = start();
                let name = format!("search {number}");
                let run = move || helper.run(&mut ()).counters;
                match thread::Builder::new().name(name).spawn_scoped(scope, run) {
                    Ok(helper) => helpers.push(helper),
                    Err(error) => {
                        warn!("searching with only {number} threads: {error}");
                        break;
                    }
                }
            }
            let mut result = start().run(observer);
            shared.end();
            for helper in helpers {
                if let Ok(counters) = helper.join() {
                    result.counters += &counters;
                }
            }
            result
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rules;

    #[test]
    fn a_resized_searcher_searches_as_a_new_one() -> Result<(), Box<dyn std::error::Error>> {
        let board = Board::start(Rules::default(), 6)?;
        let limits = Limits { depth: Some(12), ..Limits::default() };
        let nodes = |searcher: &mut Searcher| {
            let options = SearchOptions::default();
            searcher.search(&board, &limits, &options, &StopToken::new(), &mut ()).stats.nodes
        };
        let mut resized = Searcher::new(1)?;
        nodes(&mut resized);
        resized.resize(2)?;
        assert_eq!(nodes(&mut resized), nodes(&mut Searcher::new(2)?));
        Ok(())
    }
}

//! The search as its users see it.

use std::num::NonZeroUsize;
use std::thread;

use log::warn;

use super::assignment::Assignment;
use super::deepening::{Deepening, Findings, Plan};
use super::depth_first::{DepthFirstOptions, Worker};
use super::evaluation::Evaluation;
use super::game::Game;
use super::kalah_game::Kalah;
use super::limits::Limits;
use super::monte_carlo::{self, Allocation, KeptTree};
use super::ordering::Refutations;
use super::proof_number::{NumberTable, Prover};
use super::report::{Observer, SearchResult};
use super::root::Root;
use super::settings::SearchOptions;
use super::table::{HashTable, MAX_DEPTH, TableTooLarge};
use super::threads::{Shared, Work};
use super::time_manager::TimeManager;
use super::variant::{DepthFirst, Variant};
use crate::board::{AnyPosition, Board, RowTables};
use crate::stop::StopToken;

/// A search with all that it remembers from one move to the next.
///
/// ```
/// use kalah::StopToken;
/// use kalah::board::{Board, Rules};
/// use kalah::search::{Limits, Searcher, SearchOptions};
///
/// let board = Board::start(Rules::default(), 4)?;
/// let mut searcher = Searcher::new(16)?;
/// let stop = StopToken::new();
/// let limits = Limits { depth: Some(10), ..Limits::default() };
/// let outcome = searcher.search(&board, &limits, &SearchOptions::default(), &stop, &mut ());
/// let best = outcome.best.ok_or("the game is over")?;
/// println!("{best}, expecting to win by {} seeds", outcome.lines[0].margin);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    table: HashTable,
    hash_mebibytes: usize,
    /// The table of proof-number search, as large as the other; made when first needed.
    numbers: Option<NumberTable>,
    /// By thread.
    refutations: Vec<Refutations>,
    /// What filled the table, and how it went about it.
    taught_by: Option<(Variant, DepthFirstOptions, Evaluation)>,
    tree: KeptTree,
}

impl Searcher {
    /// A searcher with a table of the given size, and a tree that may grow as large.
    ///
    /// # Errors
    /// When the memory for the table cannot be had.
    pub fn new(hash_mebibytes: usize) -> Result<Searcher, TableTooLarge> {
        Ok(Searcher {
            table: HashTable::new(hash_mebibytes)?,
            hash_mebibytes,
            numbers: None,
            refutations: Vec::new(),
            taught_by: None,
            tree: KeptTree::new(hash_mebibytes),
        })
    }

    /// Replaces the table and the tree by empty ones of another size.
    ///
    /// # Errors
    /// When the memory cannot be had; the old ones are then kept.
    pub fn resize(&mut self, hash_mebibytes: usize) -> Result<(), TableTooLarge> {
        self.table.resize(hash_mebibytes)?;
        self.hash_mebibytes = hash_mebibytes;
        self.numbers = None;
        self.tree = KeptTree::new(hash_mebibytes);
        Ok(())
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.numbers = None;
        self.refutations.clear();
        self.tree.clear();
    }

    /// Searches for the best move. Forgets earlier searches first if they were of another
    /// [`Variant`], [`DepthFirstOptions`] or [`Evaluation`]. Returns when a limit is reached or the value is proven, or, when
    /// the limits say to wait, after that and the stop or ponderhit.
    pub fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        settings: &SearchOptions,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let time = TimeManager::new(limits, board.seeds_in_play(), settings.move_overhead, stop);
        let outcome = self.search_until(time.clone(), board, limits, settings, observer);
        time.wait_to_answer(limits);
        outcome
    }

    /// The same with a clock that runs already, and it never waits.
    pub(crate) fn search_until(
        &mut self,
        time: TimeManager,
        board: &Board,
        limits: &Limits,
        settings: &SearchOptions,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        match board.position() {
            AnyPosition::Narrow(sowings, position) => {
                let root = Root::new(board, sowings, position, &limits.searchmoves);
                self.search_root(Assignment { root: &root, limits, settings, time }, observer)
            }
            AnyPosition::Wide(sowings, position) => {
                let root = Root::new(board, sowings, position, &limits.searchmoves);
                self.search_root(Assignment { root: &root, limits, settings, time }, observer)
            }
        }
    }

    fn search_root<R: RowTables>(
        &mut self,
        assignment: Assignment<'_, R>,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let SearchOptions { variant, depth_first, .. } = *assignment.settings;
        // What one search has found would help another, and its node counts would be no more its
        // own; and entries that rest on deeper ones make values that no search to an equal depth
        // finds.
        let evaluation = assignment.settings.evaluation(assignment.root.board.rules());
        let is_other = |before: &(Variant, DepthFirstOptions, Evaluation)| {
            (before.0, before.1) != (variant, depth_first) || !before.2.ptr_eq(&evaluation)
        };
        if self.taught_by.as_ref().is_some_and(is_other) {
            self.clear();
        }
        self.taught_by = Some((variant, depth_first, evaluation));
        match variant {
            Variant::DepthFirst(search) => self.deepen(search, assignment, observer),
            Variant::ProofNumber => self.prove(assignment, observer),
            Variant::FlatMonteCarlo => monte_carlo::flat(Allocation::Equal, assignment, observer),
            Variant::FlatUcb => monte_carlo::flat(Allocation::Ucb1, assignment, observer),
            Variant::MonteCarloTree => monte_carlo::tree(&mut self.tree, assignment, observer),
        }
    }

    fn prove<R: RowTables>(
        &mut self,
        assignment: Assignment<'_, R>,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let forced = assignment.is_forced();
        let Assignment { root, limits, settings, time } = assignment;
        let evaluation = settings.evaluation(root.board.rules());
        let game = Kalah::without_tables(root.sowings, &evaluation);
        let shared = Shared::new(time, limits.nodes, 1);
        let table = self.numbers.get_or_insert_with(|| NumberTable::new(self.hash_mebibytes));
        Prover::new(root, &game, forced, table, &shared).prove(observer)
    }

    fn deepen<R: RowTables>(
        &mut self,
        search: DepthFirst,
        assignment: Assignment<'_, R>,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let forced = assignment.is_forced();
        let Assignment { root, limits, settings, time } = assignment;
        self.table.new_age();
        // More threads than processors only take time from each other.
        let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = settings.threads.min(processors).get();
        let features = Kalah::<R>::HISTORY_SIZE;
        self.refutations.resize_with(threads, || Refutations::new(features));
        self.refutations.iter_mut().for_each(Refutations::fade);
        let shared = Shared::new(time, limits.nodes, threads);
        let plan = Plan {
            search,
            aspiration: settings.aspiration,
            last_depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            multipv: settings.multipv.get().min(root.moves.len()),
            forced,
        };
        let findings = if root.moves.is_empty() {
            Findings::default()
        } else {
            self.deepen_with_threads(root, &plan, settings, &shared, observer)
        };
        let stats = shared.stats(Work::default(), self.table.permille_full());
        findings.outcome(root, stats)
    }

    /// All threads search the same position, each for itself, and share the table (Lazy SMP).
    /// Those that come second to a move put it last ([`super::busy`]), so they do not do the same
    /// work.
    fn deepen_with_threads<R: RowTables>(
        &mut self,
        root: &Root<'_, R>,
        plan: &Plan,
        settings: &SearchOptions,
        shared: &Shared,
        observer: &mut dyn Observer,
    ) -> Findings {
        let Searcher { table, refutations, .. } = self;
        let table = &*table;
        let tables =
            settings.tables.as_deref().filter(|tables| tables.rules() == root.board.rules());
        let evaluation = &settings.evaluation(root.board.rules());
        let game = &Kalah { sowings: root.sowings, evaluation, tables };
        let depth_first = settings.depth_first;
        let Some((first, others)) = refutations.split_first_mut() else {
            return Findings::default();
        };
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            for (refutations, number) in others.iter_mut().zip(1..) {
                let worker = Worker::new(game, table, shared, depth_first, refutations);
                let helper = Deepening::new(root, plan, table, worker);
                let name = format!("search {number}");
                let work = move || helper.deepen(&mut ()).counters;
                match thread::Builder::new().name(name).spawn_scoped(scope, work) {
                    Ok(helper) => helpers.push(helper),
                    Err(error) => {
                        warn!("searching with {number} threads, there are no more: {error}");
                        break;
                    }
                }
            }
            let worker = Worker::new(game, table, shared, depth_first, first);
            let mut findings = Deepening::new(root, plan, table, worker).deepen(observer);
            shared.end();
            for helper in helpers {
                if let Ok(counters) = helper.join() {
                    findings.counters += &counters;
                }
            }
            findings
        })
    }
}

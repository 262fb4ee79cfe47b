//! The search as its users see it.

use std::num::NonZeroUsize;
use std::thread;

use log::warn;

use super::deepening::{Findings, Plan};
use super::limits::{Deadline, Limits};
use super::negascout::Worker;
use super::ordering::Refutations;
use super::report::{Observer, Outcome};
use super::root::Root;
use super::settings::Settings;
use super::stop::StopToken;
use super::table::{MAX_DEPTH, Table, TableTooLarge};
use super::threads::Shared;
use crate::board::{AnyPosition, Board, RowTables};

/// A search with all that it remembers from one move to the next.
///
/// ```
/// use kalah::board::{Board, Rules};
/// use kalah::search::{Limits, Searcher, Settings, stop_pair};
///
/// let board = Board::start(Rules::default(), 4)?;
/// let mut searcher = Searcher::new(16)?;
/// let (_handle, stop) = stop_pair();
/// let limits = Limits { depth: Some(10), ..Limits::default() };
/// let outcome = searcher.search(&board, &limits, &Settings::default(), &stop, &mut ());
/// let best = outcome.best.ok_or("the game is over")?;
/// println!("{best}, expecting to win by {} seeds", outcome.lines[0].margin);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    table: Table,
    /// By thread.
    refutations: Vec<Refutations>,
}

impl Searcher {
    /// A searcher with a table of the given size.
    ///
    /// # Errors
    /// When the memory for the table cannot be had.
    pub fn new(hash_mebibytes: usize) -> Result<Searcher, TableTooLarge> {
        Ok(Searcher { table: Table::new(hash_mebibytes)?, refutations: Vec::new() })
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    /// When the memory cannot be had; the old table is then kept.
    pub fn resize(&mut self, hash_mebibytes: usize) -> Result<(), TableTooLarge> {
        self.table.resize(hash_mebibytes)
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.refutations.clear();
    }

    /// Searches for the best move. Returns when a limit is reached or the value is proven, or,
    /// when the limits say to wait, after that and the stop or ponderhit.
    pub fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        settings: &Settings,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let deadline = Deadline::new(limits, board.seeds_in_play(), settings.move_overhead, stop);
        let outcome = match board.position() {
            AnyPosition::Narrow(sowings, position) => {
                let root = Root::new(board, sowings, position, &limits.searchmoves);
                self.search_root(&root, limits, settings, deadline, observer)
            }
            AnyPosition::Wide(sowings, position) => {
                let root = Root::new(board, sowings, position, &limits.searchmoves);
                self.search_root(&root, limits, settings, deadline, observer)
            }
        };
        if limits.infinite {
            stop.wait(false);
        } else if limits.ponder {
            stop.wait(true);
        }
        outcome
    }

    fn search_root<R: RowTables>(
        &mut self,
        root: &Root<'_, R>,
        limits: &Limits,
        settings: &Settings,
        deadline: Deadline,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.table.new_age();
        // More threads than processors only take time from each other.
        let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = settings.threads.min(processors).get();
        self.refutations.resize_with(threads, Refutations::new);
        self.refutations.iter_mut().for_each(Refutations::fade);
        let shared =
            Shared::new(&self.table, &settings.evaluation, deadline, limits.nodes, threads);
        let plan = Plan {
            last_depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            multipv: settings.multipv.get().min(root.moves.len()),
            // With no choice, time on the clock is worth more than knowing the value.
            forced: root.moves.len() == 1 && limits.clock.is_some(),
        };
        let findings = if root.moves.is_empty() {
            Findings::default()
        } else {
            search_with_threads(root, &plan, &shared, &mut self.refutations, observer)
        };
        let effort = shared.effort(0);
        findings.outcome(root, effort)
    }
}

/// All threads search the same position, each for itself, and share the table (Lazy SMP). Those
/// that come second to a move put it last ([`super::busy`]), so they do not do the same work.
fn search_with_threads<R: RowTables>(
    root: &Root<'_, R>,
    plan: &Plan,
    shared: &Shared<'_>,
    refutations: &mut [Refutations],
    observer: &mut dyn Observer,
) -> Findings {
    let Some((first, others)) = refutations.split_first_mut() else { return Findings::default() };
    thread::scope(|scope| {
        for (refutations, number) in others.iter_mut().zip(1..) {
            let mut helper = Worker::new(root, shared, refutations);
            let work = move || {
                helper.deepen(plan, &mut ());
            };
            let name = format!("search {number}");
            if let Err(error) = thread::Builder::new().name(name).spawn_scoped(scope, work) {
                warn!("searching with {number} threads, there are no more: {error}");
                break;
            }
        }
        let findings = Worker::new(root, shared, first).deepen(plan, observer);
        shared.end();
        findings
    })
}

//! The exact solver over the moves of a game.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use log::debug;

use super::solver_budget::expected_nodes;
use crate::board::{Board, Rules};
use crate::solve::{ProvenMargin, Solution, SolveProgress, SolveRequest, Solver, SolverResources};
use crate::stop::StopToken;
use crate::sys::available_memory;
use crate::tablebase::Tablebase;

/// Nodes a second and thread, before any were measured.
const DEFAULT_NODES_PER_SECOND: f64 = 4e6;

/// Nodes a second and thread that are expected at least: a busy machine may soon be less busy.
const MIN_NODES_PER_SECOND: f64 = 2e6;

/// Seconds; the speed is not measured in shorter times.
const MIN_MEASURED_TIME: f64 = 0.1;

/// Bytes of the solver's table for each expected node. Memory is slow when it is first used: with
/// more of it the solver took longer to get it than it saved.
const BYTES_PER_NODE: f64 = 5.0;

/// MiB of the smallest table of the solver.
const MIN_MEBIBYTES: usize = 4;

/// The time between two reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// A solver that keeps what it proves from one move of a game to the next.
#[derive(Default)]
pub(super) struct GameSolver {
    active: Option<ActiveSolver>,
    /// Nodes visited since they were last taken.
    nodes: u64,
    /// Nodes a second of all threads together, as last measured, and the number of threads.
    speed: Option<(f64, NonZeroUsize)>,
}

struct ActiveSolver {
    solver: Solver,
    mebibytes: usize,
    rules: Rules,
    /// Nodes visited by solves that were stopped.
    invested: u64,
    /// The most seeds in the houses of a solved position: those after it are mostly proven.
    solved: Option<u32>,
}

impl GameSolver {
    /// Forgets everything proven so far.
    pub(super) fn clear(&mut self) {
        if let Some(active) = &mut self.active {
            active.solver.clear();
            (active.invested, active.solved) = (0, None);
        }
    }

    /// Nodes a second that this many threads are expected to visit.
    pub(super) fn nodes_per_second(&self, threads: NonZeroUsize) -> f64 {
        let (speed, measured) = self.speed.unwrap_or((DEFAULT_NODES_PER_SECOND, NonZeroUsize::MIN));
        (speed / measured.get() as f64).max(MIN_NODES_PER_SECOND) * threads.get() as f64
    }

    /// Nodes that are expected to remain until a board is solved.
    pub(super) fn expected_nodes(&self, board: &Board) -> f64 {
        let seeds = board.seeds_in_play();
        let expected = expected_nodes(board.rules(), seeds);
        let active = self.active.as_ref().filter(|active| active.rules == board.rules());
        let Some(active) = active else { return expected };
        // Part of the work was for positions that did not occur.
        let left = (expected - active.invested as f64 / 2.0).max(expected / 20.0);
        if active.solved.is_some_and(|solved| seeds <= solved) { left.min(1e4) } else { left }
    }

    /// Nodes visited since the last call, by all threads.
    pub(super) fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }

    /// Prepares a solver for a board, with at most this much memory and with a tablebase, if there is
    /// one.
    pub(super) fn prepare(
        &mut self,
        board: &Board,
        max_mebibytes: usize,
        threads: NonZeroUsize,
        table: Option<Arc<Tablebase>>,
    ) {
        let rules = board.rules();
        let max_mebibytes = max_mebibytes.max(MIN_MEBIBYTES);
        let bytes = expected_nodes(rules, board.seeds_in_play()) * BYTES_PER_NODE;
        let needed = ((bytes / 2_f64.powi(20)) as usize).clamp(MIN_MEBIBYTES, max_mebibytes);
        // Tables have sizes that are powers of two.
        let needed = 1 << needed.ilog2();
        // The option may have been lowered since the solver was made.
        let fits = |active: &ActiveSolver| {
            active.rules == rules && (needed..=max_mebibytes).contains(&active.mebibytes)
        };
        if !self.active.as_ref().is_some_and(fits) {
            // At most a quarter of the memory that the machine has available.
            let available = available_memory().map_or(usize::MAX, |bytes| (bytes >> 22) as usize);
            let mebibytes = needed.min(available).max(MIN_MEBIBYTES);
            let solver = Solver::new(SolverResources { threads, mebibytes });
            self.active =
                Some(ActiveSolver { solver, mebibytes: needed, rules, invested: 0, solved: None });
        }
        if let Some(active) = &mut self.active {
            active.solver.set_threads(threads);
            if let Some(table) = table {
                active.solver.set_tablebase(table);
            }
        }
    }

    /// Solves a board; `None` when stopped first, without enough memory, or without a
    /// [prepared](Self::prepare) solver.
    pub(super) fn solve(
        &mut self,
        board: &Board,
        request: SolveRequest,
        stop: &StopToken,
    ) -> Option<Solution> {
        self.solve_and_report(board, request, stop, |_| ())
    }

    /// The same. Calls `report` every second of a solve that may take longer.
    pub(super) fn solve_and_report(
        &mut self,
        board: &Board,
        request: SolveRequest,
        stop: &StopToken,
        mut report: impl FnMut(&SolveProgress),
    ) -> Option<Solution> {
        let active = self.active.as_mut()?;
        if stop.is_stopped() || !active.solver.prefault_tables(board, stop) {
            return None;
        }
        let (start, progress) = (Instant::now(), SolveProgress::default());
        let is_long = stop.remaining().is_none_or(|time| time > REPORT_INTERVAL);
        let mut solve = || active.solver.solve_with(board, request, stop, &progress).ok();
        let reported = is_long.then(|| while_reporting(&mut solve, || report(&progress))).flatten();
        let solution = reported.unwrap_or_else(solve);
        let nodes = progress.nodes();
        self.nodes += nodes;
        if solution.is_some() {
            active.solved = active.solved.max(Some(board.seeds_in_play()));
        } else {
            active.invested += nodes;
        }
        let time = start.elapsed().as_secs_f64();
        debug!("solver: {nodes} nodes in {time:.3} s, solved: {}", solution.is_some());
        if time >= MIN_MEASURED_TIME {
            self.speed = Some((nodes as f64 / time, active.solver.threads()));
        }
        solution
    }

    /// What is proven of the margin of a board so far.
    pub(super) fn probe(&self, board: &Board) -> Option<ProvenMargin> {
        self.active.as_ref()?.solver.probe(board)
    }
}

/// Runs `work` in another thread and calls `report` every [`REPORT_INTERVAL`] meanwhile. `None` if the
/// system starts no thread.
fn while_reporting<T: Send>(
    work: impl FnOnce() -> T + Send,
    mut report: impl FnMut(),
) -> Option<T> {
    thread::scope(|scope| {
        let (done, is_done) = bounded(0);
        let work = move || {
            // The channel is closed also by a panic.
            let _done: Sender<()> = done;
            work()
        };
        let worker = thread::Builder::new().spawn_scoped(scope, work).ok()?;
        while is_done.recv_timeout(REPORT_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            report();
        }
        Some(worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_option() -> Result<(), crate::board::BoardError> {
        let board = Board::start(Rules::default(), 6)?;
        let few = Board::start(Rules::default(), 1)?;
        let mut solver = GameSolver::default();
        let mut size_for = |board, mebibytes| {
            solver.prepare(board, mebibytes, NonZeroUsize::MIN, None);
            solver.active.as_ref().map(|active| active.mebibytes)
        };
        for (option, size) in [(100, 64), (256, 256), (32, 32), (4, 4), (16, 16)] {
            assert_eq!(size_for(&board, option), Some(size));
        }
        // The table of a larger board serves a smaller one, too.
        assert_eq!(size_for(&few, 16), Some(16));
        assert_eq!(size_for(&few, 8), Some(4));
        Ok(())
    }
}

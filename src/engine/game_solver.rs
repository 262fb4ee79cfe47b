//! The exact solver over the moves of a game, and how the search and the solver share the time for a move.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use log::{debug, warn};

use crate::board::{Board, Rules, Sowing};
use crate::search::TimeBudget;
use crate::solve::{
    ProvenMargin, Solution, SolveError, SolveProgress, SolveRequest, Solver, SolverResources,
};
use crate::stop::{StopOnPanic, StopToken};
use crate::sys::{Instant, available_memory};
use crate::tablebase::{self, MAX_TABLE_HOUSES, Tablebase};

/// Nodes that a position with [`REFERENCE_SEEDS`] seeds takes on boards of 6 houses a side: about the median
/// of random middle games. With other numbers of seeds they take as many more as there are positions.
const REFERENCE_NODES: f64 = 5e6;
const REFERENCE_SEEDS: u32 = 48;

/// The same under relay sowing, where nodes grow only with a power of the number of positions.
const RELAY_NODES: f64 = 6.5e5;
const RELAY_POWER: f64 = 0.3;

/// How many times more nodes boards under relay sowing take that have too many houses for tables.
const RELAY_WITHOUT_TABLES: f64 = 30.0;

/// Nodes of other boards without tables, relative to the square root of the number of positions: some three times the
/// median of random middle games, since starts take more.
const NODES_WITHOUT_TABLES: f64 = 0.2;

/// Nodes a second and thread, before any were measured.
const DEFAULT_NODES_PER_SECOND: f64 = if cfg!(target_family = "wasm") { 1e6 } else { 4e6 };

/// The same under relay sowing, where to play the moves takes most of the time.
const DEFAULT_RELAY_NODES_PER_SECOND: f64 = DEFAULT_NODES_PER_SECOND / 2.0;

/// Seconds; the speed is not measured in shorter times.
const MIN_MEASURED_TIME: f64 = 0.1;

/// Bytes of the solver's table for each expected node. Memory is slow when it is first used: with
/// more of it the solver took longer to get it than it saved.
const BYTES_PER_NODE: f64 = 5.0;

/// MiB of the smallest table of the solver.
const MIN_MEBIBYTES: usize = 4;

const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Nodes that solving a position with this many seeds in the houses is expected to take.
pub fn expected_nodes(rules: Rules, seeds: u32) -> f64 {
    let houses = rules.houses();
    let larger = houses as i32 - 6;
    let positions =
        |house: usize| (seeds as usize + house) as f64 / (REFERENCE_SEEDS as usize + house) as f64;
    let positions: f64 = (1..=2 * houses).map(positions).product();
    let nodes = REFERENCE_NODES * positions;
    let has_tables = houses <= MAX_TABLE_HOUSES;
    let nodes = match rules.sowing() {
        Sowing::Single if !has_tables => {
            let count = tablebase::positions(houses, seeds);
            count.map_or(f64::INFINITY, |count| NODES_WITHOUT_TABLES * (count as f64).sqrt())
        }
        Sowing::Single if houses <= 4 => nodes / 12.0,
        Sowing::Single => nodes * 6_f64.powi(larger.max(0)),
        Sowing::Relay => {
            let tables = if has_tables { 1.0 } else { RELAY_WITHOUT_TABLES };
            nodes.min(RELAY_NODES * positions.powf(RELAY_POWER)) * 25_f64.powi(larger) * tables
        }
    };
    nodes.max(1e3)
}

/// Maximum and minimum share of the move time that is searched before solving.
const MAX_SEARCH_SHARE: f64 = 0.33;
const MIN_SEARCH_SHARE: f64 = 0.05;

/// The share of the move time after which an unfinished solver makes place for the search.
const SOLVER_END: f64 = 0.8;

/// The most nodes worth visiting when no clock runs.
const MAX_NODES: f64 = 2e9;

/// In less time than this the search works alone.
const MIN_TIME: Duration = Duration::from_millis(2);

/// How the time for a move is split between the search and the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeSplit {
    /// Time of the search before the solver begins.
    pub search: Duration,
    /// The solver stops when this much of the time is used, and the search has the rest.
    pub solve_until: Duration,
    /// How long the solver is expected to take.
    pub expected_solve: Duration,
}

impl TimeSplit {
    /// The split for a position that the solver is expected to solve with this many nodes; `None`
    /// when the search alone is better, because the solver cannot be expected to finish: one that began
    /// where it was expected to take twice its time proved 19 of 240 early positions at 100 ms instead
    /// of 9, but at 200 ms the best move was found in 238 instead of 240.
    pub(super) fn new(
        budget: Option<TimeBudget>,
        nodes: f64,
        nodes_per_second: f64,
    ) -> Option<TimeSplit> {
        let expected_solve = Duration::try_from_secs_f64(nodes / nodes_per_second).ok()?;
        let Some(TimeBudget { soft, hard }) = budget else {
            // No clock runs: the proof is worth more than a deeper search meanwhile.
            let search = (expected_solve / 40).max(Duration::from_millis(100));
            let solve_until = search + (expected_solve * 5).max(Duration::from_secs(3));
            let split = TimeSplit { search, solve_until, expected_solve };
            return (nodes <= MAX_NODES).then_some(split);
        };
        // Half of the time that the solver is expected to take, so that little is lost either way.
        let search = (expected_solve / 2)
            .clamp(soft.mul_f64(MIN_SEARCH_SHARE), soft.mul_f64(MAX_SEARCH_SHARE));
        let solve_until = hard.mul_f64(SOLVER_END);
        let is_promising = soft >= MIN_TIME && search + expected_solve <= solve_until;
        is_promising.then_some(TimeSplit { search, solve_until, expected_solve })
    }
}

/// A solver that keeps what it proves from one move of a game to the next.
#[derive(Default)]
pub(super) struct GameSolver {
    active: Option<ActiveSolver>,
    /// Nodes visited since they were last taken.
    nodes: u64,
    /// Nodes a second of each thread, as last measured.
    speed: Option<(Sowing, f64)>,
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
    pub(super) fn clear(&mut self) {
        if let Some(active) = &mut self.active {
            active.solver.clear();
            (active.invested, active.solved) = (0, None);
        }
    }

    /// Nodes a second that this many threads are expected to visit: at least half of the usual ones, since a busy
    /// machine may soon be less busy.
    pub(super) fn nodes_per_second(&self, rules: Rules, threads: NonZeroUsize) -> f64 {
        let usual = match rules.sowing() {
            Sowing::Single => DEFAULT_NODES_PER_SECOND,
            Sowing::Relay => DEFAULT_RELAY_NODES_PER_SECOND,
        };
        let measured = self.speed.filter(|&(sowing, _)| sowing == rules.sowing());
        measured.map_or(usual, |(_, speed)| speed.max(usual / 2.0)) * threads.get() as f64
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

    /// Prepares a solver for a board, with at most this much memory and perhaps with a tablebase.
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
    /// [prepared](Self::prepare) solver. Calls `report` every second of a solve that may take longer.
    pub(super) fn solve(
        &mut self,
        board: &Board,
        request: SolveRequest,
        stop: &StopToken,
        mut report: impl FnMut(&SolveProgress),
    ) -> Option<Solution> {
        let active = self.active.as_mut()?;
        let warn_of = |error: SolveError| {
            if !matches!(error, SolveError::Stopped) {
                warn!("the solver is not used: {error}");
            }
        };
        if stop.is_stopped() || !active.solver.prefault_tables(board, stop).map_err(warn_of).ok()? {
            return None;
        }
        let (start, progress) = (Instant::now(), SolveProgress::default());
        let is_long = stop.remaining().is_none_or(|time| time > REPORT_INTERVAL);
        let mut solve =
            || active.solver.solve_with(board, request, stop, &progress).map_err(warn_of).ok();
        let report = || report(&progress);
        let reported = is_long.then(|| while_reporting(&mut solve, stop, report)).flatten();
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
            let threads = active.solver.threads().get() as f64;
            self.speed = Some((active.rules.sowing(), nodes as f64 / time / threads));
        }
        solution
    }

    /// What is proven of the margin of a board so far.
    pub(super) fn probe(&self, board: &Board) -> Option<ProvenMargin> {
        self.active.as_ref()?.solver.probe(board)
    }
}

/// Runs `work` in another thread and `report` every [`REPORT_INTERVAL`]. `None` if no thread starts.
fn while_reporting<T: Send>(
    work: impl FnOnce() -> T + Send,
    stop: &StopToken,
    mut report: impl FnMut(),
) -> Option<T> {
    thread::scope(|scope| {
        let _guard = StopOnPanic(stop);
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
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;

    #[test]
    fn medians_of_middle_games_are_expected() {
        use Sowing::{Relay, Single};
        // Of 9 or 15 random boards each, solved by `kalah solve --threads 1`.
        let medians = [
            (Single, 4, 36, 51e3),
            (Single, 4, 48, 390e3),
            (Single, 5, 36, 66e3),
            (Single, 5, 48, 2.5e6),
            (Single, 6, 36, 129e3),
            (Single, 6, 48, 1.8e6),
            (Single, 9, 20, 27e3),
            (Single, 9, 38, 3.3e6),
            (Single, 10, 26, 170e3),
            (Single, 10, 38, 4.7e6),
            (Single, 11, 32, 1.3e6),
            (Single, 12, 20, 45e3),
            (Single, 12, 32, 2.0e6),
            (Relay, 5, 36, 22e3),
            (Relay, 5, 48, 40e3),
            (Relay, 6, 24, 5.3e3),
            (Relay, 6, 36, 269e3),
            (Relay, 6, 48, 645e3),
            (Relay, 6, 60, 1.2e6),
            (Relay, 7, 30, 2.3e6),
            (Relay, 7, 36, 5.7e6),
            (Relay, 7, 48, 35e6),
        ];
        for (sowing, houses, seeds, median) in medians {
            let factor = expected_nodes(Rules::new(houses, sowing).unwrap(), seeds) / median;
            let is_near = (0.125..8.0).contains(&factor);
            assert!(is_near, "{houses} houses, {seeds} seeds, {sowing}: {factor}");
        }
    }

    #[test]
    fn the_table_follows_the_option() {
        let board = Board::start(Rules::default(), 6).unwrap();
        let few = Board::start(Rules::default(), 1).unwrap();
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
    }
}

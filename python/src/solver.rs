//! The exact solver.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use kalah::printable::with_causes;
use kalah::solve::{Checkpoint, CheckpointError, SolveProgress, SolveRequest, SolverResources};
use kalah::{Rules, StopToken};
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;

use crate::arguments::{Callback, Count, List, Margin, Positive, Seconds, Whole, tell};
use crate::board::{Board, parse_rule_set};
use crate::errors::{self, SolverError};
use crate::interruptible::{self, OneAtATime};
use crate::job::{Job, Proven, proven_from, proven_to};
use crate::tablebase::open_files;

/// The exact value of a board.
///
/// Margins are in seeds, from the view of the player to move.
#[pyclass(module = "kalah", frozen, get_all, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct Solution {
    /// The final margin with best play of both sides.
    margin: i32,
    /// The margin after each move, if it was asked for.
    moves: IndexMap<String, i32>,
    /// The moves that reach the margin, if the margins of the moves were asked for.
    best: Vec<String>,
    /// A line of best play to the end of the game, if it was asked for.
    line: Vec<String>,
    /// Positions searched.
    nodes: u64,
}

#[pymethods]
impl Solution {
    #[new]
    fn new(
        margin: i32,
        moves: IndexMap<String, i32>,
        best: Vec<String>,
        line: Vec<String>,
        nodes: Count,
    ) -> Solution {
        Solution { margin, moves, best, line, nodes: nodes.0 }
    }

    fn __getnewargs__(&self) -> (i32, IndexMap<String, i32>, Vec<String>, Vec<String>, u64) {
        let Solution { margin, moves, best, line, nodes } = self.clone();
        (margin, moves, best, line, nodes)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let moves = (&self.moves).into_pyobject(py)?.repr()?;
        Ok(format!("Solution(margin={}, moves={moves}, nodes={})", self.margin, self.nodes))
    }
}

/// Finds exact values. What it has found about one board helps with the next.
///
/// Args:
///     hash: Memory for all tables, in MiB. Kalah(6,4) needs 64, Kalah(6,5) 8,000, Kalah(6,6) 16,384 to
///         be solved at full speed.
///     threads: Threads that search.
///     tablebase: A directory of tablebases, which are then not built anew.
///     checkpoint: A file that keeps what is proven, for boards of one kind. A solve that was stopped, or
///         killed, continues from it. It belongs to the first board that is solved.
///
/// Raises:
///     ValueError: ``hash`` or ``threads`` is out of its range.
///
/// Examples:
///     >>> Solver(hash=16).solve(Board(6, 2)).margin
///     6
#[pyclass(module = "kalah", frozen)]
pub(crate) struct Solver(OneAtATime<State>);

struct State {
    solver: kalah::Solver,
    tablebase: Option<PathBuf>,
    /// A checkpoint that is opened with the first board.
    checkpoint: Option<PathBuf>,
    rules: Option<Rules>,
}

impl State {
    /// Opens the files for boards of these rules.
    fn open_files(&mut self, rules: Rules) -> PyResult<()> {
        if self.rules != Some(rules) {
            if let Some(directory) = &self.tablebase
                && let Some(files) = open_files(directory, rules)?
            {
                self.solver.set_tablebase_files(files);
            }
            self.rules = Some(rules);
        }
        if let Some(path) = &self.checkpoint {
            self.solver.set_checkpoint(open_checkpoint(path, rules)?);
            self.checkpoint = None;
        }
        Ok(())
    }
}

/// Opens a checkpoint; an error names the file.
pub(crate) fn open_checkpoint(path: &Path, rules: Rules) -> PyResult<Checkpoint> {
    Checkpoint::open(path, rules).map_err(|error| checkpoint_error(path, &error))
}

pub(crate) fn checkpoint_error(path: &Path, error: &CheckpointError) -> PyErr {
    let error = with_causes(error);
    SolverError::new_err(format!("checkpoint '{}': {error}", path.display()))
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(
        signature = (*, hash=Whole(1024), threads=Whole(1), tablebase=None, checkpoint=None),
        text_signature = "(*, hash=1024, threads=1, tablebase=None, checkpoint=None)"
    )]
    fn new(
        hash: Positive,
        threads: Positive,
        tablebase: Option<PathBuf>,
        checkpoint: Option<PathBuf>,
    ) -> Solver {
        let resources = SolverResources { threads: threads.into(), mebibytes: hash.0 as usize };
        let solver = kalah::Solver::new(resources);
        let state = State { solver, tablebase, checkpoint, rules: None };
        Solver(OneAtATime::new(state, || SolverError::new_err("the solver is searching")))
    }

    /// Solves a board. This may take hours: Ctrl-C ends it, and so does ``time``. A solve that is
    /// repeated continues where it was.
    ///
    /// Args:
    ///     board: The board.
    ///     moves: Whether to find the margin after every move, too.
    ///     line: Whether to find a line of best play to the end of the game.
    ///     time: Seconds at most.
    ///     progress: Called now and then with positions searched, positions expected to be left for the
    ///         present bound, and the proven bounds of the margin, or None. An exception that it raises
    ///         ends the solve.
    ///
    /// Raises:
    ///     SolverError: The board has too many seeds, there is not enough memory, the solver is searching
    ///         on another thread, or the time was over.
    ///     TablebaseError: A tablebase could not be read.
    ///
    /// Warns:
    ///     RuntimeWarning: What was found could not be written to the checkpoint.
    ///
    /// Examples:
    ///     >>> board = Board.from_text("<3,5,2,0,1,4,2,2,2> N")
    ///     >>> Solver(hash=16).solve(board, moves=True).moves
    ///     {'a': -8, 'b': -4, 'c': -2}
    #[pyo3(signature = (
        board, *, moves=false, line=false, time=None,
        progress: "Callable[[int, int, tuple[int, int] | None], object] | None"=None,
    ))]
    fn solve(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        moves: bool,
        line: bool,
        time: Option<Seconds>,
        progress: Option<Callback>,
    ) -> PyResult<Solution> {
        let board = board.board;
        let mut stop = StopToken::new();
        if let Some(Seconds(time)) = time {
            stop = stop.child_with_timeout(time);
        }
        let mut guard = self.0.idle()?;
        let state = &mut *guard;
        py.detach(|| state.open_files(board.rules()))?;
        let solver = &mut state.solver;
        let request = SolveRequest { moves, best: moves, line, guess: None };
        let work = SolveProgress::default();
        let report = |py: Python<'_>| {
            tell(py, progress.as_ref(), Some((work.nodes(), work.nodes_left(), work.bounds())))
        };
        let solve = || {
            let solution = solver.solve_with(&board, request, &stop, &work);
            (solution, solver.flush_checkpoint())
        };
        let (solution, flushed) = interruptible::run(py, &stop, solve, report)?;
        if let Err(error) = flushed {
            // The values hold all the same.
            let message = CString::new(format!("the checkpoint is not complete: {error}"))?;
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 1)?;
        }
        let solution = solution.map_err(errors::solver)?;
        report(py)?;
        let letters = |moves: &[kalah::Move]| moves.iter().map(ToString::to_string).collect();
        Ok(Solution {
            margin: solution.margin,
            moves: solution.moves.iter().map(|&(mv, margin)| (mv.to_string(), margin)).collect(),
            best: letters(&solution.best),
            line: letters(&solution.line),
            nodes: work.nodes(),
        })
    }

    /// Does a job of a `kalah.JobTree`, with all threads and with what earlier jobs have found.
    /// Ctrl-C ends it.
    ///
    /// Returns:
    ///     ``proven`` for `kalah.JobTree.report`, and the positions searched. ``proven`` has texts of
    ///     boards with empty stores, and the least and the greatest margin possible of each.
    ///
    /// Raises:
    ///     SolverError: There is not enough memory, or the solver is searching on another thread.
    ///     TablebaseError: A tablebase could not be read.
    fn run_job(&self, py: Python<'_>, job: PyRef<'_, Job>) -> PyResult<(Vec<Proven>, u64)> {
        let (job, stop) = (job.job(), StopToken::new());
        let mut guard = self.0.idle()?;
        let state = &mut *guard;
        py.detach(|| state.open_files(job.board.rules()))?;
        let solver = &mut state.solver;
        let result = interruptible::run(py, &stop, || solver.run_job(&job, &stop), |_| Ok(()))?;
        let result = result.map_err(errors::solver)?;
        Ok((proven_to(&result.proven), result.nodes))
    }

    /// Takes over what other solvers have proven, from `kalah.JobTree.take_proven`.
    ///
    /// Raises:
    ///     NotationError: A text is not a board.
    ///     SolverError: The solver is searching on another thread.
    #[pyo3(signature = (proven, capture="standard", sowing="single"))]
    fn learn(
        &self,
        py: Python<'_>,
        proven: List<Proven<Margin>>,
        capture: &str,
        sowing: &str,
    ) -> PyResult<()> {
        let rules = parse_rule_set(capture, sowing)?;
        self.0.detached(py, |state| {
            state.solver.learn(&proven_from(rules, proven.0)?);
            Ok(())
        })?
    }

    /// What earlier solves have proven about a board, without searching.
    ///
    /// Returns:
    ///     The least and the greatest margin possible, from the view of the player to move; None if
    ///     nothing is known.
    fn probe(&self, board: PyRef<'_, Board>) -> PyResult<Option<(i32, i32)>> {
        let proven = self.0.idle()?.solver.probe(&board.board);
        Ok(proven.map(|proven| (proven.lower, proven.upper)))
    }

    /// Forgets all positions searched so far.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.0.detached(py, |state| state.solver.clear())
    }
}

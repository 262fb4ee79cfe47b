//! The solver's best-first search, for solvers on many machines.

use std::path::PathBuf;
use std::sync::Mutex;

use kalah::lock::lock;
use kalah::solve::{self, JobResult};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{Count, List, Margin, Positive, Whole};
use crate::board::Board;
use crate::errors;
use crate::job::{Job, Proven, proven_from, proven_to};
use crate::solver::{checkpoint_error, open_checkpoint};

/// Finds the margin of a board by jobs that `kalah.Solver.run_job` does, here or on other machines:
/// the search of `kalah.Solver`, with its work given away.
///
/// Args:
///     board: The board.
///     job_nodes: Positions after which a job ends without an answer. A million take about a second.
///     checkpoint: A file that keeps what is proven; a tree for the same board continues from it.
///
/// Raises:
///     SolverError: The board has too many seeds, or the file is not a checkpoint for such boards.
///     ValueError: ``job_nodes`` is out of its range.
///
/// Examples:
///     >>> tree, solver = JobTree(Board(6, 3), job_nodes=10_000), Solver(hash=16)
///     >>> while tree.margin() is None:
///     ...     for job in tree.next_jobs(4):
///     ...         proven, nodes = solver.run_job(job)
///     ...         _ = tree.report(job.id, proven)
///     >>> tree.margin()
///     2
#[pyclass(module = "kalah", frozen)]
pub(crate) struct JobTree {
    tree: Mutex<solve::JobTree>,
    board: kalah::Board,
}

impl JobTree {
    /// Does something with the tree, without the GIL: another thread may have it for long.
    fn with_tree<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut solve::JobTree) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut lock(&self.tree)))
    }
}

#[pymethods]
impl JobTree {
    #[new]
    #[pyo3(
        signature = (board, *, job_nodes=Whole(10_000_000), checkpoint=None),
        text_signature = "(board, *, job_nodes=10_000_000, checkpoint=None)"
    )]
    fn new(
        py: Python<'_>,
        board: PyRef<'_, Board>,
        job_nodes: Positive,
        checkpoint: Option<PathBuf>,
    ) -> PyResult<JobTree> {
        let board = board.board;
        let mut tree = solve::JobTree::new(&board, job_nodes.0).map_err(errors::solver)?;
        if let Some(path) = checkpoint {
            py.detach(|| {
                let checkpoint = open_checkpoint(&path, board.rules())?;
                tree.set_checkpoint(checkpoint).map_err(|error| checkpoint_error(&path, &error))
            })?;
        }
        Ok(JobTree { tree: Mutex::new(tree), board })
    }

    /// Hands out the jobs that are expected to help most, at most ``count``; fewer, or none, as long as
    /// others are running.
    fn next_jobs(&self, py: Python<'_>, count: Count) -> Vec<Job> {
        let jobs = self.with_tree(py, |tree| tree.next_jobs(count.0 as usize));
        jobs.into_iter().map(Job::from).collect()
    }

    /// Takes the result of a job, the ``proven`` of `kalah.Solver.run_job`.
    ///
    /// Returns:
    ///     Whether such a job was running.
    ///
    /// Raises:
    ///     NotationError: A text is not a board.
    fn report(&self, py: Python<'_>, id: Count, proven: List<Proven<Margin>>) -> PyResult<bool> {
        let proven = proven_from(self.board.rules().into(), proven.0)?;
        let result = JobResult { proven, nodes: 0 };
        Ok(self.with_tree(py, |tree| tree.report(id.0, &result)))
    }

    /// Gives up a job whose solver was lost, so that it is handed out again.
    ///
    /// Returns:
    ///     Whether such a job was running.
    fn abandon(&self, py: Python<'_>, id: Count) -> bool {
        self.with_tree(py, |tree| tree.abandon(id.0))
    }

    /// What was proven since the last call, for `kalah.Solver.learn` of other solvers.
    fn take_proven(&self, py: Python<'_>) -> Vec<Proven> {
        proven_to(&self.with_tree(py, solve::JobTree::take_proven))
    }

    /// The least and the greatest margin possible, from the view of the player to move.
    fn bounds(&self, py: Python<'_>) -> (i32, i32) {
        self.with_tree(py, |tree| tree.bounds())
    }

    /// The margin, once it is known.
    fn margin(&self, py: Python<'_>) -> Option<i32> {
        self.with_tree(py, |tree| tree.margin())
    }

    /// Positions that are expected to be searched until the present test is decided.
    fn expected_nodes(&self, py: Python<'_>) -> f64 {
        self.with_tree(py, |tree| tree.expected_nodes())
    }

    /// Jobs that were handed out and have no result.
    fn running(&self, py: Python<'_>) -> usize {
        self.with_tree(py, |tree| tree.running())
    }

    /// Writes to the checkpoint what is not in its file yet, and waits until it is on the disk.
    ///
    /// Raises:
    ///     ValueError: The tree has no checkpoint.
    ///     OSError: The file cannot be written.
    fn save(&self, py: Python<'_>) -> PyResult<()> {
        self.with_tree(py, |tree| {
            if !tree.has_checkpoint() {
                return Err(PyValueError::new_err("the tree has no checkpoint"));
            }
            Ok(tree.flush_checkpoint()?)
        })
    }
}

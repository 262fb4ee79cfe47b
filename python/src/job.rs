//! A job of the solver's best-first search, and what is proven by it.

use kalah::board::RuleSet;
use kalah::solve::{self, ProvenBoard};
use pyo3::prelude::*;

use crate::arguments::{Count, Margin, Whole};
use crate::board::Board;
use crate::errors;

/// Proven bounds of the margin of a board: the text of the board, the least and the greatest margin.
pub(crate) type Proven<M = i32> = (String, M, M);

/// A test of one position, which `kalah.Solver.run_job` does. It can be pickled.
#[pyclass(module = "kalah", frozen, get_all)]
pub(crate) struct Job {
    /// The number under which the tree takes the result.
    id: u64,
    /// The position, with empty stores.
    board: Board,
    /// Does the margin reach this? In seeds, from the view of the player to move.
    target: i32,
    /// Positions after which the job ends without an answer.
    max_nodes: u64,
    /// Positions that it is expected to take.
    expected_nodes: f64,
}

impl From<solve::SolveJob> for Job {
    fn from(job: solve::SolveJob) -> Job {
        let solve::SolveJob { id, board, target, max_nodes, expected_nodes } = job;
        Job { id, board: board.into(), target, max_nodes, expected_nodes }
    }
}

impl Job {
    pub(crate) fn job(&self) -> solve::SolveJob {
        let &Job { id, board: Board { board, .. }, target, max_nodes, expected_nodes } = self;
        solve::SolveJob { id, board, target, max_nodes, expected_nodes }
    }
}

#[pymethods]
impl Job {
    #[new]
    fn new(id: Count, board: Board, target: Margin, max_nodes: Count, expected_nodes: f64) -> Job {
        Job { id: id.0, board, target: target.0, max_nodes: max_nodes.0, expected_nodes }
    }

    fn __getnewargs__(&self) -> (u64, Board, i32, u64, f64) {
        (self.id, self.board.clone(), self.target, self.max_nodes, self.expected_nodes)
    }

    fn __repr__(&self) -> String {
        let Job { id, board, target, .. } = self;
        format!("<Job {id}: does {} reach {target:+}?>", board.board.fen())
    }
}

pub(crate) fn proven_from(
    rules: RuleSet,
    proven: Vec<Proven<Margin>>,
) -> PyResult<Vec<ProvenBoard>> {
    let read = |(text, Whole(lower), Whole(upper)): Proven<Margin>| {
        let board = kalah::Board::from_fen(&text, rules).map_err(errors::notation)?;
        Ok(ProvenBoard { board, lower, upper })
    };
    proven.into_iter().map(read).collect()
}

pub(crate) fn proven_to(proven: &[ProvenBoard]) -> Vec<Proven> {
    let write = |&ProvenBoard { board, lower, upper }| (board.fen(), lower, upper);
    proven.iter().map(write).collect()
}

//! The exact solver: the value of a position when both sides play best.
//!
//! [`Solver::solve`] returns the margin of a board; [`Solver::solve_with`] also that of every move and the
//! principal variation, and can be stopped and watched. A [`Checkpoint`] keeps what was proven in a file.
//!
//! The value is found by MTD(f) (`workers`): null-window tests whether the gain reaches a target. A
//! test is a best-first search (`best_first`) on a proof-number DAG (`proof_dag`), guided by how many
//! positions each side is expected to take (`expected_work`). Its leaves are searched depth first, with
//! a limit, on a table that keeps both bounds of every position (`bounds`), down to a tablebase in
//! memory, which is built first (`tables`). There moves are ordered by the position alone (`ordering`).
//! The time is spent waiting for memory: so each thread interleaves several of these searches, which
//! pause after every prefetch (`fiber`). All of them, on all threads, avoid positions that are being
//! searched and share their results through the table.
//!
//! A [`JobTree`] is the same best-first search for solvers on many machines.
//!
//! `docs/notebook/solver.md` has the measurements behind this design.

mod best_first;
mod bounds;
mod checkpoint;
mod expected_work;
mod fiber;
mod job_tree;
mod keys;
mod ordering;
mod own_turn;
mod proof_dag;
mod proof_writer;
mod request;
mod solver;
mod tables;
mod workers;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use job_tree::{JobResult, JobTree, ProvenBoard, SolveJob};
pub(crate) use keys::{RankedKeys, max_solvable_seeds, too_many_seeds};
pub use request::{
    FirstGuess, ProvenMargin, Solution, SolveError, SolveProgress, SolveRequest, SolverResources,
};
pub use solver::{MeasuredTest, Solver};
pub(crate) use tables::optimal_table_seeds;

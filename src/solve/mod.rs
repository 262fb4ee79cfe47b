//! The exact solver: the value of a position when both sides play best.
//!
//! [`Solver::solve`] returns the margin of a board; [`Solver::solve_with`] also the margin after
//! every move and the principal variation, and can be stopped and watched. What it has proven can be
//! kept in a file by [`Solver::save_checkpoint`].
//!
//! The value is found by MTD(f) (`mtdf`): null-window tests whether the gain reaches a target. A
//! test is a depth-first search on a table that keeps both bounds of every position
//! (`bounds_table`), down to a tablebase in memory, which is built first (`tables`). Moves are
//! ordered by the position alone (`ordering`). The time is spent waiting for memory: so each thread
//! interleaves several searches of the same tree, which pause after every prefetch (`fiber`). They,
//! and those of the other threads (`workers`), avoid positions that are being searched and share
//! their results through the table.
//!
//! `docs/exact.md` has the measurements behind this design.

mod bounds;
mod bounds_table;
mod checkpoint;
mod context;
mod fiber;
mod frame;
mod keys;
mod mtdf;
mod ordering;
mod request;
mod solver;
mod tables;
mod workers;

pub use checkpoint::CheckpointError;
pub use request::{
    FirstGuess, ProvenMargin, Solution, SolveError, SolveProgress, SolveRequest, SolverResources,
};
pub use solver::Solver;
pub(crate) use tables::optimal_table_seeds;

//! The exact solver: what a position is worth when both sides play their best.
//!
//! The value is closed in on by MTD(f): tests whether the gain reaches a target (`proof`). A test
//! is answered by a depth-first search on a table of both bounds (`table`) and a tablebase in
//! memory, which is built first (`sizes`). Which moves come first is told by the position alone
//! (`ordering`), and where there is much to search by a search of few plies, too (`look_ahead`).
//! What costs time is to wait for memory: so every position (`frame`) asks for what may answer its
//! question, and then gives way to another search of the same tree on the same processor
//! (`walker`). These, and those of other threads, keep away from positions under work as long as
//! there are others, and meet in the table (`team`).

mod bounds;
mod checkpoint;
mod error;
mod frame;
mod guesses;
mod keys;
mod leaves;
mod look_ahead;
mod ordering;
mod progress;
mod proof;
mod sizes;
mod solver;
mod table;
mod team;
mod walker;

pub use checkpoint::CheckpointError;
pub use error::SolveError;
pub use progress::SolveProgress;
pub(crate) use sizes::optimal_table_seeds;
pub use solver::{FirstGuess, ProvenMargin, Solution, SolveRequest, Solver, SolverResources};

/// Most seeds in the houses of a position that can be solved.
pub const MAX_SEEDS: u32 = 127;

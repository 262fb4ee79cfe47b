//! What a solver takes and what it returns.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use log::info;
use thiserror::Error;

use crate::board::Move;
use crate::lock::lock;
use crate::printable::counted;
use crate::proof_file::{ProofFault, ProofFileError};
use crate::stop::StopToken;
use crate::tablebase::TablebaseError;

/// Threads and memory that a [`Solver`](super::Solver) may use.
#[derive(Clone, Copy, Debug)]
pub struct SolverResources {
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// Memory for all tables together, in MiB. The smallest tables take 4 MiB, also where this is less.
    pub mebibytes: usize,
}

impl Default for SolverResources {
    /// One thread and 1 GiB.
    fn default() -> Self {
        SolverResources { threads: NonZeroUsize::MIN, mebibytes: 1024 }
    }
}

/// What to compute besides the margin of a position.
///
/// ```
/// use kalah::solve::{SolveProgress, SolveRequest, SolverResources};
/// use kalah::{Board, Rules, Solver, StopToken};
///
/// let board = Board::start(Rules::default(), 1)?;
/// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
/// let request = SolveRequest { moves: true, line: true, ..SolveRequest::default() };
/// let solution = solver.solve_with(&board, request, &StopToken::new(), &SolveProgress::default())?;
/// assert_eq!(solution.margin, 2);
/// assert_eq!(solution.moves.len(), 6);
///
/// let mut game = board;
/// for mv in solution.line {
///     game.play(mv)?;
/// }
/// assert_eq!(game.result(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveRequest {
    /// The margin after every move.
    pub moves: bool,
    /// All moves that reach the margin, which takes less than the margins of all.
    pub best: bool,
    /// The principal variation to the end of the game.
    pub line: bool,
    /// Where the search begins: the nearer to the margin, the sooner it ends. By default the static evaluation.
    pub guess: Option<FirstGuess>,
}

/// A guess of the value of a position. A wrong one costs time, but does not change the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstGuess {
    /// The margin, in seeds, from the view of the player to move.
    pub margin: i32,
    /// The best move.
    pub best: Option<Move>,
}

/// The exact value of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// The final store difference with best play, in seeds, from the view of the player to move.
    pub margin: i32,
    /// The margin after each move, from the mover's left, if [requested](SolveRequest::moves).
    pub moves: Vec<(Move, i32)>,
    /// The moves that reach the margin, from the mover's left, if [requested](SolveRequest::best).
    pub best: Vec<Move>,
    /// The principal variation to the end of the game; empty unless [requested](SolveRequest::line).
    pub line: Vec<Move>,
}

/// The bounds that a solver has proven for the margin of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenMargin {
    /// The margin is at least this, in seeds, from the view of the player to move.
    pub lower: i32,
    /// The margin is at most this.
    pub upper: i32,
    /// A move that reaches `lower`; `None` if no such move is known.
    pub best: Option<Move>,
}

/// What a solver has done so far. It updates this while it works, and any thread may read it.
#[derive(Debug, Default)]
pub struct SolveProgress {
    nodes: AtomicU64,
    nodes_left: AtomicU64,
    claims: AtomicU64,
    bounds: Mutex<Option<(i32, i32)>>,
}

impl SolveProgress {
    /// Positions searched so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Positions that are expected to be searched until the present bound is proven: an estimate that
    /// improves as the search proceeds. 0 before the first one.
    pub fn nodes_left(&self) -> u64 {
        self.nodes_left.load(Relaxed)
    }

    /// The proven bounds of the margin, in seeds, from the mover's view; `None` before there are tables.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        *lock(&self.bounds)
    }

    /// Claims of a proof file for which a proof has been found so far.
    pub fn claims(&self) -> u64 {
        self.claims.load(Relaxed)
    }

    pub(super) fn add_claims(&self, claims: u64) {
        self.claims.fetch_add(claims, Relaxed);
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn set_nodes_left(&self, nodes: f32) {
        self.nodes_left.store(nodes as u64, Relaxed);
    }

    pub(super) fn set_bounds(&self, lower: i32, upper: i32) {
        *lock(&self.bounds) = Some((lower, upper));
        info!("margin {lower} to {upper} after {}", counted(self.nodes(), "node"));
    }
}

/// Why a position was not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// Positions with this many seeds have no unique keys, or more bounds than an entry of the table holds.
    #[error(
        "too many seeds to solve: {seeds} in the houses, but an entry of the solver's table has room \
         for at most {max} on a board of {houses} houses a side"
    )]
    TooManySeeds {
        /// Houses a side.
        houses: usize,
        /// Seeds in the houses.
        seeds: u32,
        /// The most seeds that can be solved on such a board.
        max: u32,
    },
    /// The tables, of this many MiB, do not fit into memory.
    #[error("not enough memory for tables of {0} MiB")]
    OutOfMemory(usize),
    /// A tablebase could not be read or built.
    #[error(transparent)]
    Tablebase(TablebaseError),
    /// Bounds of a position contradict each other: those of a checkpoint or of a tablebase are wrong.
    #[error("bounds of a position contradict each other")]
    Contradiction,
    /// A claim of a proof could not be proven.
    #[error("no proof was found")]
    Unproven(#[from] ProofFault),
    /// A proof could not be made of its claims.
    #[error("no proof could be made")]
    Proof(#[from] ProofFileError),
    /// The stop token was stopped, or its deadline passed, before the position was solved.
    #[error("stopped before the position was solved")]
    Stopped,
}

impl SolveError {
    /// Why a search has ended without a solution.
    pub(super) fn without_solution(stop: &StopToken) -> SolveError {
        if stop.is_stopped() { SolveError::Stopped } else { SolveError::Contradiction }
    }
}

impl From<TablebaseError> for SolveError {
    fn from(error: TablebaseError) -> SolveError {
        match error {
            TablebaseError::Stopped => SolveError::Stopped,
            error => SolveError::Tablebase(error),
        }
    }
}

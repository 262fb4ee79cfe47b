//! Verifies a book: against itself, and by solving positions again.

use std::fmt;

use fastrand::Rng;

use super::build::solve;
use super::error::BookError;
use super::file::Book;
use super::positions::{Positions, add_book};
use crate::board::{Board, Move, Next};
use crate::solve::{SolveError, Solver, SolverResources};
use crate::stop::StopToken;

/// Which positions to solve again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookSample {
    /// All positions.
    All,
    /// Some positions, drawn at random.
    Random {
        /// The number of positions.
        positions: u64,
        /// The seed of the random numbers.
        seed: u64,
    },
}

/// A margin in a book that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookFault {
    /// The position, South to move and the stores empty.
    pub board: Board,
    /// The move.
    pub mv: Move,
    /// The margin in the book, in seeds, from the view of South.
    pub found: i32,
    /// The margin that was computed.
    pub expected: i32,
}

impl fmt::Display for BookFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BookFault { board, mv, found, expected } = self;
        write!(f, "{}: {mv} has the margin {found:+} instead of {expected:+}", board.fen())
    }
}

/// What was verified, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookReport {
    /// Positions read, with the checksums of their blocks.
    pub positions: u64,
    /// Moves whose margins were compared with those of the position after the move.
    pub compared: u64,
    /// Positions solved again.
    pub solved: u64,
    /// Wrong margins; a move can be wrong in both ways.
    pub faults: Vec<BookFault>,
}

/// Verifies all checksums, compares the margin of each move with the best one after it where the book has that, and
/// solves positions again. `progress` is called with those solved and those to solve.
///
/// # Errors
/// Returns an error if the file cannot be read or is damaged, a position is not solved, or `stop` was stopped.
pub fn verify_book(
    book: &Book,
    sample: BookSample,
    resources: SolverResources,
    stop: &StopToken,
    progress: &dyn Fn(u64, u64),
) -> Result<BookReport, BookError> {
    let mut positions = Positions::new();
    add_book(&mut positions, book, book.rules())?;
    let mut report = BookReport { positions: positions.len() as u64, ..BookReport::default() };
    for (&rank, gains) in &positions {
        stop.check(SolveError::Stopped)?;
        let (board, entry) = book.entry(rank, gains)?;
        for (mv, found) in entry.moves {
            if let Some(expected) = margin_after(book, &positions, &board, mv) {
                report.compared += 1;
                if found != expected {
                    report.faults.push(BookFault { board, mv, found, expected });
                }
            }
        }
    }
    let ranks = sampled(sample, positions.keys().copied().collect());
    let mut solver = Solver::new(resources);
    for rank in &ranks {
        let (Some(board), Some(gains)) = (book.keys.board_of(*rank), positions.get(rank)) else {
            continue;
        };
        let exact = solve(&mut solver, &board, None, stop)?;
        for (mv, (&found, &expected)) in board.moves().zip(gains.iter().zip(&exact)) {
            if found != expected {
                let (found, expected) = (found.into(), expected.into());
                report.faults.push(BookFault { board, mv, found, expected });
            }
        }
        report.solved += 1;
        progress(report.solved, ranks.len() as u64);
    }
    Ok(report)
}

/// The margin after a move, from the view of the player who makes it; `None` if it is not in the book.
fn margin_after(book: &Book, positions: &Positions, board: &Board, mv: Move) -> Option<i32> {
    let mut after = *board;
    let next = after.play(mv).ok()?;
    if next == Next::Over {
        return after.result();
    }
    let gain = positions.get(&book.keys.rank(&after))?.iter().max()?;
    let margin = after.store_difference() + i32::from(*gain);
    Some(if next == Next::Other { -margin } else { margin })
}

fn sampled(sample: BookSample, mut ranks: Vec<u64>) -> Vec<u64> {
    if let BookSample::Random { positions, seed } = sample {
        Rng::with_seed(seed).shuffle(&mut ranks);
        ranks.truncate(usize::try_from(positions).unwrap_or(usize::MAX));
    }
    ranks
}

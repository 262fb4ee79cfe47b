//! Builds a book: solves the positions of a walk one by one.

use std::path::Path;

use super::entry::MoveGains;
use super::error::BookError;
use super::file::{Book, board_of};
use super::layout::ranks;
use super::positions::{Positions, add_book, save_positions};
use super::walk::{BookScope, BookWalk};
use crate::board::{Board, Rules};
use crate::solve::{
    FirstGuess, RankedKeys, SolveError, SolveProgress, SolveRequest, Solver, SolverResources,
    too_many_seeds,
};
use crate::stop::StopToken;

/// A book that is being built.
///
/// ```
/// use kalah::book::{BookBuild, BookScope, BookStep};
/// use kalah::solve::SolverResources;
/// use kalah::{Board, Rules, StopToken};
///
/// let start = Board::start(Rules::default(), 2)?;
/// let scope = BookScope { plies: Some(2), ..BookScope::default() };
/// let resources = SolverResources { mebibytes: 16, ..SolverResources::default() };
/// let mut build = BookBuild::new(&start, scope, None, resources)?;
/// while build.step(&StopToken::new())? != BookStep::Complete {}
/// assert_eq!(build.positions(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BookBuild {
    rules: Rules,
    seeds: u32,
    keys: RankedKeys,
    positions: Positions,
    walk: BookWalk,
    solver: Solver,
    solved: u64,
}

/// What a step of a build has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookStep {
    /// The position was in the book already.
    Known,
    /// The position was solved.
    Solved,
    /// Nothing: the scope is exhausted.
    Complete,
}

impl BookBuild {
    /// A build of the positions that can be reached from a board, or the continuation of a book.
    ///
    /// # Errors
    /// Returns an error if the book has other rules or cannot be read, or if the board has more seeds than
    /// the solver can solve.
    pub fn new(
        start: &Board,
        scope: BookScope,
        book: Option<&Book>,
        resources: SolverResources,
    ) -> Result<BookBuild, BookError> {
        let rules = start.rules();
        let mut positions = Positions::new();
        if let Some(book) = book {
            add_book(&mut positions, book, rules)?;
        }
        let seeds = start.seeds_in_play().max(book.map_or(0, Book::seeds));
        let keys = ranks(rules, seeds).ok_or_else(|| too_many_seeds(rules, seeds))?;
        let walk = BookWalk::new(scope, &keys, &start.without_stores());
        let solver = Solver::new(resources);
        Ok(BookBuild { rules, seeds, keys, positions, walk, solver, solved: 0 })
    }

    /// The number of positions in the book so far.
    pub fn positions(&self) -> u64 {
        self.positions.len() as u64
    }

    /// The number of positions that this build has reached, those known before included.
    pub fn reached(&self) -> u64 {
        self.walk.reached()
    }

    /// The number of positions that this build has solved.
    pub fn solved(&self) -> u64 {
        self.solved
    }

    /// What has been given away on the path to the next position, in seeds, by the side that has given
    /// away less and by the other; and the plies of this path.
    pub fn next_cost(&self) -> Option<(u32, u32, u32)> {
        self.walk.next_cost()
    }

    /// Takes the next position, and solves it if it is not known.
    ///
    /// # Errors
    /// Returns an error if the position cannot be solved, or if `stop` was stopped first; the step can
    /// then be repeated.
    pub fn step(&mut self, stop: &StopToken) -> Result<BookStep, BookError> {
        let Some(reached) = self.walk.next() else { return Ok(BookStep::Complete) };
        let Some(board) = board_of(&self.keys, self.rules, reached.rank) else {
            return Ok(BookStep::Known);
        };
        if let Some(gains) = self.positions.get(&reached.rank) {
            self.walk.expand(&self.keys, &board, &reached, gains);
            return Ok(BookStep::Known);
        }
        let gains = match solve(&mut self.solver, &board, reached.gain, stop) {
            Ok(gains) => gains,
            Err(error) => {
                self.walk.push_back(&reached);
                return Err(error.into());
            }
        };
        self.walk.expand(&self.keys, &board, &reached, &gains);
        self.positions.insert(reached.rank, gains);
        self.solved += 1;
        Ok(BookStep::Solved)
    }

    /// Writes the book. A file under this name is replaced at once or not at all.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written; an existing one is then unchanged.
    pub fn save(&self, path: &Path) -> Result<(), BookError> {
        save_positions(path, self.rules, self.seeds, &self.positions)
    }
}

/// The gains of all moves of a board without stores.
pub(super) fn solve(
    solver: &mut Solver,
    board: &Board,
    gain: Option<i16>,
    stop: &StopToken,
) -> Result<MoveGains, SolveError> {
    let guess = gain.map(|gain| FirstGuess { margin: i32::from(gain), best: None });
    let request = SolveRequest { moves: true, guess, ..SolveRequest::default() };
    let solution = solver.solve_with(board, request, stop, &SolveProgress::default())?;
    Ok(solution.moves.iter().map(|of_move| of_move.1 as i16).collect())
}

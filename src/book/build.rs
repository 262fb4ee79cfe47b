//! Builds a book: solves the positions of a walk one by one, best play first.
//!
//! A path to a position has a cost: the seeds that each side has given away on it. The walk takes the cheapest
//! paths first, and is given the gains of the moves of each position. First come the paths on which at most one
//! side has given anything away: a player who follows the book finds a reply to every mistake of the opponent.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::BookError;
use super::file::Book;
use super::layout::{MoveGains, ranks};
use super::positions::{Positions, add_book, save_positions};
use crate::board::Board;
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
    /// Returns an error if the book has other rules or cannot be read, or if the board has too many seeds.
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
        Ok(BookBuild { keys, positions, walk, solver, solved: 0 })
    }

    /// The number of positions in the book so far.
    pub fn positions(&self) -> u64 {
        self.positions.len() as u64
    }

    /// The number of positions that this build has reached, those known before included.
    pub fn reached(&self) -> u64 {
        self.walk.reached.len() as u64
    }

    /// The number of positions that this build has solved.
    pub fn solved(&self) -> u64 {
        self.solved
    }

    /// Seeds given away on the path to the next position, by the side that gave less and by the other; and its plies.
    pub fn next_cost(&self) -> Option<(u32, u32, u32)> {
        let PathCost { lesser, greater, plies, .. } = self.walk.paths.peek()?.0.cost;
        Some((lesser, greater, plies))
    }

    /// Takes the next position, and solves it if it is not known.
    ///
    /// # Errors
    /// Returns an error if the position cannot be solved or `stop` was stopped; the step can be repeated.
    pub fn step(&mut self, stop: &StopToken) -> Result<BookStep, BookError> {
        let Some(reached) = self.walk.next() else { return Ok(BookStep::Complete) };
        let Some(board) = self.keys.board_of(reached.rank) else { return Ok(BookStep::Known) };
        if let Some(gains) = self.positions.get(&reached.rank) {
            self.walk.expand(&self.keys, &board, &reached, gains);
            return Ok(BookStep::Known);
        }
        let gains = match solve(&mut self.solver, &board, reached.gain, stop) {
            Ok(gains) => gains,
            Err(error) => {
                self.walk.paths.push(Reverse(reached));
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
        save_positions(path, self.keys.rules, self.keys.seeds, &self.positions)
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

/// Positions with so few seeds in the houses are not in a book: their tables are built in a moment.
const FEW_SEEDS: u32 = 8;

/// How far a build goes. The default is without limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookScope {
    /// Only positions from which fewer than this many plies have been played.
    pub plies: Option<u32>,
    /// Only the first positions in the order of the build.
    pub positions: Option<u64>,
    /// Only positions that can be reached with both sides together giving away no more seeds than this.
    pub margin: Option<u32>,
    /// Only positions that can be reached with one side giving away nothing.
    pub one_sided: bool,
}

/// The cost of a path to a position. Smaller is better in each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PathCost {
    /// Seeds given away by the side that has given away less, and by the other.
    lesser: u32,
    greater: u32,
    plies: u32,
    /// Whether the mover is the side that has given away more.
    is_mover_greater: bool,
}

impl PathCost {
    fn new(mover: u32, opponent: u32, plies: u32) -> PathCost {
        let (lesser, greater) = (mover.min(opponent), mover.max(opponent));
        PathCost { lesser, greater, plies, is_mover_greater: mover > opponent }
    }

    /// Seeds given away by the mover and by the opponent.
    fn losses(self) -> (u32, u32) {
        if self.is_mover_greater {
            (self.greater, self.lesser)
        } else {
            (self.lesser, self.greater)
        }
    }

    /// Whether this path makes another one to the same position superfluous.
    fn covers(self, other: PathCost) -> bool {
        let ((mover, opponent), (others_mover, others_opponent)) = (self.losses(), other.losses());
        mover <= others_mover && opponent <= others_opponent && self.plies <= other.plies
    }
}

/// A path to a position. The order of the fields is that of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BookPath {
    cost: PathCost,
    rank: u64,
    /// The gain of the position, if it is known from the position before it.
    gain: Option<i16>,
}

/// The positions that can be reached, the cheapest first.
struct BookWalk {
    scope: BookScope,
    paths: BinaryHeap<Reverse<BookPath>>,
    /// The paths known to each position, without superfluous ones.
    costs: FxHashMap<u64, Vec<PathCost>>,
    reached: FxHashSet<u64>,
}

impl BookWalk {
    fn new(scope: BookScope, keys: &RankedKeys, start: &Board) -> BookWalk {
        let mut walk = BookWalk {
            scope,
            paths: BinaryHeap::new(),
            costs: FxHashMap::default(),
            reached: FxHashSet::default(),
        };
        walk.add(keys, start, None, PathCost::new(0, 0, 0));
        walk
    }

    /// The next position; `None` at the end of the scope. It comes again if another path to it may lead further.
    fn next(&mut self) -> Option<BookPath> {
        while let Some(Reverse(path)) = self.paths.pop() {
            let BookPath { cost, rank, .. } = path;
            if !self.costs.get(&rank).is_some_and(|costs| costs.contains(&cost)) {
                continue;
            }
            let is_full =
                self.scope.positions.is_some_and(|most| self.reached.len() as u64 >= most);
            if is_full && !self.reached.contains(&rank) {
                self.paths.clear();
                return None;
            }
            self.reached.insert(rank);
            return Some(path);
        }
        None
    }

    /// Adds the paths that go on from a position, which has these gains.
    fn expand(&mut self, keys: &RankedKeys, board: &Board, reached: &BookPath, gains: &MoveGains) {
        let best = gains.iter().max().copied().unwrap_or(0);
        let (mover, opponent) = reached.cost.losses();
        let plies = reached.cost.plies + 1;
        for ((_, after), &gain) in board.successors().zip(gains) {
            let mover = mover + u32::from(best.abs_diff(gain));
            let (cost, margin) = if after.side() == board.side() {
                (PathCost::new(mover, opponent, plies), gain)
            } else {
                (PathCost::new(opponent, mover, plies), -gain)
            };
            let gain = margin - after.store_difference() as i16;
            self.add(keys, &after, Some(gain), cost);
        }
    }

    fn add(&mut self, keys: &RankedKeys, board: &Board, gain: Option<i16>, cost: PathCost) {
        let BookScope { plies, margin, one_sided, .. } = self.scope;
        if board.is_over()
            || board.seeds_in_play() <= FEW_SEEDS
            || plies.is_some_and(|plies| cost.plies >= plies)
            || (one_sided && cost.lesser > 0)
            || margin.is_some_and(|margin| cost.lesser + cost.greater > margin)
        {
            return;
        }
        let rank = keys.rank(board);
        let costs = self.costs.entry(rank).or_default();
        if !costs.iter().any(|known| known.covers(cost)) {
            costs.retain(|&known| !cost.covers(known));
            costs.push(cost);
            self.paths.push(Reverse(BookPath { cost, rank, gain }));
        }
    }
}

//! Makes a set of positions: draws them from random and from strong games, and solves them.

use std::collections::HashSet;

use fastrand::Rng;
use kalah::StopToken;
use kalah::board::{Board, BoardError, Capture, Rules};
use kalah::search::{Limits, SearchOptions, Searcher, TableTooLarge};
use kalah::solve::{SolveError, SolveProgress, SolveRequest, Solver, SolverResources};
use kalah_fair::fair_starts;
use kalah_records::shuffle;
use thiserror::Error;

use crate::{ExamPosition, Origin, Phase, PositionSet, Theme};

/// The version of the sets that are made now.
const VERSION: u32 = 1;

/// The table of the searches that play the strong games, in MiB.
const HASH_MEBIBYTES: usize = 4;

/// Nodes for each move of a strong game.
const NODES: u64 = 3_000;

/// Strong games begin with up to so many random plies, and later one ply of so many is random: the
/// positions are to differ.
const RANDOM_PLIES: u64 = 6;
const ONE_RANDOM_OF: u64 = 10;

/// The plies of a game before its first position: the boards of earlier ones are few.
const FIRST_PLIES: u64 = 3;

/// A game of which positions are taken, under both capture rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boards {
    /// Houses a side.
    pub houses: usize,
    /// Seeds in each house at the start.
    pub seeds: u16,
    /// Positions of each kind (openings, middle games, endings, traps), of random and of strong games, under
    /// each capture rule; and fair starts under each rule, if they are known.
    pub each: usize,
}

impl Boards {
    /// The boards of the set of this program.
    pub const BUILT_IN: [Boards; 5] = [
        Boards { houses: 6, seeds: 4, each: 9 },
        Boards { houses: 6, seeds: 3, each: 3 },
        Boards { houses: 5, seeds: 5, each: 2 },
        Boards { houses: 5, seeds: 4, each: 3 },
        Boards { houses: 4, seeds: 5, each: 3 },
    ];

    /// The number of positions to make, of which there may be fewer.
    fn positions(self) -> usize {
        let kinds = KINDS.len() * ORIGINS.len() + 1;
        Capture::ALL.len() * kinds * self.each
    }
}

/// The phases that positions are drawn for; `None` is for traps after the opening.
const KINDS: [Option<Phase>; 4] =
    [Some(Phase::Opening), Some(Phase::MiddleGame), Some(Phase::Ending), None];

const ORIGINS: [Origin; 2] = [Origin::Random, Origin::Strong];

/// Games without a new position of a kind, after which no more are drawn: small boards have few.
const MAX_DRAWS: usize = 2_000;

/// Why no set was made.
#[derive(Debug, Error)]
pub enum MakeError {
    /// A position cannot be solved, or it was stopped.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// There is no memory for the searches of the strong games.
    #[error(transparent)]
    Memory(#[from] TableTooLarge),
    /// There is no such board.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Draws and solves positions of these boards. `on_position` is called with the number of positions so far and the
/// most that there will be. The same seed gives the same set.
///
/// # Errors
/// When there is no such board, no memory, or it was stopped.
pub fn make(
    boards: &[Boards],
    seed: u64,
    resources: SolverResources,
    stop: &StopToken,
    mut on_position: impl FnMut(usize, usize),
) -> Result<PositionSet, MakeError> {
    let most = boards.iter().map(|boards| boards.positions()).sum();
    let mut maker = Maker {
        on_position: &mut |found| on_position(found, most),
        random: Rng::with_seed(seed),
        searcher: Searcher::new(HASH_MEBIBYTES)?,
        solver: Solver::new(resources),
        stop,
        drawn: HashSet::new(),
        positions: Vec::new(),
    };
    for boards in boards {
        for capture in Capture::ALL {
            let rules = Rules::new(boards.houses, capture).map_err(BoardError::from)?;
            let start = Board::start(rules, boards.seeds)?;
            maker.add_fair_starts(&start, boards)?;
            for origin in ORIGINS {
                for kind in KINDS {
                    maker.add_positions(&start, origin, kind, boards.each)?;
                }
            }
        }
    }
    let Maker { mut positions, mut random, .. } = maker;
    shuffle(&mut positions, &mut random);
    Ok(PositionSet { version: VERSION, seed, positions })
}

struct Maker<'a> {
    /// Is called with the number of positions so far.
    on_position: &'a mut dyn FnMut(usize),
    random: Rng,
    searcher: Searcher,
    solver: Solver,
    stop: &'a StopToken,
    /// All boards that were solved.
    drawn: HashSet<Board>,
    positions: Vec<ExamPosition>,
}

impl Maker<'_> {
    fn add_fair_starts(&mut self, start: &Board, boards: &Boards) -> Result<(), MakeError> {
        let mut starts = fair_starts(start.rules(), boards.seeds);
        shuffle(&mut starts, &mut self.random);
        let enough = self.positions.len() + boards.each;
        for board in starts {
            if self.positions.len() == enough {
                break;
            }
            if let Some(position) = self.solved(board, Origin::Fair)? {
                self.add(position);
            }
        }
        Ok(())
    }

    fn add(&mut self, position: ExamPosition) {
        self.positions.push(position);
        (self.on_position)(self.positions.len());
    }

    fn add_positions(
        &mut self,
        start: &Board,
        origin: Origin,
        kind: Option<Phase>,
        wanted: usize,
    ) -> Result<(), MakeError> {
        let (mut found, mut draws) = (0, 0);
        while found < wanted && draws < MAX_DRAWS {
            draws += 1;
            let boards = self.boards_of_game(start, origin);
            let mut fitting: Vec<Board> = boards
                .into_iter()
                .filter(|board| {
                    let phase = Phase::of_board(board);
                    kind.map_or(phase > Phase::Opening, |wanted| phase == wanted)
                })
                .filter(|board| !self.drawn.contains(board))
                .collect();
            if fitting.is_empty() {
                continue;
            }
            let board = fitting.swap_remove(self.random.u64(..fitting.len() as u64) as usize);
            let Some(position) = self.solved(board, origin)? else { continue };
            if kind.is_none() && !position.themes().contains(&Theme::Trap) {
                continue;
            }
            self.add(position);
            (found, draws) = (found + 1, 0);
        }
        Ok(())
    }

    /// The boards of a game in which there is a choice.
    fn boards_of_game(&mut self, start: &Board, origin: Origin) -> Vec<Board> {
        let mut board = *start;
        let mut boards = Vec::new();
        let random_plies = 1 + self.random.u64(..RANDOM_PLIES);
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        self.searcher.clear();
        for ply in 0.. {
            let moves: Vec<_> = board.moves().collect();
            if moves.is_empty() || self.stop.is_stopped() {
                break;
            }
            if moves.len() > 1 && ply >= FIRST_PLIES {
                boards.push(board);
            }
            let is_random = origin == Origin::Random
                || ply < random_plies
                || self.random.u64(..ONE_RANDOM_OF) == 0;
            let random = moves[self.random.u64(..moves.len() as u64) as usize];
            let mv = if is_random {
                random
            } else {
                let options = SearchOptions::default();
                let result =
                    self.searcher.search(&board, &limits, &options, self.stop, &mut |_| {});
                result.best.unwrap_or(random)
            };
            if board.play(mv).is_err() {
                break;
            }
        }
        boards
    }

    /// The position with the margins of its moves; `None` if they are all the same.
    fn solved(&mut self, board: Board, origin: Origin) -> Result<Option<ExamPosition>, MakeError> {
        self.drawn.insert(board);
        let request = SolveRequest { moves: true, ..SolveRequest::default() };
        let progress = SolveProgress::default();
        let solution = self.solver.solve_with(&board, request, self.stop, &progress)?;
        Ok(ExamPosition::new(board, origin, solution.moves))
    }
}

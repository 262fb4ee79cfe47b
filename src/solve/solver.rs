//! The solver: from a request to the search and back to a solution.

use std::cmp::Ordering;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::bounds::GainBounds;
use super::checkpoint::Checkpoint;
use super::expected_work::EASE_PER_SEED;
use super::keys::{UniqueKeys, hash_of_board};
use super::request::{
    FirstGuess, ProvenMargin, Solution, SolveError, SolveProgress, SolveRequest, SolverResources,
};
use super::tables::{COST_OF_ALL_MOVES, SolverTables};
use super::workers::{EndgameProbe, SolveContext, WorkerGroup};
use crate::board::{Board, House, Move, Position, RowTables, Sowing};
use crate::parallel;
use crate::search::{Evaluation, Limits, SearchOptions, Searcher};
use crate::stop::StopToken;
use crate::tablebase::{Tablebase, TablebaseFiles};

/// Plies of the search that guesses. Its 20 milliseconds save tests that take seconds: with the
/// static evaluation instead, all first moves of Kalah(6,4) took half as long again.
const GUESS_DEPTH: u32 = 12;

/// The limit for large boards, which take long to reach that depth.
const GUESS_NODES: u64 = 100_000;

/// The hash table of that search, in MiB.
const GUESS_HASH: usize = 1;

/// Finds the exact value of positions.
///
/// Its tables are kept until a board with other rules comes.
pub struct Solver {
    pub(super) tables: SolverTables,
    evaluation: Evaluation,
    /// The search that guesses margins; allocated on first use.
    guesser: Option<Searcher>,
}

/// Evaluates an expression with the workers of a solver for a board, whose tables must be ready, and the
/// root. Their types are those of the board's rows, keys and endgames.
macro_rules! with_workers {
    ($solver:expr, $board:expr, $stop:expr, $progress:expr, |$workers:ident, $root:ident| $run:expr) => {{
        let (solver, board) = (&*$solver, $board);
        match board.position() {
            $crate::board::AnyPosition::Narrow(sowings, $root) => {
                let tablebase = solver.tables.tablebase.as_deref();
                let endgames = tablebase.ok_or_else(|| solver.tables.out_of_memory())?;
                if board.rules().houses() <= $crate::solve::keys::PACKED_HOUSES {
                    let keys = $crate::solve::keys::PackedKeys;
                    with_workers!(@run solver, sowings, board, keys, endgames, $stop, $progress, $workers, $run)
                } else {
                    let keys = $crate::solve::keys::RankedKeys::from_board(board)?;
                    with_workers!(@run solver, sowings, board, keys, endgames, $stop, $progress, $workers, $run)
                }
            }
            $crate::board::AnyPosition::Wide(sowings, $root) => {
                let keys = $crate::solve::keys::RankedKeys::from_board(board)?;
                let endgames = &$crate::solve::workers::NoEndgames;
                with_workers!(@run solver, sowings, board, keys, endgames, $stop, $progress, $workers, $run)
            }
        }
    }};
    (@run $solver:ident, $sowings:ident, $board:ident, $keys:ident, $endgames:ident, $stop:expr,
     $progress:expr, $workers:ident, $run:expr) => {{
        let (tables, seeds) = (&$solver.tables, $board.seeds_in_play());
        let context = tables.context($sowings, seeds, &$keys, $endgames)?;
        let $workers = tables.workers(&context, $stop, $progress);
        $run
    }};
}
pub(super) use with_workers;

impl Solver {
    /// A solver without tables. They are made when the first position is solved.
    pub fn new(resources: SolverResources) -> Solver {
        Solver {
            tables: SolverTables { resources, ..SolverTables::default() },
            evaluation: Evaluation::default(),
            guesser: None,
        }
    }

    /// Loads tablebases from these files, where they have enough seeds, instead of building them.
    pub fn set_tablebase_files(&mut self, files: TablebaseFiles) {
        self.tables.files = Some(files);
    }

    /// Uses this tablebase, whatever its size, for boards of its rules, instead of building one, until a
    /// board with other rules comes. It does not count towards the memory of the [`SolverResources`].
    pub fn set_tablebase(&mut self, tablebase: Arc<Tablebase>) {
        self.tables.set_rules(tablebase.rules());
        self.tables.unfinished = None;
        self.tables.tablebase = Some(tablebase);
        self.tables.is_fixed = true;
    }

    /// Uses what a checkpoint has, and keeps there what is proven from now on, until a board with other
    /// rules comes. Tablebases set before are kept if they are for its rules.
    pub fn set_checkpoint(&mut self, checkpoint: Checkpoint) {
        self.tables.set_rules(checkpoint.rules());
        self.tables.checkpoint = Some(checkpoint);
    }

    /// Writes to the checkpoint what is not in its file yet, and waits until it is on the disk.
    ///
    /// # Errors
    /// Returns an error if that fails. The file is then whole, without the latest records.
    pub fn flush_checkpoint(&self) -> io::Result<()> {
        self.tables.checkpoint.as_ref().map_or(Ok(()), Checkpoint::flush)
    }

    /// Forgets all positions searched so far, those of a checkpoint, too. Keeps the tablebase and the file.
    pub fn clear(&mut self) {
        if let Some(bounds) = &mut self.tables.bounds {
            bounds.clear();
        }
    }

    /// Looks up what earlier searches have proven about a board, without searching; `None` if nothing.
    ///
    /// ```
    /// use kalah::solve::SolverResources;
    /// use kalah::{Board, Rules, Solver};
    ///
    /// let board = Board::start(Rules::default(), 2)?;
    /// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
    /// assert_eq!(solver.probe(&board), None);
    /// solver.solve(&board)?;
    /// let proven = solver.probe(&board).ok_or("not in the table")?;
    /// assert_eq!((proven.lower, proven.upper), (6, 6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe(&self, board: &Board) -> Option<ProvenMargin> {
        let (rules, seeds) = (board.rules(), board.seeds_in_play());
        let table = self.tables.bounds.as_ref().filter(|_| rules == self.tables.rules)?;
        let entry = table.probe(hash_of_board(board)?, seeds)?;
        let difference = board.store_difference();
        let (lower, upper) = (difference + entry.bounds.lower, difference + entry.bounds.upper);
        let best = entry.best.map(|house| board.move_from(house));
        Some(ProvenMargin { lower, upper, best })
    }

    pub(crate) fn set_threads(&mut self, threads: NonZeroUsize) {
        self.tables.resources.threads = threads;
    }

    pub(crate) fn threads(&self) -> NonZeroUsize {
        self.tables.resources.threads
    }

    /// Makes the tables for a board before the search. Returns whether all of their memory is present.
    ///
    /// # Errors
    /// Returns an error if the board has too many seeds, there is not enough memory, or `stop` was stopped.
    pub fn prefault_tables(&mut self, board: &Board, stop: &StopToken) -> Result<bool, SolveError> {
        self.tables.prepare(board.rules(), board.seeds_in_play(), 1, stop)?;
        let threads = self.threads();
        Ok(self.tables.bounds.as_mut().is_some_and(|bounds| {
            bounds.prefault(threads, stop);
            bounds.is_resident()
        }))
    }

    /// Returns the margin of a board alone. May take hours: see [`solve_with`](Self::solve_with).
    ///
    /// # Errors
    /// Returns an error if the board has too many seeds or there is not enough memory.
    pub fn solve(&mut self, board: &Board) -> Result<Solution, SolveError> {
        let (stop, progress) = (StopToken::new(), SolveProgress::default());
        self.solve_with(board, SolveRequest::default(), &stop, &progress)
    }

    /// Solves a board as requested. Other threads may read `progress` meanwhile.
    ///
    /// A stop ends the search within a few milliseconds, the building of a tablebase within a tenth of a second
    /// with 6 houses and 20 seeds; files are read to the end. A search that is repeated after a stop continues
    /// where it was, as long as the table of bounds holds its positions.
    ///
    /// # Errors
    /// Returns an error if the board has too many seeds, there is not enough memory, a checkpoint or a
    /// tablebase contradicts what is found, or `stop` was stopped first.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use kalah::solve::{SolveError, SolveProgress, SolveRequest, SolverResources};
    /// use kalah::{Board, Rules, Solver, StopToken};
    ///
    /// let board = Board::start(Rules::default(), 6)?;
    /// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
    /// let stop = StopToken::new().child_with_timeout(Duration::from_millis(100));
    /// let progress = SolveProgress::default();
    /// match solver.solve_with(&board, SolveRequest::default(), &stop, &progress) {
    ///     Ok(solution) => println!("margin {}", solution.margin),
    ///     Err(SolveError::Stopped) => println!("bounds {:?}", progress.bounds()),
    ///     Err(error) => return Err(error.into()),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with(
        &mut self,
        board: &Board,
        request: SolveRequest,
        stop: &StopToken,
        progress: &SolveProgress,
    ) -> Result<Solution, SolveError> {
        let (rules, seeds) = (board.rules(), board.seeds_in_play());
        if let Some(margin) = board.result_for(board.side()) {
            progress.set_bounds(margin, margin);
            return Ok(Solution { margin, ..Solution::default() });
        }
        let times = if request.moves || request.best { COST_OF_ALL_MOVES } else { 1 };
        self.tables.prepare(rules, seeds, times, stop)?;
        let guesses = if request.moves { self.guess_moves(board, stop) } else { Vec::new() };
        let nodes_before = progress.nodes();
        let solution = with_workers!(self, board, stop, progress, |workers, root| {
            let guess = request.guess.unwrap_or_else(|| {
                let gain = match rules.sowing() {
                    Sowing::Single => self.evaluation.gain(&root, rules.houses(), seeds as i32),
                    // One turn can win most of the seeds.
                    Sowing::Relay => workers.context.work.guess(workers.context.sowings, &root),
                };
                FirstGuess { margin: board.store_difference() + gain, best: None }
            });
            solve_root(&workers, &root, board, request, guess, &guesses)
        });
        self.tables.searched += progress.nodes().saturating_sub(nodes_before);
        solution.ok_or_else(|| SolveError::without_solution(stop))
    }

    /// The margins of boards and of all their moves, in the order of the boards. Each board is solved by one
    /// thread, which suits many boards of some milliseconds each better than several threads on one of them.
    ///
    /// ```
    /// use kalah::solve::{SolveProgress, SolverResources};
    /// use kalah::{Board, Rules, Solver, StopToken};
    ///
    /// let boards = [Board::start(Rules::default(), 1)?, Board::start(Rules::default(), 2)?];
    /// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
    /// let solved = solver.solve_all(&boards, &StopToken::new(), &SolveProgress::default())?;
    /// assert_eq!(solved.iter().map(|solution| solution.margin).collect::<Vec<_>>(), [2, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve_with`](Self::solve_with).
    pub fn solve_all(
        &mut self,
        boards: &[Board],
        stop: &StopToken,
        progress: &SolveProgress,
    ) -> Result<Vec<Solution>, SolveError> {
        let mut solutions = Vec::with_capacity(boards.len());
        for boards in boards.chunk_by(|one, next| one.rules() == next.rules()) {
            let seeds = boards.iter().map(Board::seeds_in_play).max().unwrap_or(0);
            self.tables.prepare(boards[0].rules(), seeds, boards.len(), stop)?;
            let nodes_before = progress.nodes();
            let solver = &*self;
            let solve = |(): &mut (), board| solver.solve_moves(board, stop, progress);
            let found = parallel::try_map_with(self.threads(), boards.iter(), || (), solve);
            self.tables.searched += progress.nodes().saturating_sub(nodes_before);
            solutions.extend(found?);
        }
        Ok(solutions)
    }

    /// The margins of a board, for which there are tables, and of its moves, by this thread.
    fn solve_moves(
        &self,
        board: &Board,
        stop: &StopToken,
        progress: &SolveProgress,
    ) -> Result<Solution, SolveError> {
        if let Some(margin) = board.result_for(board.side()) {
            return Ok(Solution { margin, ..Solution::default() });
        }
        let gains = with_workers!(self, board, stop, progress, |workers, root| {
            let limits = workers.limits.shared_by(self.threads());
            let workers = WorkerGroup { threads: NonZeroUsize::MIN, limits, ..workers };
            gains_of_moves(&workers, &root)
        });
        let gains = gains.ok_or_else(|| SolveError::without_solution(stop))?;
        let difference = board.store_difference();
        let margins =
            gains.into_iter().map(|(house, gain)| (board.move_from(house), difference + gain));
        let moves: Vec<_> = margins.collect();
        let margin = moves.iter().map(|(_, margin)| *margin).max().unwrap_or(difference);
        Ok(Solution { margin, moves, ..Solution::default() })
    }

    /// Compares the margin of a board with `margin`, by a null-window test or two instead of several.
    ///
    /// ```
    /// use std::cmp::Ordering;
    ///
    /// use kalah::solve::{SolveProgress, SolverResources};
    /// use kalah::{Board, Rules, Solver, StopToken};
    ///
    /// let board = Board::start(Rules::default(), 2)?; // South wins by 6
    /// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
    /// let (stop, progress) = (StopToken::new(), SolveProgress::default());
    /// assert_eq!(solver.compare(&board, 0, &stop, &progress)?, Ordering::Greater);
    /// assert_eq!(solver.compare(&board, 6, &stop, &progress)?, Ordering::Equal);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve_with`](Self::solve_with).
    pub fn compare(
        &mut self,
        board: &Board,
        margin: i32,
        stop: &StopToken,
        progress: &SolveProgress,
    ) -> Result<Ordering, SolveError> {
        let (rules, seeds) = (board.rules(), board.seeds_in_play());
        self.tables.prepare(rules, seeds, 1, stop)?;
        // No gain is greater than the number of seeds.
        let most = seeds as i32 + 2;
        let gain = margin.saturating_sub(board.store_difference()).clamp(-most, most);
        let nodes_before = progress.nodes();
        let ordering = with_workers!(self, board, stop, progress, |workers, root| {
            let guess = self.evaluation.gain(&root, rules.houses(), seeds as i32);
            workers.compare(&root, gain, guess)
        });
        self.tables.searched += progress.nodes().saturating_sub(nodes_before);
        ordering.ok_or(SolveError::Stopped)
    }

    /// Makes tables that pay when `boards` boards like this one are to be solved, as far as memory goes.
    ///
    /// # Errors
    /// As [`solve_with`](Self::solve_with).
    pub fn prepare_for(
        &mut self,
        board: &Board,
        boards: usize,
        stop: &StopToken,
    ) -> Result<(), SolveError> {
        self.tables.prepare(board.rules(), board.seeds_in_play(), boards, stop)
    }

    /// Tests whether the margin of a board, which is not over, reaches a target, without what earlier
    /// searches have found. One thread takes the same number of positions each time.
    ///
    /// # Errors
    /// As [`solve_with`](Self::solve_with).
    pub fn measure_test(
        &mut self,
        board: &Board,
        target: i32,
        stop: &StopToken,
    ) -> Result<MeasuredTest, SolveError> {
        self.tables.prepare(board.rules(), board.seeds_in_play(), 1, stop)?;
        self.clear();
        let progress = &SolveProgress::default();
        let target = target.saturating_sub(board.store_difference());
        with_workers!(self, board, stop, progress, |workers, root| {
            let SolveContext { sowings, work, .. } = workers.context;
            let distance = work.distance(sowings, &root, target);
            let expected = |distance| f64::from(work.test_nodes(root.seeds(), distance));
            let bounds = workers.test(&root, target).ok_or(SolveError::Stopped)?;
            Ok(MeasuredTest {
                is_reached: bounds.lower >= target,
                distance: distance.into(),
                expected_at_zero: expected(0.0),
                expected: expected(distance),
                nodes: progress.nodes(),
            })
        })
    }

    /// The guessed margin after each move, from the view of the player to move before it.
    fn guess_moves(&mut self, board: &Board, stop: &StopToken) -> Vec<(Move, i32)> {
        if self.guesser.is_none() {
            self.guesser = Searcher::new(GUESS_HASH).ok();
        }
        let Some(searcher) = &mut self.guesser else { return Vec::new() };
        let limits =
            Limits { depth: Some(GUESS_DEPTH), nodes: Some(GUESS_NODES), ..Limits::default() };
        let margin_after = |(mv, after): (Move, Board)| {
            let result =
                searcher.search(&after, &limits, &SearchOptions::negascout(), stop, &mut |_| {});
            let margin = result.lines.first()?.margin;
            Some((mv, if after.side() == board.side() { margin } else { -margin }))
        };
        board.successors().filter_map(margin_after).collect()
    }
}

/// What a test of a position was expected to take and what it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredTest {
    /// Whether the margin reaches the target.
    pub is_reached: bool,
    /// The estimate of the margin, in seeds above the middle between the target and the margin below it.
    pub distance: f64,
    /// The positions that would be expected at distance 0.
    pub expected_at_zero: f64,
    /// The positions expected.
    pub expected: f64,
    /// The positions searched.
    pub nodes: u64,
}

impl MeasuredTest {
    /// In the formula in use, each seed of distance makes a test easier by a factor of e to this power.
    pub const EASE_PER_SEED: f64 = EASE_PER_SEED as f64;
}

/// The solution of a board, found from these guesses; `None` if the search was stopped.
fn solve_root<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>>(
    workers: &WorkerGroup<'_, R, K, E>,
    root: &Position<R>,
    board: &Board,
    request: SolveRequest,
    guess: FirstGuess,
    move_guesses: &[(Move, i32)],
) -> Option<Solution> {
    let difference = board.store_difference();
    let first = guess.best.filter(|&best| board.is_legal(best)).map(|best| best.house);
    let gain = workers.gain(root, guess.margin.saturating_sub(difference), first, |bounds| {
        workers.progress.set_bounds(difference + bounds.lower, difference + bounds.upper);
    })?;
    let mut moves = Vec::new();
    if request.moves {
        let guess = |house| {
            let of_house = move_guesses.iter().find(|guess| guess.0.house == house);
            of_house.map_or(gain, |guess| guess.1 - difference)
        };
        let gains = workers.move_gains(root, gain, guess)?.into_iter();
        moves = gains.map(|(house, gain)| (board.move_from(house), difference + gain)).collect();
    }
    let best = if request.best { workers.best_moves(root, gain)? } else { Vec::new() };
    let best = best.into_iter().map(|house| board.move_from(house)).collect();
    let line = if request.line { workers.line(root, gain)? } else { Vec::new() };
    let line = board.line_from(line);
    Some(Solution { margin: difference + gain, moves, best, line })
}

/// The gain by each move.
fn gains_of_moves<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>>(
    workers: &WorkerGroup<'_, R, K, E>,
    root: &Position<R>,
) -> Option<Vec<(House, i32)>> {
    let SolveContext { sowings, work, .. } = workers.context;
    let guess = |house| {
        let played = root.play(sowings, house);
        let after = GainBounds::exact(work.guess(sowings, &played.position));
        after.before_move(played.won(), played.next).lower
    };
    workers.move_gains(root, root.seeds() as i32, guess)
}

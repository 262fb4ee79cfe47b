//! The solver.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::checkpoint::Checkpoint;
use super::context::{EndgameProbe, NoEndgames, SolveContext, SolverRoot, SolverTask, WorkerGroup};
use super::expected_work::WorkEstimator;
use super::keys::{
    PACKED_HOUSES, PackedKeys, RankedKeys, UniqueKeys, hash_of_board, max_solvable_seeds,
};
use super::ordering::MoveScores;
use super::request::{
    ProvenMargin, Solution, SolveError, SolveProgress, SolveRequest, SolverResources,
};
use super::tables::SolverTables;
use crate::board::{AnyPosition, Board, Move, Next, RowTables, Side, Sowings};
use crate::search::{Evaluation, InFlightTable, Limits, SearchOptions, Searcher};
use crate::stop::StopToken;
use crate::tablebase::{Tablebase, TablebaseFiles};

/// Finds the exact value of positions.
///
/// Its tables are kept from one position to the next, and dropped when a board with other rules
/// comes.
///
/// ```
/// use kalah::solve::SolverResources;
/// use kalah::{Board, Rules, Solver};
///
/// let board = Board::start(Rules::default(), 2)?;
/// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
/// assert_eq!(solver.solve(&board)?.margin, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    pub(super) tables: SolverTables,
    evaluation: Evaluation,
    guesser: Guesser,
    in_flight: InFlightTable,
}

impl Solver {
    /// A solver without tables. They are made when the first position is solved.
    pub fn new(resources: SolverResources) -> Solver {
        Solver {
            tables: SolverTables::new(resources),
            evaluation: Evaluation::default(),
            guesser: Guesser::default(),
            in_flight: InFlightTable::new(),
        }
    }

    /// Loads tablebases from these files, where they have enough seeds, instead of building them.
    ///
    /// ```no_run
    /// use std::path::Path;
    ///
    /// use kalah::solve::SolverResources;
    /// use kalah::tablebase::TablebaseFiles;
    /// use kalah::{Board, Rules, Solver};
    ///
    /// let board = Board::start(Rules::default(), 4)?;
    /// let mut solver = Solver::new(SolverResources::default());
    /// if let Some(files) = TablebaseFiles::open(Path::new("tables"), board.rules())? {
    ///     solver.set_tablebase_files(files);
    /// }
    /// println!("{}", solver.solve(&board)?.margin);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_tablebase_files(&mut self, files: TablebaseFiles) {
        self.tables.files = Some(files);
    }

    /// Uses this tablebase, whatever its size, for boards of its rules, instead of building one. It
    /// does not count towards the memory of the [`SolverResources`].
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    /// use std::sync::Arc;
    ///
    /// use kalah::solve::SolverResources;
    /// use kalah::{Board, Rules, Solver, Tablebase};
    ///
    /// let board = Board::start(Rules::default(), 2)?;
    /// let tablebase = Tablebase::build(board.rules(), 8, NonZeroUsize::MIN)?;
    /// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
    /// solver.set_tablebase(Arc::new(tablebase));
    /// assert_eq!(solver.solve(&board)?.margin, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_tablebase(&mut self, tablebase: Arc<Tablebase>) {
        self.tables.set_tablebase(tablebase);
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

    /// Looks up what earlier searches have proven about a board, without searching; `None` if that
    /// is nothing.
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

    /// Makes the tables for a board before the search. Returns whether all of their memory is
    /// present.
    pub fn provide_memory(&mut self, board: &Board, stop: &StopToken) -> bool {
        let (rules, seeds) = (board.rules(), board.seeds_in_play());
        if self.tables.prepare(rules, seeds, false, stop).is_err() {
            return false;
        }
        let threads = self.threads();
        let Some(bounds) = &mut self.tables.bounds else { return false };
        if !bounds.is_present() {
            bounds.provide(threads, stop);
        }
        bounds.is_present()
    }

    /// Returns the margin of a board, without moves and line. This may take hours: see
    /// [`solve_with`](Self::solve_with).
    ///
    /// # Errors
    /// Returns an error if the board has too many seeds or there is not enough memory.
    pub fn solve(&mut self, board: &Board) -> Result<Solution, SolveError> {
        let (stop, progress) = (StopToken::new(), SolveProgress::default());
        self.solve_with(board, SolveRequest::default(), &stop, &progress)
    }

    /// Solves a board as requested. Other threads may read `progress` meanwhile.
    ///
    /// A stop ends the search within a few milliseconds. Each thread that builds a tablebase
    /// finishes a block first, which takes up to a tenth of a second with 6 houses and 20 seeds;
    /// files are read to the end. A search that is repeated after a stop continues where it was, as
    /// long as the table of bounds holds its positions.
    ///
    /// # Errors
    /// Returns an error if the board has too many seeds, there is not enough memory, or `stop` was
    /// stopped first.
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
        if let Some(result) = board.result() {
            let margin = if board.side() == Side::South { result } else { -result };
            progress.set_bounds(margin, margin);
            return Ok(Solution { margin, ..Solution::default() });
        }
        self.tables.prepare(rules, seeds, request.moves || request.best, stop)?;
        let move_guesses = if request.moves { self.guesser.moves(board, stop) } else { Vec::new() };
        let nodes_before = progress.nodes();
        let solve = SolveRun { solver: self, board, request, move_guesses, progress };
        let solution = self.run(board, &solve, stop, progress);
        self.tables.searched += progress.nodes().saturating_sub(nodes_before);
        solution
    }

    /// Carries out a task with the tables of this solver, which must be ready.
    pub(super) fn run<T: SolverTask>(
        &self,
        board: &Board,
        task: &T,
        stop: &StopToken,
        progress: &SolveProgress,
    ) -> Result<T::Output, SolveError> {
        let (tables, rules, seeds) = (&self.tables, board.rules(), board.seeds_in_play());
        let max = max_solvable_seeds(rules);
        let too_many_seeds = || SolveError::TooManySeeds { houses: rules.houses(), seeds, max };
        let ranked = || RankedKeys::new(rules, seeds).ok_or_else(too_many_seeds);
        let run = TaskRun { solver: self, task, stop, progress };
        match board.position() {
            AnyPosition::Narrow(sowings, position) => {
                let tablebase = tables.tablebase.as_deref();
                let tablebase = tablebase.ok_or_else(|| tables.out_of_memory())?;
                let root = SolverRoot { position, seeds };
                if rules.houses() <= PACKED_HOUSES {
                    run.run(sowings, &root, &PackedKeys, tablebase)
                } else {
                    run.run(sowings, &root, &ranked()?, tablebase)
                }
            }
            AnyPosition::Wide(sowings, position) => {
                run.run(sowings, &SolverRoot { position, seeds }, &ranked()?, &NoEndgames)
            }
        }
    }
}

/// A task with the tables that it needs.
struct TaskRun<'a, T> {
    solver: &'a Solver,
    task: &'a T,
    stop: &'a StopToken,
    progress: &'a SolveProgress,
}

impl<T: SolverTask> TaskRun<'_, T> {
    fn run<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>>(
        &self,
        sowings: &Sowings<R>,
        root: &SolverRoot<R>,
        keys: &K,
        endgames: &E,
    ) -> Result<T::Output, SolveError> {
        let tables = &self.solver.tables;
        let context = SolveContext {
            sowings,
            keys,
            endgames,
            table: tables.bounds.as_ref().ok_or_else(|| tables.out_of_memory())?,
            in_flight: &self.solver.in_flight,
            move_scores: MoveScores::new(tables.rules, endgames.max_seeds().unwrap_or(0)),
            work: WorkEstimator::new(tables.rules, root.seeds, endgames.max_seeds()),
            checkpoint: tables.checkpoint.as_ref(),
        };
        let workers = WorkerGroup {
            context: &context,
            limits: tables.search_limits(),
            threads: tables.resources.threads,
            stop: self.stop,
            progress: self.progress,
        };
        self.task.run(&workers, root)
    }
}

/// One call of [`Solver::solve_with`], with its tables ready.
struct SolveRun<'a> {
    solver: &'a Solver,
    board: &'a Board,
    request: SolveRequest,
    /// Guesses of the margin after each move.
    move_guesses: Vec<(Move, i32)>,
    progress: &'a SolveProgress,
}

impl SolverTask for SolveRun<'_> {
    type Output = Solution;

    fn run<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>>(
        &self,
        workers: &WorkerGroup<'_, R, K, E>,
        root: &SolverRoot<R>,
    ) -> Result<Solution, SolveError> {
        self.solve_root(workers, root).ok_or(SolveError::Stopped)
    }
}

impl SolveRun<'_> {
    /// `None` if the search was stopped.
    fn solve_root<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>>(
        &self,
        workers: &WorkerGroup<'_, R, K, E>,
        root: &SolverRoot<R>,
    ) -> Option<Solution> {
        let SolveRun { board, request, progress, .. } = self;
        let difference = board.store_difference();
        let (guess, first) = if let Some(guess) = request.guess {
            (guess.margin.saturating_sub(difference), guess.best)
        } else {
            let (houses, seeds) = (board.rules().houses(), root.seeds as i32);
            (self.solver.evaluation.gain(&root.position, houses, seeds), None)
        };
        let first = first.filter(|&best| board.moves().any(|legal| legal == best));
        let first = first.map(|best| best.house);
        let gain = workers.gain(root, guess, first, |bounds| {
            progress.set_bounds(difference + bounds.lower, difference + bounds.upper);
        })?;
        let mut moves = Vec::new();
        if request.moves {
            let guess = |house| {
                let of_house = self.move_guesses.iter().find(|guess| guess.0.house == house);
                of_house.map_or(gain, |guess| guess.1 - difference)
            };
            let gains = workers.move_gains(root, gain, guess)?.into_iter();
            moves =
                gains.map(|(house, gain)| (board.move_from(house), difference + gain)).collect();
        }
        let best = if request.best { workers.best_moves(root, gain)? } else { Vec::new() };
        let best = best.into_iter().map(|house| board.move_from(house)).collect();
        let line = if request.line { workers.line(root, gain)? } else { Vec::new() };
        let line = board.line_from(line);
        Some(Solution { margin: difference + gain, moves, best, line })
    }
}

/// Plies of the search that guesses. Its 20 milliseconds save tests that take seconds: with the
/// static evaluation instead, all first moves of Kalah(6,4) took half as long again.
const GUESS_DEPTH: u32 = 12;

/// The limit for large boards, which take long to reach that depth.
const GUESS_NODES: u64 = 100_000;

/// The hash table of that search, in MiB.
const GUESS_HASH: usize = 1;

/// Guesses the margins of moves by a short search.
#[derive(Default)]
struct Guesser {
    searcher: Option<Searcher>,
}

impl Guesser {
    /// The guessed margin after each move, from the view of the player to move before it.
    fn moves(&mut self, board: &Board, stop: &StopToken) -> Vec<(Move, i32)> {
        let margin_after = |mv| {
            let mut after = *board;
            let next = after.play(mv).ok()?;
            let margin = self.margin(&after, stop)?;
            Some((mv, if next == Next::Again { margin } else { -margin }))
        };
        board.moves().filter_map(margin_after).collect()
    }

    fn margin(&mut self, board: &Board, stop: &StopToken) -> Option<i32> {
        if board.is_over() {
            return None;
        }
        if self.searcher.is_none() {
            self.searcher = Searcher::new(GUESS_HASH).ok();
        }
        let limits =
            Limits { depth: Some(GUESS_DEPTH), nodes: Some(GUESS_NODES), ..Limits::default() };
        let searcher = self.searcher.as_mut()?;
        let result = searcher.search(board, &limits, &SearchOptions::negascout(), stop, &mut ());
        Some(result.lines.first()?.margin)
    }
}

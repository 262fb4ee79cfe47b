//! The solver as its users see it.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::MAX_SEEDS;
use super::error::SolveError;
use super::guesses::Guesses;
use super::keys::{Keys, PACKED_HOUSES, PackedKeys, RankedKeys, most_seeds};
use super::leaves::{Leaves, NoLeaves};
use super::look_ahead::LookAhead;
use super::ordering::Ordering;
use super::progress::SolveProgress;
use super::proof::{Root, show};
use super::sizes::{affordable_seeds, earned_seeds, optimal_table_seeds, paying_bytes};
use super::table::{BoundsTable, Hash};
use super::team::Team;
use super::walker::Tree;
use crate::StopToken;
use crate::board::{AnyPosition, Board, House, Position, RowTables, Rules, Side, Sowings};
use crate::search::{Evaluation, InFlightTable};
use crate::tablebase::{BuildOutcome, Tablebase, TablebaseBuild, TablebaseFiles};

const BYTES_PER_MIB: usize = 1 << 20;

/// What a solver may use.
#[derive(Clone, Copy, Debug)]
pub struct SolverResources {
    /// Threads that work together.
    pub threads: NonZeroUsize,
    /// Memory for all tables together, in MiB.
    pub mebibytes: usize,
}

impl Default for SolverResources {
    fn default() -> Self {
        SolverResources { threads: NonZeroUsize::MIN, mebibytes: 1024 }
    }
}

/// What there is to find out about a position besides its margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveRequest {
    /// What every move is worth.
    pub moves: bool,
    /// The best moves of both sides to the end of the game.
    pub line: bool,
    /// Where the search begins: the nearer to the truth, the sooner it ends.
    pub guess: Option<FirstGuess>,
}

/// What others think of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstGuess {
    /// The margin, in seeds, from the view of the player to move.
    pub margin: i32,
    /// The best move.
    pub best: Option<House>,
}

/// The truth about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final store difference when both sides play their best, in seeds, from the view of the
    /// player to move.
    pub margin: i32,
    /// The same after each move, from the same view, from the mover's left; empty unless wanted.
    pub moves: Vec<(House, i32)>,
    /// Houses sown by best play of both sides; empty unless wanted.
    pub line: Vec<House>,
}

/// The bounds that a solver has proven so far for the margin of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenMargin {
    /// The margin is at least this, in seeds, from the view of the player to move.
    pub lower: i32,
    /// The margin is at most this.
    pub upper: i32,
    /// A move that reaches `lower`; `None` if no such move is known.
    pub best: Option<House>,
}

/// Finds the exact value of positions, and remembers what it has found out for the next one.
///
/// ```
/// use kalah::board::{Board, Rules};
/// use kalah::solve::{Solver, SolverResources};
///
/// let board = Board::start(Rules::default(), 2)?;
/// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
/// let solution = solver.solve(&board)?;
/// assert_eq!(solution.margin, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    resources: SolverResources,
    evaluation: Evaluation,
    guesses: Guesses,
    /// What the tables are about.
    rules: Rules,
    tablebase: Option<Arc<Tablebase>>,
    /// One that was broken off.
    build: Option<TablebaseBuild>,
    /// Whether the tablebase was given: then none is built.
    is_given: bool,
    files: Option<TablebaseFiles>,
    bounds: Option<BoundsTable>,
    /// Positions searched under these rules.
    searched: u64,
    /// Who works where.
    busy: InFlightTable,
}

impl Solver {
    /// A solver without tables: it makes them when it needs them.
    pub fn new(resources: SolverResources) -> Solver {
        Solver {
            resources,
            evaluation: Evaluation::default(),
            guesses: Guesses::default(),
            rules: Rules::default(),
            tablebase: None,
            build: None,
            is_given: false,
            files: None,
            bounds: None,
            searched: 0,
            busy: InFlightTable::new(),
        }
    }

    /// Takes tables from files, where these hold enough, instead of building them.
    pub fn set_tablebase_files(&mut self, files: TablebaseFiles) {
        self.files = Some(files);
    }

    /// Has the solver work with this tablebase from now on, whatever its size, and build none of its
    /// own. It is not counted in the memory that the solver may use. What was found out about
    /// positions of the same rules is kept.
    pub fn set_tablebase(&mut self, tablebase: Arc<Tablebase>) {
        if tablebase.rules() != self.rules {
            self.bounds = None;
            self.rules = tablebase.rules();
        }
        self.build = None;
        self.tablebase = Some(tablebase);
        self.is_given = true;
    }

    /// Forgets what was found out about positions. Tablebases, which are the same for all games, stay.
    pub fn clear(&mut self) {
        if let Some(bounds) = &mut self.bounds {
            bounds.clear();
        }
    }

    /// What earlier work has found out about a board: bounds of the margin, in seeds, from the view of
    /// the player to move, and a move that proves the lower one.
    pub fn probe(&self, board: &Board) -> Option<ProvenMargin> {
        let is_known = board.rules() == self.rules && board.seeds_in_play() <= MAX_SEEDS;
        let table = self.bounds.as_ref().filter(|_| is_known)?;
        let key = match board.position() {
            AnyPosition::Narrow(_, position) if self.rules.houses() <= PACKED_HOUSES => {
                PackedKeys.key(&position)
            }
            AnyPosition::Narrow(_, position) => {
                RankedKeys::new(self.rules, board.seeds_in_play())?.key(&position)
            }
            AnyPosition::Wide(_, position) => {
                RankedKeys::new(self.rules, board.seeds_in_play())?.key(&position)
            }
        };
        let known = table.probe(Hash::of(key?), board.seeds_in_play())?;
        let difference = board.store_difference();
        let (lower, upper) = (difference + known.bounds.lower, difference + known.bounds.upper);
        Some(ProvenMargin { lower, upper, best: known.best })
    }

    /// Threads that work together from now on.
    pub(crate) fn set_threads(&mut self, threads: NonZeroUsize) {
        self.resources.threads = threads;
    }

    /// Threads that work together.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        self.resources.threads
    }

    /// Returns the margin of a board. However long that takes.
    ///
    /// # Errors
    /// Returns an error if the board has too many seeds or there is not enough memory.
    pub fn solve(&mut self, board: &Board) -> Result<Solution, SolveError> {
        let (stop, progress) = (StopToken::new(), SolveProgress::new());
        self.solve_with(board, SolveRequest::default(), &stop, &progress)
    }

    /// Solves a board as requested, until it is stopped; `progress` can be read meanwhile.
    ///
    /// # Errors
    /// Returns an error if the board has too many seeds, there is not enough memory, or `stop` was
    /// stopped first.
    pub fn solve_with(
        &mut self,
        board: &Board,
        wanted: SolveRequest,
        stop: &StopToken,
        progress: &SolveProgress,
    ) -> Result<Solution, SolveError> {
        let rules = board.rules();
        let seeds = board.seeds_in_play();
        if let Some(result) = board.result() {
            let margin = if board.side() == Side::South { result } else { -result };
            progress.set_bounds(margin, margin);
            return Ok(Solution { margin, moves: Vec::new(), line: Vec::new() });
        }
        let most = most_seeds(rules);
        let too_many = || SolveError::TooManySeeds { houses: rules.houses(), seeds, max: most };
        if seeds > most {
            return Err(too_many());
        }
        let ranked = || RankedKeys::new(rules, seeds).ok_or_else(too_many);
        let guess_after = |house| self.guesses.margin_after(board, house);
        let guesses =
            if wanted.moves { board.moves().map(guess_after).collect() } else { Vec::new() };
        self.prepare(rules, seeds, wanted, stop)?;
        let question = Question { board, guesses: &guesses, wanted, stop, progress };
        let before = progress.nodes();
        let solution = match (board.position(), self.tablebase.as_deref()) {
            (AnyPosition::Narrow(sowings, position), Some(tablebase)) => {
                if rules.houses() <= PACKED_HOUSES {
                    self.answer(sowings, position, &PackedKeys, &tablebase, question)
                } else {
                    self.answer(sowings, position, &ranked()?, &tablebase, question)
                }
            }
            (AnyPosition::Narrow(sowings, position), None) => {
                self.answer(sowings, position, &ranked()?, &NoLeaves, question)
            }
            (AnyPosition::Wide(sowings, position), _) => {
                self.answer(sowings, position, &ranked()?, &NoLeaves, question)
            }
        };
        self.searched += progress.nodes().saturating_sub(before);
        solution
    }

    /// Makes the tables that pay for positions with so many seeds, as long as it is wanted.
    fn prepare(
        &mut self,
        rules: Rules,
        seeds: u32,
        wanted: SolveRequest,
        stop: &StopToken,
    ) -> Result<(), SolveError> {
        if rules != self.rules {
            (self.tablebase, self.build, self.bounds) = (None, None, None);
            (self.is_given, self.searched) = (false, 0);
            self.rules = rules;
        }
        let bytes = self.resources.mebibytes.saturating_mul(BYTES_PER_MIB);
        if self.is_given {
            return self.make_bounds(bytes);
        }
        // All moves together take several times as long as the best.
        let times = if wanted.moves { 4 } else { 1 };
        let paying = optimal_table_seeds(rules, seeds, times as u64);
        let Some(affordable) = affordable_seeds(rules, bytes as u64) else {
            return self.make_bounds(bytes);
        };
        let enough = paying.min(affordable).max(self.earned_seeds(bytes));
        if self.tablebase.as_ref().is_none_or(|tablebase| tablebase.seeds() < enough) {
            // The old one goes before the new one comes.
            self.tablebase = None;
            self.tablebase = Some(Arc::new(self.make_tablebase(enough, stop)?));
        }
        let taken = self.tablebase.as_ref().map_or(0, |tablebase| tablebase.positions());
        let paying = paying_bytes(rules, seeds).saturating_mul(times);
        self.make_bounds(paying.min(bytes.saturating_sub(taken)))
    }

    /// The seeds of the tablebase that pays if as much as so far is searched for boards to come; 0
    /// when it is hardly larger than what there is.
    fn earned_seeds(&self, bytes: usize) -> u32 {
        let left = bytes.saturating_sub(self.bounds.as_ref().map_or(0, BoundsTable::bytes));
        let affordable = affordable_seeds(self.rules, left as u64).unwrap_or(0);
        let earned = earned_seeds(self.rules, self.searched).min(affordable);
        let kept = self.tablebase.as_ref().map_or(0, |tablebase| tablebase.seeds());
        if kept + 2 <= earned { earned } else { 0 }
    }

    /// Has the memory that is needed for a board provided, which takes its time. Tells whether it is
    /// there.
    pub(crate) fn provide_memory(&mut self, board: &Board, stop: &StopToken) -> bool {
        let (rules, seeds) = (board.rules(), board.seeds_in_play());
        if self.prepare(rules, seeds, SolveRequest::default(), stop).is_err() {
            return false;
        }
        let Some(bounds) = &mut self.bounds else { return false };
        if !bounds.is_present() {
            bounds.provide(self.resources.threads, stop);
        }
        bounds.is_present()
    }

    fn make_tablebase(&mut self, seeds: u32, stop: &StopToken) -> Result<Tablebase, SolveError> {
        let threads = self.resources.threads;
        let broken_off = self.build.take().filter(|build| build.seeds() == seeds);
        let in_files = self.files.as_ref().filter(|files| files.rules() == self.rules);
        if let Some(files) = in_files.filter(|files| files.seeds() >= seeds) {
            return Ok(files.load(seeds, threads)?);
        }
        let build = broken_off.map_or_else(|| TablebaseBuild::new(self.rules, seeds), Ok)?;
        match build.resume(threads, &|| !stop.is_stopped()) {
            BuildOutcome::Complete(table) => Ok(table),
            BuildOutcome::Paused(build) => {
                self.build = Some(build);
                Err(SolveError::Stopped)
            }
        }
    }

    fn make_bounds(&mut self, bytes: usize) -> Result<(), SolveError> {
        // A table somewhat larger is not worth the work.
        if self.bounds.as_ref().is_none_or(|bounds| bounds.bytes() < bytes / 8) {
            let bounds = BoundsTable::new(bytes);
            let mut bounds = bounds.ok_or(SolveError::OutOfMemory(self.resources.mebibytes))?;
            // What was found out so far goes when it is in the new table, not before.
            if let Some(smaller) = &self.bounds {
                bounds.take_over(smaller);
            }
            self.bounds = Some(bounds);
        }
        Ok(())
    }

    /// What has been found out, and under which rules.
    pub(super) fn found(&self) -> Option<(Rules, &BoundsTable)> {
        Some((self.rules, self.bounds.as_ref()?))
    }

    /// Takes up what has been found out elsewhere.
    pub(super) fn take_up(&mut self, rules: Rules, bounds: BoundsTable) {
        if rules != self.rules {
            (self.tablebase, self.build, self.searched) = (None, None, 0);
            self.rules = rules;
        }
        self.bounds = Some(bounds);
    }

    fn answer<R: RowTables, K: Keys<R>, L: Leaves<R>>(
        &self,
        sowings: &Sowings<R>,
        position: Position<R>,
        keys: &K,
        leaves: &L,
        Question { board, guesses, wanted, stop, progress }: Question<'_>,
    ) -> Result<Solution, SolveError> {
        let memory = || SolveError::OutOfMemory(self.resources.mebibytes);
        let table = self.bounds.as_ref().ok_or_else(memory)?;
        let tree = Tree {
            sowings,
            keys,
            leaves,
            table,
            busy: &self.busy,
            ordering: Ordering::new(self.rules),
            look_ahead: LookAhead::new(self.rules, leaves.seeds().unwrap_or(0)),
        };
        let team = Team { tree, threads: self.resources.threads, stop, progress };
        let root = Root { position, seeds: board.seeds_in_play() };
        let difference = board.store_difference();
        let guess = wanted.guess;
        let first = guess.and_then(|guess| guess.best);
        let first = first.filter(|&best| board.moves().any(|legal| legal == best));
        let guess = guess.map_or_else(
            || self.evaluation.gain(&position, self.rules.houses(), root.seeds as i32),
            |guess| guess.margin.saturating_sub(difference),
        );
        let solution = || {
            let gain =
                team.gain(&root, guess, first, |bounds| show(progress, difference, bounds))?;
            let guess_of = |house| {
                let of_house = guesses.iter().flatten().find(|guess| guess.0 == house);
                of_house.map_or(gain, |guess| guess.1 - difference)
            };
            let moves = if wanted.moves { team.moves(&root, gain, guess_of)? } else { Vec::new() };
            let moves = moves.into_iter().map(|(house, gain)| (house, difference + gain)).collect();
            let line = if wanted.line { team.line(&root, gain)? } else { Vec::new() };
            Some(Solution { margin: difference + gain, moves, line })
        };
        solution().ok_or(SolveError::Stopped)
    }
}

#[derive(Clone, Copy)]
struct Question<'a> {
    board: &'a Board,
    guesses: &'a [Option<(House, i32)>],
    wanted: SolveRequest,
    stop: &'a StopToken,
    progress: &'a SolveProgress,
}

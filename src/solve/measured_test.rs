//! One null-window test, with the work that it takes beside the work that was expected.

use super::context::{EndgameProbe, SolverRoot, SolverTask, WorkerGroup};
use super::expected_work::EASE_PER_SEED;
use super::keys::UniqueKeys;
use super::request::{SolveError, SolveProgress};
use super::solver::Solver;
use crate::board::{Board, RowTables};
use crate::stop::StopToken;

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

impl Solver {
    /// Tests whether the margin of a board, which is not over, reaches a target, without what earlier
    /// searches have found. One thread takes the same number of positions each time.
    ///
    /// # Errors
    /// As [`solve_with`](Self::solve_with).
    ///
    /// ```
    /// use kalah::solve::SolverResources;
    /// use kalah::{Board, Rules, Solver, StopToken};
    ///
    /// let board = Board::start(Rules::default(), 3)?;
    /// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
    /// let test = solver.measure_test(&board, 4, &StopToken::new())?;
    /// assert!(!test.is_reached && test.nodes > 1000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn measure_test(
        &mut self,
        board: &Board,
        target: i32,
        stop: &StopToken,
    ) -> Result<MeasuredTest, SolveError> {
        self.tables.prepare(board.rules(), board.seeds_in_play(), false, stop)?;
        self.clear();
        let progress = SolveProgress::default();
        let target = target.saturating_sub(board.store_difference());
        self.run(board, &MeasureTest { target }, stop, &progress)
    }
}

struct MeasureTest {
    /// Of the gain.
    target: i32,
}

impl SolverTask for MeasureTest {
    type Output = MeasuredTest;

    fn run<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>>(
        &self,
        workers: &WorkerGroup<'_, R, K, E>,
        root: &SolverRoot<R>,
    ) -> Result<MeasuredTest, SolveError> {
        let (target, context) = (self.target, workers.context);
        let distance = context.work.distance(context.sowings, &root.position, root.seeds, target);
        let expected = |distance| f64::from(context.work.of_test(root.seeds, distance));
        let bounds = workers.test(root, target).ok_or(SolveError::Stopped)?;
        Ok(MeasuredTest {
            is_reached: bounds.lower >= target,
            distance: distance.into(),
            expected_at_zero: expected(0.0),
            expected: expected(distance),
            nodes: workers.progress.nodes(),
        })
    }
}

//! Many boards at once: each on one thread, all on the same tables.

use std::num::NonZeroUsize;

use super::bounds::GainBounds;
use super::keys::UniqueKeys;
use super::request::{Solution, SolveError, SolveProgress};
use super::solver::{Solver, with_workers};
use super::workers::{EndgameProbe, SolveContext, WorkerGroup};
use crate::board::{Board, House, Position, RowTables};
use crate::parallel;
use crate::stop::StopToken;

impl Solver {
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
            gains(&workers, &root)
        });
        let gains = gains.ok_or_else(|| SolveError::without_solution(stop))?;
        let difference = board.store_difference();
        let margins =
            gains.into_iter().map(|(house, gain)| (board.move_from(house), difference + gain));
        let moves: Vec<_> = margins.collect();
        let margin = moves.iter().map(|(_, margin)| *margin).max().unwrap_or(difference);
        Ok(Solution { margin, moves, ..Solution::default() })
    }
}

/// The gain by each move.
fn gains<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>>(
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

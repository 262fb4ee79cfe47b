//! Values the moves of a game, from the last to the first.

use std::time::Duration;

use thiserror::Error;

use super::explanation::Explanation;
use super::report::{REVIEW_VERSION, Review, ReviewedMove, ReviewedSide, mark};
use kalah::StopToken;
use kalah::board::{Board, Move, Side, Sowing};
use kalah::engine::{Engine, EngineError, expected_nodes};
use kalah::search::{Limits, PvLine};
use kalah::solve::{FirstGuess, SolveError, SolveProgress, SolveRequest, Solver, SolverResources};
use kalah_games::AnnotatedGame;

/// The most seeds in the houses of positions that are solved unless the limit says otherwise.
const MAX_EXACT_SEEDS: u32 = 48;

/// The most nodes that such a position may be expected to take: some times those of Kalah(6,4).
const MAX_EXACT_NODES: f64 = 4e7;

/// The time for a position that is not solved, unless the limit says otherwise.
const DEFAULT_MOVETIME: Duration = Duration::from_secs(1);

const MAX_MOMENTS: usize = 5;

/// How far the values of a review are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReviewLimit {
    /// Positions with up to 48 seeds in the houses are solved, if that takes no longer than a minute or so;
    /// the others are searched for a second.
    #[default]
    Auto,
    /// All positions are solved, however long that takes.
    Exact,
    /// All positions are searched for this time, or until they are proven.
    MoveTime(Duration),
    /// All positions are searched to this depth, or until they are proven.
    Depth(u32),
}

/// Why a game was not reviewed.
#[allow(missing_docs, reason = "the messages say it")]
#[derive(Debug, Error)]
pub enum ReviewError {
    #[error("ply {ply}")]
    Solve { ply: usize, source: SolveError },
    #[error("puzzle {board}")]
    Puzzle { board: String, source: SolveError },
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("stopped before the game was reviewed")]
    Stopped,
}

/// Reviews games; what the solver has proven for one serves the next.
///
/// ```
/// use kalah::{StopToken, solve::SolverResources};
/// use kalah_games::AnnotatedGame;
/// use kalah_review::{ReviewLimit, Reviewer};
///
/// let game = &AnnotatedGame::parse("[Board \"3x2\"] 1. A c 2. B")?[0];
/// let mut reviewer = Reviewer::new(ReviewLimit::Auto, SolverResources::default());
/// let review = reviewer.review(game, &StopToken::new(), |_, _| {})?;
/// assert!(review.proven);
/// assert_eq!(review.values().count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reviewer {
    limit: ReviewLimit,
    resources: SolverResources,
    solver: Solver,
    engine: Option<Engine>,
}

/// What is known about a position; the value is for the player to move.
struct Valued {
    value: i32,
    is_proven: bool,
    /// The moves that reach the value, as far as is known.
    best: Vec<Move>,
    /// A line that reaches the value; empty if the move that was played and the line of the next position do.
    line: Vec<Move>,
}

/// A move that was played, with the value after it for the player who made it.
#[derive(Clone, Copy)]
struct Played {
    mv: Move,
    value: i32,
    is_proven: bool,
}

impl Reviewer {
    /// A reviewer without tables. They are made when they are needed.
    pub fn new(limit: ReviewLimit, resources: SolverResources) -> Reviewer {
        Reviewer { limit, resources, solver: Solver::new(resources), engine: None }
    }

    /// Reviews the moves of a game, without its variations. `progress` is called with the number of moves
    /// that are done, and of all.
    ///
    /// # Errors
    /// Returns an error if a position cannot be valued, or `stop` was stopped first.
    pub fn review(
        &mut self,
        game: &AnnotatedGame,
        stop: &StopToken,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Review, ReviewError> {
        let boards: Vec<Board> = game.boards().collect();
        let plies = boards.len() - 1;
        progress(0, plies);
        // The largest tables that the game needs, before those that would do for its end.
        if let Some(board) = boards.iter().find(|board| self.is_solved(board)) {
            // What fails here fails again, and is told, when the board is solved.
            let _ = self.solver.prefault_tables(board, stop);
        }
        let played = |number: usize, next: &Valued| {
            let value = for_mover(&boards[number], &boards[number + 1], next.value);
            Played { mv: game.moves[number].mv, value, is_proven: next.is_proven }
        };
        let mut positions = vec![self.value(&boards[plies], None, plies + 1, stop)?];
        for number in (0..plies).rev() {
            let played = played(number, &positions[plies - number - 1]);
            positions.push(self.value(&boards[number], Some(played), number + 1, stop)?);
            progress(plies - number, plies);
        }
        positions.reverse();
        for (number, ply) in game.moves.iter().enumerate().take(plies) {
            if let [before, after] = &mut positions[number..number + 2] {
                self.reconcile(
                    [&boards[number], &boards[number + 1]],
                    ply.mv,
                    before,
                    after,
                    stop,
                )?;
            }
        }
        let Some(mut next) = positions.pop() else { return Err(ReviewError::Stopped) };
        let (last, is_last_proven) = (next.value, next.is_proven);
        let mut moves = Vec::with_capacity(plies);
        for (number, mut valued) in positions.into_iter().enumerate().rev() {
            let played = played(number, &next);
            moves.push(judged(number + 1, &boards[number], played, &mut valued, next.line));
            next = valued;
        }
        moves.reverse();
        let side = |side| ReviewedSide::new(side, boards.iter().zip(&moves));
        let greatest = moves.iter().rev().max_by_key(|reviewed| reviewed.loss);
        Ok(Review {
            version: REVIEW_VERSION,
            start: game.start.fen(),
            capture: game.start.rules().capture().to_string(),
            sowing: named_sowing(&game.start),
            last: boards[plies].side().sign() * last,
            proven: is_last_proven && moves.iter().all(|reviewed| reviewed.proven),
            south: side(Side::South),
            north: side(Side::North),
            moments: moments(&moves),
            sharpest: greatest.filter(|reviewed| reviewed.loss > 0).map(|reviewed| reviewed.ply),
            moves,
        })
    }

    fn is_solved(&self, board: &Board) -> bool {
        let seeds = board.seeds_in_play();
        match self.limit {
            ReviewLimit::Auto => {
                seeds <= MAX_EXACT_SEEDS && expected_nodes(board.rules(), seeds) <= MAX_EXACT_NODES
            }
            ReviewLimit::Exact => true,
            ReviewLimit::MoveTime(_) | ReviewLimit::Depth(_) => false,
        }
    }

    fn value(
        &mut self,
        board: &Board,
        played: Option<Played>,
        ply: usize,
        stop: &StopToken,
    ) -> Result<Valued, ReviewError> {
        if let Some(value) = board.result_for(board.side()) {
            Ok(Valued { value, is_proven: true, best: Vec::new(), line: Vec::new() })
        } else if self.is_solved(board) {
            self.solve(board, played, stop).map_err(|source| match source {
                SolveError::Stopped => ReviewError::Stopped,
                source => ReviewError::Solve { ply, source },
            })
        } else {
            self.search(board, played, stop)
        }
    }

    fn solve(
        &mut self,
        board: &Board,
        played: Option<Played>,
        stop: &StopToken,
    ) -> Result<Valued, SolveError> {
        let guess =
            played.map(|Played { mv, value, .. }| FirstGuess { margin: value, best: Some(mv) });
        let request = SolveRequest { best: true, guess, ..SolveRequest::default() };
        let progress = SolveProgress::default();
        let solution = self.solver.solve_with(board, request, stop, &progress)?;
        let margin = solution.margin;
        let is_best = played.is_some_and(|played| solution.best.contains(&played.mv));
        let line = if is_best {
            Vec::new()
        } else {
            let best = solution.best.first().copied();
            let guess = Some(FirstGuess { margin, best });
            let request = SolveRequest { line: true, guess, ..SolveRequest::default() };
            self.solver.solve_with(board, request, stop, &progress)?.line
        };
        Ok(Valued { value: margin, is_proven: true, best: solution.best, line })
    }

    fn search(
        &mut self,
        board: &Board,
        played: Option<Played>,
        stop: &StopToken,
    ) -> Result<Valued, ReviewError> {
        let Some(Played { mv, value: after, is_proven }) = played else {
            return self.go(board, Vec::new(), stop);
        };
        let of_move = Valued { value: after, is_proven, best: vec![mv], line: Vec::new() };
        let others: Vec<Move> = board.moves().filter(|&other| other != mv).collect();
        if others.is_empty() {
            return Ok(of_move);
        }
        let mut valued = self.go(board, Vec::new(), stop)?;
        if valued.is_proven {
            return Ok(valued);
        }
        if valued.best == [mv] && after < valued.value {
            // The search from the next position has seen more of this move: another one may be better.
            valued = self.go(board, others, stop)?;
            valued.is_proven &= is_proven;
        }
        if after > valued.value {
            // The search of all moves saw less of this one.
            return Ok(Valued { is_proven: valued.is_proven && is_proven, ..of_move });
        }
        if after == valued.value {
            if valued.best == [mv] {
                valued.line.clear();
            } else {
                valued.best.push(mv);
            }
        }
        Ok(valued)
    }

    /// Makes what is known about a position agree with the next one, after the move that was played: what
    /// is proven of one of them holds for both, and no move is worth more than the position before it.
    fn reconcile(
        &mut self,
        [board, next]: [&Board; 2],
        played: Move,
        before: &mut Valued,
        after: &mut Valued,
        stop: &StopToken,
    ) -> Result<(), ReviewError> {
        if before.is_proven && !after.is_proven && before.line.first() == Some(&played) {
            let value = for_mover(next, board, before.value);
            *after = self.proven(next, value, &before.line, stop)?;
        }
        let is_searched = !self.is_solved(board);
        for mv in board.moves().filter(|_| before.is_proven && is_searched) {
            if before.best.contains(&mv) || (mv == played && after.is_proven) {
                continue;
            }
            let found = self.go(board, vec![mv], stop)?;
            if found.is_proven && found.value == before.value {
                before.best.push(mv);
            }
            if found.is_proven && mv == played {
                let value = for_mover(next, board, found.value);
                *after = self.proven(next, value, &found.line, stop)?;
            }
        }
        let others: Vec<Move> = board.moves().filter(|&mv| mv != played).collect();
        let limit = for_mover(next, board, before.value);
        let is_too_good = for_mover(board, next, after.value) > before.value;
        if !after.is_proven && (is_too_good || others.is_empty()) {
            after.value = limit;
        }
        if before.best.contains(&played) && after.value != limit {
            before.best.retain(|&mv| mv != played);
            if before.best.is_empty() && !others.is_empty() {
                let found = self.go(board, others, stop)?;
                (before.best, before.line) = (found.best, found.line);
            }
        }
        Ok(())
    }

    /// A position whose value is proven. `line` leads to it by its first move, and goes on as far as is known.
    fn proven(
        &mut self,
        board: &Board,
        value: i32,
        line: &[Move],
        stop: &StopToken,
    ) -> Result<Valued, ReviewError> {
        let line = line.get(1..).unwrap_or_default().to_vec();
        let Some(&first) = line.first() else {
            return Ok(Valued { value, is_proven: true, ..self.go(board, Vec::new(), stop)? });
        };
        Ok(Valued { value, is_proven: true, best: vec![first], line })
    }

    /// The value of a position, or of some of its moves, for the mover.
    fn go(
        &mut self,
        board: &Board,
        searchmoves: Vec<Move>,
        stop: &StopToken,
    ) -> Result<Valued, ReviewError> {
        let mut limits = Limits { searchmoves, ..Limits::default() };
        match self.limit {
            ReviewLimit::Depth(depth) => limits.depth = Some(depth),
            ReviewLimit::MoveTime(time) => limits.movetime = Some(time),
            ReviewLimit::Auto | ReviewLimit::Exact => limits.movetime = Some(DEFAULT_MOVETIME),
        }
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => {
                let mut engine = Engine::new()?;
                engine.set_option("Threads", &self.resources.threads.to_string())?;
                none.insert(engine)
            }
        };
        let result = engine.go(board, &limits, stop, |_| {})?;
        if stop.is_stopped() {
            return Err(ReviewError::Stopped);
        }
        // Without a finished iteration the stores are all that is known.
        let mut valued = Valued {
            value: board.store_difference(),
            is_proven: false,
            best: result.best.into_iter().collect(),
            line: Vec::new(),
        };
        if let Some(PvLine { margin, proven, pv, .. }) = result.lines.into_iter().next() {
            (valued.value, valued.is_proven, valued.line) = (margin, proven, pv);
        }
        Ok(valued)
    }
}

/// The way of sowing of a board, unless it is the usual one.
pub(super) fn named_sowing(board: &Board) -> Option<String> {
    let sowing = board.rules().sowing();
    (sowing != Sowing::default()).then(|| sowing.to_string())
}

/// The plies with the greatest losses, in order.
fn moments(moves: &[ReviewedMove]) -> Vec<usize> {
    let mut mistakes: Vec<&ReviewedMove> =
        moves.iter().filter(|reviewed| reviewed.loss > 0).collect();
    mistakes.sort_by_key(|reviewed| -reviewed.loss);
    mistakes.truncate(MAX_MOMENTS);
    let mut plies: Vec<usize> = mistakes.into_iter().map(|reviewed| reviewed.ply).collect();
    plies.sort_unstable();
    plies
}

/// A value for the player to move on the board `of`, from the view of the player to move on `board`.
fn for_mover(board: &Board, of: &Board, value: i32) -> i32 {
    if board.side() == of.side() { value } else { -value }
}

/// The judgement of a move, by which the line of the board before it is completed. `next` is the best line
/// from the board after it.
fn judged(
    ply: usize,
    board: &Board,
    played: Played,
    valued: &mut Valued,
    next: Vec<Move>,
) -> ReviewedMove {
    let Played { mv, value: after, is_proven } = played;
    if after == valued.value && !valued.best.contains(&mv) {
        valued.best.push(mv);
    }
    let continued = [vec![mv], next].concat();
    let loss = (valued.value - after).max(0);
    let why = (loss > 0).then(|| Explanation::new(board, &valued.line, &continued, loss)).flatten();
    if valued.line.is_empty() {
        valued.line = continued;
    }
    let letters: Vec<String> = valued.line.iter().map(Move::to_string).collect();
    let sign = board.side().sign();
    ReviewedMove {
        ply,
        side: board.side().to_string(),
        letter: mv.to_string(),
        board: board.fen(),
        value: sign * valued.value,
        after: sign * after,
        best: valued.best.iter().map(Move::to_string).collect(),
        loss,
        proven: valued.is_proven && is_proven,
        mark: mark(valued.value, after),
        line: letters.join(" "),
        why,
    }
}

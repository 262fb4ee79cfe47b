//! Values the moves of a game, from the last to the first.

use std::time::Duration;

use thiserror::Error;

use super::report::{REVIEW_VERSION, Review, ReviewedMove, ReviewedSide, mark};
use kalah::StopToken;
use kalah::board::{Board, Move, Side};
use kalah::engine::{Engine, EngineError, expected_nodes};
use kalah::search::{Limits, SearchResult};
use kalah::solve::{FirstGuess, SolveError, SolveProgress, SolveRequest, Solver, SolverResources};
use kalah_games::AnnotatedGame;

/// The most seeds in the houses of positions that are solved unless the limit says otherwise.
const MAX_EXACT_SEEDS: u32 = 48;

/// The most nodes that such a position may be expected to take: some times those of Kalah(6,4).
const MAX_EXACT_NODES: f64 = 4e7;

/// The time for a position that is not solved, unless the limit says otherwise.
const DEFAULT_MOVETIME: Duration = Duration::from_secs(1);

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

/// What is known about a position; values are for the player to move.
struct Valued {
    value: i32,
    is_proven: bool,
    best: Vec<Move>,
    /// The value of the move that was played, where the engine has searched it.
    played: Option<(i32, bool)>,
    /// Empty if the line of the next position continues it.
    line: Vec<Move>,
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
        let end = boards[plies];
        // The largest tables that the game needs, before those that would do for its end.
        if let Some(board) = boards.iter().find(|board| self.is_solved(board)) {
            self.solver.prefault_tables(board, stop);
        }
        let (last, is_last_proven, line) = if let Some(result) = end.result() {
            (result, true, Vec::new())
        } else {
            let Valued { value, is_proven, line, .. } = self.value(&end, None, plies + 1, stop)?;
            (for_south(&end, value), is_proven, line)
        };
        let mut after = (last, is_last_proven, line);
        let mut moves = Vec::with_capacity(plies);
        for (number, ply) in game.moves.iter().enumerate().take(plies).rev() {
            let board = &boards[number];
            let played = (ply.mv, for_south(board, after.0), after.1);
            let valued = self.value(board, Some(played), number + 1, stop)?;
            let (reviewed, line) = judged(number + 1, board, played, valued, after.2);
            after = (reviewed.value, reviewed.proven, line);
            moves.push(reviewed);
            progress(plies - number, plies);
        }
        moves.reverse();
        let side = |side| ReviewedSide::new(side, boards.iter().zip(&moves));
        let greatest = moves.iter().rev().max_by_key(|reviewed| reviewed.loss);
        Ok(Review {
            version: REVIEW_VERSION,
            start: game.start.fen(),
            capture: game.start.rules().capture().to_string(),
            last,
            proven: is_last_proven && moves.iter().all(|reviewed| reviewed.proven),
            south: side(Side::South),
            north: side(Side::North),
            sharpest: greatest.filter(|reviewed| reviewed.loss > 0).map(|reviewed| reviewed.ply),
            moves,
        })
    }

    /// Whether a position is to be solved.
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

    /// Values a position. `played` is the move, with the value after it for the mover and whether that is
    /// proven.
    fn value(
        &mut self,
        board: &Board,
        played: Option<(Move, i32, bool)>,
        ply: usize,
        stop: &StopToken,
    ) -> Result<Valued, ReviewError> {
        if self.is_solved(board) {
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
        played: Option<(Move, i32, bool)>,
        stop: &StopToken,
    ) -> Result<Valued, SolveError> {
        let guess = played.map(|(mv, margin, _)| FirstGuess { margin, best: Some(mv) });
        let request = SolveRequest { best: true, guess, ..SolveRequest::default() };
        let progress = SolveProgress::default();
        let solution = self.solver.solve_with(board, request, stop, &progress)?;
        let margin = solution.margin;
        let is_best = played.is_some_and(|(mv, ..)| solution.best.contains(&mv));
        let line = if is_best {
            Vec::new()
        } else {
            let best = solution.best.first().copied();
            let guess = Some(FirstGuess { margin, best });
            let request = SolveRequest { line: true, guess, ..SolveRequest::default() };
            self.solver.solve_with(board, request, stop, &progress)?.line
        };
        Ok(Valued { value: margin, is_proven: true, best: solution.best, played: None, line })
    }

    fn search(
        &mut self,
        board: &Board,
        played: Option<(Move, i32, bool)>,
        stop: &StopToken,
    ) -> Result<Valued, ReviewError> {
        let (found, value, is_proven) = self.go(board, Vec::new(), stop)?;
        let best = found.best;
        let mut valued = Valued {
            value,
            is_proven,
            best: best.into_iter().collect(),
            played: None,
            line: found.lines.into_iter().next().map(|line| line.pv).unwrap_or_default(),
        };
        let Some((mv, after, is_after_proven)) = played else { return Ok(valued) };
        let mut of_move = if is_after_proven {
            (after, true)
        } else if best == Some(mv) {
            (value, is_proven)
        } else {
            let (_, value, is_proven) = self.go(board, vec![mv], stop)?;
            (value, is_proven)
        };
        if valued.is_proven {
            // An estimate cannot be better than what is proven.
            of_move.0 = of_move.0.min(valued.value);
        } else if of_move.0 > valued.value || (best == Some(mv) && of_move.1) {
            // The search of all moves saw less of this one.
            valued.value = of_move.0;
        }
        if of_move.0 == valued.value && !valued.best.contains(&mv) {
            valued.best.push(mv);
        }
        valued.played = Some(of_move);
        Ok(valued)
    }

    /// The value of a position, or of some of its moves, for the mover.
    fn go(
        &mut self,
        board: &Board,
        searchmoves: Vec<Move>,
        stop: &StopToken,
    ) -> Result<(SearchResult, i32, bool), ReviewError> {
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
        let line = result.lines.first();
        // Without a finished iteration the stores are all that is known.
        let margin = line.map_or_else(|| board.store_difference(), |line| line.margin);
        let is_proven = line.is_some_and(|line| line.proven);
        Ok((result, margin, is_proven))
    }
}

/// A value for the player to move, from the view of South, and the other way round.
fn for_south(board: &Board, value: i32) -> i32 {
    if board.side() == Side::South { value } else { -value }
}

/// The judgement of a move, and the best line from the board before it. `next` is the best line from the
/// board after it.
fn judged(
    ply: usize,
    board: &Board,
    (mv, after, is_after_proven): (Move, i32, bool),
    valued: Valued,
    next: Vec<Move>,
) -> (ReviewedMove, Vec<Move>) {
    let (after, is_after_proven) = valued.played.unwrap_or((after, is_after_proven));
    let is_best = valued.best.contains(&mv);
    let mut line = valued.line;
    if is_best
        && (line.is_empty() || line.first() == Some(&mv))
        && (valued.is_proven || line.len() <= next.len())
    {
        line = [vec![mv], next].concat();
    }
    let letters: Vec<String> = line.iter().map(Move::to_string).collect();
    let reviewed = ReviewedMove {
        ply,
        side: board.side().to_string(),
        letter: mv.to_string(),
        board: board.fen(),
        value: for_south(board, valued.value),
        after: for_south(board, after),
        best: valued.best.iter().map(Move::to_string).collect(),
        loss: (valued.value - after).max(0),
        proven: valued.is_proven && is_after_proven,
        mark: mark(valued.value, after),
        line: letters.join(" "),
    };
    (reviewed, line)
}

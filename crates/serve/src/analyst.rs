//! Values of all moves of a position by an engine, within a time.

use std::time::Duration;

use kalah::StopToken;
use kalah::board::{Board, Move, Next};
use kalah::engine::Engine;
use kalah::search::Limits;

use crate::answer::{MoveValue, PositionValue, Source};

/// The parts of the time after which all moves have been looked at once, and again. A first look at all of them is
/// an estimate for each, and shows the order in which they are worth more of the time.
const ROUNDS: [f64; 3] = [0.1, 0.4, 1.0];

/// The time for a position without a deadline.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A move that is being valued.
struct Candidate {
    value: MoveValue,
    after: Board,
    /// Whether the side that makes the move also moves next.
    is_again: bool,
}

/// Values a board, whose game is not over, until the token stops or all moves are proven: each move by what the engine
/// finds and proves about the position after it. All are searched, if only for a moment; what the engine has learned
/// of one position serves the others.
pub(crate) fn value(engine: &mut Engine, board: &Board, stop: &StopToken) -> PositionValue {
    let mut candidates: Vec<Candidate> =
        board.moves().map(|mv| Candidate::new(board, mv)).collect();
    let time = stop.remaining().unwrap_or(DEFAULT_TIME);
    let stop = stop.child_with_timeout(time);
    for round in ROUNDS {
        candidates.sort_by_key(|candidate| -candidate.value.margin);
        let rest = time.mul_f64(1.0 - round);
        let mut open = candidates.iter().filter(|candidate| !candidate.value.proven).count();
        for candidate in candidates.iter_mut().filter(|candidate| !candidate.value.proven) {
            let mut left = stop.remaining().unwrap_or_default().saturating_sub(rest);
            if stop.is_stopped() {
                // A search that is stopped at once has seen every move: no estimate is without one.
                if candidate.value.depth.is_some() {
                    continue;
                }
                left = Duration::ZERO;
            }
            look_at(engine, candidate, left / open.max(1) as u32, &stop);
            open -= 1;
        }
    }
    let moves = candidates.into_iter().map(|candidate| candidate.value).collect();
    PositionValue::new(board, Source::Search, moves)
}

/// Lets the engine think about the position after a move for this time.
fn look_at(engine: &mut Engine, candidate: &mut Candidate, time: Duration, stop: &StopToken) {
    let Candidate { value, after, is_again } = candidate;
    let for_mover = |margin: i32| if *is_again { margin } else { -margin };
    let limits = Limits { movetime: Some(time), ..Limits::default() };
    // These limits are those that every search takes.
    let Ok(result) = engine.go(after, &limits, stop, |_| {}) else { return };
    if let Some(proven) = engine.proven_margin(after) {
        let bounds = [proven.lower, proven.upper].map(for_mover);
        value.lower = value.lower.max(bounds[0].min(bounds[1]));
        value.upper = value.upper.min(bounds[0].max(bounds[1]));
    }
    let Some(line) = result.lines.first() else { return };
    let mut pv = vec![value.mv];
    pv.extend(&line.pv);
    let margin = for_mover(line.margin);
    if line.proven {
        *value = MoveValue::proven(value.mv, margin, pv);
    } else if value.depth.is_none_or(|depth| line.depth >= depth) {
        (value.margin, value.depth, value.pv) = (margin, Some(line.depth), pv);
    }
    // An estimate beyond what is proven is as wrong as one can be, and known to be.
    if value.lower <= value.upper {
        value.margin = value.margin.clamp(value.lower, value.upper);
    }
    if value.lower == value.upper {
        value.proven = true;
        value.depth = None;
    }
}

impl Candidate {
    fn new(board: &Board, mv: Move) -> Candidate {
        let mut after = *board;
        let next = after.play(mv).unwrap_or(Next::Over);
        if let Some(margin) = after.result_for(mv.side) {
            let value = MoveValue::proven(mv, margin, vec![mv]);
            return Candidate { value, after, is_again: false };
        }
        let (lower, upper) = after.possible_margins(mv.side).into_inner();
        let (proven, depth, pv) = (false, None, vec![mv]);
        let margin = i32::midpoint(lower, upper);
        let value = MoveValue { mv, margin, lower, upper, proven, depth, pv };
        Candidate { value, after, is_again: next == Next::Again }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use kalah::board::Capture;
    use kalah::engine::EngineOptions;
    use kalah::solve::{SolveProgress, SolveRequest, Solver, SolverResources};

    use super::*;

    /// What the analyst says about a board in a time, with what the solver says.
    fn compared(fen: &str, capture: Capture, time: Duration) -> PositionValue {
        let board = Board::from_fen(fen, capture).unwrap();
        let options = EngineOptions { hash_mebibytes: 1, own_book: false, ..Default::default() };
        let mut engine = Engine::with_options(options).unwrap();
        let value = value(&mut engine, &board, &StopToken::new().child_with_timeout(time));
        let resources = SolverResources { mebibytes: 16, ..SolverResources::default() };
        let request = SolveRequest { moves: true, ..SolveRequest::default() };
        let (stop, progress) = (StopToken::new(), SolveProgress::default());
        let solution =
            Solver::new(resources).solve_with(&board, request, &stop, &progress).unwrap();
        assert_eq!(value.moves.len(), solution.moves.len());
        assert!((value.lower..=value.upper).contains(&solution.margin));
        assert!((value.lower..=value.upper).contains(&value.margin));
        for of in &value.moves {
            let exact = solution.moves.iter().find(|(mv, _)| *mv == of.mv).unwrap().1;
            assert!((of.lower..=of.upper).contains(&exact), "{fen} {}", of.mv);
            assert!((of.lower..=of.upper).contains(&of.margin), "{fen} {}", of.mv);
            assert_eq!(of.proven, of.lower == of.upper);
            assert_eq!(of.depth.is_some(), !of.proven, "{fen} {}", of.mv);
            assert!(!of.proven || of.margin == exact, "{fen} {}", of.mv);
            let mut end = board;
            for &mv in &of.pv {
                end.play(mv).unwrap();
            }
            assert_eq!(of.pv.first(), Some(&of.mv));
        }
        assert!(value.moves.is_sorted_by_key(|of| -of.margin));
        value
    }

    #[test]
    fn values_agree_with_the_solver() {
        let boards = [
            "<6,6,9,0,3,0,1,4,0,1,0,0,0,0,1> S",
            "<6,20,14,1,0,2,1,3,2,0,1,2,0,1,1> N",
            "<3,5,2,0,1,4,2,2,2> N",
            "<3,0,0,3,3,3,3,3,3>",
        ];
        for fen in boards {
            for capture in Capture::ALL {
                let value = compared(fen, capture, Duration::from_mins(1));
                assert!(value.proven && value.is_final(), "{fen}");
            }
        }
    }

    #[test]
    fn what_is_not_proven_has_bounds() {
        for time in [0, 1, 10].map(Duration::from_millis) {
            compared("<4,0,0,4,4,4,4,4,4,4,4>", Capture::Empty, time);
        }
    }
}

//! Perft that can be stopped, move by move: what `go perft` and `kalah perft` print.

use crate::board::{AnyPosition, Board, Move, MoveResult, Next, Position, RowTables, Sowings};
use crate::stop::StopToken;

/// Counts the leaves `depth` plies below a board, as [`Board::perft`] does, and passes the number of
/// leaves below each move to `each`. Returns `None` within a few milliseconds after a stop.
pub fn divide(
    board: &Board,
    depth: u32,
    stop: &StopToken,
    mut each: impl FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 || board.is_over() {
        return Some(1);
    }
    let mut total = 0;
    for (mv, after) in board.successors() {
        let leaves = leaves_below(&after, depth - 1, stop)?;
        each(mv, leaves);
        total += leaves;
    }
    Some(total)
}

/// Apart from [`divide`], which is compiled where it is called, there perhaps without optimisation.
fn leaves_below(board: &Board, depth: u32, stop: &StopToken) -> Option<u64> {
    match board.position() {
        AnyPosition::Narrow(sowings, position) => leaves(sowings, &position, depth, stop),
        AnyPosition::Wide(sowings, position) => leaves(sowings, &position, depth, stop),
    }
}

fn leaves<R: RowTables>(
    sowings: &Sowings<R>,
    position: &Position<R>,
    depth: u32,
    stop: &StopToken,
) -> Option<u64> {
    // Trees of this depth have about 250,000 leaves.
    let quick = if sowings.rules().houses() <= 8 { 6 } else { 5 };
    if stop.is_stopped() {
        return None;
    }
    if depth <= quick || position.is_over() {
        return Some(position.perft(sowings, depth));
    }
    let of_move = |house| match position.play(sowings, house) {
        MoveResult { next: Next::Over, .. } => Some(1),
        played => leaves(sowings, &played.position, depth - 1, stop),
    };
    position.moves().map(of_move).sum()
}

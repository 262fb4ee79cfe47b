//! Perft: counts the leaves of the game tree, to test and time the move generator.

use std::hint::black_box;

use super::board::{AnyPosition, Board};
use super::house::Move;
use super::position::{MoveResult, Next, Position};
use super::sowing::{RowTables, Sowings};

/// Returns the number of leaves `depth` plies below a position. A finished game is one leaf at any
/// remaining depth.
///
/// Every leaf is played instead of counted with its parent's moves (no bulk counting), so that all
/// of [`Position::play`] is tested and timed.
pub fn perft<R: RowTables>(sowings: &Sowings<R>, position: &Position<R>, depth: u32) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    count(sowings, position, depth)
}

/// As [`perft`]. Returns `None` within a few milliseconds after `is_stopped` returns true.
fn perft_until<R: RowTables>(
    sowings: &Sowings<R>,
    position: &Position<R>,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    // Trees of this depth have about 250,000 leaves.
    let quick = if sowings.rules().houses() <= 8 { 6 } else { 5 };
    if is_stopped() {
        return None;
    }
    if depth <= quick || position.is_over() {
        return Some(perft(sowings, position, depth));
    }
    position
        .moves()
        .map(|house| match position.play(sowings, house) {
            MoveResult { next: Next::Over, .. } => Some(1),
            played => perft_until(sowings, &played.position, depth - 1, is_stopped),
        })
        .sum()
}

fn count<R: RowTables>(sowings: &Sowings<R>, position: &Position<R>, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        for house in position.moves() {
            black_box(&position.play(sowings, house));
            leaves += 1;
        }
        return leaves;
    }
    for house in position.moves() {
        let played = position.play(sowings, house);
        leaves += match played.next {
            Next::Over => 1,
            Next::Again | Next::Other => count(sowings, &played.position, depth - 1),
        };
    }
    leaves
}

impl Board {
    /// Returns the number of leaves `depth` plies below; see [`perft()`].
    pub fn perft(&self, depth: u32) -> u64 {
        match self.position() {
            AnyPosition::Narrow(sowings, position) => perft(sowings, &position, depth),
            AnyPosition::Wide(sowings, position) => perft(sowings, &position, depth),
        }
    }

    /// As [`Board::perft`], and passes the number of leaves below each move to `each`. Returns
    /// `None` soon after `is_stopped` returns true.
    ///
    /// ```
    /// use kalah::board::{Board, Rules};
    ///
    /// let board = Board::start(Rules::default(), 4)?;
    /// let total = board.divide(3, &|| false, &mut |played, leaves| println!("{played} {leaves}"));
    /// assert_eq!(total, Some(board.perft(3)));
    /// # Ok::<(), kalah::board::BoardError>(())
    /// ```
    pub fn divide(
        &self,
        depth: u32,
        is_stopped: &dyn Fn() -> bool,
        each: &mut dyn FnMut(Move, u64),
    ) -> Option<u64> {
        if depth == 0 || self.is_over() {
            return Some(1);
        }
        let mut total = 0;
        for house in self.moves() {
            let mut after = *self;
            // The move is legal.
            let _ = after.play(house);
            let leaves = match after.position() {
                AnyPosition::Narrow(sowings, position) => {
                    perft_until(sowings, &position, depth - 1, is_stopped)
                }
                AnyPosition::Wide(sowings, position) => {
                    perft_until(sowings, &position, depth - 1, is_stopped)
                }
            }?;
            each(Move { side: self.side(), house }, leaves);
            total += leaves;
        }
        Some(total)
    }
}

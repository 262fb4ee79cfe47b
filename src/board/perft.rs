//! Perft: counts the leaves of the game tree, to test and time the move generator.

use std::hint::black_box;

use super::board::{AnyPosition, Board};
use super::position::{Next, Position};
use super::sowing::{RowTables, Sowings};

impl Board {
    /// Returns the number of leaves `depth` plies below. A finished game is one leaf at any remaining
    /// depth.
    ///
    /// Every leaf is played instead of counted with its parent's moves (no bulk counting), so that all
    /// of [`Position::play`] is tested and timed.
    ///
    /// ```
    /// use kalah::{Board, Rules};
    ///
    /// assert_eq!(Board::start(Rules::default(), 4)?.perft(2), 35);
    /// # Ok::<(), kalah::board::BoardError>(())
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        match self.position() {
            AnyPosition::Narrow(sowings, position) => position.perft(sowings, depth),
            AnyPosition::Wide(sowings, position) => position.perft(sowings, depth),
        }
    }
}

impl<R: RowTables> Position<R> {
    /// Returns the number of leaves `depth` plies below; see [`Board::perft`].
    pub fn perft(&self, sowings: &Sowings<R>, depth: u32) -> u64 {
        if depth == 0 || self.is_over() { 1 } else { leaves(sowings, self, depth) }
    }
}

/// The leaves of a position with moves, at a depth of 1 or more.
fn leaves<R: RowTables>(sowings: &Sowings<R>, position: &Position<R>, depth: u32) -> u64 {
    let mut count = 0;
    if depth == 1 {
        for house in position.moves() {
            black_box(&position.play(sowings, house));
            count += 1;
        }
        return count;
    }
    for house in position.moves() {
        let played = position.play(sowings, house);
        count += match played.next {
            Next::Over => 1,
            Next::Again | Next::Other => leaves(sowings, &played.position, depth - 1),
        };
    }
    count
}

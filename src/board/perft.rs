//! Counting the leaves of the game tree.

use std::hint::black_box;

use super::position::{Next, Position};
use super::sowing::{RowTables, Sowings};

/// The number of leaves `depth` plies below a position, a ply being one sowing. A finished game
/// is one leaf at any remaining depth.
///
/// Every leaf is played, not merely counted by the number of moves of its parent: the figure
/// checks, and times, the whole of [`Position::play`].
pub fn perft<R: RowTables>(sowings: &Sowings<R>, position: &Position<R>, depth: u32) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    count(sowings, position, depth)
}

fn count<R: RowTables>(sowings: &Sowings<R>, position: &Position<R>, depth: u32) -> u64 {
    let mut leaves = 0;
    for house in position.moves() {
        let played = position.play(sowings, house);
        leaves += if depth == 1 {
            black_box(&played);
            1
        } else if played.next == Next::Over {
            1
        } else {
            count(sowings, &played.position, depth - 1)
        };
    }
    leaves
}

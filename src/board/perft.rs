//! Counting the leaves of the game tree.

use std::hint::black_box;

use super::position::{Next, Played, Position};
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

/// [`perft`], given up with `None` soon after `stopped` says so.
pub fn perft_until<R: RowTables>(
    sowings: &Sowings<R>,
    position: &Position<R>,
    depth: u32,
    stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    // Trees of this depth have some 250,000 leaves: they are counted in a few milliseconds.
    let quick = if sowings.rules().houses() <= 8 { 6 } else { 5 };
    if stopped() {
        return None;
    }
    if depth <= quick || position.is_over() {
        return Some(perft(sowings, position, depth));
    }
    position
        .moves()
        .map(|house| match position.play(sowings, house) {
            Played { next: Next::Over, .. } => Some(1),
            played => perft_until(sowings, &played.position, depth - 1, stopped),
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

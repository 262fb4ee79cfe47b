//! Move ordering, and the moves that a weak player overlooks.

use super::game::MAX_MOVE_SCORE;
use crate::board::splitmix64;

/// How moves are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveOrdering {
    /// The best move of the transposition table first, then, in the selective search, by evaluation, then by
    /// [`MoveOrdering::Static`].
    #[default]
    Dynamic,
    /// By the move alone: extra turns from the right, then by seeds banked and kept.
    Static,
    /// At random, but the same in the same position: drawn from the random seed and the position's key.
    Random,
}

impl MoveOrdering {
    /// All orderings.
    pub const ALL: [MoveOrdering; 3] =
        [MoveOrdering::Dynamic, MoveOrdering::Static, MoveOrdering::Random];
}

/// The score of the move to search first, above all others.
pub(super) const TABLE_MOVE: i32 = 1 << 30;
const _: () = assert!(MAX_MOVE_SCORE as i64 * MAX_MOVE_SCORE as i64 <= TABLE_MOVE as i64);
/// Added to the score of a move to search it last: those of all other untried moves are at least 0.
pub(super) const DEFERRED: i32 = -TABLE_MOVE - 1;
/// The score of a move that has been tried.
pub(super) const TRIED: i32 = i32::MIN;

/// Moves that a weak player does not see before they are on the board: below the root a search leaves some out.
/// They are always the same in the same position, so a flawed plan is chosen again a move later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oversights {
    /// How many of 1,000 moves are overlooked.
    pub permille: u32,
    /// The random seed that they are drawn from.
    pub random_seed: u64,
}

impl Oversights {
    /// Whether the move from the position with the first key to that with the second is overlooked.
    pub(crate) fn overlooks(self, from: u64, to: u64) -> bool {
        let bits = splitmix64(from ^ splitmix64(to ^ splitmix64(self.random_seed)));
        bits % 1000 < u64::from(self.permille)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_moves_are_overlooked_as_requested_and_always_the_same() {
        for permille in [0, 10, 300, 1000] {
            for random_seed in [0, 1, u64::MAX] {
                let oversights = Oversights { permille, random_seed };
                let moves = || (0..10_000).map(|key| oversights.overlooks(key / 5, key));
                let overlooked = moves().filter(|&is_overlooked| is_overlooked).count() as u32;
                assert!(overlooked.abs_diff(10 * permille) <= 150, "{overlooked}");
                assert!(moves().eq(moves()));
            }
        }
    }
}

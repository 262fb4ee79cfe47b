//! Move ordering: the table move first, then by static scores or by evaluation.

use super::game::{Game, MAX_MOVE_SCORE, MoveList, ScoredMove};
use super::transposition_table::TranspositionTable;
use crate::board::{Next, splitmix64};

/// How moves are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveOrdering {
    /// The best move of the transposition table first, then by [`MoveOrdering::Static`].
    #[default]
    Dynamic,
    /// By the move alone: extra turns from the right, then by seeds banked and kept.
    Static,
    /// At random, but always the same in the same position: drawn from the random seed of the
    /// options and the position's key.
    Random,
}

impl MoveOrdering {
    /// All orderings.
    pub const ALL: [MoveOrdering; 3] =
        [MoveOrdering::Dynamic, MoveOrdering::Static, MoveOrdering::Random];
}

/// The score of the move to search first, above all others.
pub(super) const TABLE_MOVE: i32 = 1 << 30;
const _: () = assert!(MAX_MOVE_SCORE <= TABLE_MOVE);
/// Added to the score of a move to search it last: the scores of all other untried moves are at
/// least 0.
pub(super) const DEFERRED: i32 = -TABLE_MOVE - 1;
/// The score of a move that has been tried.
pub(super) const TRIED: i32 = i32::MIN;

/// Scores the moves of one node.
pub(super) struct MoveScorer<M> {
    pub ordering: MoveOrdering,
    pub random_seed: u64,
    /// The move to search first if the ordering is dynamic.
    pub first: Option<M>,
    /// The move that has been searched already, and is left out.
    pub skip: Option<M>,
    /// Whether the positions that the moves lead to are evaluated, for a dynamic ordering.
    pub evaluates: bool,
    /// Whether the moves lead to leaves, but for extra turns, which some searches extend.
    pub precedes_leaves: bool,
}

impl<M: Copy + PartialEq> MoveScorer<M> {
    /// Makes and scores every move, and prefetches the table entry of the position it leads to unless
    /// that is a leaf: leaves are not looked up, and a prefetch can stall like any other load.
    #[inline]
    pub(super) fn score_moves<G: Game<Move = M>>(
        &self,
        moves: &mut G::MoveList,
        game: &G,
        position: &G::Position,
        table: Option<&impl TranspositionTable<M>>,
    ) {
        game.for_each_move(position, |mv, transition| {
            if self.skip == Some(mv) {
                return;
            }
            let is_leaf = match transition.next {
                Next::Again => false,
                Next::Other => self.precedes_leaves,
                Next::Over => true,
            };
            if let Some(table) = table
                && !is_leaf
            {
                table.prefetch(game.key(&transition.position));
            }
            let is_first = self.ordering == MoveOrdering::Dynamic && self.first == Some(mv);
            let evaluation = (self.evaluates && !is_first && transition.next != Next::Over)
                .then(|| game.evaluate(&transition.position));
            let order = match self.ordering {
                MoveOrdering::Dynamic if is_first => TABLE_MOVE,
                MoveOrdering::Dynamic => {
                    let estimate = evaluation.map_or(0, |evaluation| {
                        let gain = transition.gain_before(evaluation);
                        (gain + MAX_MOVE_SCORE / 2).clamp(0, MAX_MOVE_SCORE - 1)
                    });
                    estimate * MAX_MOVE_SCORE + game.move_score(position, mv, &transition)
                }
                MoveOrdering::Static => game.move_score(position, mv, &transition),
                MoveOrdering::Random => {
                    let child = splitmix64(game.key(&transition.position));
                    let hash = game.key(position) ^ splitmix64(self.random_seed ^ child);
                    (splitmix64(hash) >> (u64::BITS - TABLE_MOVE.ilog2())) as i32
                }
            };
            moves.push(ScoredMove { mv, transition, evaluation, order });
        });
    }
}

/// Moves that a weak player does not see before they are on the board: below the root a search leaves
/// some moves of either player out. They are always the same ones in the same position, so that a plan
/// with a hole is made again a move later.
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

//! Move ordering: the table move, static scores, killers and history.

use super::game::{Game, MAX_MOVE_SCORE, MoveList, ScoredMove};
use super::hash_table::MAX_DEPTH;
use super::transposition_table::TranspositionTable;
use crate::board::{Next, splitmix64};

/// How moves are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveOrdering {
    /// The best move of the transposition table first, then by [`MoveOrdering::Static`]; killers
    /// and history break ties.
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

/// What is learned from cutoffs: killers, the last two moves that caused a cutoff at the same ply
/// (S. Akl and M. Newborn, 1977), and the history heuristic (J. Schaeffer, 1989). Moves are
/// identified by their [`Game::history_index`].
pub(super) struct OrderingTables {
    killers: Vec<[Option<usize>; 2]>,
    history: Vec<i32>,
}

// Ordering scores have layers, each of which outweighs all lower ones.
pub(super) const TABLE_MOVE: i32 = 1 << 30;
const MOVE_SCORE: i32 = 1 << 16;
const KILLER: i32 = 1 << 15;
const MAX_HISTORY: i32 = 1 << 14;
const _: () = assert!(MAX_MOVE_SCORE as i64 * MOVE_SCORE as i64 <= TABLE_MOVE as i64);
/// Added to the score of a move to search it last: the scores of all other untried moves are at
/// least 0.
pub(super) const DEFERRED: i32 = -TABLE_MOVE - 1;
/// The score of a move that has been tried.
pub(super) const TRIED: i32 = i32::MIN;

impl OrderingTables {
    pub(super) fn new(history_size: usize) -> OrderingTables {
        OrderingTables {
            killers: vec![[None; 2]; MAX_DEPTH as usize + 1],
            history: vec![0; history_size],
        }
    }

    /// Prepares for the next search: clears the killers, whose plies have changed, and ages the
    /// history.
    pub(super) fn age(&mut self) {
        self.killers.fill([None; 2]);
        for value in &mut self.history {
            *value /= 4;
        }
    }

    fn score(&self, ply: usize, history_index: usize) -> i32 {
        let is_killer = self.killers[ply].contains(&Some(history_index));
        i32::from(is_killer) * KILLER + self.history[history_index]
    }

    /// Updates killers and history for a move that caused a cutoff at `ply`.
    pub(super) fn update(&mut self, ply: usize, history_index: usize, depth: u32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(history_index) {
            *killers = [Some(history_index), killers[0]];
        }
        // History gravity: the closer the value is to the maximum, the less it grows.
        let bonus = (depth * depth).min(1 << 10) as i32;
        let value = &mut self.history[history_index];
        *value += bonus - *value * bonus / MAX_HISTORY;
    }
}

/// Scores the moves of one node.
pub(super) struct MoveScorer<'a, M> {
    pub ordering: MoveOrdering,
    pub random_seed: u64,
    /// The move to search first if the ordering is dynamic.
    pub first: Option<M>,
    /// The move that has been made already, and is left out.
    pub made: Option<M>,
    /// Whether the positions that the moves lead to are evaluated, for a dynamic ordering.
    pub evaluates: bool,
    /// Whether the moves lead to leaves, but for extra turns, which some searches extend.
    pub precedes_leaves: bool,
    pub tables: &'a OrderingTables,
    pub ply: usize,
}

impl<M: Copy + PartialEq> MoveScorer<'_, M> {
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
            if self.made == Some(mv) {
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
                    let estimate = evaluation.map(|evaluation| transition.gain_before(evaluation));
                    let move_score = match estimate {
                        Some(gain) => (gain + MAX_MOVE_SCORE / 2).clamp(0, MAX_MOVE_SCORE - 1),
                        None => game.move_score(position, mv, &transition),
                    };
                    let history_index = game.history_index(position, mv);
                    move_score * MOVE_SCORE + self.tables.score(self.ply, history_index)
                }
                MoveOrdering::Static => game.move_score(position, mv, &transition) * MOVE_SCORE,
                MoveOrdering::Random => {
                    let index = game.history_index(position, mv) as u64;
                    let hash =
                        game.key(position) ^ splitmix64(self.random_seed ^ splitmix64(index));
                    (splitmix64(hash) >> (u64::BITS - TABLE_MOVE.ilog2())) as i32
                }
            };
            moves.push(ScoredMove { mv, transition, evaluation, order });
        });
    }
}

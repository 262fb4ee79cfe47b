//! In which order the moves of a position are tried.

use super::game::{Game, MAX_MOVE_SCORE, ScoredMove};
use super::memory::TranspositionTable;
use super::table::MAX_DEPTH;
use crate::board::Next;

/// What the order of moves goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveOrdering {
    /// What earlier iterations and other parts of the tree have taught: the best move of the
    /// table, killers and history, and for the rest [`MoveOrdering::Static`].
    #[default]
    Dynamic,
    /// The move itself: extra turns from the right, then seeds banked and kept.
    Static,
    /// Chance, the same for the same position each time: drawn from the random seed of the
    /// settings and the position's key.
    Random,
}

impl MoveOrdering {
    /// All of them.
    pub const ALL: [MoveOrdering; 3] =
        [MoveOrdering::Dynamic, MoveOrdering::Static, MoveOrdering::Random];
}

/// What cut-offs elsewhere in the search teach about a move: killers, the moves that refuted
/// siblings at the same ply (S. Akl and M. Newborn, 1977), and the history heuristic
/// (J. Schaeffer, 1989). Moves are told apart by their [`Game::feature`].
pub(super) struct Refutations {
    killers: Vec<[Option<usize>; 2]>,
    history: Vec<i32>,
}

/// Ranks are made of layers, each outweighing all below.
const TABLE_MOVE: i32 = 1 << 30;
const RANK: i32 = 1 << 16;
const KILLER: i32 = 1 << 15;
const MAX_HISTORY: i32 = 1 << 14;
const _: () = assert!(MAX_MOVE_SCORE as i64 * RANK as i64 <= TABLE_MOVE as i64);
/// Added to put a move last: all other ranks of moves not yet taken are 0 and above.
pub(super) const LAST: i32 = -TABLE_MOVE - 1;
/// The rank of moves already taken.
pub(super) const TAKEN: i32 = i32::MIN;

impl Refutations {
    /// For a game with so many features of moves.
    pub(super) fn new(features: usize) -> Refutations {
        Refutations { killers: vec![[None; 2]; MAX_DEPTH as usize + 1], history: vec![0; features] }
    }

    /// Makes ready for the next search: killers belong to plies that have moved on, old history
    /// fades.
    pub(super) fn fade(&mut self) {
        self.killers.fill([None; 2]);
        for worth in &mut self.history {
            *worth /= 4;
        }
    }

    fn rank(&self, ply: usize, feature: usize) -> i32 {
        let killer = self.killers[ply].contains(&Some(feature));
        i32::from(killer) * KILLER + self.history[feature]
    }

    /// A move with this feature refuted the position at `ply`.
    pub(super) fn reward(&mut self, ply: usize, feature: usize, depth: u32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(feature) {
            *killers = [Some(feature), killers[0]];
        }
        // Moves towards the maximum ever more slowly, so that it cannot leave its layer.
        let bonus = (depth * depth).min(1 << 10) as i32;
        let worth = &mut self.history[feature];
        *worth += bonus - *worth * bonus / MAX_HISTORY;
    }
}

/// How the children of one node are ordered.
pub(super) struct Order<'a, M> {
    pub ordering: MoveOrdering,
    pub random_seed: u64,
    /// The move to try first, when the order is dynamic.
    pub first: Option<M>,
    pub refutations: &'a Refutations,
    pub ply: usize,
}

impl<M: Copy + PartialEq> Order<'_, M> {
    /// Plays every move, ranks it, and asks the processor for what is remembered of what comes
    /// out.
    #[inline]
    pub(super) fn fill<G: Game<Move = M>>(
        &self,
        children: &mut G::MoveList,
        game: &G,
        position: &G::Position,
        memory: Option<&impl TranspositionTable<M>>,
    ) {
        use super::game::MoveList;
        game.for_each_move(position, |chosen, step| {
            if let Some(memory) = memory
                && step.next != Next::Over
            {
                memory.prefetch(game.key(&step.position));
            }
            let rank = match self.ordering {
                MoveOrdering::Dynamic if self.first == Some(chosen) => TABLE_MOVE,
                MoveOrdering::Dynamic => {
                    let feature = game.history_index(position, chosen);
                    game.move_score(position, chosen, &step) * RANK
                        + self.refutations.rank(self.ply, feature)
                }
                MoveOrdering::Static => game.move_score(position, chosen, &step) * RANK,
                MoveOrdering::Random => {
                    let feature = game.history_index(position, chosen) as u64;
                    let draw =
                        game.key(position) ^ splitmix64(self.random_seed ^ splitmix64(feature));
                    (splitmix64(draw) >> (u64::BITS - TABLE_MOVE.ilog2())) as i32
                }
            };
            children.push(ScoredMove { chosen, step, rank });
        });
    }
}

/// A number that looks drawn at random: the output function of `SplitMix64` (G. Steele, D. Lea
/// and C. Flood, *Fast splittable pseudorandom number generators*, 2014).
pub(crate) fn splitmix64(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

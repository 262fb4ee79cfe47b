//! The order in which a build reaches positions: best play first.
//!
//! A path to a position has a cost: the seeds that each side has given away on it. The walk goes from
//! the start along the cheapest paths first, and is given the gains of the moves of each position that it
//! reaches. First come the paths on which at most one side has given anything away: who follows the book
//! finds there all replies of an opponent who does not.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::entry::MoveGains;
use crate::board::{Board, Next};
use crate::solve::RankedKeys;

/// Positions with so few seeds in the houses are not in a book: tables of their values are built in a
/// moment.
pub(super) const FEW_SEEDS: u32 = 8;

/// How far a build goes. The default is without limits.
///
/// ```
/// use kalah::book::BookScope;
///
/// let scope = BookScope { plies: Some(8), ..BookScope::default() };
/// assert_eq!(scope.positions, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookScope {
    /// Only positions from which fewer than this many plies have been played.
    pub plies: Option<u32>,
    /// Only the first positions in the order of the build.
    pub positions: Option<u64>,
    /// Only positions that can be reached with both sides giving away no more than this together, in
    /// seeds.
    pub margin: Option<u32>,
    /// Only positions that can be reached with one side giving away nothing.
    pub one_sided: bool,
}

/// The cost of a path to a position. Smaller is better in each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PathCost {
    /// Seeds given away by the side that has given away less, and by the other.
    lesser: u32,
    greater: u32,
    plies: u32,
    /// Whether the mover is the side that has given away more.
    is_mover_greater: bool,
}

impl PathCost {
    fn new(mover: u32, opponent: u32, plies: u32) -> PathCost {
        let (lesser, greater) = (mover.min(opponent), mover.max(opponent));
        PathCost { lesser, greater, plies, is_mover_greater: mover > opponent }
    }

    /// Seeds given away by the mover and by the opponent.
    fn losses(self) -> (u32, u32) {
        if self.is_mover_greater {
            (self.greater, self.lesser)
        } else {
            (self.lesser, self.greater)
        }
    }

    /// Whether this path makes another one to the same position superfluous.
    fn covers(self, other: PathCost) -> bool {
        let ((mover, opponent), (others_mover, others_opponent)) = (self.losses(), other.losses());
        mover <= others_mover && opponent <= others_opponent && self.plies <= other.plies
    }
}

/// A path that the walk has not gone yet. The order of the fields is that of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Path {
    cost: PathCost,
    rank: u64,
    /// The gain of the position, if it is known from the position before it.
    gain: Option<i16>,
}

/// A position that the walk has reached.
pub(super) struct Reached {
    pub(super) rank: u64,
    /// The gain of the position, if it is known.
    pub(super) gain: Option<i16>,
    cost: PathCost,
}

/// The positions that can be reached, the cheapest first.
pub(super) struct BookWalk {
    scope: BookScope,
    paths: BinaryHeap<Reverse<Path>>,
    /// The paths known to each position, without superfluous ones.
    costs: FxHashMap<u64, Vec<PathCost>>,
    reached: FxHashSet<u64>,
}

impl BookWalk {
    pub(super) fn new(scope: BookScope, keys: &RankedKeys, start: &Board) -> BookWalk {
        let mut walk = BookWalk {
            scope,
            paths: BinaryHeap::new(),
            costs: FxHashMap::default(),
            reached: FxHashSet::default(),
        };
        walk.add(keys, start, None, PathCost::new(0, 0, 0));
        walk
    }

    /// The number of positions reached so far.
    pub(super) fn reached(&self) -> u64 {
        self.reached.len() as u64
    }

    /// The seeds given away on the path that is next: by the side that has given away less, and by the
    /// other; and its plies.
    pub(super) fn next_cost(&self) -> Option<(u32, u32, u32)> {
        let PathCost { lesser, greater, plies, .. } = self.paths.peek()?.0.cost;
        Some((lesser, greater, plies))
    }

    /// The next position; `None` at the end of the scope. A position comes again if it can be reached in
    /// another path that may lead further.
    pub(super) fn next(&mut self) -> Option<Reached> {
        while let Some(Reverse(Path { cost, rank, gain })) = self.paths.pop() {
            if !self.costs.get(&rank).is_some_and(|costs| costs.contains(&cost)) {
                continue;
            }
            let is_full = self.scope.positions.is_some_and(|most| self.reached() >= most);
            if is_full && !self.reached.contains(&rank) {
                self.paths.clear();
                return None;
            }
            self.reached.insert(rank);
            return Some(Reached { rank, gain, cost });
        }
        None
    }

    /// Takes a position back, which will be the next one again.
    pub(super) fn push_back(&mut self, reached: &Reached) {
        let Reached { rank, gain, cost } = *reached;
        self.paths.push(Reverse(Path { cost, rank, gain }));
    }

    /// Adds the paths that go on from a position, which has these gains.
    pub(super) fn expand(
        &mut self,
        keys: &RankedKeys,
        board: &Board,
        reached: &Reached,
        gains: &MoveGains,
    ) {
        let best = gains.iter().max().copied().unwrap_or(0);
        let (mover, opponent) = reached.cost.losses();
        let plies = reached.cost.plies + 1;
        for (mv, &gain) in board.moves().zip(gains) {
            let mut after = *board;
            let mover = mover + u32::from(best.abs_diff(gain));
            let (cost, margin) = match after.play(mv) {
                Ok(Next::Again) => (PathCost::new(mover, opponent, plies), gain),
                Ok(Next::Other) => (PathCost::new(opponent, mover, plies), -gain),
                Ok(Next::Over) | Err(_) => continue,
            };
            let gain = margin - after.store_difference() as i16;
            self.add(keys, &after, Some(gain), cost);
        }
    }

    fn add(&mut self, keys: &RankedKeys, board: &Board, gain: Option<i16>, cost: PathCost) {
        let BookScope { plies, margin, one_sided, .. } = self.scope;
        if board.is_over()
            || board.seeds_in_play() <= FEW_SEEDS
            || plies.is_some_and(|plies| cost.plies >= plies)
            || (one_sided && cost.lesser > 0)
            || margin.is_some_and(|margin| cost.lesser + cost.greater > margin)
        {
            return;
        }
        let rank = keys.rank(board.houses(board.side()), board.houses(!board.side()));
        let costs = self.costs.entry(rank).or_default();
        if !costs.iter().any(|known| known.covers(cost)) {
            costs.retain(|&known| !cost.covers(known));
            costs.push(cost);
            self.paths.push(Reverse(Path { cost, rank, gain }));
        }
    }
}

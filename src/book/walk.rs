//! The order in which a build reaches positions: best play first.
//!
//! A way to a position has a price: the seeds that each side has given away on it. The walk goes from
//! the start along the cheapest ways first, and is given the gains of the moves of each position that it
//! reaches. First come the ways on which at most one side has given anything away: who follows the book
//! finds there all replies of an opponent who does not.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::entry::MoveGains;
use crate::board::{Board, Next, Side};
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

/// The price of a way to a position. Smaller is better in each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Price {
    /// Seeds given away by the side that has given away less, and by the other.
    lesser: u32,
    greater: u32,
    plies: u32,
    /// Whether the mover is the side that has given away more.
    is_mover_greater: bool,
}

impl Price {
    fn new(mover: u32, opponent: u32, plies: u32) -> Price {
        let (lesser, greater) = (mover.min(opponent), mover.max(opponent));
        Price { lesser, greater, plies, is_mover_greater: mover > opponent }
    }

    /// Seeds given away by the mover and by the opponent.
    fn given(self) -> (u32, u32) {
        if self.is_mover_greater {
            (self.greater, self.lesser)
        } else {
            (self.lesser, self.greater)
        }
    }

    /// Whether this way makes another one to the same position superfluous.
    fn covers(self, other: Price) -> bool {
        let ((mover, opponent), (others_mover, others_opponent)) = (self.given(), other.given());
        mover <= others_mover && opponent <= others_opponent && self.plies <= other.plies
    }
}

/// A way that the walk has not gone yet. The order of the fields is that of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    price: Price,
    rank: u64,
    /// The gain of the position, where the position before it has told.
    gain: Option<i16>,
}

/// A position that the walk has reached.
pub(super) struct Reached {
    pub(super) rank: u64,
    /// The gain of the position, if it is known.
    pub(super) gain: Option<i16>,
    price: Price,
}

/// The positions that can be reached, the cheapest first.
pub(super) struct BookWalk {
    scope: BookScope,
    ways: BinaryHeap<Reverse<Way>>,
    /// The ways known to each position, without superfluous ones.
    prices: FxHashMap<u64, Vec<Price>>,
    reached: FxHashSet<u64>,
}

impl BookWalk {
    pub(super) fn new(scope: BookScope, keys: &RankedKeys, start: &Board) -> BookWalk {
        let mut walk = BookWalk {
            scope,
            ways: BinaryHeap::new(),
            prices: FxHashMap::default(),
            reached: FxHashSet::default(),
        };
        walk.add(keys, start, None, Price::new(0, 0, 0));
        walk
    }

    /// The number of positions reached so far.
    pub(super) fn reached(&self) -> u64 {
        self.reached.len() as u64
    }

    /// The seeds given away on the way that is next: by the side that has given away less, and by the
    /// other; and its plies.
    pub(super) fn next_price(&self) -> Option<(u32, u32, u32)> {
        let Price { lesser, greater, plies, .. } = self.ways.peek()?.0.price;
        Some((lesser, greater, plies))
    }

    /// The next position; `None` at the end of the scope. A position comes again if it can be reached in
    /// another way that may lead further.
    pub(super) fn next(&mut self) -> Option<Reached> {
        while let Some(Reverse(Way { price, rank, gain })) = self.ways.pop() {
            if !self.prices.get(&rank).is_some_and(|prices| prices.contains(&price)) {
                continue;
            }
            let is_full = self.scope.positions.is_some_and(|most| self.reached() >= most);
            if is_full && !self.reached.contains(&rank) {
                self.ways.clear();
                return None;
            }
            self.reached.insert(rank);
            return Some(Reached { rank, gain, price });
        }
        None
    }

    /// Takes a position back, which will be the next one again.
    pub(super) fn put_back(&mut self, reached: &Reached) {
        let Reached { rank, gain, price } = *reached;
        self.ways.push(Reverse(Way { price, rank, gain }));
    }

    /// Adds the ways that go on from a position, which has these gains.
    pub(super) fn expand(
        &mut self,
        keys: &RankedKeys,
        board: &Board,
        reached: &Reached,
        gains: &MoveGains,
    ) {
        let best = gains.iter().max().copied().unwrap_or(0);
        let (mover, opponent) = reached.price.given();
        let plies = reached.price.plies + 1;
        for (mv, &gain) in board.moves().zip(gains) {
            let mut after = *board;
            let mover = mover + u32::from(best.abs_diff(gain));
            let (price, margin) = match after.play(mv) {
                Ok(Next::Again) => (Price::new(mover, opponent, plies), gain),
                Ok(Next::Other) => (Price::new(opponent, mover, plies), -gain),
                Ok(Next::Over) | Err(_) => continue,
            };
            let gain = margin - after.store_difference() as i16;
            self.add(keys, &after, Some(gain), price);
        }
    }

    fn add(&mut self, keys: &RankedKeys, board: &Board, gain: Option<i16>, price: Price) {
        let BookScope { plies, margin, one_sided, .. } = self.scope;
        if board.is_over()
            || board.seeds_in_play() <= FEW_SEEDS
            || plies.is_some_and(|plies| price.plies >= plies)
            || (one_sided && price.lesser > 0)
            || margin.is_some_and(|margin| price.lesser + price.greater > margin)
        {
            return;
        }
        let rank = keys.rank(board.houses(board.side()), board.houses(!board.side()));
        let prices = self.prices.entry(rank).or_default();
        if !prices.iter().any(|known| known.covers(price)) {
            prices.retain(|&known| !price.covers(known));
            prices.push(price);
            self.ways.push(Reverse(Way { price, rank, gain }));
        }
    }
}

/// The board with the same houses, South to move and the stores empty.
pub(super) fn without_stores(board: &Board) -> Option<Board> {
    let houses = [board.houses(board.side()), board.houses(!board.side())];
    Board::new(board.rules(), houses, [0, 0], Side::South).ok()
}

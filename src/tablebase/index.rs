//! The size of a tablebase, the order of its positions, and the bytes that encode their gains.
//!
//! A row of H houses with s seeds is identified by its prefix sums p0 <= p1 <= … <= p(H-2): the
//! seeds in the first house, in the first two, and so on. The sum of all houses is always s. There
//! are C(s + H - 1, H - 1) such rows. The *rank* of a row is its place in colexicographic order:
//!
//! ```text
//! C(p0, 1) + C(p1 + 1, 2) + … + C(p(H-2) + H - 2, H - 1)
//! ```
//!
//! (D. Knuth, *The Art of Computer Programming* 4A, 7.2.1.3, the combinatorial number system, for
//! combinations with repetition). A seed that moves towards the store lowers prefix sums and
//! therefore the rank. The generator relies on this when it fills a table row by row.
//!
//! A table consists of *blocks*, one for each pair of seed counts, a of the mover and b of the opponent, ordered by
//! a + b, then by a. In a block positions are ordered by the mover's rank, then the opponent's.

use crate::board::{Position, Row};
use crate::sys;

/// Houses a side on the largest board with tablebases.
pub const MAX_TABLE_HOUSES: usize = <u64 as Row>::MAX_HOUSES;

/// Maximum number of seeds in the houses of a tablebase position: gains have to fit in a byte.
pub const MAX_TABLE_SEEDS: u32 = 100;

/// The binomial coefficient C(n, k), or `None` if it does not fit.
pub(super) fn binomial(n: u64, k: u64) -> Option<u64> {
    let Some(difference) = n.checked_sub(k) else { return Some(0) };
    // Intermediate products are larger than the result.
    let multiply = |product: u128, i: u64| {
        Some(product.checked_mul(u128::from(difference + i))? / u128::from(i))
    };
    (1..=k).try_fold(1, multiply)?.try_into().ok()
}

/// The number of positions with at most `seeds` seeds in the houses of both sides; `None` if it does not fit.
///
/// ```
/// assert_eq!(kalah::tablebase::positions(6, 16), Some(30_421_755));
/// ```
pub fn positions(houses: usize, seeds: u32) -> Option<u64> {
    binomial(u64::from(seeds) + 2 * houses as u64, 2 * houses as u64)
}

/// The number of positions of a *layer*, those with exactly `seeds` seeds; `None` if it does not fit.
pub fn positions_of_layer(houses: usize, seeds: u32) -> Option<u64> {
    let bars = 2 * houses as u64 - 1;
    binomial(u64::from(seeds) + bars, bars)
}

/// Returns the number of seeds of the largest tablebase with at most `max_positions` positions.
pub fn seeds_within(houses: usize, max_positions: u64) -> u32 {
    let fits = |&seeds: &u32| positions(houses, seeds).is_some_and(|count| count <= max_positions);
    (0..=MAX_TABLE_SEEDS).take_while(fits).last().unwrap_or(0)
}

/// Returns the bytes of memory needed to build the tablebase of all positions with at most `seeds`
/// seeds, in memory or in files, or `None` if the number does not fit.
pub fn memory_to_build(houses: usize, seeds: u32) -> Option<u64> {
    /// Upper bound of the bytes for each house of each row of one side.
    const ROW: u64 = 32;
    let rows = binomial(u64::from(seeds) + houses as u64, houses as u64)?;
    let rows = rows.checked_mul(ROW * houses as u64)?;
    // One byte for each position, and another for each position of the smaller layers, transposed.
    let smaller = seeds.checked_sub(1).map_or(Some(0), |smaller| positions(houses, smaller))?;
    positions(houses, seeds)?.checked_add(smaller)?.checked_add(rows)
}

/// Added to a gain to store it in a byte.
pub(super) const GAIN_BIAS: u8 = 128;

/// The byte of a position whose gain has not been computed: less than that of any gain.
pub(super) const NO_GAIN: u8 = 0;

#[cfg(test)]
thread_local! {
    /// Whether [`zeroed`] finds no memory, on this thread.
    pub(super) static IS_MEMORY_SHORT: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// The byte of a gain from the other player's view, plus the seeds banked by the move.
#[inline]
pub(super) fn negated(gain: u8, banked: u8) -> u8 {
    gain.wrapping_neg().wrapping_add(banked)
}

/// Numbers the rows of one side.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    pub(super) houses: usize,
    /// The number of rows, by their seeds.
    counts: Vec<usize>,
    /// C(p + j, j + 1) by j, then p.
    terms: Box<[[u32; MAX_TABLE_SEEDS as usize + 1]; MAX_TABLE_HOUSES]>,
}

impl Ranks {
    pub(super) fn new(houses: usize) -> Ranks {
        let mut terms = Box::new([[0; MAX_TABLE_SEEDS as usize + 1]; MAX_TABLE_HOUSES]);
        for (j, terms) in terms.iter_mut().enumerate() {
            for (p, term) in terms.iter_mut().enumerate() {
                let value = binomial((p + j) as u64, j as u64 + 1);
                // Terms that do not fit belong to rows that no table holds.
                *term = value.and_then(|value| u32::try_from(value).ok()).unwrap_or(u32::MAX);
            }
        }
        let bars = houses as u64 - 1;
        let count = |seeds: u32| binomial(u64::from(seeds) + bars, bars);
        let counts = (0..=MAX_TABLE_SEEDS).map(|seeds| count(seeds).unwrap_or(u64::MAX) as usize);
        Ranks { houses, counts: counts.collect(), terms }
    }

    /// The number of rows with `seeds` seeds.
    #[inline]
    pub(super) fn count(&self, seeds: u32) -> usize {
        self.counts[seeds as usize]
    }

    /// The rank of a row among the rows with the same number of seeds.
    #[inline]
    pub(super) fn rank(&self, row: u64) -> usize {
        // Each lane of the product is the sum of the row's lanes up to it.
        let sums = row.wrapping_mul(0x0101_0101_0101_0101);
        let term = |j: usize| self.terms[j][((sums >> (8 * j)) & 0xff) as usize] as usize;
        (0..self.houses - 1).map(term).sum()
    }

    /// All rows with `seeds` seeds, by rank.
    pub(super) fn rows(&self, seeds: u32) -> Vec<u64> {
        let mut rows = vec![0; self.count(seeds)];
        self.fill(&mut rows, 0, 0, seeds);
        rows
    }

    fn fill(&self, rows: &mut [u64], row: u64, house: usize, left: u32) {
        if house == self.houses - 1 {
            let row = row.plus(u64::lane(house, left));
            rows[self.rank(row)] = row;
            return;
        }
        for seeds in 0..=left {
            self.fill(rows, row.plus(u64::lane(house, seeds)), house + 1, left - seeds);
        }
    }
}

/// Numbers the positions of a table.
#[derive(Clone, Debug)]
pub(super) struct PositionIndex {
    pub(super) ranks: Ranks,
    seeds: u32,
    /// Where blocks start, by a + b, then a; the last is the end of the table.
    starts: Vec<usize>,
}

impl PositionIndex {
    /// The index of the positions with at most `seeds` seeds.
    pub(super) fn new(houses: usize, seeds: u32) -> PositionIndex {
        let ranks = Ranks::new(houses);
        let mut starts = vec![0];
        let mut start = 0;
        for total in 0..=seeds {
            for own in 0..=total {
                start += ranks.count(own) * ranks.count(total - own);
                starts.push(start);
            }
        }
        PositionIndex { ranks, seeds, starts }
    }

    /// Seeds in the houses of the positions that have the most.
    pub(super) fn seeds(&self) -> u32 {
        self.seeds
    }

    pub(super) fn len(&self) -> usize {
        self.start_of_layer(self.seeds + 1)
    }

    /// The start of the block of positions with these seeds of the mover and the opponent.
    #[inline]
    pub(super) fn block(&self, own: u32, opponent: u32) -> usize {
        let total = (own + opponent) as usize;
        self.starts[total * (total + 1) / 2 + own as usize]
    }

    /// The start of the positions with `total` seeds.
    #[inline]
    pub(super) fn start_of_layer(&self, total: u32) -> usize {
        self.block(0, total)
    }

    /// The range of the positions with `total` seeds.
    pub(super) fn layer(&self, total: u32) -> std::ops::Range<usize> {
        self.start_of_layer(total)..self.start_of_layer(total + 1)
    }

    /// The start of the positions of a row of the mover against all rows with `opponent` seeds.
    #[inline]
    pub(super) fn row(&self, own: u64, opponent: u32) -> usize {
        self.block(own.total(), opponent) + self.ranks.rank(own) * self.ranks.count(opponent)
    }

    /// The place of a position, which has no more seeds than the table.
    #[inline]
    pub(super) fn index_of_rows(&self, own: u64, opponent: u64) -> usize {
        self.row(own, opponent.total()) + self.ranks.rank(opponent)
    }

    /// The place of a position, which has no more seeds than the table.
    #[inline]
    pub(super) fn index_of(&self, position: &Position<u64>) -> usize {
        self.index_of_rows(position.own_row(), position.opponent_row())
    }
}

/// Zeroed memory for the gains of some positions; `None` if the system refuses it.
pub(super) fn zeroed(positions: usize) -> Option<Box<[u8]>> {
    #[cfg(test)]
    if IS_MEMORY_SHORT.get() {
        return None;
    }
    sys::zeroed(positions)
}

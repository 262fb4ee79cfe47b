//! Where the positions of a table stand.
//!
//! A row of houses with s seeds is told from the others of as many seeds by its prefix sums
//! p0 <= p1 <= … (the seeds in the first house, in the first two, …, but not in all, which is s).
//! There are C(s + H - 1, H - 1) of them for H houses, and in colexicographic order the row with
//! these sums has the *rank*
//!
//! ```text
//! C(p0, 1) + C(p1 + 1, 2) + … + C(p(H-2) + H - 2, H - 1)
//! ```
//!
//! (D. Knuth, *The Art of Computer Programming* 4A, 7.2.1.3, the combinatorial number system, for
//! combinations with repetition). A seed that moves towards the store lowers prefix sums, and so
//! the rank: that is what makes tables that are built row by row possible.
//!
//! A table holds *blocks*, one for each two numbers of seeds, a of the mover and b of the opponent:
//! first by a + b, then by a. In a block the positions stand by the rank of the mover's row, then
//! by that of the opponent's.

use crate::board::Row;

/// Houses a side on the largest board of a table.
pub const MAX_TABLE_HOUSES: usize = <u64 as Row>::MAX_HOUSES;

/// Most seeds in the houses of the positions of a table: gains have to fit in a byte.
pub const MAX_TABLE_SEEDS: u32 = 100;

/// Numbers the rows of one side.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    houses: usize,
    /// Rows with so many seeds.
    counts: Vec<usize>,
    /// C(p + j, j + 1) by j, then p.
    parts: Box<[[u32; MAX_TABLE_SEEDS as usize + 1]; MAX_TABLE_HOUSES]>,
}

/// C(n, k), or `None` when it is too large.
fn binomial(n: u64, k: u64) -> Option<u64> {
    let least = n.checked_sub(k);
    let Some(least) = least else { return Some(0) };
    // On the way to a number that fits there are greater ones.
    let times =
        |product: u128, i: u64| Some(product.checked_mul(u128::from(least + i))? / u128::from(i));
    (1..=k).try_fold(1, times)?.try_into().ok()
}

/// Positions with at most `seeds` seeds in the houses of both sides; `None` when there are more
/// than can be counted.
pub fn positions(houses: usize, seeds: u32) -> Option<u64> {
    binomial(u64::from(seeds) + 2 * houses as u64, 2 * houses as u64)
}

/// Positions with just `seeds` seeds in the houses of both sides: those of a *layer*; `None` when
/// there are more than can be counted.
pub fn positions_of_layer(houses: usize, seeds: u32) -> Option<u64> {
    let more = 2 * houses as u64 - 1;
    binomial(u64::from(seeds) + more, more)
}

/// Rows of one side with at most `seeds` seeds.
pub(super) fn rows_of_side(houses: usize, seeds: u32) -> Option<u64> {
    binomial(u64::from(seeds) + houses as u64, houses as u64)
}

impl Ranks {
    pub(super) fn new(houses: usize) -> Ranks {
        let mut parts = Box::new([[0; MAX_TABLE_SEEDS as usize + 1]; MAX_TABLE_HOUSES]);
        for (j, part) in parts.iter_mut().enumerate() {
            for (p, part) in part.iter_mut().enumerate() {
                let rank = binomial((p + j) as u64, j as u64 + 1);
                // Ranks that do not fit are of rows that no table holds.
                *part = rank.and_then(|rank| u32::try_from(rank).ok()).unwrap_or(u32::MAX);
            }
        }
        let more = houses as u64 - 1;
        let count = |seeds: u32| binomial(u64::from(seeds) + more, more);
        let counts = (0..=MAX_TABLE_SEEDS).map(|seeds| count(seeds).unwrap_or(u64::MAX) as usize);
        Ranks { houses, counts: counts.collect(), parts }
    }

    /// How many rows have so many seeds.
    #[inline]
    pub(super) fn count(&self, seeds: u32) -> usize {
        self.counts[seeds as usize]
    }

    /// The rank of a row among those of as many seeds.
    #[inline]
    pub(super) fn rank(&self, row: u64) -> usize {
        // Each lane of the product is the sum of the row's lanes up to it.
        let sums = row.wrapping_mul(0x0101_0101_0101_0101);
        let part = |j: usize| self.parts[j][((sums >> (8 * j)) & 0xff) as usize] as usize;
        (0..self.houses - 1).map(part).sum()
    }

    /// All rows with so many seeds, by rank.
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

/// Where blocks begin.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    seeds: u32,
    /// By a + b, then a; the last is the end of all.
    starts: Vec<usize>,
}

impl Blocks {
    pub(super) fn new(ranks: &Ranks, seeds: u32) -> Blocks {
        let mut starts = vec![0];
        let mut start = 0;
        for total in 0..=seeds {
            for own in 0..=total {
                start += ranks.count(own) * ranks.count(total - own);
                starts.push(start);
            }
        }
        Blocks { seeds, starts }
    }

    /// Seeds in the houses of the positions that have the most.
    pub(super) fn seeds(&self) -> u32 {
        self.seeds
    }

    #[inline]
    fn number(own: u32, opponent: u32) -> usize {
        let total = (own + opponent) as usize;
        total * (total + 1) / 2 + own as usize
    }

    /// Where the positions begin that have so many seeds on either side.
    #[inline]
    pub(super) fn start(&self, own: u32, opponent: u32) -> usize {
        self.starts[Blocks::number(own, opponent)]
    }

    /// Where the positions begin that have so many seeds in all.
    pub(super) fn start_of_layer(&self, total: u32) -> usize {
        self.start(0, total)
    }
}

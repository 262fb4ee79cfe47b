//! Sizes of tablebases: positions, memory and limits.

use crate::board::Row;

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

/// Returns the number of positions with at most `seeds` seeds in the houses of both sides, or
/// `None` if it does not fit.
///
/// ```
/// assert_eq!(kalah::tablebase::positions(6, 16), Some(30_421_755));
/// ```
pub fn positions(houses: usize, seeds: u32) -> Option<u64> {
    binomial(u64::from(seeds) + 2 * houses as u64, 2 * houses as u64)
}

/// Returns the number of positions of a *layer*, those with exactly `seeds` seeds in the houses of
/// both sides, or `None` if it does not fit.
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

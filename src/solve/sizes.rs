//! How large tables should be.

use crate::board::Rules;
use crate::tablebase::{MAX_TABLE_HOUSES, positions};

/// The seeds of the tablebase that pays for a position with so many seeds: to build a larger one
/// takes longer than it saves.
///
/// The positions of a tablebase of k seeds are C(k + 2H, 2H). On the board of 6 houses the best k
/// was found to be 14 to 16 for 36 seeds, 20 for 48 and 26 for 60; in each case there are about
/// as many positions in the table as the 0.69th power of the number of those with all the seeds.
pub(crate) fn paying_seeds(rules: Rules, seeds: u32) -> u32 {
    const POWER: f64 = 0.69;
    let count =
        |seeds| positions(rules.houses(), seeds).map_or(f64::INFINITY, |count| count as f64);
    let pays = count(seeds).powf(POWER);
    (0..=seeds).take_while(|&fewer| count(fewer) <= pays).last().unwrap_or(0)
}

/// The seeds of the largest tablebase that can be built in so many bytes; `None` when there is no
/// tablebase of these rules.
pub(super) fn affordable_seeds(rules: Rules, bytes: u64) -> Option<u32> {
    // A tablebase takes two bytes a position while it is built.
    let fits =
        |&seeds: &u32| positions(rules.houses(), seeds).is_some_and(|count| 2 * count <= bytes);
    let seeds = (0..=crate::tablebase::MAX_TABLE_SEEDS).take_while(fits).last();
    seeds.filter(|_| rules.houses() <= MAX_TABLE_HOUSES)
}

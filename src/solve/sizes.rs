//! How large tables should be.

use crate::board::Rules;
use crate::tablebase::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, memory_to_build, positions};

/// All positions to one in the tablebase that pays. What a tablebase of a seed more takes to build
/// then is about what it saves: on the board of 6 houses with 36, 48 and 60 seeds in all, those of
/// 14, 20 and 26 seeds. To build takes some 3 to 6 ns a position, to search a position 200 to 400 ns,
/// and a seed more in the tablebase leaves about 0.82 of the positions to be searched.
const POSITIONS_TO_ONE: u64 = 5500;

/// The seeds of the tablebase that pays for so many positions with so many seeds each.
pub(crate) fn optimal_table_seeds(rules: Rules, seeds: u32, times: u64) -> u32 {
    let count = |seeds| positions(rules.houses(), seeds).unwrap_or(u64::MAX);
    let pays = count(seeds) / (POSITIONS_TO_ONE / times);
    (0..=seeds).take_while(|&fewer| count(fewer) <= pays).last().unwrap_or(0)
}

/// Positions in the tablebase to each one searched so far, from where on it pays to make a larger one
/// for boards to come. With half as many, 160 middle games took 84 million positions instead of 74,
/// and a tenth more time; without a larger one 167 million, and nearly twice the time.
const POSITIONS_TO_SEARCHED: u64 = 32;

/// The seeds of the tablebase that pays when as many positions as so far are still to be searched.
pub(super) fn earned_seeds(rules: Rules, searched: u64) -> u32 {
    let earned = searched.saturating_mul(POSITIONS_TO_SEARCHED);
    let is_earned = |&seeds: &u32| positions(rules.houses(), seeds).is_some_and(|n| n <= earned);
    (0..=MAX_TABLE_SEEDS).take_while(is_earned).last().unwrap_or(0)
}

/// Bytes of a table of bounds that pay for a position with so many seeds: fewer make the search
/// do work twice, more take longer to get from the system than they save. The most positions are
/// searched where the tablebase ends, so that it is about as large as that.
pub(super) fn paying_bytes(rules: Rules, seeds: u32) -> usize {
    let count = positions(rules.houses(), optimal_table_seeds(rules, seeds, 1)).unwrap_or(u64::MAX);
    usize::try_from(count / 5 * 3).unwrap_or(usize::MAX)
}

/// The seeds of the largest tablebase that can be built in so many bytes, and leaves a quarter of
/// them for other tables when it is; `None` when there is no tablebase of these rules.
pub(super) fn affordable_seeds(rules: Rules, bytes: u64) -> Option<u32> {
    let houses = rules.houses();
    let fits = |&seeds: &u32| {
        memory_to_build(houses, seeds).is_some_and(|needed| needed <= bytes)
            && positions(houses, seeds).is_some_and(|taken| taken <= bytes / 4 * 3)
    };
    let seeds = (0..=MAX_TABLE_SEEDS).take_while(fits).last();
    seeds.filter(|_| houses <= MAX_TABLE_HOUSES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Capture;

    #[test]
    fn sizes_are_those_that_were_measured() -> Result<(), crate::board::HousesOutOfRange> {
        let rules = Rules::new(6, Capture::Standard)?;
        for (seeds, pays, mebibytes) in [(36, 14, 4), (48, 20, 128), (60, 26, 1024)] {
            assert_eq!(optimal_table_seeds(rules, seeds, 1), pays);
            let entries = paying_bytes(rules, seeds) / size_of::<u64>();
            assert_eq!(1 << entries.ilog2(), (mebibytes << 20) / size_of::<u64>());
        }
        assert_eq!(earned_seeds(rules, 0), 0);
        assert_eq!(earned_seeds(rules, 8_600_000), 20);
        assert_eq!(earned_seeds(rules, u64::MAX), MAX_TABLE_SEEDS);
        assert_eq!(affordable_seeds(rules, 8 << 30), Some(27));
        assert_eq!(affordable_seeds(rules, 1 << 30), Some(22));
        assert_eq!(affordable_seeds(Rules::new(9, Capture::Standard)?, 1 << 30), None);
        Ok(())
    }
}

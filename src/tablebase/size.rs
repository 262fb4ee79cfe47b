//! How large tables are.

use super::error::TablebaseError;
use super::files::layer_bytes;
use super::index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, positions, rows_of_side};

/// Refuses tables that cannot be on any machine.
pub(super) fn check_size(houses: usize, seeds: u32) -> Result<(), TablebaseError> {
    if houses > MAX_TABLE_HOUSES {
        return Err(TablebaseError::Houses(houses));
    }
    if seeds > MAX_TABLE_SEEDS {
        return Err(TablebaseError::Seeds(seeds));
    }
    let size = positions(houses, seeds).and_then(|size| isize::try_from(size).ok());
    size.map(|_| ()).ok_or(TablebaseError::Memory { houses, seeds })
}

/// The seeds of the largest table that has at most so many positions.
pub fn seeds_within(houses: usize, most: u64) -> u32 {
    let fits = |&seeds: &u32| positions(houses, seeds).is_some_and(|count| count <= most);
    (0..=MAX_TABLE_SEEDS).take_while(fits).last().unwrap_or(0)
}

/// Bytes of memory that the table of all positions with at most `seeds` seeds takes while it is
/// built, in memory or into files; `None` when there are more than can be counted.
pub fn memory_to_build(houses: usize, seeds: u32) -> Option<u64> {
    /// Bytes for a row of one side and each of its houses, or fewer.
    const ROW: u64 = 32;
    let rows = rows_of_side(houses, seeds)?.checked_mul(ROW * houses as u64)?;
    // All gains, and those of the smaller layers turned over.
    let smaller = seeds.checked_sub(1).map_or(Some(0), |smaller| positions(houses, smaller))?;
    positions(houses, seeds)?.checked_add(smaller)?.checked_add(rows)
}

/// Bytes of the files of all positions with at most `seeds` seeds; `None` when there are more than
/// can be counted.
pub fn disk_to_build(houses: usize, seeds: u32) -> Option<u64> {
    (0..=seeds).try_fold(0_u64, |sum, seeds| sum.checked_add(layer_bytes(houses, seeds)?))
}

//! Numbers for positions, no two of which share one.

use crate::board::{Position, RowTables, Rules};

use super::MAX_SEEDS;

/// Tells the positions of one game apart.
pub(super) trait Keys<R>: Sync {
    /// The number of a position; `None` when it has none.
    fn key(&self, position: &Position<R>) -> Option<u64>;
}

/// Five bits a house, on boards of up to [`PACKED_HOUSES`] houses a side. Positions with more
/// seeds in a house than five bits hold have no number: they are rare.
pub(super) struct PackedKeys;

pub(super) const PACKED_HOUSES: usize = 6;
const _: () = assert!(2 * PACKED_HOUSES * 5 <= u64::BITS as usize);

/// Six lanes of eight bits, each less than 32, moved together.
#[inline]
fn packed(row: u64) -> u64 {
    let row = (row & 0x001f_001f_001f) | (row >> 3 & 0x03e0_03e0_03e0);
    (row & 0x3ff) | (row >> 6 & 0x000f_fc00) | (row >> 12 & 0x3ff0_0000)
}

impl Keys<u64> for PackedKeys {
    #[inline]
    fn key(&self, position: &Position<u64>) -> Option<u64> {
        const TOO_MANY: u64 = 0xe0e0_e0e0_e0e0_e0e0;
        let (own, opponent) = (position.own_row(), position.opponent_row());
        let fits = (own | opponent) & TOO_MANY == 0;
        fits.then(|| packed(own) | packed(opponent) << (5 * PACKED_HOUSES))
    }
}

/// The rank of a position among all with as many houses, for boards of any size: all houses are
/// taken as one row, and this ranked like those of [`crate::tablebase`], but together with its
/// number of seeds.
pub(super) struct RankedKeys {
    houses: usize,
    /// C(p + j, j + 1) by j, then p.
    parts: Vec<[u64; MAX_SEEDS as usize + 1]>,
}

/// The most seeds of positions that can all be told apart.
pub(super) fn most_seeds(rules: Rules) -> u32 {
    let counts = |&seeds: &u32| crate::tablebase::positions(rules.houses(), seeds).is_some();
    (0..=MAX_SEEDS).take_while(counts).last().unwrap_or(0)
}

impl RankedKeys {
    /// Keys for positions with at most so many seeds; `None` when these are more than numbers.
    pub(super) fn new(rules: Rules, seeds: u32) -> Option<RankedKeys> {
        crate::tablebase::positions(rules.houses(), seeds)?;
        let mut parts = vec![[0; MAX_SEEDS as usize + 1]; 2 * rules.houses()];
        // C(p + j, j + 1) is the sum of all C(q + j - 1, j) with q up to p.
        for j in 0..parts.len() {
            for p in 1..=seeds as usize {
                let smaller = if j == 0 { 1 } else { parts[j - 1][p] };
                parts[j][p] = parts[j][p - 1] + smaller;
            }
        }
        Some(RankedKeys { houses: rules.houses(), parts })
    }
}

impl<R: RowTables> Keys<R> for RankedKeys {
    #[inline]
    fn key(&self, position: &Position<R>) -> Option<u64> {
        let (own, other) = self.parts.split_at(self.houses);
        let mut sum = 0;
        let mut key = 0;
        for (row, parts) in [(position.own_row(), own), (position.opponent_row(), other)] {
            for (lane, part) in parts.iter().enumerate() {
                sum += row.seeds(lane) as usize;
                key += part[sum & MAX_SEEDS as usize];
            }
        }
        Some(key)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::{Capture, Sowings};

    /// All ways to put at most so many seeds into so many houses.
    fn rows(houses: usize, seeds: u16) -> Vec<Vec<u16>> {
        let Some(fewer) = houses.checked_sub(1) else { return vec![Vec::new()] };
        let more = |first: u16| {
            let rest = rows(fewer, seeds - first).into_iter();
            rest.map(move |row| [vec![first], row].concat())
        };
        (0..=seeds).flat_map(more).collect()
    }

    fn check<R: RowTables>(
        houses: usize,
        seeds: u16,
        keys: &impl Keys<R>,
    ) -> Result<HashSet<u64>, ()> {
        let rules = Rules::new(houses, Capture::Standard).map_err(|_| ())?;
        let sowings = Sowings::of(rules).ok_or(())?;
        let all = rows(2 * houses, seeds);
        let key = |row: &Vec<u16>| {
            let (own, opponent) = row.split_at(houses);
            keys.key(&Position::<R>::new(sowings, own, opponent)?)
        };
        let found: HashSet<u64> = all.iter().filter_map(key).collect();
        assert_eq!(found.len(), all.len());
        Ok(found)
    }

    #[test]
    fn no_two_positions_share_a_number() -> Result<(), ()> {
        for (houses, seeds) in [(1, 31), (3, 9), (6, 4)] {
            check::<u64>(houses, seeds, &PackedKeys)?;
        }
        for (houses, seeds) in [(1, 40), (4, 7), (8, 4), (12, 3)] {
            let rules = Rules::new(houses, Capture::Standard).map_err(|_| ())?;
            let keys = RankedKeys::new(rules, u32::from(seeds)).ok_or(())?;
            let found = check::<u128>(houses, seeds, &keys)?;
            assert_eq!(found.iter().max(), Some(&(found.len() as u64 - 1)), "they are ranks");
        }
        Ok(())
    }

    #[test]
    fn houses_too_full_for_five_bits_have_no_number() -> Result<(), ()> {
        let sowings = Sowings::of(Rules::default()).ok_or(())?;
        for (seeds, numbered) in [(31, true), (32, false), (127, false)] {
            for house in 0..12 {
                let mut counts = [0; 12];
                counts[house] = seeds;
                let position = Position::new(sowings, &counts[..6], &counts[6..]).ok_or(())?;
                assert_eq!(PackedKeys.key(&position).is_some(), numbered);
            }
        }
        Ok(())
    }
}

//! What a solver has found out: bounds by position.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::bounds::Bounds;
use crate::StopToken;
use crate::board::House;
use crate::parallel;
use crate::sys::{available_memory, prefetch, use_huge_pages};

/// Bounds of gains, shared by all threads without locks. The place of an entry and its tag
/// together are the position: none is ever taken for another. New entries replace old ones.
///
/// ```text
/// |63 .. 19|18 .. 12|11 .. 5|4 .. 1|  0 |
/// |  tag   | lower  | upper | house|used|
/// ```
pub(super) struct BoundsTable {
    entries: Box<[AtomicU64]>,
    /// Of a hash, the bits that are not in the place.
    tag_mask: u64,
    shift: u32,
    /// Entries that have memory, from the first on.
    present: usize,
}

/// An entry, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub bounds: Bounds,
    pub best: Option<House>,
}

/// The hash of a key: which place, and what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hash(u64);

const TAG_SHIFT: u32 = 19;
const LOWER_SHIFT: u32 = 12;
const UPPER_SHIFT: u32 = 5;
const HOUSE_SHIFT: u32 = 1;
const USED: u64 = 1;
const LEVELS: u64 = 0x7f;
const NO_HOUSE: u64 = 15;
const _: () = assert!(super::MAX_SEEDS as u64 <= LEVELS && (crate::board::MAX_HOUSES as u64) < 15);

/// Fewer places would leave tags too long for their bits.
const MIN_PLACES_LOG2: u32 = TAG_SHIFT;

impl Hash {
    /// No two keys have the same: an odd factor can be divided by.
    #[inline]
    pub(super) fn of(key: u64) -> Hash {
        Hash(key.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The hash with its best mixed bits lowest.
    #[inline]
    pub(super) fn bits(self) -> u64 {
        self.0.rotate_left(24)
    }
}

impl BoundsTable {
    /// A table of at most so many bytes, and 4 MiB at least; `None` when the memory is not there.
    pub(super) fn new(bytes: usize) -> Option<BoundsTable> {
        let places = (bytes / size_of::<AtomicU64>()).max(1 << MIN_PLACES_LOG2);
        let log2 = places.ilog2();
        // A small table is not worth asking for. Systems promise more memory than they have.
        if log2 > MIN_PLACES_LOG2 + 4
            && available_memory().is_some_and(|left| left < (size_of::<AtomicU64>() as u64) << log2)
        {
            return None;
        }
        let entries: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box(1 << log2).ok()?;
        use_huge_pages(&entries);
        let shift = u64::BITS - log2;
        Some(BoundsTable { entries, tag_mask: (1 << shift) - 1, shift, present: 0 })
    }

    /// Whether the system has provided its memory.
    pub(super) fn is_present(&self) -> bool {
        self.present == self.entries.len()
    }

    /// Has the system provide the memory of the table, which it does on first use, until it
    /// is stopped.
    pub(super) fn provide(&mut self, threads: NonZeroUsize, stop: &StopToken) {
        /// Entries of the smallest and of a large page of memory.
        const PAGE: usize = (4 << 10) / size_of::<AtomicU64>();
        const LARGE_PAGE: usize = (2 << 20) / size_of::<AtomicU64>();
        let missing = self.entries[self.present..].chunks(LARGE_PAGE).enumerate();
        let provided = parallel::try_for_each(threads, missing, |(page, entries)| {
            if stop.is_stopped() {
                return Err(page);
            }
            entries.iter().step_by(PAGE).for_each(|entry| entry.store(0, Relaxed));
            Ok(())
        });
        self.present = match provided {
            Ok(()) => self.entries.len(),
            // All pages before this one are there.
            Err(page) => self.present + page * LARGE_PAGE,
        };
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.fill_with(AtomicU64::default);
        self.present = self.entries.len();
    }

    /// Binary logarithms of the sizes that there are, in entries.
    pub(super) const LOG2: std::ops::RangeInclusive<u32> = MIN_PLACES_LOG2..=40;

    /// The binary logarithm of the number of entries.
    pub(super) fn entries_log2(&self) -> u32 {
        self.entries.len().ilog2()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.entries)
    }

    /// Entries as they stand, for [`BoundsTable::set_words`].
    pub(super) fn words(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = u64> {
        self.entries[range].iter().map(|entry| entry.load(Relaxed))
    }

    /// Puts entries in from `start` on.
    pub(super) fn set_words(&mut self, start: usize, words: impl Iterator<Item = u64>) {
        for (entry, word) in self.entries[start..].iter_mut().zip(words) {
            *entry.get_mut() = word;
        }
    }

    /// Takes over what a smaller table knows. No two of its entries come to the same place.
    pub(super) fn take_over(&mut self, smaller: &BoundsTable) {
        for (word, place) in smaller.words(0..smaller.entries.len()).zip(0..) {
            if word & USED != 0 {
                let hash = Hash(place << smaller.shift | word >> TAG_SHIFT);
                let known = word & ((1 << TAG_SHIFT) - 1);
                let word = (hash.0 & self.tag_mask) << TAG_SHIFT | known;
                self.place(hash).store(word, Relaxed);
            }
        }
    }

    #[inline]
    fn place(&self, hash: Hash) -> &AtomicU64 {
        &self.entries[(hash.0 >> self.shift) as usize]
    }

    #[inline]
    pub(super) fn prefetch(&self, hash: Hash) {
        prefetch(self.place(hash));
    }

    /// What is known of the position with this hash, which has so many seeds.
    #[inline]
    pub(super) fn probe(&self, hash: Hash, seeds: u32) -> Option<Known> {
        let word = self.place(hash).load(Relaxed);
        if word >> TAG_SHIFT != hash.0 & self.tag_mask || word & USED == 0 {
            return None;
        }
        let gain = |level: u64| 2 * level as i32 - seeds as i32;
        let lower = gain(word >> LOWER_SHIFT & LEVELS);
        let upper = gain(word >> UPPER_SHIFT & LEVELS);
        let best = House::new((word >> HOUSE_SHIFT & NO_HOUSE) as usize);
        Some(Known { bounds: Bounds { lower, upper }, best })
    }

    /// Stores what was found out together with what is known. Both are true.
    #[inline]
    pub(super) fn learn(&self, hash: Hash, seeds: u32, mut known: Known) -> Known {
        if let Some(before) = self.probe(hash, seeds) {
            known.bounds = known.bounds.and(before.bounds);
            known.best = known.best.or(before.best);
        }
        self.store(hash, seeds, known);
        known
    }

    #[inline]
    fn store(&self, hash: Hash, seeds: u32, known: Known) {
        let level = |gain: i32| gain.midpoint(seeds as i32) as u64;
        let house = known.best.map_or(NO_HOUSE, |house| house.index() as u64);
        let word = (hash.0 & self.tag_mask) << TAG_SHIFT
            | level(known.bounds.lower) << LOWER_SHIFT
            | level(known.bounds.upper) << UPPER_SHIFT
            | house << HOUSE_SHIFT
            | USED;
        self.place(hash).store(word, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table() -> BoundsTable {
        BoundsTable::new(1).unwrap_or_else(|| unreachable!("4 MiB"))
    }

    fn larger_table() -> BoundsTable {
        BoundsTable::new(32 << 20).unwrap_or_else(|| unreachable!("32 MiB"))
    }

    proptest! {
        #[test]
        fn what_is_stored_is_found(
            key: u64,
            seeds in 0..=crate::solve::MAX_SEEDS,
            levels: (u8, u8),
            house in 0..=crate::board::MAX_HOUSES,
        ) {
            let gain = |level: u8| 2 * (u32::from(level) % (seeds + 1)) as i32 - seeds as i32;
            let bounds = Bounds { lower: gain(levels.0), upper: gain(levels.1) };
            let known = Known { bounds, best: House::new(house) };
            let table = table();
            prop_assert_eq!(table.probe(Hash::of(key), seeds), None);
            table.store(Hash::of(key), seeds, known);
            prop_assert_eq!(table.probe(Hash::of(key), seeds), Some(known));
            let mut larger = larger_table();
            larger.take_over(&table);
            prop_assert_eq!(larger.probe(Hash::of(key), seeds), Some(known));
            for other in [key ^ 1, key ^ 1 << 63, key.wrapping_add(1 << 40), !key] {
                prop_assert_eq!(table.probe(Hash::of(other), seeds), None);
                prop_assert_eq!(larger.probe(Hash::of(other), seeds), None);
            }
        }
    }
}

//! Bounds of gains, how a move carries them on, and the table of them, the solver's transposition table.

use std::cmp::Ordering;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::board::{House, MAX_HOUSES, Next};
use crate::parallel;
use crate::stop::StopToken;
use crate::sys::{available_memory, prefetch, zeroed};

/// A closed interval that contains a gain. Both ends have the parity of the seeds in the houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GainBounds {
    pub lower: i32,
    pub upper: i32,
}

impl GainBounds {
    /// The bounds of every position with this number of seeds in the houses.
    #[inline]
    pub(super) fn from_seeds(seeds: u32) -> GainBounds {
        GainBounds { lower: -(seeds as i32), upper: seeds as i32 }
    }

    /// The bounds that follow from any two numbers for this many seeds; `None` if no gain lies between them.
    pub(super) fn from_untrusted(lower: i32, upper: i32, seeds: u32) -> Option<GainBounds> {
        let possible = GainBounds::from_seeds(seeds);
        let GainBounds { lower, upper } = GainBounds { lower, upper }.intersection(possible);
        // Gains have the parity of the seeds.
        let lower = lower.checked_add((lower ^ possible.upper) & 1)?;
        let upper = upper.checked_sub((upper ^ possible.upper) & 1)?;
        (lower <= upper).then_some(GainBounds { lower, upper })
    }

    #[inline]
    pub(super) fn exact(gain: i32) -> GainBounds {
        GainBounds { lower: gain, upper: gain }
    }

    /// Whether they decide if the gain reaches the target.
    #[inline]
    pub(super) fn decide(self, target: i32) -> bool {
        self.lower >= target || self.upper < target
    }

    #[inline]
    pub(super) fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    #[inline]
    pub(super) fn intersection(self, other: GainBounds) -> GainBounds {
        GainBounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// Bounds of the gain by a move that won `won` seeds, from its player's view. `self` are those after it.
    #[inline]
    pub(super) fn before_move(self, won: i32, next: Next) -> GainBounds {
        let GainBounds { lower, upper } = self;
        match next {
            Next::Other => GainBounds { lower: won - upper, upper: won - lower },
            Next::Again | Next::Over => GainBounds { lower: won + lower, upper: won + upper },
        }
    }
}

/// What remains of a gain after a move that won `won` seeds, from the view of who moves next.
#[inline]
pub(super) fn gain_after(gain: i32, won: i32, next: Next) -> i32 {
    match next {
        Next::Other => won - gain,
        Next::Again | Next::Over => gain - won,
    }
}

/// The target to test after a move that won `won` seeds. If the turn passes, the gain before the
/// move reaches `target` exactly if the gain after it does not reach this one.
#[inline]
pub(super) fn target_after(target: i32, won: i32, next: Next) -> i32 {
    // Gains of one position are two apart.
    let negation = if next == Next::Other { 2 } else { 0 };
    gain_after(target, won, next) + negation
}

/// Most seeds in the houses of a position that the table can hold: a bound has seven bits.
pub(super) const MAX_SEEDS: u32 = 127;

/// Bounds of gains, shared by all threads without locks.
///
/// Index and tag of an entry determine the position: no two are confused. A new entry replaces the old.
///
/// ```text
/// |63 .. 19|18 .. 12|11 .. 5|4 .. 1|  0 |
/// |  tag   | lower  | upper | house|used|
/// ```
pub(super) struct BoundsTable {
    entries: Box<[AtomicU64]>,
    /// The bits of a hash that are not part of the index.
    tag_mask: u64,
    shift: u32,
    /// Number of entries, from the first on, that the system has provided memory for.
    resident: usize,
}

/// What is proven about a position, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoundsEntry {
    pub bounds: GainBounds,
    /// A move that reaches the lower bound.
    pub best: Option<House>,
}

/// The hash of a position's key: its high bits are the index of an entry, the others its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PositionHash(pub(super) u64);

const TAG_SHIFT: u32 = 19;
const LOWER_SHIFT: u32 = 12;
const UPPER_SHIFT: u32 = 5;
const HOUSE_SHIFT: u32 = 1;
const USED: u64 = 1;
const BOUND_MASK: u64 = 0x7f;
const NO_HOUSE: u64 = 15;
const _: () = assert!(MAX_SEEDS as u64 <= BOUND_MASK && (MAX_HOUSES as u64) < NO_HOUSE);

/// With fewer entries the tags would not fit into their bits.
const MIN_ENTRIES_LOG2: u32 = TAG_SHIFT;

/// Entries in the smallest and in a huge page of memory.
const PAGE: usize = (4 << 10) / size_of::<AtomicU64>();
const HUGE_PAGE: usize = (2 << 20) / size_of::<AtomicU64>();

impl PositionHash {
    /// A bijection: multiplication by an odd number can be inverted.
    #[inline]
    pub(super) fn from_key(key: u64) -> PositionHash {
        PositionHash(key.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl BoundsTable {
    /// The largest table of at most `bytes` bytes, but no less than 4 MiB; `None` without enough memory.
    pub(super) fn new(bytes: usize) -> Option<BoundsTable> {
        let entries = (bytes / size_of::<AtomicU64>()).max(1 << MIN_ENTRIES_LOG2);
        let log2 = entries.ilog2();
        // Systems promise more memory than they have. A small table is not worth the query.
        if log2 > MIN_ENTRIES_LOG2 + 4
            && available_memory().is_some_and(|left| left < (size_of::<AtomicU64>() as u64) << log2)
        {
            return None;
        }
        let entries: Box<[AtomicU64]> = zeroed(1 << log2)?;
        let shift = u64::BITS - log2;
        Some(BoundsTable { entries, tag_mask: (1 << shift) - 1, shift, resident: 0 })
    }

    /// Whether the system has provided all of the memory.
    pub(super) fn is_resident(&self) -> bool {
        self.resident == self.entries.len()
    }

    /// Writes to every page not provided yet, so that the system does. Stops within a huge page per thread.
    pub(super) fn prefault(&mut self, threads: NonZeroUsize, stop: &StopToken) {
        let missing = self.entries[self.resident..].chunks(HUGE_PAGE).enumerate();
        let provided = parallel::try_for_each(threads, missing, |(page, entries)| {
            if stop.is_stopped() {
                return Err(page);
            }
            for entry in entries.iter().step_by(PAGE) {
                entry.fetch_or(0, Relaxed);
            }
            Ok(())
        });
        self.resident = match provided {
            Ok(()) => self.entries.len(),
            // All pages before this one are present.
            Err(page) => self.resident + page * HUGE_PAGE,
        };
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill_with(AtomicU64::default);
        self.resident = self.entries.len();
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.entries)
    }

    /// Copies all entries of a smaller table. Each of them gets an index of its own.
    pub(super) fn copy_from(&mut self, smaller: &BoundsTable) {
        let words = smaller.entries.iter().map(|entry| entry.load(Relaxed));
        for (word, index) in words.zip(0..) {
            if word & USED != 0 {
                let hash = PositionHash(index << smaller.shift | word >> TAG_SHIFT);
                let content = word & ((1 << TAG_SHIFT) - 1);
                let word = (hash.0 & self.tag_mask) << TAG_SHIFT | content;
                self.slot(hash).store(word, Relaxed);
            }
        }
    }

    #[inline]
    fn slot(&self, hash: PositionHash) -> &AtomicU64 {
        &self.entries[(hash.0 >> self.shift) as usize]
    }

    #[inline]
    pub(super) fn prefetch(&self, hash: PositionHash) {
        prefetch(self.slot(hash));
    }

    /// The entry of the position with this hash. `seeds` are those in its houses.
    #[inline]
    pub(super) fn probe(&self, hash: PositionHash, seeds: u32) -> Option<BoundsEntry> {
        let word = self.slot(hash).load(Relaxed);
        if word >> TAG_SHIFT != hash.0 & self.tag_mask || word & USED == 0 {
            return None;
        }
        let gain = |bound: u64| 2 * bound as i32 - seeds as i32;
        let lower = gain(word >> LOWER_SHIFT & BOUND_MASK);
        let upper = gain(word >> UPPER_SHIFT & BOUND_MASK);
        let best = House::new((word >> HOUSE_SHIFT & NO_HOUSE) as usize);
        Some(BoundsEntry { bounds: GainBounds { lower, upper }, best })
    }

    /// Combines an entry with the one in the table, stores the result and returns it.
    #[inline]
    pub(super) fn update(
        &self,
        hash: PositionHash,
        seeds: u32,
        mut entry: BoundsEntry,
    ) -> BoundsEntry {
        if let Some(stored) = self.probe(hash, seeds) {
            // Only a move that reaches the better of the lower bounds is the best one.
            entry.best = match entry.bounds.lower.cmp(&stored.bounds.lower) {
                Ordering::Less => stored.best,
                Ordering::Equal => entry.best.or(stored.best),
                Ordering::Greater => entry.best,
            };
            entry.bounds = entry.bounds.intersection(stored.bounds);
        }
        self.store(hash, seeds, entry);
        entry
    }

    #[inline]
    fn store(&self, hash: PositionHash, seeds: u32, BoundsEntry { bounds, best }: BoundsEntry) {
        let bound = |gain: i32| gain.midpoint(seeds as i32) as u64;
        let house = best.map_or(NO_HOUSE, |house| house.index() as u64);
        let word = (hash.0 & self.tag_mask) << TAG_SHIFT
            | bound(bounds.lower) << LOWER_SHIFT
            | bound(bounds.upper) << UPPER_SHIFT
            | house << HOUSE_SHIFT
            | USED;
        self.slot(hash).store(word, Relaxed);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn untrusted_bounds_become_those_of_a_gain() {
        let numbers = || (-9..=9).chain([i32::MIN, i32::MAX]);
        for seeds in 0..8 {
            let gains = || (-(seeds as i32)..=seeds as i32).step_by(2);
            for (lower, upper) in numbers().flat_map(|lower| numbers().map(move |it| (lower, it))) {
                let mut within = gains().filter(|gain| (lower..=upper).contains(gain));
                let bounds = GainBounds::from_untrusted(lower, upper, seeds);
                let lowest = within.next();
                assert_eq!(bounds.map(|it| it.lower), lowest);
                assert_eq!(bounds.map(|it| it.upper), within.last().or(lowest));
            }
        }
    }

    fn table(bytes: usize) -> BoundsTable {
        BoundsTable::new(bytes).unwrap()
    }

    #[test]
    fn the_best_move_reaches_the_lower_bound() {
        let (table, hash) = (table(1), PositionHash::from_key(1));
        let update = |lower, upper, house: Option<usize>| {
            let bounds = GainBounds { lower, upper };
            let best = house.and_then(House::new);
            table.update(hash, 10, BoundsEntry { bounds, best }).best.map(House::index)
        };
        assert_eq!(update(-2, 10, Some(3)), Some(3));
        assert_eq!(update(-10, 6, None), Some(3));
        assert_eq!(update(-4, 6, Some(1)), Some(3));
        assert_eq!(update(-2, 6, Some(2)), Some(2));
        assert_eq!(update(0, 10, None), None);
        assert_eq!(update(-2, 10, Some(3)), None);
        assert_eq!(update(0, 10, Some(4)), Some(4));
    }

    proptest! {
        #[test]
        fn what_is_stored_is_found(
            key: u64,
            seeds in 0..=MAX_SEEDS,
            levels: (u8, u8),
            house in 0..=MAX_HOUSES,
        ) {
            let gain = |level: u8| 2 * (u32::from(level) % (seeds + 1)) as i32 - seeds as i32;
            let bounds = GainBounds { lower: gain(levels.0), upper: gain(levels.1) };
            let entry = BoundsEntry { bounds, best: House::new(house) };
            let (table, mut larger) = (table(1), table(32 << 20));
            prop_assert_eq!(table.probe(PositionHash::from_key(key), seeds), None);
            table.store(PositionHash::from_key(key), seeds, entry);
            prop_assert_eq!(table.probe(PositionHash::from_key(key), seeds), Some(entry));
            larger.copy_from(&table);
            prop_assert_eq!(larger.probe(PositionHash::from_key(key), seeds), Some(entry));
            for other in [key ^ 1, key ^ 1 << 63, key.wrapping_add(1 << 40), !key] {
                prop_assert_eq!(table.probe(PositionHash::from_key(other), seeds), None);
                prop_assert_eq!(larger.probe(PositionHash::from_key(other), seeds), None);
            }
        }
    }
}

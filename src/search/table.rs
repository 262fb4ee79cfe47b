//! The transposition table: what earlier searches found out, shared by all threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use thiserror::Error;

use super::memory::{TableEntry, TranspositionTable};
use super::value::{Bound, Score, Window};
use crate::board::House;
use crate::sys::{available_memory, prefetch, use_huge_pages};

const ENTRIES: usize = 8;
const BYTES_PER_MIB: usize = 1 << 20;

/// Mebibytes that every machine has.
const ALWAYS_FITS: usize = 64;

/// The entries a key may be stored in: one cache line.
type Bucket = [AtomicU64; ENTRIES];

const CACHE_LINE: usize = 64;
const _: () = assert!(size_of::<Bucket>() == CACHE_LINE);

/// A table of search results, keyed by position, that threads share without locks.
///
/// Gains are stored, not margins, so positions reached with different stores share an entry.
/// An entry is one 64-bit word, read and written whole; 0 is an empty one:
///
/// ```text
/// |63......29|28....18|17....10|  9   |8......5|4...3|2.....0|
/// |   tag    |  gain  | depth  |proven|  house |bound|  age  |
/// ```
///
/// The tag is the low 35 bits of the key; the high bits chose the bucket. Two positions are taken
/// for one when both agree: for one in some 4·10^9 probes into a full bucket. Most of these are
/// found out by what gains and moves the position can have.
pub struct HashTable {
    /// Memory that comes zeroed from the system comes aligned to words only: the buckets begin
    /// at the first cache line in it.
    words: Box<[AtomicU64]>,
    first: usize,
    age: u64,
}

/// A table that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a table of {mebibytes} MiB does not fit in memory")]
pub struct TableTooLarge {
    /// The size asked for.
    pub mebibytes: usize,
}

const AGE_BITS: u32 = 3;
const BOUND_SHIFT: u32 = 3;
const HOUSE_SHIFT: u32 = 5;
const PROVEN_SHIFT: u32 = 9;
const DEPTH_SHIFT: u32 = 10;
const GAIN_SHIFT: u32 = 18;
const TAG_SHIFT: u32 = 29;
const GAIN_ZERO: i32 = 1024;
const NO_HOUSE: u64 = 15;
const AGES: u64 = 1 << AGE_BITS;

/// Plies of depth by which an entry is worth less for each search since it was of use.
const DEPTH_A_SEARCH: i32 = 8;

/// The greatest depth of a search, in plies: what an entry can hold.
pub const MAX_DEPTH: u32 = 255;

const _: () = assert!(crate::board::MAX_SEEDS < GAIN_ZERO as u32, "gains fit 11 bits");
const _: () = assert!(crate::board::MAX_HOUSES < 16, "houses fit 4 bits, and none does");

impl TableEntry<House> {
    /// Whether nothing is gained by knowing `other` of the same position too.
    fn outweighs(&self, other: &TableEntry<House>) -> bool {
        self.score.proven
            && !other.score.proven
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => other.bound == Bound::Lower && self.score.gain >= other.score.gain,
                Bound::Upper => other.bound == Bound::Upper && self.score.gain <= other.score.gain,
            }
    }

    fn pack(self, tag: u64, age: u64) -> u64 {
        debug_assert!(self.score.gain.abs() < GAIN_ZERO && self.depth <= MAX_DEPTH);
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        tag << TAG_SHIFT
            | ((self.score.gain + GAIN_ZERO) as u64) << GAIN_SHIFT
            | u64::from(self.depth) << DEPTH_SHIFT
            | u64::from(self.score.proven) << PROVEN_SHIFT
            | self.best.map_or(NO_HOUSE, |house| house.index() as u64) << HOUSE_SHIFT
            | bound << BOUND_SHIFT
            | age
    }

    fn unpack(word: u64) -> Option<TableEntry<House>> {
        let bound = match word >> BOUND_SHIFT & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TableEntry {
            score: Score {
                gain: (word >> GAIN_SHIFT & 2047) as i32 - GAIN_ZERO,
                proven: word >> PROVEN_SHIFT & 1 == 1,
            },
            bound,
            depth: depth_of(word),
            best: House::new((word >> HOUSE_SHIFT & NO_HOUSE) as usize),
        })
    }
}

fn tag_of(key: u64) -> u64 {
    key & ((1 << (u64::BITS - TAG_SHIFT)) - 1)
}

fn depth_of(word: u64) -> u32 {
    (word >> DEPTH_SHIFT & 255) as u32
}

impl HashTable {
    /// An empty table of the given size.
    ///
    /// All its memory is used at once: to get it from the system takes long, and would otherwise
    /// take it from searches.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(mebibytes: usize) -> Result<HashTable, TableTooLarge> {
        let mut table = HashTable { words: Box::default(), first: 0, age: 0 };
        table.resize(mebibytes)?;
        Ok(table)
    }

    /// Makes the table another size, and empty.
    ///
    /// # Errors
    /// When the memory cannot be had; the table is then as it was.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), TableTooLarge> {
        let too_large = || TableTooLarge { mebibytes };
        let bytes = mebibytes.max(1).checked_mul(BYTES_PER_MIB).ok_or_else(too_large)?;
        // A small table is not worth asking for, and asking takes time at every start.
        if mebibytes > ALWAYS_FITS
            && let Some(available) = available_memory()
            && bytes as u64 > available + size_of_val(&*self.words) as u64
        {
            return Err(too_large());
        }
        let words: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box(bytes / size_of::<AtomicU64>() + ENTRIES)
                .map_err(|()| too_large())?;
        use_huge_pages(&words);
        self.first = words.as_ptr().align_offset(CACHE_LINE);
        // The old memory goes back before the new is used for the first time.
        self.words = words;
        self.clear();
        Ok(())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.words.fill_with(AtomicU64::default);
        self.age = 0;
    }

    /// Marks what is stored from now on as newer than what stands; older entries are the first
    /// to be replaced.
    pub fn new_age(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Parts in a thousand of the table filled since [`HashTable::new_age`], judged by a sample.
    pub fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let entries = self.buckets().as_flattened().iter().take(SAMPLE);
        let used = entries
            .map(|entry| entry.load(Relaxed))
            .filter(|&word| word != 0 && word % AGES == self.age);
        used.count() as u32
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        let words = self.words.len() - ENTRIES;
        self.words[self.first..self.first + words].as_chunks().0
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let buckets = self.buckets();
        let index = (u128::from(key) * buckets.len() as u128) >> u64::BITS;
        &buckets[index as usize]
    }

    /// Starts loading what a [`HashTable::probe`] of this key will read.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TableEntry<House>> {
        let tag = tag_of(key);
        let words = self.bucket(key).iter().map(|entry| entry.load(Relaxed));
        words.into_iter().find(|word| word >> TAG_SHIFT == tag).and_then(TableEntry::unpack)
    }

    /// Remembers a result, in place of an older one of the same position or of the one least
    /// worth keeping.
    #[inline]
    pub fn store(&self, key: u64, mut entry: TableEntry<House>) {
        let tag = tag_of(key);
        let bucket = self.bucket(key);
        let mut slot = &bucket[0];
        let mut least = i32::MAX;
        for candidate in bucket {
            let word = candidate.load(Relaxed);
            if word == 0 {
                slot = candidate;
                break;
            }
            if word >> TAG_SHIFT == tag {
                entry = TableEntry::unpack(word)
                    .filter(|known| known.outweighs(&entry))
                    .unwrap_or(entry);
                slot = candidate;
                break;
            }
            let searches_ago = (self.age + AGES - word % AGES) % AGES;
            let worth = depth_of(word) as i32 - DEPTH_A_SEARCH * searches_ago as i32;
            if worth < least {
                least = worth;
                slot = candidate;
            }
        }
        slot.store(entry.pack(tag, self.age), Relaxed);
    }
}

impl TranspositionTable<House> for HashTable {
    /// To evaluate takes less time than to wait for memory.
    const KEEPS_LEAVES: bool = false;

    #[inline]
    fn prefetch(&self, key: u64) {
        HashTable::prefetch(self, key);
    }

    #[inline]
    fn probe(&self, key: u64, _: Window) -> Option<TableEntry<House>> {
        HashTable::probe(self, key)
    }

    #[inline]
    fn store(&self, key: u64, entry: TableEntry<House>) {
        HashTable::store(self, key, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries() -> impl Strategy<Value = TableEntry<House>> {
        let gains = -1023..=1023_i32;
        let bounds = prop_oneof![Just(Bound::Upper), Just(Bound::Lower), Just(Bound::Exact)];
        let houses = prop::option::of((0..crate::board::MAX_HOUSES).prop_map(House::of_lane));
        (gains, any::<bool>(), bounds, 0..=MAX_DEPTH, houses).prop_map(
            |(gain, proven, bound, depth, best)| TableEntry {
                score: Score { gain, proven },
                bound,
                depth,
                best,
            },
        )
    }

    fn table() -> HashTable {
        HashTable::new(1).unwrap_or_else(|_| unreachable!("a mebibyte"))
    }

    fn entry(depth: u32) -> TableEntry<House> {
        let best = Some(House::of_lane(3));
        TableEntry { score: Score::proven(2), bound: Bound::Lower, depth, best }
    }

    proptest! {
        #[test]
        fn words_hold_entries(entry in entries(), key: u64, age in 0..AGES) {
            let word = entry.pack(tag_of(key), age);
            prop_assert_eq!(TableEntry::unpack(word), Some(entry));
            prop_assert_eq!(word >> TAG_SHIFT, tag_of(key));
            prop_assert_eq!(word % AGES, age);
        }
    }

    #[test]
    fn what_is_stored_is_found_until_cleared() {
        let mut table = table();
        assert_eq!(table.probe(7), None);
        table.store(7, entry(5));
        assert_eq!(table.probe(7), Some(entry(5)));
        assert_eq!(table.probe(8), None);
        table.clear();
        assert_eq!(table.probe(7), None);
    }

    #[test]
    fn a_proof_gives_way_only_to_what_says_more() {
        let table = table();
        let estimate = |gain| TableEntry { score: Score { gain, proven: false }, ..entry(9) };
        table.store(7, entry(5));
        table.store(7, estimate(2));
        assert_eq!(table.probe(7), Some(entry(5)));
        table.store(7, estimate(4));
        assert_eq!(table.probe(7), Some(estimate(4)));
        let exact = TableEntry { bound: Bound::Exact, ..entry(5) };
        table.store(7, exact);
        table.store(7, estimate(4));
        assert_eq!(table.probe(7), Some(exact));
    }

    #[test]
    fn a_full_bucket_gives_up_the_old_before_the_shallow() {
        let mut table = table();
        for (key, depth) in (0..).zip([9, 4, 3, 5, 6, 7, 8, 9]) {
            table.store(key, entry(depth));
        }
        table.store(100, entry(1));
        assert_eq!(table.probe(2), None, "the shallowest of one age");
        table.new_age();
        table.new_age();
        table.store(101, entry(0));
        assert_eq!(table.probe(100), None);
        for key in 200..207 {
            table.store(key, entry(1));
        }
        assert_eq!(table.probe(0).or(table.probe(7)), None, "deep but old");
        assert!(table.probe(101).is_some());
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        for mebibytes in [usize::MAX, usize::MAX >> 20, 1 << 30] {
            assert_eq!(HashTable::new(mebibytes).err(), Some(TableTooLarge { mebibytes }));
        }
    }
}

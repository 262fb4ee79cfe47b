//! Transposition tables: their interface, the table of the engine, which has a fixed size and is shared
//! by all threads without locks, and a table without replacement.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::value::{Bound, Score, Window};
use crate::board::House;
use crate::sys::{available_memory, check_memory, prefetch, zeroed};

/// The stored result of searching a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry<M> {
    /// The score.
    pub score: Score,
    /// How the score bounds the value.
    pub bound: Bound,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The best move; `None` for leaves.
    pub best: Option<M>,
}

/// A table of search results by position key.
pub trait TranspositionTable<M> {
    /// Whether leaves are stored, because probing is cheaper than evaluating.
    const STORES_LEAVES: bool;

    /// Prefetches the memory that [`TranspositionTable::probe`] reads for this key.
    fn prefetch(&self, key: u64);

    /// The entry of a position; of several entries, one that causes a cutoff in this window.
    fn probe(&self, key: u64, window: Window) -> Option<TableEntry<M>>;

    /// Stores a result.
    fn store(&self, key: u64, entry: TableEntry<M>);
}

/// A table that never replaces another position: it holds the latest lower and upper bound of each and grows with
/// the number of nodes. The papers on best-first searches assume such a table.
#[derive(Debug)]
pub struct UnboundedTable<M>(RefCell<FxHashMap<u64, BoundPair<M>>>);

#[derive(Clone, Copy, Debug)]
struct BoundPair<M> {
    lower: Option<TableEntry<M>>,
    upper: Option<TableEntry<M>>,
}

impl<M> UnboundedTable<M> {
    /// The most bytes of a position: while the hash map grows, a half full one of twice its size is beside it.
    pub const BYTES: u64 = 3 * (size_of::<(u64, BoundPair<M>)>() as u64 + 1);
}

impl<M> Default for UnboundedTable<M> {
    fn default() -> Self {
        UnboundedTable(RefCell::default())
    }
}

impl<M: Copy> TranspositionTable<M> for UnboundedTable<M> {
    const STORES_LEAVES: bool = true;

    fn prefetch(&self, _: u64) {}

    fn probe(&self, key: u64, window: Window) -> Option<TableEntry<M>> {
        let entries = self.0.borrow();
        let BoundPair { lower, upper } = entries.get(&key)?;
        let is_cutoff = |entry: &&TableEntry<M>| entry.bound.is_cutoff(entry.score.gain, window);
        let cutoff = lower.iter().chain(upper).find(is_cutoff);
        cutoff.or(lower.as_ref()).or(upper.as_ref()).copied()
    }

    fn store(&self, key: u64, entry: TableEntry<M>) {
        let mut entries = self.0.borrow_mut();
        let bounds = entries.entry(key).or_insert(BoundPair { lower: None, upper: None });
        if entry.bound != Bound::Upper {
            bounds.lower = Some(entry);
        }
        if entry.bound != Bound::Lower {
            bounds.upper = Some(entry);
        }
    }
}

const ENTRIES: usize = 8;
const BYTES_PER_MIB: usize = 1 << 20;

/// The entries in which a key may be stored: one cache line.
type Bucket = [AtomicU64; ENTRIES];

/// The high bits of a key that select the part of the table it may be stored in.
const PART_BITS: u32 = 12;
const PARTS: usize = 1 << PART_BITS;

const CACHE_LINE: usize = 64;
const _: () = assert!(size_of::<Bucket>() == CACHE_LINE);

/// A transposition table of fixed size that threads share without locks.
///
/// It stores gains, not margins, so positions that differ only in the stores share an entry. An
/// entry is one 64-bit word, which is read and written atomically; 0 is an empty entry:
///
/// ```text
/// |63......29|28....18|17....10|  9   |8......5|4...3|2.....0|
/// |   tag    |  gain  | depth  |proven|  house |bound|  age  |
/// ```
///
/// The tag is the low 35 bits of the key; the high bits select the bucket. Two positions collide about once in
/// 4·10^9 probes into a full bucket; an impossible gain or move reveals most collisions
/// ([`Game::is_consistent`](super::Game::is_consistent)).
pub struct HashTable {
    /// Allocated zeroed by the system, which aligns it to words only.
    words: Box<[AtomicU64]>,
    /// The index of the first word that is aligned to a cache line; the buckets begin here.
    first: usize,
    /// A bit for each part that has entries: after a short search few of them have to be cleared.
    used: [AtomicU64; PARTS / 64],
    age: u64,
    /// What the age of an entry takes from its replacement value, by age.
    age_penalties: [i32; 1 << AGE_BITS],
    sweep: Sweep,
}

/// What [`HashTable::new_age`] has left to do, in buckets.
#[derive(Clone, Copy, Default)]
struct Sweep {
    /// Where it goes on.
    start: usize,
    left: usize,
    /// What is added for the last search when another one has begun.
    next: usize,
}

/// A table that cannot be allocated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a table of {mebibytes} MiB does not fit in memory")]
pub struct TableTooLarge {
    /// The requested size in MiB.
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

/// The age of entries that are older than all others; the ages below it are used in turn.
const OLD: u64 = (1 << AGE_BITS) - 1;

/// The plies of depth by which the replacement value of an entry falls with each search.
const AGE_PENALTY: i32 = 8;

/// The buckets from which [`HashTable::permille_full`] is estimated.
const SAMPLE: usize = 1000 / ENTRIES;

/// The searches in which [`HashTable::new_age`] comes to all buckets: its age is not yet back for an entry that
/// is two searches old when that begins.
const SWEEP_SEARCHES: usize = OLD as usize - 2;

/// Entries that [`HashTable::new_age`] looks at for each one that a search has stored.
const SWEPT_FOR_STORED: usize = 8;

/// The greatest depth of a search, in plies: the greatest that fits in a table entry.
pub const MAX_DEPTH: u32 = 255;

const _: () = assert!(crate::board::MAX_SEEDS < GAIN_ZERO as u32, "gains fit 11 bits");
const _: () = assert!(crate::board::MAX_HOUSES < 16, "houses and NO_HOUSE fit 4 bits");

impl TableEntry<House> {
    /// Whether `other`, of the same position, adds nothing to this entry.
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
        // Looked up: a jump for each bound would often be mispredicted.
        const BOUNDS: [Option<Bound>; 4] =
            [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)];
        let bound = BOUNDS[(word >> BOUND_SHIFT & 3) as usize]?;
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
    /// Allocates an empty table of the given size.
    ///
    /// All its memory is touched at once, so that the page faults do not slow down the searches.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mebibytes: usize) -> Result<HashTable, TableTooLarge> {
        let mut table = HashTable {
            words: Box::default(),
            first: 0,
            used: [const { AtomicU64::new(0) }; PARTS / 64],
            age: 0,
            age_penalties: [0; 1 << AGE_BITS],
            sweep: Sweep::default(),
        };
        table.resize(mebibytes)?;
        Ok(table)
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    /// If there is not enough memory; the table is then unchanged.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), TableTooLarge> {
        let too_large = || TableTooLarge { mebibytes };
        let bytes = mebibytes.max(1).checked_mul(BYTES_PER_MIB).ok_or_else(too_large)?;
        // The memory of the old table will be free.
        let more = bytes.saturating_sub(size_of_val(&*self.words));
        check_memory(more as u64).map_err(|_| too_large())?;
        let words: Box<[AtomicU64]> =
            zeroed(bytes / size_of::<AtomicU64>() + ENTRIES).ok_or_else(too_large)?;
        self.first = words.as_ptr().align_offset(CACHE_LINE);
        // The old memory is freed before the new memory is touched.
        self.words = words;
        self.words.fill_with(AtomicU64::default);
        self.clear();
        Ok(())
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        for part in 0..PARTS {
            let (word, bit) = part_bit(part);
            if self.used[word].load(Relaxed) & bit != 0 {
                let first = (part as u64) << (u64::BITS - PART_BITS);
                let last = first | u64::MAX >> PART_BITS;
                let buckets = self.bucket_index(first)..self.bucket_index(last) + 1;
                self.words[self.first..][buckets.start * ENTRIES..buckets.end * ENTRIES]
                    .fill_with(AtomicU64::default);
            }
        }
        self.used.fill_with(AtomicU64::default);
        (self.age, self.sweep) = (0, Sweep::default());
        self.set_age_penalties();
    }

    /// Starts a new search: entries of earlier searches are replaced first.
    ///
    /// The age has few bits. Before it comes back, entries that have it are marked as old: those of the sample
    /// at once, the others in some of the next searches. After a short search not all of them are looked at,
    /// since the next one would wait for that longer than it is worth.
    pub fn new_age(&mut self) {
        let buckets = self.buckets().len();
        let stored = buckets * self.permille_full() as usize / 1000;
        self.age = (self.age + 1) % OLD;
        self.set_age_penalties();
        let Sweep { start, left, next } = self.sweep;
        let left = (left + next).min(buckets);
        let part = left.min(buckets.div_ceil(SWEEP_SEARCHES));
        let next = SWEPT_FOR_STORED * stored;
        self.sweep = Sweep { start: (start + part) % buckets, left: left - part, next };
        let all = self.buckets();
        let swept = all[start..].iter().chain(all).take(part);
        for entry in all[..SAMPLE].iter().chain(swept).flatten() {
            let word = entry.load(Relaxed);
            if word != 0 && self.searches_ago(word) > 1 {
                entry.store(word | OLD, Relaxed);
            }
        }
    }

    fn set_age_penalties(&mut self) {
        self.age_penalties =
            std::array::from_fn(|age| AGE_PENALTY * self.searches_ago(age as u64) as i32);
    }

    /// How many searches ago an entry was stored; [`OLD`] if so many, or more.
    #[inline]
    fn searches_ago(&self, word: u64) -> u64 {
        match word & OLD {
            OLD => OLD,
            age => (self.age + OLD - age) % OLD,
        }
    }

    /// The entries stored since [`HashTable::new_age`], in permille of the table, from a sample.
    pub fn permille_full(&self) -> u32 {
        let entries = self.buckets()[..SAMPLE].as_flattened().iter();
        let used = entries
            .map(|entry| entry.load(Relaxed))
            .filter(|&word| word != 0 && word & OLD == self.age);
        used.count() as u32
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        let words = self.words.len() - ENTRIES;
        self.words[self.first..self.first + words].as_chunks().0
    }

    /// The index of the bucket of a key.
    #[inline]
    fn bucket_index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets().len() as u128) >> u64::BITS) as usize
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets()[self.bucket_index(key)]
    }

    /// The entry of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TableEntry<House>> {
        let tag = tag_of(key);
        let words = self.bucket(key).iter().map(|entry| entry.load(Relaxed));
        words.into_iter().find(|word| word >> TAG_SHIFT == tag).and_then(TableEntry::unpack)
    }
}

/// The word of [`HashTable::used`] and the bit in it that stand for a part.
#[inline]
fn part_bit(part: usize) -> (usize, u64) {
    (part / 64, 1 << (part % 64))
}

/// The size in bytes of a table or tree of `mebibytes` MiB: at most half of the available memory.
pub(super) fn memory_budget(mebibytes: usize) -> usize {
    let budget = available_memory().map_or(usize::MAX, |bytes| bytes as usize / 2);
    mebibytes.max(1).saturating_mul(BYTES_PER_MIB).min(budget)
}

impl TranspositionTable<House> for HashTable {
    /// Evaluating takes less time than waiting for memory.
    const STORES_LEAVES: bool = false;

    #[inline]
    fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    #[inline]
    fn probe(&self, key: u64, _: Window) -> Option<TableEntry<House>> {
        HashTable::probe(self, key)
    }

    /// It replaces an earlier entry of the position, otherwise that with the least replacement value.
    #[inline]
    fn store(&self, key: u64, mut entry: TableEntry<House>) {
        let tag = tag_of(key);
        let bucket = self.bucket(key);
        let mut slot = &bucket[0];
        let mut min_value = i32::MAX;
        for candidate in bucket {
            let word = candidate.load(Relaxed);
            if word == 0 {
                slot = candidate;
                break;
            }
            if word >> TAG_SHIFT == tag {
                if word >> PROVEN_SHIFT & 1 == 1
                    && let Some(known) = TableEntry::unpack(word)
                    && known.outweighs(&entry)
                {
                    entry = known;
                }
                slot = candidate;
                break;
            }
            let value = depth_of(word) as i32 - self.age_penalties[(word & OLD) as usize];
            if value < min_value {
                min_value = value;
                slot = candidate;
            }
        }
        slot.store(entry.pack(tag, self.age), Relaxed);
        let (word, bit) = part_bit((key >> (u64::BITS - PART_BITS)) as usize);
        if self.used[word].load(Relaxed) & bit == 0 {
            self.used[word].fetch_or(bit, Relaxed);
        }
    }
}

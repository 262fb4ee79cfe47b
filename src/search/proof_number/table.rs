//! The table of depth-first proof-number search.

use super::numbers::ProofNumbers;
use crate::search::transposition_table::memory_budget;
use crate::sys::prefetch;

/// The entries in which a position may be stored.
const ENTRIES: usize = 4;

/// The numbers of the claim that a position is worth at least `bound` to the player to move.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    bound: i32,
    numbers: ProofNumbers,
    /// The nodes searched for the numbers, saturating; 0 in an empty entry.
    work: u16,
    age: u16,
}

/// A packed entry. All zeroes is an empty one, so that zeroed memory needs no initialisation.
type Words = [u64; 3];

impl Entry {
    fn pack(self) -> Words {
        let ProofNumbers { proof, disproof } = self.numbers;
        let details = u64::from(self.bound.cast_unsigned()) << 32
            | u64::from(self.work) << 16
            | u64::from(self.age);
        [self.key, details, u64::from(proof) << 32 | u64::from(disproof)]
    }

    #[inline]
    fn unpack([key, details, numbers]: Words) -> Entry {
        Entry {
            key,
            bound: ((details >> 32) as u32).cast_signed(),
            numbers: ProofNumbers { proof: (numbers >> 32) as u32, disproof: numbers as u32 },
            work: (details >> 16) as u16,
            age: details as u16,
        }
    }

    /// The numbers for another bound, if they follow: a proof holds for all lower ones, a disproof for higher.
    #[inline]
    fn numbers_for(&self, bound: i32) -> Option<ProofNumbers> {
        let applies = match self.numbers.answer() {
            Some(true) => bound <= self.bound,
            Some(false) => bound >= self.bound,
            None => bound == self.bound,
        };
        applies.then_some(self.numbers)
    }
}

/// A table of proof and disproof numbers of fixed size.
///
/// It stores whole keys, so that its proofs are exact.
///
/// Its small pages are allocated on first use: all at once would delay the first search by seconds.
pub(in crate::search) struct NumberTable {
    buckets: Box<[[Words; ENTRIES]]>,
    age: u16,
}

impl NumberTable {
    /// An empty table of `mebibytes` MiB, or less if memory is short.
    pub(in crate::search) fn new(mebibytes: usize) -> NumberTable {
        let mut bytes = memory_budget(mebibytes);
        loop {
            let count = (bytes / size_of::<[Words; ENTRIES]>()).max(1);
            if let Ok(buckets) = bytemuck::allocation::try_zeroed_slice_box(count) {
                return NumberTable { buckets, age: 1 };
            }
            bytes /= 2;
        }
    }

    /// Starts a new search: entries of earlier searches are replaced first.
    pub(in crate::search) fn new_age(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The entries stored since [`NumberTable::new_age`], in permille of the table, from a sample.
    pub(in crate::search) fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let entries =
            self.buckets.as_flattened().iter().take(SAMPLE).map(|&words| Entry::unpack(words));
        entries.filter(|entry| entry.work > 0 && entry.age == self.age).count() as u32
    }

    #[inline]
    fn bucket_index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> u64::BITS) as usize
    }

    /// Prefetches the bucket that [`NumberTable::probe`] reads for this key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.buckets[self.bucket_index(key)]);
    }

    /// The numbers of the claim that the position with this key is worth at least `bound`.
    #[inline]
    pub(super) fn probe(&self, key: u64, bound: i32) -> Option<ProofNumbers> {
        let entries = self.buckets[self.bucket_index(key)].map(Entry::unpack);
        let is_match = |entry: &&Entry| entry.key == key && entry.work > 0;
        let mut undecided = None;
        for numbers in entries.iter().filter(is_match).filter_map(|entry| entry.numbers_for(bound))
        {
            if numbers.answer().is_some() {
                return Some(numbers);
            }
            undecided = Some(numbers);
        }
        undecided
    }

    /// Stores numbers that took `work` nodes in place of those that follow, or of those with the least work.
    pub(super) fn store(&mut self, key: u64, bound: i32, numbers: ProofNumbers, work: u64) {
        let work = work.clamp(1, u64::from(u16::MAX)) as u16;
        let new = Entry { key, bound, numbers, work, age: self.age };
        let age = self.age;
        let mut slot = 0;
        let mut min_value = u16::MAX;
        let bucket = self.bucket_index(key);
        for (i, words) in self.buckets[bucket].iter_mut().enumerate() {
            let mut entry = Entry::unpack(*words);
            if entry.key == key && new.numbers_for(entry.bound).is_some() {
                entry.work = 0;
                *words = entry.pack();
            }
            let value = if entry.age == age { entry.work } else { 0 };
            if value < min_value {
                min_value = value;
                slot = i;
            }
        }
        self.buckets[bucket][slot] = new.pack();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: ProofNumbers = ProofNumbers { proof: 3, disproof: 5 };

    #[test]
    fn entries_are_read_as_written() {
        for bound in [i32::MIN, -1, 0, 7, i32::MAX] {
            let entry = Entry { key: u64::MAX - 1, bound, numbers: OPEN, work: 9, age: u16::MAX };
            let read = Entry::unpack(entry.pack());
            assert_eq!((read.key, read.bound, read.numbers), (entry.key, bound, OPEN));
            assert_eq!((read.work, read.age), (9, u16::MAX));
        }
    }

    #[test]
    fn a_decided_claim_decides_other_claims() {
        let mut table = NumberTable::new(1);
        assert_eq!(table.probe(7, 0), None);
        table.store(7, 2, ProofNumbers::PROVEN, 1);
        table.store(7, 8, ProofNumbers::DISPROVED, 1);
        table.store(7, 4, OPEN, 1);
        let known = [0, 2, 4, 6, 8, 10].map(|bound| table.probe(7, bound));
        let (yes, no) = (Some(ProofNumbers::PROVEN), Some(ProofNumbers::DISPROVED));
        assert_eq!(known, [yes, yes, Some(OPEN), None, no, no]);
        assert_eq!(table.probe(8, 2), None);
        table.store(7, 4, ProofNumbers::PROVEN, 1);
        assert_eq!(table.probe(7, 4), yes);
        assert_eq!(table.probe(7, 6), None);
    }

    #[test]
    fn a_full_bucket_replaces_old_entries_and_then_those_of_least_work() {
        let mut table = NumberTable::new(1);
        for (key, work) in (0..).zip([500, 100, 70_000, 600]) {
            table.store(key, 0, OPEN, work);
        }
        table.store(4, 0, OPEN, 1);
        let kept = |table: &NumberTable| [0, 1, 2, 3, 4].map(|key| table.probe(key, 0).is_some());
        assert_eq!(kept(&table), [true, false, true, true, true]);
        table.new_age();
        table.store(1, 0, OPEN, 1);
        table.store(5, 0, OPEN, 2);
        table.store(6, 0, OPEN, 3);
        table.store(7, 0, OPEN, 4);
        table.store(8, 0, OPEN, 5);
        assert_eq!(kept(&table), [false; 5]);
    }

    #[test]
    fn impossible_sizes_are_reduced() {
        let table = NumberTable::new(usize::MAX);
        assert!(table.buckets.len() > 1);
    }
}

//! The memory of depth-first proof-number search.

use super::numbers::ProofNumbers;
use crate::search::spare::bytes_to_spare;
use crate::sys::prefetch;

/// Entries that a position can be found in.
const ENTRIES: usize = 4;

/// What is known of the claim that a position is worth `bound` or more to the player to move.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    bound: i32,
    numbers: ProofNumbers,
    /// Nodes that it took to find out, as far as they can be counted; 0 in an empty entry.
    work: u16,
    age: u16,
}

/// An entry as it lies in memory that comes zeroed from the system, at no cost until it is used.
type Words = [u64; 3];

impl Entry {
    fn pack(self) -> Words {
        let ProofNumbers { proof, disproof } = self.numbers;
        let about = u64::from(self.bound.cast_unsigned()) << 32
            | u64::from(self.work) << 16
            | u64::from(self.age);
        [self.key, about, u64::from(proof) << 32 | u64::from(disproof)]
    }

    #[inline]
    fn unpack([key, about, numbers]: Words) -> Entry {
        Entry {
            key,
            bound: ((about >> 32) as u32).cast_signed(),
            numbers: ProofNumbers { proof: (numbers >> 32) as u32, disproof: numbers as u32 },
            work: (about >> 16) as u16,
            age: about as u16,
        }
    }

    /// What this tells about the claim with another bound: who reaches a bound reaches all below
    /// it, and who does not reach it none above.
    #[inline]
    fn about(&self, bound: i32) -> Option<ProofNumbers> {
        let tells = match self.numbers.answer() {
            Some(true) => bound <= self.bound,
            Some(false) => bound >= self.bound,
            None => bound == self.bound,
        };
        tells.then_some(self.numbers)
    }
}

/// A table of proof and disproof numbers, of a size that never changes.
///
/// It holds whole keys: what it says to be proven is proven.
///
/// Its memory is taken from the system page by page as it is used, and in small pages: the first
/// search with a large table would otherwise spend its first seconds in the system, deaf to a stop.
pub(in crate::search) struct NumberTable {
    buckets: Box<[[Words; ENTRIES]]>,
    age: u16,
}

impl NumberTable {
    /// An empty table of a number of mebibytes, or of as many as can be spared.
    pub(in crate::search) fn new(mebibytes: usize) -> NumberTable {
        let mut bytes = bytes_to_spare(mebibytes);
        loop {
            let count = (bytes / size_of::<[Words; ENTRIES]>()).max(1);
            if let Ok(buckets) = bytemuck::allocation::try_zeroed_slice_box(count) {
                return NumberTable { buckets, age: 1 };
            }
            bytes /= 2;
        }
    }

    /// Marks what is stored from now on as newer than what stands.
    pub(in crate::search) fn new_age(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Parts in a thousand of the table filled since [`NumberTable::new_age`], judged by a
    /// sample.
    pub(in crate::search) fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let entries =
            self.buckets.as_flattened().iter().take(SAMPLE).map(|&words| Entry::unpack(words));
        entries.filter(|entry| entry.work > 0 && entry.age == self.age).count() as u32
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> u64::BITS) as usize
    }

    /// Starts loading what a [`NumberTable::probe`] of this key will read.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.buckets[self.place(key)]);
    }

    /// What is known of the claim that the position with this key is worth `bound` or more.
    #[inline]
    pub(super) fn probe(&self, key: u64, bound: i32) -> Option<ProofNumbers> {
        let entries = self.buckets[self.place(key)].map(Entry::unpack);
        let of_position = |entry: &&Entry| entry.key == key && entry.work > 0;
        let mut known = None;
        for numbers in entries.iter().filter(of_position).filter_map(|entry| entry.about(bound)) {
            if numbers.answer().is_some() {
                return Some(numbers);
            }
            known = Some(numbers);
        }
        known
    }

    /// Remembers what `work` nodes have found out, in place of all that this makes needless, or
    /// else of what took least work.
    pub(super) fn store(&mut self, key: u64, bound: i32, numbers: ProofNumbers, work: u64) {
        let work = work.clamp(1, u64::from(u16::MAX)) as u16;
        let new = Entry { key, bound, numbers, work, age: self.age };
        let age = self.age;
        let mut slot = 0;
        let mut least = u16::MAX;
        let place = self.place(key);
        for (i, words) in self.buckets[place].iter_mut().enumerate() {
            let mut entry = Entry::unpack(*words);
            if entry.key == key && new.about(entry.bound).is_some() {
                entry.work = 0;
                *words = entry.pack();
            }
            let worth = if entry.age == age { entry.work } else { 0 };
            if worth < least {
                least = worth;
                slot = i;
            }
        }
        self.buckets[place][slot] = new.pack();
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
    fn what_is_settled_settles_other_claims() {
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
    fn a_full_bucket_gives_up_the_old_and_then_the_easy() {
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
    fn sizes_that_cannot_be_are_made_smaller() {
        let table = NumberTable::new(usize::MAX);
        assert!(table.buckets.len() > 1);
    }
}

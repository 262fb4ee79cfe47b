//! The houses of one side, packed into a machine word.

use std::fmt::Debug;

/// The houses of one side, packed into a machine word with one lane for each house.
///
/// Lane 0 (the lowest bits) is the owner's leftmost house; sowing moves towards higher lanes:
///
/// ```text
/// u64   lane 7   lane 6   lane 5   lane 4   lane 3   lane 2   lane 1   lane 0
///      |63...56|55...48|47...40|39...32|31...24|23...16|15....8|7.....0|
///                         F        E        D        C        B        A
/// u128  12 lanes of 10 bits, bits 0 to 119; the top 8 bits are always zero
/// ```
///
/// A lane can hold all seeds of a board ([`Row::MAX_SEEDS`]), so no sequence of moves overflows it.
pub trait Row: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// The width of a lane in bits.
    const LANE_BITS: u32;
    /// The maximum number of houses a side.
    const MAX_HOUSES: usize;
    /// The maximum number of seeds in a lane, and therefore on a board.
    const MAX_SEEDS: u32;

    /// A row with `seeds` in one lane and none elsewhere.
    fn lane(lane: usize, seeds: u32) -> Self;
    fn seeds(self, lane: usize) -> u32;
    /// Seeds in the lane that begins at bit `shift`.
    fn seeds_at(self, shift: u32) -> u32;
    /// Seeds in all lanes.
    fn total(self) -> u32;
    /// Adds lane by lane. `delta` may be a difference whose lanes borrow from each other: the sum
    /// is correct if all of its lanes are in range.
    #[must_use]
    fn plus(self, delta: Self) -> Self;
    /// Subtracts `seeds` from the lane that begins at bit `shift`.
    #[must_use]
    fn minus_at(self, shift: u32, seeds: u32) -> Self;
    fn is_empty(self) -> bool;
    /// The number of lanes that equal the same lane of `other`, out of [`Row::MAX_HOUSES`].
    fn equal_lanes(self, other: Self) -> usize;
    /// The seeds of each lane, at most 15, in the bytes of a word, from lane 0.
    fn counts_up_to_15(self) -> u128;
    /// The lanes that hold seeds, from lane 0 upwards.
    fn occupied(self) -> Occupied<Self>;
    /// The lane that holds seeds with `n` such lanes below it; `None` if the row has fewer.
    fn nth_occupied(self, n: usize) -> Option<usize>;
    /// The first lane of a set made by [`Row::occupied`], and the set without it.
    #[doc(hidden)]
    fn split_first(set: Self) -> (usize, Self);
    /// The last lane of such a set, and the set without it.
    #[doc(hidden)]
    fn split_last(set: Self) -> (usize, Self);
    /// The number of lanes in a set made by [`Row::occupied`].
    #[doc(hidden)]
    fn count(set: Self) -> usize;
}

/// Iterator over the lanes of a row that hold seeds, lowest first.
#[derive(Clone, Debug)]
pub struct Occupied<R>(R);

impl<R: Row> Iterator for Occupied<R> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let (lane, rest) = R::split_first(self.0);
        self.0 = rest;
        Some(lane)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let lanes = R::count(self.0);
        (lanes, Some(lanes))
    }
}

impl<R: Row> DoubleEndedIterator for Occupied<R> {
    #[inline]
    fn next_back(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let (lane, rest) = R::split_last(self.0);
        self.0 = rest;
        Some(lane)
    }
}

impl<R: Row> ExactSizeIterator for Occupied<R> {}

macro_rules! row {
    ($word:ty, lane_bits: $bits:literal, houses: $houses:literal, seeds: $seeds:literal) => {
        const _: () = assert!($bits * $houses <= <$word>::BITS, "the lanes fit the word");
        const _: () = assert!($seeds == (1 << $bits) - 1, "a lane holds every seed of a board");

        impl Row for $word {
            const LANE_BITS: u32 = $bits;
            const MAX_HOUSES: usize = $houses;
            const MAX_SEEDS: u32 = $seeds;

            #[inline]
            fn lane(lane: usize, seeds: u32) -> Self {
                (seeds as $word) << (lane as u32 * $bits)
            }

            #[inline]
            fn seeds(self, lane: usize) -> u32 {
                self.seeds_at(lane as u32 * $bits)
            }

            #[inline]
            fn seeds_at(self, shift: u32) -> u32 {
                (self >> shift) as u32 & $seeds
            }

            #[inline]
            fn total(self) -> u32 {
                // The product's top lane is the sum of all lanes; lower lanes are partial sums.
                (self.wrapping_mul(LOW_BITS) >> (($houses - 1) * $bits)) as u32 & $seeds
            }

            #[inline]
            fn plus(self, delta: Self) -> Self {
                self.wrapping_add(delta)
            }

            #[inline]
            fn minus_at(self, shift: u32, seeds: u32) -> Self {
                self.wrapping_sub((seeds as $word) << shift)
            }

            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }

            #[inline]
            fn equal_lanes(self, other: Self) -> usize {
                $houses - Self::count((self ^ other).occupied().0)
            }

            #[inline]
            fn counts_up_to_15(self) -> u128 {
                let fifteens = LOW_BITS * 15;
                let mut counts = self & fifteens;
                // Hardly ever.
                if counts != self {
                    let above = (self & ALL_BITS & !fifteens).occupied().0 >> ($bits - 1);
                    counts |= above * 15;
                }
                if $bits == 8 {
                    return u128::from(counts);
                }
                (0..$houses)
                    .fold(0, |word, lane| word | u128::from(counts.seeds(lane)) << (lane * 8))
            }

            #[inline]
            fn occupied(self) -> Occupied<Self> {
                // Adding all ones below the top bit of a lane carries into it unless the lower bits were zero.
                let lower = !HIGH_BITS & ALL_BITS;
                Occupied((((self & lower) + lower) | self) & HIGH_BITS)
            }

            #[inline]
            fn nth_occupied(self, n: usize) -> Option<usize> {
                // Without branches: random play would mispredict them. Each lane of `up_to` has the
                // number of occupied lanes up to itself, at most the number of lanes.
                let up_to = (self.occupied().0 >> ($bits - 1)).wrapping_mul(LOW_BITS) & ALL_BITS;
                let wanted = LOW_BITS * (n.min($houses) as $word + 1);
                let reached = ((up_to | HIGH_BITS) - wanted) & HIGH_BITS;
                let lane = $houses - Self::count(reached);
                (lane < $houses).then_some(lane)
            }

            #[inline]
            fn split_first(set: Self) -> (usize, Self) {
                ((set.trailing_zeros() / $bits) as usize, set & (set - 1))
            }

            #[inline]
            fn split_last(set: Self) -> (usize, Self) {
                let bit = <$word>::BITS - 1 - set.leading_zeros();
                ((bit / $bits) as usize, set & !(1 << bit))
            }

            #[inline]
            fn count(set: Self) -> usize {
                // Without a population count instruction, counting bits takes several times as long.
                (set >> ($bits - 1)).total() as usize
            }
        }

        /// Bit 0 of every lane.
        const LOW_BITS: $word = {
            let mut bits: $word = 0;
            let mut lane = 0;
            while lane < $houses {
                bits |= 1 << (lane * $bits);
                lane += 1;
            }
            bits
        };
        /// The top bit of every lane.
        const HIGH_BITS: $word = LOW_BITS << ($bits - 1);
        /// All bits of all lanes.
        const ALL_BITS: $word = LOW_BITS * $seeds;
    };
}

mod narrow {
    use super::{Occupied, Row};
    row!(u64, lane_bits: 8, houses: 8, seeds: 255);
}

mod wide {
    use super::{Occupied, Row};
    row!(u128, lane_bits: 10, houses: 12, seeds: 1023);
}

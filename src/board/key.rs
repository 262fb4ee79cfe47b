//! Zobrist keys.
//!
//! A. L. Zobrist (1970) assigns a random number to every piece on every square and combines the
//! numbers of a position in a group, usually with exclusive-or. A house holds a *count* of equal
//! seeds, so here the group is addition modulo 2^64, and a house contributes its seeds times its
//! number. A sowing then changes the key of a row by a constant that depends on the house and its
//! seeds alone, however many houses it passes.
//!
//! Each row has its own key, computed with the same numbers for both players, so that a change of
//! turns swaps two keys. [`combine`] computes the key of a position from both.
//!
//! The numbers come from [`splitmix64`], seeded with [`ZOBRIST_SEED`]. They are the same on every machine and in
//! every version with the same major number, so files may hold keys.

use super::rules::{MAX_HOUSES, Rules, Sowing};

/// The seed of the Zobrist numbers: the bytes of "kalah". Keys are stable across versions.
pub const ZOBRIST_SEED: u64 = 0x006b_616c_6168;

/// One for each house, then one for each set of rules.
const COUNT: usize = MAX_HOUSES + MAX_HOUSES * 3;

const NUMBERS: [u64; COUNT] = {
    let mut numbers = [0; COUNT];
    let mut state = ZOBRIST_SEED;
    let mut i = 0;
    while i < COUNT {
        numbers[i] = splitmix64(state);
        state = state.wrapping_add(FACTOR);
        i += 1;
    }
    numbers
};

/// The summand of the seeds in a lane to the key of their row.
#[inline]
pub(crate) fn seeds_key(lane: usize, seeds: u32) -> u64 {
    NUMBERS[lane].wrapping_mul(u64::from(seeds))
}

/// The key of an empty row, which is different for different rules.
pub(crate) fn empty_row_key(rules: Rules) -> u64 {
    let board = rules.houses() - 1;
    NUMBERS[MAX_HOUSES
        + match rules.sowing() {
            Sowing::Single => 2 * board + rules.capture().index(),
            // After those that were there before this rule: keys are stable.
            Sowing::Relay => 2 * MAX_HOUSES + board,
        }]
}

/// 2^64 divided by the golden ratio: an odd number with irregular bits.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Combines the keys of the mover's and the opponent's row.
#[inline]
pub(crate) fn combine(own: u64, opponent: u64) -> u64 {
    // The factor distinguishes the rows. The high bits are folded down: tables use both ends of a key.
    let sum = own.wrapping_add(opponent.wrapping_mul(FACTOR));
    let mixed = (sum ^ (sum >> 32)).wrapping_mul(FACTOR);
    mixed ^ (mixed >> 32)
}

/// A pseudorandom function: the output function of `SplitMix64` (G. Steele, D. Lea and C. Flood,
/// *Fast splittable pseudorandom number generators*, 2014).
#[inline]
pub const fn splitmix64(number: u64) -> u64 {
    let mut z = number.wrapping_add(FACTOR);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

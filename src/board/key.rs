//! Zobrist keys.
//!
//! A. L. Zobrist (1970) gives every piece on every square a random number and adds the numbers
//! of a position up in a group; on boards where a square holds one piece of a few kinds the
//! group is usually exclusive-or. A house holds a *count* of equal seeds, so here the group is
//! addition modulo 2^64 and a house contributes its seeds times the house's number. A sowing
//! then changes the key of a row by a constant that depends on house and seeds alone, however
//! many houses it passes.
//!
//! Each row has a key of its own, made with the same numbers for both players, so that handing
//! the turn over swaps two keys. [`combine`] makes one key of both.
//!
//! The numbers are drawn from SplitMix64 (Steele, Lea and Flood, 2014) seeded with
//! [`ZOBRIST_SEED`]. They are stable: a key means the same position in every version with the
//! same major number, on every machine, and may be stored in files.

use super::rules::{MAX_HOUSES, Rules};

/// The seed of the Zobrist numbers: the bytes of "kalah".
pub const ZOBRIST_SEED: u64 = 0x006b_616c_6168;

const COUNT: usize = MAX_HOUSES + MAX_HOUSES * 2;

const NUMBERS: [u64; COUNT] = {
    let mut numbers = [0; COUNT];
    let mut state = ZOBRIST_SEED;
    let mut i = 0;
    while i < COUNT {
        state = state.wrapping_add(FACTOR);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        numbers[i] = z ^ (z >> 31);
        i += 1;
    }
    numbers
};

/// What one seed in a house adds to the key of its row.
#[inline]
pub(crate) fn of_seed(lane: usize) -> u64 {
    NUMBERS[lane]
}

/// The key of an empty row. It tells boards of different sizes and rules apart.
pub(crate) fn of_empty_row(rules: Rules) -> u64 {
    NUMBERS[MAX_HOUSES + 2 * (rules.houses() - 1) + rules.capture().index()]
}

/// An odd number whose bits look random: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// One key of the keys of the mover's and the opponent's row.
#[inline]
pub(crate) fn combine(own: u64, opponent: u64) -> u64 {
    // Unequal factors tell the rows apart. Sums and products mix upwards only, so high bits are
    // folded down: tables take both ends of a key for good.
    let sum = own.wrapping_add(opponent.wrapping_mul(FACTOR));
    let mixed = (sum ^ (sum >> 32)).wrapping_mul(FACTOR);
    mixed ^ (mixed >> 32)
}

//! Boards in half the memory.

use std::array;

use crate::board::{Board, MAX_HOUSES, MAX_SEEDS, Rules, Side};

const FIELD_BITS: u32 = 10;
const FIELDS_PER_WORD: usize = 3;
const _: () = assert!(MAX_SEEDS < 1 << FIELD_BITS);
const _: () = assert!(FIELDS_PER_WORD as u32 * FIELD_BITS <= u32::BITS);

/// South's houses, North's houses, both stores, the side to move.
const FIELDS: usize = 2 * MAX_HOUSES + 3;
const STORES: usize = 2 * MAX_HOUSES;
const TO_MOVE: usize = STORES + 2;
const _: () = assert!(FIELDS.is_multiple_of(FIELDS_PER_WORD));

/// A board without its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CompactBoard([u32; FIELDS / FIELDS_PER_WORD]);

impl CompactBoard {
    pub(super) fn new(board: &Board) -> CompactBoard {
        let mut fields = [0; FIELDS];
        for side in Side::ALL {
            let houses = board.houses(side);
            fields[side.index() * MAX_HOUSES..][..houses.len()].copy_from_slice(houses);
            fields[STORES + side.index()] = board.store(side);
        }
        fields[TO_MOVE] = board.side().index() as u16;
        let (words, _) = fields.as_chunks::<FIELDS_PER_WORD>();
        let packed = |word: [u16; FIELDS_PER_WORD]| {
            word.into_iter().rev().fold(0, |word, field| word << FIELD_BITS | u32::from(field))
        };
        CompactBoard(array::from_fn(|word| packed(words[word])))
    }

    /// All there is to it.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> + use<> {
        self.0.into_iter()
    }

    /// The board again, under the rules it had.
    pub(super) fn board(&self, rules: Rules) -> Board {
        let fields: [u16; FIELDS] = array::from_fn(|field| {
            let shift = (field % FIELDS_PER_WORD) as u32 * FIELD_BITS;
            (self.0[field / FIELDS_PER_WORD] >> shift) as u16 & ((1 << FIELD_BITS) - 1)
        });
        let houses = Side::ALL.map(|side| &fields[side.index() * MAX_HOUSES..][..rules.houses()]);
        let stores = [fields[STORES], fields[STORES + 1]];
        let side = Side::ALL[usize::from(fields[TO_MOVE])];
        match Board::new(rules, houses, stores, side) {
            Ok(board) => board,
            Err(_) => unreachable!("it was a board under these rules"),
        }
    }
}

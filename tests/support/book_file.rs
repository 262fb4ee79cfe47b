//! A reader and writer of book files that knows of them what docs/formats/books.md says, and nothing of the
//! library.

use std::num::NonZeroUsize;
use std::path::Path;

use kalah::StopToken;
use kalah::board::Board;
use kalah::book::{Book, BookBuild, BookScope, BookStep};
use kalah::solve::SolverResources;

const HEADER: usize = 64;
const BLOCK: usize = 1024;
const INDEX_ENTRY: usize = 16;

/// All bytes of a file.
#[derive(Clone)]
pub(crate) struct BookFile(pub(crate) Vec<u8>);

/// A position: its rank, the level of its best gain, and what each move loses in pairs of seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) rank: u64,
    pub(crate) level: u64,
    pub(crate) losses: Vec<u64>,
    /// Where the level is, in bits from the start of the file.
    pub(crate) level_at: usize,
}

/// CRC-32 as in zlib, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

fn binomial(n: u64, k: u64) -> u64 {
    if k > n { 0 } else { (1..=k).fold(1, |product, i| product * (n - k + i) / i) }
}

/// The rank of a position with these seeds: the houses of the mover, then those of the opponent.
pub(crate) fn rank(houses: &[u16]) -> u64 {
    let sum = |j: usize| houses[..=j].iter().map(|&seeds| u64::from(seeds)).sum::<u64>();
    (0..houses.len()).map(|j| binomial(sum(j) + j as u64, j as u64 + 1)).sum()
}

impl BookFile {
    fn number(&self, start: usize, length: usize) -> u64 {
        self.0[start..start + length].iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte))
    }

    fn bits(&self, at: &mut usize, count: u64) -> u64 {
        let bit = |i: u64| {
            let place = *at + i as usize;
            u64::from(self.0[place / 8] >> (place % 8) & 1) << i
        };
        let number = (0..count).map(bit).sum();
        *at += count as usize;
        number
    }

    pub(crate) fn blocks(&self) -> usize {
        self.number(20, 4) as usize
    }

    fn block(&self, number: usize) -> std::ops::Range<usize> {
        let start = HEADER + self.blocks() * INDEX_ENTRY + number * BLOCK;
        start..start + BLOCK
    }

    fn level_bits(&self) -> u64 {
        u64::from(64 - self.number(12, 1).leading_zeros())
    }

    /// All positions, in order.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for block in 0..self.blocks() {
            let in_index = HEADER + block * INDEX_ENTRY;
            let mut rank = self.number(in_index, 8);
            let mut at = 8 * self.block(block).start;
            for _ in 0..self.number(in_index + 12, 2) {
                let length = self.bits(&mut at, 6);
                if length > 0 {
                    rank += 1 << (length - 1) | self.bits(&mut at, length - 1);
                }
                let moves = self.bits(&mut at, 4) + 1;
                let level_at = at;
                let level = self.bits(&mut at, self.level_bits());
                let width = self.bits(&mut at, 4);
                let losses = (0..moves).map(|_| self.bits(&mut at, width)).collect();
                entries.push(Entry { rank, level, losses, level_at });
            }
        }
        entries
    }

    /// Replaces the level of the best gain of an entry.
    pub(crate) fn set_level(&mut self, entry: &Entry, level: u64) {
        for i in 0..self.level_bits() as usize {
            let place = entry.level_at + i;
            let bit = (level >> i & 1) as u8;
            self.0[place / 8] = self.0[place / 8] & !(1 << (place % 8)) | bit << (place % 8);
        }
    }

    /// Changes a bit of the padding of a block.
    pub(crate) fn spoil_padding(&mut self, block: usize) {
        let end = self.block(block).end;
        self.0[end - 1] ^= 0x80;
    }

    /// Makes all checksums right.
    pub(crate) fn make_checksums_right(&mut self) {
        for block in 0..self.blocks() {
            let checksum = crc32(&self.0[self.block(block)]);
            let place = HEADER + block * INDEX_ENTRY + 8;
            self.0[place..place + 4].copy_from_slice(&checksum.to_le_bytes());
        }
        let index = HEADER..HEADER + self.blocks() * INDEX_ENTRY;
        let checksum = crc32(&self.0[index]);
        self.0[32..36].copy_from_slice(&checksum.to_le_bytes());
        self.make_header_right();
    }

    /// Makes the checksum of the header right.
    pub(crate) fn make_header_right(&mut self) {
        let checksum = crc32(&self.0[..HEADER - 4]);
        self.0[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
    }
}

pub(crate) fn resources() -> SolverResources {
    SolverResources { threads: NonZeroUsize::MIN, mebibytes: 16 }
}

/// Builds a book to the end of its scope, on top of another one.
pub(crate) fn build(start: &Board, scope: BookScope, book: Option<&Book>, path: &Path) -> Book {
    let mut build = BookBuild::new(start, scope, book, resources()).unwrap();
    while build.step(&StopToken::new()).unwrap() != BookStep::Complete {}
    build.save(path).unwrap();
    let book = Book::open(path).unwrap();
    assert_eq!(book.positions(), build.positions());
    book
}

//! The layout of a book file. `docs/book.md` specifies it for authors of other readers.
//!
//! A file has a header, the index of its blocks, and the blocks. Positions are sorted by their rank
//! among all positions of the board ([`RankedKeys`]). Numbers are little-endian.

use super::error::BookFileError;
use crate::board::{Capture, Rules};
use crate::solve::{RankedKeys, max_solvable_seeds};
use crate::tablebase::positions;

/// The first bytes of a file. Like those of PNG, they contain a byte that no text has and line ends
/// that a conversion of text would change.
pub(super) const MAGIC: [u8; 8] = *b"\x89KBK\r\n\x1a\n";

/// The version of the layout.
const VERSION: u16 = 1;

/// Bytes of the header.
pub(super) const HEADER: usize = 64;

/// Bytes of a block. It is decoded from its start: a larger one would take longer, and a smaller one
/// more room for the index.
pub(super) const BLOCK: usize = 1024;

/// Bytes of an entry of the index.
pub(super) const INDEX_ENTRY: usize = 16;

/// Bytes of a checksum.
const CHECKSUM: usize = 4;

/// The contents of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BookHeader {
    pub(super) rules: Rules,
    /// The most seeds in the houses of a position.
    pub(super) seeds: u32,
    pub(super) blocks: u32,
    pub(super) positions: u64,
    /// The checksum of the index.
    pub(super) checksum: u32,
}

impl BookHeader {
    /// The length of the file.
    pub(super) fn bytes(&self) -> u64 {
        HEADER as u64 + u64::from(self.blocks) * (INDEX_ENTRY + BLOCK) as u64
    }

    /// The bits that hold a gain of any position.
    pub(super) fn gain_bits(&self) -> u32 {
        gain_bits(self.seeds)
    }

    pub(super) fn write(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = self.rules.houses() as u8;
        bytes[11] = self.rules.capture().index() as u8;
        bytes[12] = self.seeds as u8;
        bytes[16..20].copy_from_slice(&(BLOCK as u32).to_le_bytes());
        bytes[20..24].copy_from_slice(&self.blocks.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.positions.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.checksum.to_le_bytes());
        let (rest, own_checksum) = bytes.split_at_mut(HEADER - CHECKSUM);
        own_checksum.copy_from_slice(&crc32fast::hash(rest).to_le_bytes());
        bytes
    }

    pub(super) fn read(bytes: &[u8; HEADER]) -> Result<BookHeader, BookFileError> {
        if bytes[..8] != MAGIC {
            return Err(BookFileError::Magic);
        }
        let number = |start: usize, length: usize| little_endian(&bytes[start..start + length]);
        // The version and this checksum have the same place in every version.
        let checksum = crc32fast::hash(&bytes[..HEADER - CHECKSUM]);
        if number(HEADER - CHECKSUM, CHECKSUM) != u64::from(checksum) {
            return Err(BookFileError::Header);
        }
        let found = number(8, 2) as u16;
        if found != VERSION {
            return Err(BookFileError::Version { found, expected: VERSION });
        }
        let capture =
            Capture::ALL.into_iter().find(|capture| capture.index() as u64 == number(11, 1));
        let rules = capture.and_then(|capture| Rules::new(number(10, 1) as usize, capture).ok());
        let header = rules.map(|rules| BookHeader {
            rules,
            seeds: number(12, 1) as u32,
            blocks: number(20, 4) as u32,
            positions: number(24, 8),
            checksum: number(32, 4) as u32,
        });
        // These numbers determine every byte.
        let is_valid = |header: &BookHeader| {
            header.seeds <= max_solvable_seeds(header.rules) && header.write() == *bytes
        };
        header.filter(is_valid).ok_or(BookFileError::Header)
    }
}

/// The ranks of the positions of a book; `None` if they are too large for the file.
pub(super) fn ranks(rules: Rules, seeds: u32) -> Option<RankedKeys> {
    // Differences between ranks have at most 63 bits.
    let fits = positions(rules.houses(), seeds).is_some_and(|count| count <= 1 << 63);
    RankedKeys::new(rules, seeds).filter(|_| fits)
}

/// The bits that hold the level of a gain, 0 to `seeds`.
pub(super) fn gain_bits(seeds: u32) -> u32 {
    u32::BITS - seeds.leading_zeros()
}

/// A number of up to eight bytes.
fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// What the index says about a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    /// The rank of its first position.
    pub(super) first: u64,
    pub(super) checksum: u32,
    /// The number of its positions.
    pub(super) positions: u16,
}

impl IndexEntry {
    pub(super) fn write(self) -> [u8; INDEX_ENTRY] {
        let mut bytes = [0; INDEX_ENTRY];
        bytes[..8].copy_from_slice(&self.first.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.positions.to_le_bytes());
        bytes
    }

    /// Reads the index of a header; it is sorted and has as many positions.
    pub(super) fn read_all(
        header: &BookHeader,
        bytes: &[u8],
    ) -> Result<Box<[IndexEntry]>, BookFileError> {
        if crc32fast::hash(bytes) != header.checksum {
            return Err(BookFileError::Index);
        }
        let read = |bytes: &[u8; INDEX_ENTRY]| IndexEntry {
            first: little_endian(&bytes[..8]),
            checksum: little_endian(&bytes[8..12]) as u32,
            positions: little_endian(&bytes[12..14]) as u16,
        };
        let (chunks, _) = bytes.as_chunks();
        let index: Box<[IndexEntry]> = chunks.iter().map(read).collect();
        let end = positions(header.rules.houses(), header.seeds).unwrap_or(0);
        let is_valid = index.is_sorted_by(|one, next| one.first < next.first)
            && index.iter().all(|entry| entry.positions > 0 && entry.first < end)
            && index.iter().map(|entry| u64::from(entry.positions)).sum::<u64>()
                == header.positions
            && index.iter().zip(chunks).all(|(entry, bytes)| entry.write() == *bytes);
        if is_valid { Ok(index) } else { Err(BookFileError::Index) }
    }
}

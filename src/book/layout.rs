//! The layout of a book file. `docs/formats/books.md` specifies it for authors of other readers.
//!
//! A file has a header, the index of its blocks, and the blocks. Positions are sorted by their rank
//! among all positions of the board ([`RankedKeys`]). Numbers are little-endian.

use std::io::Read;

use super::error::BookFileError;
use crate::board::Rules;
use crate::file_header::{FileFormat, FileHeaderError, little_endian};
use crate::solve::{RankedKeys, max_solvable_seeds};
use crate::tablebase::positions;

const FORMAT: FileFormat = FileFormat { name: "book", magic: *b"\x89KBK\r\n\x1a\n", version: 1 };

/// Bytes of the header.
pub(super) const HEADER: usize = 64;

/// Bytes of a block. It is decoded from its start: a larger one would take longer, and a smaller one
/// more room for the index.
pub(super) const BLOCK: usize = 1024;

/// Bytes of an entry of the index.
pub(super) const INDEX_ENTRY: usize = 16;

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
        let fields: [(usize, &[u8]); 5] = [
            (12, &[self.seeds as u8]),
            (16, &(BLOCK as u32).to_le_bytes()),
            (20, &self.blocks.to_le_bytes()),
            (24, &self.positions.to_le_bytes()),
            (32, &self.checksum.to_le_bytes()),
        ];
        FORMAT.write(self.rules, &fields)
    }

    /// Reads the header of a file of `length` bytes.
    pub(super) fn read(input: &mut impl Read, length: u64) -> Result<BookHeader, BookFileError> {
        let (bytes, rules): ([u8; HEADER], Rules) =
            FORMAT.read::<_, BookFileError>(input, length)?;
        let number = |start: usize, length: usize| little_endian(&bytes[start..start + length]);
        let header = BookHeader {
            rules,
            seeds: number(12, 1) as u32,
            blocks: number(20, 4) as u32,
            positions: number(24, 8),
            checksum: number(32, 4) as u32,
        };
        // These numbers determine every byte.
        if header.seeds > max_solvable_seeds(rules) || header.write() != bytes {
            return Err(FileHeaderError::Damaged.into());
        }
        if length != header.bytes() {
            let expected = header.bytes();
            return Err(FileHeaderError::Length { expected, found: length }.into());
        }
        Ok(header)
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

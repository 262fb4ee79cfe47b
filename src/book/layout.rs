//! The layout of a book file. `docs/formats/books.md` specifies it for authors of other readers.
//!
//! A file has a header, the index of its blocks, and the blocks. Positions are sorted by their rank
//! among all positions of the board ([`RankedKeys`]). Numbers are little-endian.
//!
//! The bits of a position in a block.
//!
//! | bits | meaning |
//! |---|---|
//! | 6 | n, the length of the difference to the rank before |
//! | n - 1 | the difference without its highest bit; none if n is 0 |
//! | 4 | the number of moves, less 1 |
//! | for the book | the level of the best gain |
//! | 4 | w, the width of a loss |
//! | w for each move | what the move loses, in pairs of seeds |
//!
//! The *level* of a gain is half of what it is above the least one: gains have the parity of the seeds.

use std::io::Read;

use arrayvec::ArrayVec;

use super::error::BookFileError;
use crate::board::{MAX_HOUSES, Rules};
use crate::file_header::{FileFormat, FileHeaderError, little_endian};
use crate::solve::{RankedKeys, max_solvable_seeds};
use crate::tablebase::positions;

const FORMAT: FileFormat = FileFormat { name: "book", magic: *b"\x89KBK\r\n\x1a\n", version: 1 };

pub(super) const HEADER: usize = 64;

/// A block is decoded from its start: a larger one would take longer, a smaller one needs a larger index.
pub(super) const BLOCK: usize = 1024;

pub(super) const INDEX_ENTRY: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BookHeader {
    pub(super) rules: Rules,
    /// The most seeds in the houses of a position.
    pub(super) seeds: u32,
    pub(super) blocks: u32,
    pub(super) positions: u64,
    pub(super) checksum: u32,
}

impl BookHeader {
    pub(super) fn bytes(&self) -> u64 {
        HEADER as u64 + u64::from(self.blocks) * (INDEX_ENTRY + BLOCK) as u64
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

/// Bits of the length of a difference of ranks.
const LENGTH_BITS: u32 = 6;

/// Bits of the number of moves.
const COUNT_BITS: u32 = 4;

/// Bits of the width of a loss.
const WIDTH_BITS: u32 = 4;

/// The gains of the moves of a position, from the mover's left, in seeds.
pub(super) type MoveGains = ArrayVec<i16, MAX_HOUSES>;

/// An entry as it is stored: it can be skipped without knowing the houses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PackedPosition {
    pub(super) rank: u64,
    /// The level of the best gain.
    level: u16,
    /// By move, in pairs of seeds.
    losses: ArrayVec<u16, MAX_HOUSES>,
}

impl PackedPosition {
    /// Packs the gains of a position with this number of seeds; `None` if there is none.
    pub(super) fn new(rank: u64, gains: &MoveGains, seeds: u32) -> Option<PackedPosition> {
        let best = *gains.iter().max()?;
        let half = |difference: i16| (difference / 2) as u16;
        let losses = gains.iter().map(|gain| half(best - gain)).collect();
        Some(PackedPosition { rank, level: half(best + seeds as i16), losses })
    }

    /// The gains of the position, which has this number of seeds and of moves; `None` if they do not fit.
    pub(super) fn gains(&self, seeds: u32, moves: usize) -> Option<MoveGains> {
        let is_valid = u32::from(self.level) <= seeds
            && self.losses.len() == moves
            && self.losses.contains(&0)
            && self.losses.iter().all(|&loss| loss <= self.level);
        let gain = |&loss: &u16| 2 * (self.level - loss) as i16 - seeds as i16;
        is_valid.then(|| self.losses.iter().map(gain).collect())
    }
}

/// A block that is being filled.
pub(super) struct BlockWriter {
    bytes: [u8; BLOCK],
    end: usize,
    gain_bits: u32,
    first: u64,
    last: u64,
    positions: u16,
}

impl BlockWriter {
    /// An empty block that begins with this rank.
    pub(super) fn new(first: u64, gain_bits: u32) -> BlockWriter {
        BlockWriter { bytes: [0; BLOCK], end: 0, gain_bits, first, last: first, positions: 0 }
    }

    /// Adds a position, whose rank is above that of the one before. Returns whether there was room.
    pub(super) fn add(&mut self, position: &PackedPosition) -> bool {
        let difference = position.rank - self.last;
        let length = u64::BITS - difference.leading_zeros();
        let loss = position.losses.iter().max().copied().unwrap_or(0);
        let width = u16::BITS - loss.leading_zeros();
        let losses = position.losses.len() as u32;
        let fixed = LENGTH_BITS + COUNT_BITS + self.gain_bits + WIDTH_BITS;
        let bits = fixed + length.saturating_sub(1) + losses * width;
        if self.end + bits as usize > 8 * BLOCK {
            return false;
        }
        self.write(u64::from(length), LENGTH_BITS);
        if length > 1 {
            self.write(difference ^ 1 << (length - 1), length - 1);
        }
        self.write(u64::from(losses - 1), COUNT_BITS);
        self.write(u64::from(position.level), self.gain_bits);
        self.write(u64::from(width), WIDTH_BITS);
        for &loss in &position.losses {
            self.write(u64::from(loss), width);
        }
        self.last = position.rank;
        self.positions += 1;
        true
    }

    fn write(&mut self, number: u64, bits: u32) {
        for bit in 0..bits {
            self.bytes[self.end / 8] |= ((number >> bit & 1) as u8) << (self.end % 8);
            self.end += 1;
        }
    }

    /// What the index says about the block, and its bytes.
    pub(super) fn finish(self) -> (IndexEntry, [u8; BLOCK]) {
        let BlockWriter { bytes, first, positions, .. } = self;
        (IndexEntry { first, checksum: crc32fast::hash(&bytes), positions }, bytes)
    }
}

/// The positions of a block, in order; `None` where its bits make no sense.
pub(super) struct BlockReader<'a> {
    bytes: &'a [u8; BLOCK],
    end: usize,
    gain_bits: u32,
    last: u64,
    left: u16,
    is_first: bool,
}

impl<'a> BlockReader<'a> {
    pub(super) fn new(
        bytes: &'a [u8; BLOCK],
        gain_bits: u32,
        IndexEntry { first, positions, .. }: IndexEntry,
    ) -> BlockReader<'a> {
        BlockReader { bytes, end: 0, gain_bits, last: first, left: positions, is_first: true }
    }

    fn read(&mut self, bits: u32) -> Option<u64> {
        let (byte, shift) = (self.end / 8, (self.end % 8) as u32);
        self.end += bits as usize;
        if self.end > 8 * BLOCK {
            return None;
        }
        // Up to 63 bits that begin anywhere in a byte are within nine bytes.
        let mut window = [0; 16];
        let end = (byte + 9).min(BLOCK);
        window[..end - byte].copy_from_slice(&self.bytes[byte..end]);
        Some((u128::from_le_bytes(window) >> shift) as u64 & ((1 << bits) - 1))
    }

    fn position(&mut self) -> Option<PackedPosition> {
        let length = self.read(LENGTH_BITS)? as u32;
        let difference = match length {
            0 => 0,
            _ => 1 << (length - 1) | self.read(length - 1)?,
        };
        // Only the first position has the rank before it.
        if (difference == 0) != self.is_first {
            return None;
        }
        self.is_first = false;
        let rank = self.last.checked_add(difference)?;
        self.last = rank;
        let count = self.read(COUNT_BITS)? as usize + 1;
        let level = self.read(self.gain_bits)? as u16;
        let width = self.read(WIDTH_BITS)? as u32;
        let mut losses = ArrayVec::new();
        for _ in 0..count {
            losses.try_push(self.read(width)? as u16).ok()?;
        }
        Some(PackedPosition { rank, level, losses })
    }
}

impl Iterator for BlockReader<'_> {
    type Item = Option<PackedPosition>;

    fn next(&mut self) -> Option<Option<PackedPosition>> {
        self.left = self.left.checked_sub(1)?;
        let position = self.position();
        if position.is_none() {
            self.left = 0;
        }
        Some(position)
    }
}

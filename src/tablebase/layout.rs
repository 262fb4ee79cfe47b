//! The layout of a file. `docs/formats/tablebases.md` specifies it for authors of other readers.
//!
//! A file holds a layer, in the order of [`PositionIndex`](super::index::PositionIndex): a header, blocks of
//! entries, and the checksum of each block. Numbers are little-endian.

use std::io::Read;

use super::error::TablebaseFileError;
use super::index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, positions_of_layer};
use crate::board::{Capture, RuleSet, Rules};
use crate::file_header::{FileFormat, FileHeaderError, little_endian};

const FORMAT: FileFormat =
    FileFormat { name: "tablebase", magic: *b"\x89KTB\r\n\x1a\n", version: 1 };

/// Bytes of the header: a page, so that blocks are pages as well.
pub(super) const HEADER: usize = 4096;

/// Bytes of a block, which has one checksum.
pub(super) const BLOCK: usize = 4096;

pub(super) const CHECKSUM: usize = 4;

/// Words of 16 bits in a block. No entry straddles words.
pub(super) const WORDS: usize = BLOCK / 2;

pub(super) const EXTENSION: &str = "ktb";

/// The width of an entry, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packing(u8);

impl Packing {
    /// The narrowest width for the values 0 to `seeds`.
    fn from_seeds(seeds: u32) -> Packing {
        Packing(match seeds {
            0..16 => 4,
            16..32 => 5,
            _ => 8,
        })
    }

    pub(super) fn bits(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn entries_per_word(self) -> usize {
        16 / self.bits()
    }

    pub(super) fn entries_per_block(self) -> usize {
        WORDS * self.entries_per_word()
    }

    /// The word of an entry, counted from the first block, and the entry's lowest bit in it.
    #[inline]
    pub(super) fn place(self, entry: usize) -> (usize, usize) {
        // The compiler replaces divisions by constants.
        match self.0 {
            4 => (entry / 4, entry % 4 * 4),
            5 => (entry / 3, entry % 3 * 5),
            _ => (entry / 2, entry % 2 * 8),
        }
    }

    /// The bits of an entry, shifted to the lowest place.
    #[inline]
    pub(super) fn mask(self) -> u16 {
        (1 << self.bits()) - 1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) rules: Rules,
    pub(super) seeds: u32,
    pub(super) packing: Packing,
    pub(super) entries: u64,
    /// The checksum of the checksums.
    pub(super) checksum: u32,
}

impl Header {
    /// The header of a layer, or `None` if its size does not fit.
    pub(super) fn new(rules: Rules, seeds: u32) -> Option<Header> {
        let entries = positions_of_layer(rules.houses(), seeds)?;
        Some(Header { rules, seeds, packing: Packing::from_seeds(seeds), entries, checksum: 0 })
    }

    pub(super) fn blocks(&self) -> u64 {
        self.entries.div_ceil(self.packing.entries_per_block() as u64)
    }

    pub(super) fn bytes(&self) -> Option<u64> {
        self.blocks().checked_mul((BLOCK + CHECKSUM) as u64)?.checked_add(HEADER as u64)
    }

    pub(super) fn write(&self) -> [u8; HEADER] {
        let fields: [(usize, &[u8]); 4] = [
            (12, &[self.seeds as u8, self.packing.bits() as u8]),
            (16, &(BLOCK as u32).to_le_bytes()),
            (20, &self.checksum.to_le_bytes()),
            (24, &self.entries.to_le_bytes()),
        ];
        FORMAT.write(self.rules, &fields)
    }

    /// Reads the header of a file of `length` bytes, which may be wrong.
    pub(super) fn read(input: &mut impl Read, length: u64) -> Result<Header, TablebaseFileError> {
        let (bytes, rules): ([u8; HEADER], Rules) =
            FORMAT.read::<_, TablebaseFileError>(input, length)?;
        let seeds = u32::from(bytes[12]);
        let is_valid = rules.houses() <= MAX_TABLE_HOUSES && seeds <= MAX_TABLE_SEEDS;
        let header = Header::new(rules, seeds)
            .filter(|_| is_valid)
            .map(|header| Header { checksum: little_endian(&bytes[20..24]) as u32, ..header });
        // A layer and a checksum determine every byte.
        let header = header.filter(|header| header.write() == bytes);
        Ok(header.ok_or(FileHeaderError::Damaged)?)
    }
}

/// Returns the length of the file of a layer in bytes, or `None` if it does not fit.
pub fn layer_bytes(houses: usize, seeds: u32) -> Option<u64> {
    Header::new(Rules::new(houses, Capture::Standard).ok()?, seeds)?.bytes()
}

/// The name of a file, such as `kalah-6-standard-20.ktb`.
pub(super) fn file_name(rules: Rules, seeds: u32) -> String {
    format!("kalah-{}-{}-{seeds}.{EXTENSION}", rules.houses(), rules.rule_set().name())
}

/// The rules and the seeds in the name of a file.
pub(super) fn parse_file_name(name: &str) -> Option<(Rules, u32)> {
    let mut parts = name.strip_prefix("kalah-")?.strip_suffix(".ktb")?.split('-');
    let (houses, rule_set, seeds) = (parts.next()?, parts.next()?, parts.next()?);
    let rules = Rules::new(houses.parse().ok()?, RuleSet::from_name(rule_set)?).ok()?;
    let seeds = seeds.parse().ok()?;
    let is_valid = rules.houses() <= MAX_TABLE_HOUSES && seeds <= MAX_TABLE_SEEDS;
    // The comparison excludes other spellings of the same numbers.
    (is_valid && file_name(rules, seeds) == name).then_some((rules, seeds))
}

//! How a file is laid out; `docs/tablebases.md` says it for those who write another reader.
//!
//! A file holds a layer: all positions with as many seeds in the houses, in the order of
//! [`Blocks`](crate::tablebase::index::Blocks). A header is followed by blocks of entries, and
//! these by the checksums of the blocks. Numbers of several bytes begin with the lowest.

use super::fault::FileFault;
use crate::board::{Capture, Rules};
use crate::tablebase::index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, positions_of_layer};

/// Like that of PNG: a byte that no text has, and line ends that are spoilt when a file is taken
/// for text.
pub(super) const MAGIC: [u8; 8] = *b"\x89KTB\r\n\x1a\n";

/// The version of the layout.
pub(super) const VERSION: u16 = 1;

/// Bytes of the header: a page, so that blocks are pages, too.
pub(super) const HEADER: usize = 4096;

/// Bytes of a block: what a checksum is for, and what a probe loads.
pub(super) const BLOCK: usize = 4096;

/// Bytes of a checksum.
pub(super) const CHECKSUM: usize = 4;

/// Words of a block. Entries do not straddle them.
pub(super) const WORDS: usize = BLOCK / 2;

/// Bits that an entry takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Four,
    Five,
    Eight,
}

impl Packing {
    /// The narrowest that holds the 0 to `seeds` of a layer.
    fn of_layer(seeds: u32) -> Packing {
        match seeds {
            0..16 => Packing::Four,
            16..32 => Packing::Five,
            _ => Packing::Eight,
        }
    }

    pub(super) fn bits(self) -> usize {
        match self {
            Packing::Four => 4,
            Packing::Five => 5,
            Packing::Eight => 8,
        }
    }

    /// Entries in a word of 16 bits.
    pub(super) fn entries_of_word(self) -> usize {
        16 / self.bits()
    }

    /// Entries in a block.
    pub(super) fn entries_of_block(self) -> usize {
        WORDS * self.entries_of_word()
    }

    /// The word that an entry is in, counted from the first block, and where it begins there.
    #[inline]
    pub(super) fn place(self, entry: usize) -> (usize, usize) {
        // Divisors that the compiler knows make no divisions.
        match self {
            Packing::Four => (entry / 4, entry % 4 * 4),
            Packing::Five => (entry / 3, entry % 3 * 5),
            Packing::Eight => (entry / 2, entry % 2 * 8),
        }
    }

    /// The bits of an entry, where they begin.
    #[inline]
    pub(super) fn mask(self) -> u16 {
        (1 << self.bits()) - 1
    }
}

/// What a header says.
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
    /// The header of a layer; `None` when it is too large to be counted.
    pub(super) fn new(rules: Rules, seeds: u32) -> Option<Header> {
        let entries = positions_of_layer(rules.houses(), seeds)?;
        Some(Header { rules, seeds, packing: Packing::of_layer(seeds), entries, checksum: 0 })
    }

    pub(super) fn blocks(&self) -> u64 {
        self.entries.div_ceil(self.packing.entries_of_block() as u64)
    }

    /// Bytes of the file.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.blocks().checked_mul((BLOCK + CHECKSUM) as u64)?.checked_add(HEADER as u64)
    }

    pub(super) fn write(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = self.rules.houses() as u8;
        bytes[11] = self.rules.capture().index() as u8;
        bytes[12] = self.seeds as u8;
        bytes[13] = self.packing.bits() as u8;
        bytes[16..20].copy_from_slice(&(BLOCK as u32).to_le_bytes());
        bytes[20..24].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.entries.to_le_bytes());
        let (rest, own_checksum) = bytes.split_at_mut(HEADER - CHECKSUM);
        own_checksum.copy_from_slice(&crc32fast::hash(rest).to_le_bytes());
        bytes
    }

    pub(super) fn read(bytes: &[u8; HEADER]) -> Result<Header, FileFault> {
        if bytes[..8] != MAGIC {
            return Err(FileFault::Foreign);
        }
        let number = |start: usize, length: usize| {
            bytes[start..start + length].iter().rev().fold(0, |n, &b| n << 8 | u64::from(b))
        };
        // Every version has its number and this checksum where they are now.
        if number(HEADER - CHECKSUM, CHECKSUM)
            != u64::from(crc32fast::hash(&bytes[..HEADER - CHECKSUM]))
        {
            return Err(FileFault::Header);
        }
        let version = number(8, 2) as u16;
        if version != VERSION {
            return Err(FileFault::Version(version));
        }
        let capture =
            Capture::ALL.into_iter().find(|capture| capture.index() as u64 == number(11, 1));
        let rules = capture.and_then(|capture| Rules::new(number(10, 1) as usize, capture).ok());
        let seeds = number(12, 1) as u32;
        let header = rules
            .filter(|rules| rules.houses() <= MAX_TABLE_HOUSES && seeds <= MAX_TABLE_SEEDS)
            .and_then(|rules| Header::new(rules, seeds))
            .map(|header| Header { checksum: number(20, 4) as u32, ..header });
        // There is just one header for each layer and checksum.
        header.filter(|header| header.write() == *bytes).ok_or(FileFault::Header)
    }
}

/// Bytes of the file of a layer; `None` when there are more than can be counted.
pub fn layer_bytes(houses: usize, seeds: u32) -> Option<u64> {
    Header::new(Rules::new(houses, Capture::Standard).ok()?, seeds)?.bytes()
}

/// What a table is called: `kalah-6-standard-20.ktb`.
pub(super) fn file_name(rules: Rules, seeds: u32) -> String {
    format!("kalah-{}-{}-{seeds}.{EXTENSION}", rules.houses(), rules.capture())
}

/// What names of tables end with.
pub(super) const EXTENSION: &str = "ktb";

/// The rules and the layer that a name is for.
pub(super) fn named(name: &str) -> Option<(Rules, u32)> {
    let mut parts = name.strip_prefix("kalah-")?.strip_suffix(".ktb")?.split('-');
    let (houses, capture, seeds) = (parts.next()?, parts.next()?, parts.next()?);
    let rules = Rules::new(houses.parse().ok()?, capture.parse().ok()?).ok()?;
    let seeds = seeds.parse().ok()?;
    let is_table = rules.houses() <= MAX_TABLE_HOUSES && seeds <= MAX_TABLE_SEEDS;
    // Numbers can be written in many ways, and names in one.
    (is_table && file_name(rules, seeds) == name).then_some((rules, seeds))
}

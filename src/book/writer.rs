//! Writes the file of a book.

use std::io::{self, Write};
use std::path::Path;

use super::entry::{BlockWriter, BookPosition, PackedPosition};
use super::error::{BookError, BookFileError};
use super::layout::{BLOCK, BookHeader, IndexEntry, gain_bits, ranks};
use crate::atomic_file::replace_file;
use crate::board::Rules;
use crate::solve::RankedKeys;

/// The parts of a file.
struct Blocks {
    bytes: Vec<u8>,
    index: Vec<IndexEntry>,
    gain_bits: u32,
}

impl Blocks {
    fn close(&mut self, block: BlockWriter) {
        let (first, positions, bytes) = block.finish();
        self.index.push(IndexEntry { first, checksum: crc32fast::hash(&bytes), positions });
        self.bytes.extend(bytes);
    }

    /// Packs positions that are sorted by their ranks.
    fn fill(
        &mut self,
        positions: impl Iterator<Item = BookPosition>,
        keys: &RankedKeys,
    ) -> Result<(), BookFileError> {
        let mut open: Option<BlockWriter> = None;
        for position in positions {
            let counts = keys.houses_of(position.rank);
            let seeds = counts.iter().map(|&seeds| u32::from(seeds)).sum();
            let packed = PackedPosition::new(&position, seeds);
            let packed = packed.ok_or(BookFileError::Block(self.index.len()))?;
            let mut block = match open.take() {
                Some(block) => block,
                None => BlockWriter::new(packed.rank, self.gain_bits),
            };
            if !block.add(&packed) {
                self.close(block);
                block = BlockWriter::new(packed.rank, self.gain_bits);
                block.add(&packed);
            }
            open = Some(block);
        }
        if let Some(block) = open {
            self.close(block);
        }
        Ok(())
    }
}

/// Writes a book of positions with at most `seeds` seeds, which are sorted by their ranks. A file under
/// this name is replaced at once or not at all.
pub(super) fn write_book(
    path: &Path,
    rules: Rules,
    seeds: u32,
    positions: impl Iterator<Item = BookPosition>,
) -> Result<(), BookError> {
    let write = || -> Result<(), BookFileError> {
        let keys = ranks(rules, seeds).ok_or(BookFileError::TooLarge)?;
        let gain_bits = gain_bits(seeds);
        let mut blocks = Blocks { bytes: Vec::new(), index: Vec::new(), gain_bits };
        blocks.fill(positions, &keys)?;
        let index: Vec<u8> = blocks.index.iter().flat_map(|entry| entry.write()).collect();
        let header = BookHeader {
            rules,
            seeds,
            blocks: u32::try_from(blocks.bytes.len() / BLOCK)
                .map_err(|_| BookFileError::TooLarge)?,
            positions: blocks.index.iter().map(|entry| u64::from(entry.positions)).sum(),
            checksum: crc32fast::hash(&index),
        };
        replace_file(path, |file| -> Result<(), io::Error> {
            file.write_all(&header.write())?;
            file.write_all(&index)?;
            file.write_all(&blocks.bytes)
        })?;
        Ok(())
    };
    write().map_err(|source| BookError::File { path: path.to_owned(), source })
}

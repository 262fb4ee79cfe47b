//! A file that is read.

use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::fault::FileFault;
use super::layout::{BLOCK, CHECKSUM, HEADER, Header, WORDS};
use crate::board::Rules;
use crate::parallel;
use crate::sys::MappedFile;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::table::ZERO;

/// The gains of a layer, in a file. Each block is checked before anything in it is believed.
#[derive(Debug)]
pub(super) struct Layer {
    path: PathBuf,
    header: Header,
    file: MappedFile,
    checksums: Box<[u32]>,
    /// A bit for each block that was found to be as it was written.
    good: Box<[AtomicU64]>,
}

impl Layer {
    /// Opens the file of a layer. All of it is checked but for the blocks.
    pub(super) fn open(path: PathBuf, rules: Rules, seeds: u32) -> Result<Layer, TablebaseError> {
        match Layer::map(&path, rules, seeds) {
            Ok((header, file, checksums)) => {
                let words = checksums.len().div_ceil(64);
                let good = (0..words).map(|_| AtomicU64::new(0)).collect();
                Ok(Layer { path, header, file, checksums, good })
            }
            Err(source) => Err(TablebaseError::File { path, source }),
        }
    }

    fn map(
        path: &Path,
        rules: Rules,
        seeds: u32,
    ) -> Result<(Header, MappedFile, Box<[u32]>), FileFault> {
        // Some of those that are none are waited for when they are opened.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("it is no ordinary file").into());
        }
        let file = MappedFile::new(&File::open(path)?)?;
        let found = file.len() as u64;
        let mut bytes = [0; HEADER];
        if !file.copy(0, &mut bytes) {
            // What is too short for a header may be the beginning of one, or anything else.
            let mut magic = [0; 8];
            let is_table = file.copy(0, &mut magic) && magic == super::layout::MAGIC;
            let expected = HEADER as u64;
            return Err(if is_table {
                FileFault::Length { expected, found }
            } else {
                FileFault::Foreign
            });
        }
        let header = Header::read(&bytes)?;
        if (header.rules, header.seeds) != (rules, seeds) {
            return Err(FileFault::Misnamed { rules: header.rules, seeds: header.seeds });
        }
        let expected = header.bytes().ok_or(FileFault::Header)?;
        if found != expected {
            return Err(FileFault::Length { expected, found });
        }
        // The file is as long as that: all numbers of bytes fit.
        let blocks = header.blocks() as usize;
        let mut bytes = vec![0; blocks * CHECKSUM];
        let is_whole = file.copy(HEADER + blocks * BLOCK, &mut bytes);
        if !is_whole || crc32fast::hash(&bytes) != header.checksum {
            return Err(FileFault::Checksums);
        }
        let (numbers, _) = bytes.as_chunks();
        let checksums = numbers.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
        Ok((header, file, checksums))
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.checksums.len()
    }

    /// That this is the matter with the file.
    #[cold]
    pub(super) fn fault(&self, source: FileFault) -> TablebaseError {
        TablebaseError::File { path: self.path.clone(), source }
    }

    /// The gain of a position of the layer.
    #[inline]
    pub(super) fn gain(&self, entry: usize) -> Result<i32, TablebaseError> {
        let (word, shift) = self.header.packing.place(entry);
        let block = word / WORDS;
        let good =
            self.good.get(block / 64).is_some_and(|w| w.load(Relaxed) >> (block % 64) & 1 == 1);
        if !good {
            self.check(block)?;
        }
        let word = self.file.word(HEADER + 2 * word);
        let level = word.map_or(u16::MAX, |word| word >> shift & self.header.packing.mask());
        if u32::from(level) > self.header.seeds {
            return Err(self.fault(FileFault::Entry(entry as u64)));
        }
        Ok(2 * i32::from(level) - self.header.seeds as i32)
    }

    /// Whether a block is as it was written.
    #[cold]
    pub(super) fn check(&self, block: usize) -> Result<(), TablebaseError> {
        self.read(block, &mut [0; BLOCK])
    }

    /// Checks all blocks; the error is that of the first one that is damaged.
    pub(super) fn check_all(&self, threads: NonZeroUsize) -> Result<(), TablebaseError> {
        parallel::try_for_each(threads, 0..self.blocks(), |block| self.check(block))
    }

    /// Reads a block, and checks it.
    fn read(&self, block: usize, bytes: &mut [u8; BLOCK]) -> Result<(), TablebaseError> {
        let is_read = self.file.copy(HEADER + block * BLOCK, bytes);
        if !is_read || self.checksums.get(block) != Some(&crc32fast::hash(bytes)) {
            return Err(self.fault(FileFault::Block(block as u64)));
        }
        // Nothing else depends on what other threads see of this.
        self.good[block / 64].fetch_or(1 << (block % 64), Relaxed);
        Ok(())
    }

    /// Writes all gains, with [`ZERO`] added. All blocks are checked.
    pub(super) fn unpack(
        &self,
        gains: &mut [u8],
        threads: NonZeroUsize,
    ) -> Result<(), TablebaseError> {
        let packing = self.header.packing;
        let seeds = self.header.seeds as u8;
        let entries = packing.entries_of_block();
        let blocks = gains.chunks_mut(entries).enumerate();
        parallel::try_for_each(threads, blocks, |(block, gains)| {
            let mut bytes = [0; BLOCK];
            self.read(block, &mut bytes)?;
            let (words, _) = bytes.as_chunks();
            let of_word = gains.chunks_mut(packing.entries_of_word());
            for (number, (gains, &word)) in of_word.zip(words).enumerate() {
                let mut word = u16::from_le_bytes(word);
                for (i, gain) in gains.iter_mut().enumerate() {
                    let level = word & packing.mask();
                    if level > u16::from(seeds) {
                        let entry = block * entries + number * packing.entries_of_word() + i;
                        return Err(self.fault(FileFault::Entry(entry as u64)));
                    }
                    *gain = ZERO + 2 * level as u8 - seeds;
                    word >>= packing.bits();
                }
            }
            Ok(())
        })
    }
}

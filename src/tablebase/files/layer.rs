//! Reads the file of a layer.

use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::layout::{BLOCK, CHECKSUM, HEADER, Header, MAGIC, WORDS, file_name};
use crate::board::Rules;
use crate::parallel;
use crate::stop::StopToken;
use crate::sys::MappedFile;
use crate::tablebase::error::{TablebaseError, TablebaseFileError};
use crate::tablebase::index::GAIN_BIAS;

/// The gains of a layer in a memory-mapped file. Every block's checksum is verified on first use.
#[derive(Debug)]
pub(super) struct LayerFile {
    path: PathBuf,
    header: Header,
    file: MappedFile,
    checksums: Box<[u32]>,
    /// A bit for each block that has been verified.
    verified: Box<[AtomicU64]>,
}

impl LayerFile {
    /// Opens the file of a layer; returns `None` if there is none. Everything but the blocks is
    /// checked.
    pub(super) fn find(
        directory: &Path,
        rules: Rules,
        seeds: u32,
    ) -> Result<Option<LayerFile>, TablebaseError> {
        let path = directory.join(file_name(rules, seeds));
        // A broken link is a file that cannot be read.
        match path.symlink_metadata() {
            Ok(_) => LayerFile::open(path, rules, seeds).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TablebaseError::File { path, source: error.into() }),
        }
    }

    /// Opens the file of a layer. Everything but the blocks is checked.
    pub(super) fn open(
        path: PathBuf,
        rules: Rules,
        seeds: u32,
    ) -> Result<LayerFile, TablebaseError> {
        match LayerFile::map(&path, rules, seeds) {
            Ok((header, file, checksums)) => {
                let words = checksums.len().div_ceil(64);
                let verified = (0..words).map(|_| AtomicU64::new(0)).collect();
                Ok(LayerFile { path, header, file, checksums, verified })
            }
            Err(source) => Err(TablebaseError::File { path, source }),
        }
    }

    fn map(
        path: &Path,
        rules: Rules,
        seeds: u32,
    ) -> Result<(Header, MappedFile, Box<[u32]>), TablebaseFileError> {
        // Opening a pipe could block.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("not a regular file").into());
        }
        let file = MappedFile::new(&File::open(path)?)?;
        let found = file.len() as u64;
        let mut bytes = [0; HEADER];
        if !file.copy(0, &mut bytes) {
            let mut magic = [0; 8];
            let is_truncated = file.copy(0, &mut magic) && magic == MAGIC;
            let expected = HEADER as u64;
            return Err(if is_truncated {
                TablebaseFileError::Length { expected, found }
            } else {
                TablebaseFileError::Magic
            });
        }
        let header = Header::read(&bytes)?;
        if (header.rules, header.seeds) != (rules, seeds) {
            return Err(TablebaseFileError::Misnamed { rules: header.rules, seeds: header.seeds });
        }
        let expected = header.bytes().ok_or(TablebaseFileError::Header)?;
        if found != expected {
            return Err(TablebaseFileError::Length { expected, found });
        }
        // Since the file has this length, offsets in it fit a `usize`.
        let blocks = header.blocks() as usize;
        let mut bytes = vec![0; blocks * CHECKSUM];
        let is_copied = file.copy(HEADER + blocks * BLOCK, &mut bytes);
        if !is_copied || crc32fast::hash(&bytes) != header.checksum {
            return Err(TablebaseFileError::Checksums);
        }
        let (numbers, _) = bytes.as_chunks();
        let checksums = numbers.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
        Ok((header, file, checksums))
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    #[cold]
    pub(super) fn error(&self, source: TablebaseFileError) -> TablebaseError {
        TablebaseError::File { path: self.path.clone(), source }
    }

    /// The gain of an entry.
    #[inline]
    pub(super) fn gain(&self, entry: usize) -> Result<i32, TablebaseError> {
        let (word, shift) = self.header.packing.place(entry);
        let block = word / WORDS;
        let verified = self
            .verified
            .get(block / 64)
            .is_some_and(|bits| bits.load(Relaxed) >> (block % 64) & 1 == 1);
        if !verified {
            self.verify_block(block)?;
        }
        let word = self.file.word(HEADER + 2 * word);
        let level = word.map_or(u16::MAX, |word| word >> shift & self.header.packing.mask());
        if u32::from(level) > self.header.seeds {
            return Err(self.error(TablebaseFileError::Entry(entry as u64)));
        }
        Ok(2 * i32::from(level) - self.header.seeds as i32)
    }

    /// Verifies the checksums of all blocks.
    pub(super) fn verify(
        &self,
        threads: NonZeroUsize,
        stop: &StopToken,
    ) -> Result<(), TablebaseError> {
        parallel::try_for_each(threads, 0..self.checksums.len(), |block| {
            if stop.is_stopped() { Err(TablebaseError::Stopped) } else { self.verify_block(block) }
        })
    }

    /// Verifies the checksum of a block.
    #[cold]
    fn verify_block(&self, block: usize) -> Result<(), TablebaseError> {
        self.read(block, &mut [0; BLOCK])
    }

    /// Reads a block and verifies its checksum.
    fn read(&self, block: usize, bytes: &mut [u8; BLOCK]) -> Result<(), TablebaseError> {
        let is_copied = self.file.copy(HEADER + block * BLOCK, bytes);
        if !is_copied || self.checksums.get(block) != Some(&crc32fast::hash(bytes)) {
            return Err(self.error(TablebaseFileError::Block(block as u64)));
        }
        // The bit publishes no other memory, so a relaxed operation is enough.
        self.verified[block / 64].fetch_or(1 << (block % 64), Relaxed);
        Ok(())
    }

    /// Reads all gains, with [`GAIN_BIAS`] added, and verifies all checksums.
    pub(super) fn unpack(
        &self,
        gains: &mut [u8],
        threads: NonZeroUsize,
    ) -> Result<(), TablebaseError> {
        let packing = self.header.packing;
        let seeds = self.header.seeds as u8;
        let entries = packing.entries_per_block();
        let blocks = gains.chunks_mut(entries).enumerate();
        parallel::try_for_each(threads, blocks, |(block, gains)| {
            let mut bytes = [0; BLOCK];
            self.read(block, &mut bytes)?;
            let (words, _) = bytes.as_chunks();
            let of_words = gains.chunks_mut(packing.entries_per_word());
            for (number, (gains, &word)) in of_words.zip(words).enumerate() {
                let mut word = u16::from_le_bytes(word);
                for (i, gain) in gains.iter_mut().enumerate() {
                    let level = word & packing.mask();
                    if level > u16::from(seeds) {
                        let entry = block * entries + number * packing.entries_per_word() + i;
                        return Err(self.error(TablebaseFileError::Entry(entry as u64)));
                    }
                    *gain = GAIN_BIAS + 2 * level as u8 - seeds;
                    word >>= packing.bits();
                }
            }
            Ok(())
        })
    }
}

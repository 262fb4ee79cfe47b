//! Reads and writes the file of a layer.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use super::error::{TablebaseError, TablebaseFileError};
use super::index::GAIN_BIAS;
use super::layout::{BLOCK, CHECKSUM, HEADER, Header, Packing, WORDS, file_name};
use crate::atomic_file::{create_temporary, sync_directory_of};
use crate::board::Rules;
use crate::file_header::FileHeaderError;
use crate::stop::StopToken;
use crate::{host_files, parallel};

/// Blocks that are read together: a bit each of [`Blocks::damaged`].
const RUN: usize = u16::BITS as usize;

/// The gains of a layer. Blocks are read when first used and kept, whatever becomes of the file.
#[derive(Debug)]
pub(super) struct LayerFile {
    path: PathBuf,
    pub(super) header: Header,
    checksums: Box<[u32]>,
    /// Every [`RUN`] of blocks.
    runs: Box<[OnceLock<Blocks>]>,
    /// The number of runs kept.
    kept: AtomicUsize,
    /// Whether memory is too short to keep more.
    is_full: AtomicBool,
}

/// Consecutive blocks as read from the file.
#[derive(Debug)]
struct Blocks {
    words: Box<[[u8; 2]]>,
    /// A bit for each block whose checksum is wrong, or that the file does not have.
    damaged: u16,
}

impl Blocks {
    /// The word with this number; `None` in a damaged block.
    #[inline]
    fn word(&self, word: usize) -> Option<u16> {
        if self.damaged >> (word / WORDS) & 1 == 1 {
            return None;
        }
        self.words.get(word).map(|&bytes| u16::from_le_bytes(bytes))
    }
}

impl LayerFile {
    /// Opens the file of a layer; `None` if there is none. Everything but the blocks is checked.
    pub(super) fn find(
        directory: &Path,
        rules: Rules,
        seeds: u32,
    ) -> Result<Option<LayerFile>, TablebaseError> {
        let path = directory.join(file_name(rules, seeds));
        match host_files::exists(&path) {
            Ok(true) => LayerFile::open(path, rules, seeds).map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(TablebaseError::File { path, source: error.into() }),
        }
    }

    /// Opens the file of a layer. Everything but the blocks is checked.
    pub(super) fn open(
        path: PathBuf,
        rules: Rules,
        seeds: u32,
    ) -> Result<LayerFile, TablebaseError> {
        match LayerFile::read_checked(&path, rules, seeds) {
            Ok((header, checksums)) => Ok(LayerFile {
                path,
                header,
                runs: checksums.chunks(RUN).map(|_| OnceLock::new()).collect(),
                checksums,
                kept: AtomicUsize::new(0),
                is_full: AtomicBool::new(false),
            }),
            Err(source) => Err(TablebaseError::File { path, source }),
        }
    }

    /// Reads the header and the checksums.
    fn read_checked(
        path: &Path,
        rules: Rules,
        seeds: u32,
    ) -> Result<(Header, Box<[u32]>), TablebaseFileError> {
        let mut file = host_files::open(path)?;
        let found = file.length()?;
        let header = Header::read(&mut file, found)?;
        if (header.rules, header.seeds) != (rules, seeds) {
            return Err(TablebaseFileError::Misnamed { rules: header.rules, seeds: header.seeds });
        }
        let expected = header.bytes().ok_or(FileHeaderError::Damaged)?;
        if found != expected {
            return Err(FileHeaderError::Length { expected, found }.into());
        }
        let blocks = header.blocks();
        let mut bytes = vec![0; blocks as usize * CHECKSUM];
        file.read_exact_at(HEADER as u64 + blocks * BLOCK as u64, &mut bytes)?;
        if crc32fast::hash(&bytes) != header.checksum {
            return Err(TablebaseFileError::Checksums);
        }
        let (numbers, _) = bytes.as_chunks();
        let checksums = numbers.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
        Ok((header, checksums))
    }

    #[cold]
    pub(super) fn error(&self, source: TablebaseFileError) -> TablebaseError {
        TablebaseError::File { path: self.path.clone(), source }
    }

    /// The gain of an entry.
    #[inline]
    pub(super) fn gain(&self, entry: usize) -> Result<i32, TablebaseError> {
        let (word, shift) = self.header.packing.place(entry);
        let kept = self.runs.get(word / (RUN * WORDS)).and_then(OnceLock::get);
        let word = match kept.and_then(|blocks| blocks.word(word % (RUN * WORDS))) {
            Some(word) => word,
            None => self.read_word(word)?,
        };
        let level = word >> shift & self.header.packing.mask();
        if u32::from(level) > self.header.seeds {
            return Err(self.error(TablebaseFileError::Entry(entry as u64)));
        }
        Ok(2 * i32::from(level) - self.header.seeds as i32)
    }

    /// Verifies the checksums of all blocks, and that bits without an entry are 0.
    pub(super) fn verify(
        &self,
        threads: NonZeroUsize,
        stop: &StopToken,
    ) -> Result<(), TablebaseError> {
        parallel::try_for_each(threads, 0..self.runs.len(), |run| {
            stop.check(TablebaseError::Stopped)?;
            let blocks = self.read_run(run)?;
            let first = run * RUN * WORDS;
            let has_padding = |&(word, bytes): &(usize, &[u8; 2])| {
                let packing = self.header.packing;
                let entries = packing.entries_per_word();
                let left = self.header.entries.saturating_sub((word * entries) as u64);
                let bits = entries.min(left as usize) * packing.bits();
                u32::from(u16::from_le_bytes(*bytes)) >> bits != 0
            };
            match (first..).zip(&blocks.words).find(has_padding) {
                None => Ok(()),
                Some((word, _)) => Err(self.damage(word / WORDS)),
            }
        })
    }

    /// A word that is not in a kept block, or whose block is damaged. Keeps the block if there is memory.
    #[cold]
    fn read_word(&self, word: usize) -> Result<u16, TablebaseError> {
        let (block, run) = (word / WORDS, word / (RUN * WORDS));
        let read = match (self.runs.get(run), self.is_full.load(Relaxed)) {
            (Some(kept), false) => {
                let blocks = if let Some(blocks) = kept.get() {
                    blocks
                } else {
                    let read = self.read_to_keep(run)?;
                    kept.get_or_init(|| read)
                };
                blocks.word(word % (RUN * WORDS))
            }
            _ => self.read(block..block + 1)?.word(word % WORDS),
        };
        read.ok_or_else(|| self.damage(block))
    }

    fn read_to_keep(&self, run: usize) -> Result<Blocks, TablebaseError> {
        /// Memory is measured each time that 16 MiB have been kept.
        const BATCH: usize = (16 << 20) / (RUN * BLOCK);
        if self.kept.fetch_add(1, Relaxed) % BATCH == BATCH - 1 && is_memory_short() {
            self.is_full.store(true, Relaxed);
        }
        self.read(run * RUN..(run + 1) * RUN)
    }

    /// Reads a run, none of whose blocks may be damaged.
    fn read_run(&self, run: usize) -> Result<Blocks, TablebaseError> {
        let blocks = self.read(run * RUN..(run + 1) * RUN)?;
        match blocks.damaged.trailing_zeros() {
            u16::BITS => Ok(blocks),
            first => Err(self.damage(run * RUN + first as usize)),
        }
    }

    /// Reads those of up to 16 blocks that the layer has, and verifies their checksums.
    fn read(&self, blocks: Range<usize>) -> Result<Blocks, TablebaseError> {
        let first = blocks.start;
        let checksums = &self.checksums[first..blocks.end.min(self.checksums.len())];
        let mut words = vec![[0; 2]; checksums.len() * WORDS].into_boxed_slice();
        let bytes = words.as_flattened_mut();
        // The file is not kept open, since systems limit the number of open files.
        let start = HEADER as u64 + first as u64 * BLOCK as u64;
        let read =
            host_files::open(&self.path).and_then(|mut file| file.read_exact_at(start, bytes));
        match read {
            // The checksums tell which blocks a shortened file has.
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                return Err(self.error(error.into()));
            }
            _ => {}
        }
        let is_wrong = |(bytes, checksum): (&[u8], &u32)| crc32fast::hash(bytes) != *checksum;
        let wrong = bytes.chunks(BLOCK).zip(checksums).map(is_wrong);
        let damaged =
            wrong.zip(0..).fold(0, |bits, (wrong, block)| bits | u16::from(wrong) << block);
        Ok(Blocks { words, damaged })
    }

    /// What is wrong with a block.
    fn damage(&self, block: usize) -> TablebaseError {
        let expected = self.header.bytes().unwrap_or(u64::MAX);
        self.error(match host_files::length(&self.path) {
            Err(error) => error.into(),
            Ok(found) if found != expected => FileHeaderError::Length { expected, found }.into(),
            Ok(_) => TablebaseFileError::Block(block as u64),
        })
    }

    /// Reads all gains, with [`GAIN_BIAS`] added, and verifies all checksums.
    pub(super) fn unpack(
        &self,
        gains: &mut [u8],
        threads: NonZeroUsize,
        stop: &StopToken,
    ) -> Result<(), TablebaseError> {
        let packing = self.header.packing;
        let seeds = self.header.seeds as u8;
        let entries = packing.entries_per_block() * RUN;
        let runs = gains.chunks_mut(entries).enumerate();
        parallel::try_for_each(threads, runs, |(run, gains)| {
            let blocks = self.read_run(run)?;
            stop.check(TablebaseError::Stopped)?;
            let of_words = gains.chunks_mut(packing.entries_per_word());
            for (number, (gains, &word)) in of_words.zip(&blocks.words).enumerate() {
                let mut word = u16::from_le_bytes(word);
                for (i, gain) in gains.iter_mut().enumerate() {
                    let level = word & packing.mask();
                    if level > u16::from(seeds) {
                        let entry = run * entries + number * packing.entries_per_word() + i;
                        return Err(self.error(TablebaseFileError::Entry(entry as u64)));
                    }
                    *gain = GAIN_BIAS - seeds + 2 * level as u8;
                    word >>= packing.bits();
                }
            }
            Ok(())
        })
    }
}

/// Whether memory is too short to keep more blocks.
fn is_memory_short() -> bool {
    /// Bytes that are left to others.
    #[cfg(not(target_arch = "wasm32"))]
    const SPARE: u64 = 512 << 20;
    /// Pages of 64 KiB: a browser that has more to give does not say so, and one that has not ends the engine.
    #[cfg(target_arch = "wasm32")]
    const MOST: usize = (768 << 20) >> 16;
    #[cfg(not(target_arch = "wasm32"))]
    return crate::sys::check_memory(SPARE).is_err();
    #[cfg(target_arch = "wasm32")]
    return std::arch::wasm32::memory_size::<0>() > MOST;
}

/// Writes the file of a layer, complete or not at all. A file that appeared meanwhile stays.
pub(super) fn write_layer(
    directory: &Path,
    rules: Rules,
    seeds: u32,
    gains: &[u8],
    threads: NonZeroUsize,
) -> Result<(), TablebaseError> {
    let path = directory.join(file_name(rules, seeds));
    let written = create_temporary(directory).and_then(|mut file| {
        write(file.as_file_mut(), rules, seeds, gains, threads)?;
        file.as_file().sync_all()?;
        Ok(file)
    });
    match written.map(|file| file.persist_noclobber(&path)) {
        Ok(Ok(_)) => {
            sync_directory_of(&path);
            Ok(())
        }
        Ok(Err(error)) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            // Another build has written the same bytes.
            LayerFile::open(path, rules, seeds).map(|_| ())
        }
        Ok(Err(error)) => {
            let source = TablebaseFileError::Io(error.error.kind().into());
            Err(TablebaseError::File { path, source })
        }
        Err(error) => Err(TablebaseError::File { path, source: error.into() }),
    }
}

fn write(
    file: &mut File,
    rules: Rules,
    seeds: u32,
    gains: &[u8],
    threads: NonZeroUsize,
) -> io::Result<()> {
    /// Blocks packed before they are written.
    const BATCH: usize = 1024;
    let header = Header::new(rules, seeds).filter(|header| header.entries == gains.len() as u64);
    let mut header = header.ok_or(io::ErrorKind::InvalidInput)?;
    // The header is written last, when everything that it describes is there.
    file.write_all(&[0; HEADER])?;
    let entries = header.packing.entries_per_block();
    let mut checksums: Vec<[u8; CHECKSUM]> = Vec::new();
    // One buffer for all batches: the system would take the memory back after each and clear it.
    let mut blocks = vec![[0; BLOCK]; gains.len().div_ceil(entries).min(BATCH)];
    for batch in gains.chunks(entries * BATCH) {
        let batch = batch.chunks(entries);
        let blocks = &mut blocks[..batch.len()];
        let first = checksums.len();
        checksums.resize(first + blocks.len(), [0; CHECKSUM]);
        let packed = blocks.iter_mut().zip(&mut checksums[first..]);
        parallel::for_each(threads, batch.zip(packed), |(gains, (block, checksum))| {
            pack(gains, header.packing, seeds as u8, block);
            *checksum = crc32fast::hash(block).to_le_bytes();
        });
        file.write_all(blocks.as_flattened())?;
    }
    let checksums = checksums.as_flattened();
    file.write_all(checksums)?;
    header.checksum = crc32fast::hash(checksums);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.write())
}

/// Packs gains, which have [`GAIN_BIAS`] added, into a block. The rest of the block is zero.
fn pack(gains: &[u8], packing: Packing, seeds: u8, block: &mut [u8; BLOCK]) {
    block.fill(0);
    let (words, _) = block.as_chunks_mut();
    for (word, gains) in words.iter_mut().zip(gains.chunks(packing.entries_per_word())) {
        let levels = gains.iter().map(|gain| u16::from((gain - (GAIN_BIAS - seeds)) / 2));
        let packed = levels.rev().fold(0, |word, level| word << packing.bits() | level);
        *word = packed.to_le_bytes();
    }
}

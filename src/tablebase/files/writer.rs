//! Writes the file of a layer.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use super::layer::LayerFile;
use super::layout::{BLOCK, CHECKSUM, HEADER, Header, Packing, file_name};
use crate::atomic_file::{create_temporary, sync_directory_of};
use crate::board::Rules;
use crate::parallel;
use crate::tablebase::error::{TablebaseError, TablebaseFileError};
use crate::tablebase::index::GAIN_BIAS;

/// Writes the file of a layer, complete or not at all. A file that appeared under its name in the
/// meantime is left unchanged.
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

/// Returns an error if no files can be written, which is better known before a long computation.
pub(super) fn check_writable(directory: &Path) -> io::Result<()> {
    create_temporary(directory).map(|_| ())
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

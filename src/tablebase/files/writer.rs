//! A file that is written.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use super::fault::FileFault;
use super::layer::Layer;
use super::layout::{BLOCK, HEADER, Header, Packing, file_name};
use crate::atomic_file::{TEMPORARY, sync_name, temporary};
use crate::board::Rules;
use crate::parallel;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::table::ZERO;

/// How names of files end that are not whole yet.
const UNFINISHED: &str = ".part";

/// Blocks that are packed at a time.
const BATCH: usize = 1024;

/// Writes the file of a layer, whole or not at all. A file of that name that is there by now is
/// left as it is.
pub(super) fn write_layer(
    directory: &Path,
    rules: Rules,
    seeds: u32,
    gains: &[u8],
    threads: NonZeroUsize,
) -> Result<(), TablebaseError> {
    let path = directory.join(file_name(rules, seeds));
    let written = temporary(directory, UNFINISHED).and_then(|mut file| {
        write(file.as_file_mut(), rules, seeds, gains, threads)?;
        file.as_file().sync_all()?;
        Ok(file)
    });
    match written.map(|file| file.persist_noclobber(&path)) {
        Ok(Ok(_)) => {
            sync_name(&path);
            Ok(())
        }
        Ok(Err(error)) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            // Somebody else was first. There is just one file for a layer.
            Layer::open(path, rules, seeds).map(|_| ())
        }
        Ok(Err(error)) => {
            Err(TablebaseError::File { path, source: FileFault::Io(error.error.kind().into()) })
        }
        Err(error) => Err(TablebaseError::File { path, source: error.into() }),
    }
}

/// Makes sure that files can be written, before time is spent on what is to be in them.
pub(super) fn check_writable(directory: &Path) -> io::Result<()> {
    temporary(directory, UNFINISHED).map(|_| ())
}

fn write(
    file: &mut File,
    rules: Rules,
    seeds: u32,
    gains: &[u8],
    threads: NonZeroUsize,
) -> io::Result<()> {
    let header = Header::new(rules, seeds).filter(|header| header.entries == gains.len() as u64);
    let mut header = header.ok_or(io::ErrorKind::InvalidInput)?;
    // The header comes last, when all it speaks of is there.
    file.write_all(&[0; HEADER])?;
    let mut checksums = Vec::new();
    for batch in gains.chunks(header.packing.entries_of_block() * BATCH) {
        let blocks = batch.chunks(header.packing.entries_of_block());
        let packed = parallel::map(threads, blocks, |gains| {
            let block = packed(gains, header.packing, seeds as u8);
            (block, crc32fast::hash(&block))
        });
        for (block, checksum) in packed {
            file.write_all(&block)?;
            checksums.extend_from_slice(&checksum.to_le_bytes());
        }
    }
    file.write_all(&checksums)?;
    header.checksum = crc32fast::hash(&checksums);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.write())
}

/// A block of these gains, which have [`ZERO`] added; what is left of it is zero.
fn packed(gains: &[u8], packing: Packing, seeds: u8) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let (words, _) = block.as_chunks_mut();
    for (word, gains) in words.iter_mut().zip(gains.chunks(packing.entries_of_word())) {
        let levels = gains.iter().map(|gain| u16::from((gain - (ZERO - seeds)) / 2));
        let packed = levels.rev().fold(0, |word, level| word << packing.bits() | level);
        *word = packed.to_le_bytes();
    }
    block
}

/// Removes what builds have left that were broken off. No other build may be going on there.
pub(super) fn remove_unfinished(directory: &Path) -> io::Result<()> {
    for entry in directory.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(TEMPORARY) && name.ends_with(UNFINISHED) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

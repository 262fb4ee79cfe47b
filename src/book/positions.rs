//! The positions of a book in memory: read from books, joined, packed into blocks and written.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::error::{BookError, BookFileError};
use super::file::Book;
use super::layout::{
    BlockWriter, BookHeader, IndexEntry, MoveGains, PackedPosition, gain_bits, ranks,
};
use crate::atomic_file::replace_file;
use crate::board::Rules;
use crate::file_header::FileHeaderError;
use crate::solve::RankedKeys;

/// Positions by rank, with the gains of their moves.
pub(super) type Positions = BTreeMap<u64, MoveGains>;

/// Adds the positions of a book of these rules.
pub(super) fn add_book(
    positions: &mut Positions,
    book: &Book,
    rules: Rules,
) -> Result<(), BookError> {
    if book.rules() != rules {
        return Err(BookError::Rules { expected: rules, found: book.rules() });
    }
    for position in book.ranked() {
        let (rank, gains) = position?;
        let known = positions.entry(rank).or_insert_with(|| gains.clone());
        if *known != gains {
            let board = book.keys.board_of(rank).map(|board| board.fen()).unwrap_or_default();
            return Err(BookError::Contradiction(board));
        }
    }
    Ok(())
}

/// Writes a book of all positions of some books of the same rules; returns their number, 0 if there are
/// no books. A file under this name is replaced at once or not at all.
///
/// # Errors
/// Returns an error if the books have different rules, if one of them cannot be read, if two of them have
/// different margins of a position, or if the file cannot be written. Nothing is written then.
pub fn merge_books(path: &Path, books: &[Book]) -> Result<u64, BookError> {
    let Some(first) = books.first() else { return Ok(0) };
    let mut positions = Positions::new();
    for book in books {
        add_book(&mut positions, book, first.rules())?;
    }
    let seeds = books.iter().map(Book::seeds).max().unwrap_or(0);
    save_positions(path, first.rules(), seeds, &positions)?;
    Ok(positions.len() as u64)
}

/// Packs positions into blocks; returns their index and their bytes.
fn packed(
    positions: &Positions,
    keys: &RankedKeys,
    gain_bits: u32,
) -> Result<(Vec<IndexEntry>, Vec<u8>), BookFileError> {
    let (mut index, mut blocks) = (Vec::new(), Vec::new());
    let mut close = |block: BlockWriter| {
        let (entry, bytes) = block.finish();
        index.push(entry);
        blocks.extend(bytes);
    };
    let mut open: Option<BlockWriter> = None;
    for (&rank, gains) in positions {
        let seeds = keys.houses_of(rank).iter().map(|&seeds| u32::from(seeds)).sum();
        let position = PackedPosition::new(rank, gains, seeds);
        let position = position.ok_or(FileHeaderError::Damaged)?;
        let block = open.get_or_insert_with(|| BlockWriter::new(rank, gain_bits));
        if !block.add(&position) {
            let mut next = BlockWriter::new(rank, gain_bits);
            next.add(&position);
            close(std::mem::replace(block, next));
        }
    }
    open.into_iter().for_each(close);
    Ok((index, blocks))
}

/// Writes the book of these positions, of at most `seeds` seeds, as [`merge_books`] does.
pub(super) fn save_positions(
    path: &Path,
    rules: Rules,
    seeds: u32,
    positions: &Positions,
) -> Result<(), BookError> {
    let write = || -> Result<(), BookFileError> {
        let keys = ranks(rules, seeds).ok_or(BookFileError::TooLarge)?;
        let (entries, blocks) = packed(positions, &keys, gain_bits(seeds))?;
        let index: Vec<u8> = entries.iter().flat_map(|entry| entry.write()).collect();
        let header = BookHeader {
            rules,
            seeds,
            blocks: u32::try_from(entries.len()).map_err(|_| BookFileError::TooLarge)?,
            positions: positions.len() as u64,
            checksum: crc32fast::hash(&index),
        };
        replace_file(path, |file| -> Result<(), io::Error> {
            file.write_all(&header.write())?;
            file.write_all(&index)?;
            file.write_all(&blocks)
        })?;
        Ok(())
    };
    write().map_err(|source| BookError::File { path: path.to_owned(), source })
}

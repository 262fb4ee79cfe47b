//! The positions of a book in memory: read from books, joined, packed into blocks and written.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::error::{BookError, BookFileError};
use super::file::Book;
use super::layout::{
    BLOCK, BlockWriter, BookHeader, BookPosition, IndexEntry, MoveGains, PackedPosition, gain_bits,
    ranks,
};
use crate::atomic_file::replace_file;
use crate::board::Rules;
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
        let BookPosition { rank, gains } = position?;
        let known = positions.entry(rank).or_insert_with(|| gains.clone());
        if *known != gains {
            let board = book.board_of(rank).map(|board| board.fen()).unwrap_or_default();
            return Err(BookError::Contradiction(board));
        }
    }
    Ok(())
}

/// Writes a book of all positions of some books of the same rules; returns their number, 0 if there are
/// no books. A file under this name is replaced at once or not at all.
///
/// ```no_run
/// use std::path::Path;
///
/// use kalah::book::{Book, merge_books};
///
/// let books = [Book::open(Path::new("a.kbk"))?, Book::open(Path::new("b.kbk"))?];
/// println!("{} positions", merge_books(Path::new("ab.kbk"), &books)?);
/// # Ok::<(), kalah::book::BookError>(())
/// ```
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

    /// Packs positions.
    fn fill(&mut self, positions: &Positions, keys: &RankedKeys) -> Result<(), BookFileError> {
        let mut open: Option<BlockWriter> = None;
        for (&rank, gains) in positions {
            let counts = keys.houses_of(rank);
            let seeds = counts.iter().map(|&seeds| u32::from(seeds)).sum();
            let packed = PackedPosition::new(rank, gains, seeds);
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

/// Writes the book of these positions, which have at most `seeds` seeds. A file under this name is replaced at once or not at all.
pub(super) fn save_positions(
    path: &Path,
    rules: Rules,
    seeds: u32,
    positions: &Positions,
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

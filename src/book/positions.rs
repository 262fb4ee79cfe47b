//! The positions of a book in memory: read from books, joined and written.

use std::collections::BTreeMap;
use std::path::Path;

use super::entry::{BookPosition, MoveGains};
use super::error::BookError;
use super::file::Book;
use super::writer::write_book;
use crate::board::Rules;

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

/// Writes the book of these positions, which have at most `seeds` seeds.
pub(super) fn save_positions(
    path: &Path,
    rules: Rules,
    seeds: u32,
    positions: &Positions,
) -> Result<(), BookError> {
    let positions = positions.iter();
    let positions = positions.map(|(&rank, gains)| BookPosition { rank, gains: gains.clone() });
    write_book(path, rules, seeds, positions)
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

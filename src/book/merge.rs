//! Joins books.

use std::path::Path;

use super::build::{Positions, add_book, save_positions};
use super::error::BookError;
use super::file::Book;

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

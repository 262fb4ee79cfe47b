//! Books of proofs: the exact margins of all moves of the positions that a game is likely to reach.
//!
//! A [`Book`] is read from a file, or is the one of Kalah(6,4) that is part of the program. A
//! [`BookBuild`] makes one with the solver: it walks from a start to the positions that best play reaches,
//! then to those after mistakes, the cheapest first (`build`), and solves each of them. [`merge_books`]
//! joins books, and [`verify_book`] solves positions again.
//!
//! A file has the positions, without stores, which only shift the margins, sorted by their rank among all positions
//! of the board, in blocks that can be read one by one (`layout`); a position with all its moves takes some seven
//! bytes. `docs/formats/books.md` specifies it.

mod build;
mod error;
mod file;
mod layout;
mod positions;
mod verify;

use std::cmp::Reverse;

use crate::board::{Board, Move, Next};

pub use build::{BookBuild, BookScope, BookStep};
pub use error::{BookError, BookFileError};
pub use file::{Book, BookEntry};
pub use positions::merge_books;
pub use verify::{BookFault, BookReport, BookSample, verify_book};

/// Moves with their margins, in the solver's order: the best first, then extra turns, then the rightmost.
pub fn ranked(board: &Board, mut moves: Vec<(Move, i32)>) -> Vec<(Move, i32)> {
    let moves_again = |mv| {
        let mut after = *board;
        after.play(mv) == Ok(Next::Again)
    };
    moves.sort_by_key(|&(mv, margin)| Reverse((margin, moves_again(mv), mv.house.index())));
    moves
}

/// A move and the best play after it, as far as `known` has margins. An illegal move is a line by itself.
///
/// ```
/// use kalah::book::{Book, best_line};
/// use kalah::{Board, Rules};
///
/// let board = Board::start(Rules::default(), 4)?;
/// let book = Book::embedded().ok_or("no book")?;
/// let first = board.parse_move("C")?;
/// let line = best_line(&board, first, |board| Some(book.probe(board).ok()??.moves));
/// assert_eq!(line[..2], [first, board.parse_move("F")?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_line(
    board: &Board,
    first: Move,
    mut known: impl FnMut(&Board) -> Option<Vec<(Move, i32)>>,
) -> Vec<Move> {
    let (mut line, mut after) = (vec![first], *board);
    while let Some(&mv) = line.last()
        && after.play(mv).is_ok()
        && let Some(moves) = known(&after)
        && let Some(&(best, _)) = ranked(&after, moves).first()
    {
        line.push(best);
    }
    line
}

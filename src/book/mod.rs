//! Books of proofs: the exact margins of all moves of the positions that a game is likely to reach.
//!
//! A [`Book`] is read from a file, or is the one of Kalah(6,4) that is part of the program. A
//! [`BookBuild`] makes one with the solver: it walks from a start to the positions that best play reaches,
//! then to those after mistakes, the cheapest first (`build`), and solves each of them. [`merge_books`]
//! joins books, and [`verify_book`] solves positions again.
//!
//! A position is its houses as seen by the player to move, for stores only shift the margins. A file has
//! the positions sorted by their rank among all positions of the board, in blocks that can be read one by
//! one (`layout`); a position with all its moves takes some seven bytes. `docs/formats/books.md`
//! specifies it.

mod build;
mod error;
mod file;
mod layout;
mod line;
mod positions;
mod verify;

pub use build::{BookBuild, BookScope, BookStep};
pub use error::{BookError, BookFileError};
pub use file::{Book, BookEntry};
pub use line::{best_line, ranked};
pub use positions::merge_books;
pub use verify::{BookFault, BookReport, BookSample, verify_book};

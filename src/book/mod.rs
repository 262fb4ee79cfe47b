//! Books of proofs: the exact margins of all moves of the positions that a game is likely to reach.
//!
//! [`BookBuild`] builds one with the solver, [`Book`] reads it, [`merge_books`] joins several, and
//! [`verify_book`] solves positions again. `docs/book.md` specifies the file.

mod build;
mod entry;
mod error;
mod file;
mod layout;
mod merge;
mod verify;
mod walk;
mod writer;

pub use build::{BookBuild, BookStep};
pub use error::{BookError, BookFileError};
pub use file::{Book, BookEntry};
pub use merge::merge_books;
pub use verify::{BookFault, BookReport, BookSample, verify_book};
pub use walk::BookScope;

//! The positions that games of a match begin from.

mod book;
mod compact;
mod error;
mod file;
mod filter;
mod reachable;
mod settings;
mod walks;

pub use book::OpeningBook;
pub use error::{OpeningError, OpeningLineError};
pub use filter::MarginFilter;
pub use settings::{OpeningOrder, OpeningSettings, OpeningSource};

/// Positions of a source at most. Each takes 36 bytes, and twice as much again while the list is
/// made.
const MOST_POSITIONS: usize = 5_000_000;

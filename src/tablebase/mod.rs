//! Tables of exact gains: all positions with few seeds in the houses.
//!
//! ```
//! use kalah::board::{AnyPosition, Board, Capture};
//! use kalah::tablebase::Tablebase;
//!
//! let board = Board::from_fen("<4,5,6,0,1,0,2,1,0,0,1>", Capture::Standard)?;
//! let table = Tablebase::build(board.rules(), 5)?;
//! let AnyPosition::Narrow(_, position) = board.position() else { return Ok(()) };
//! let gain = table.gain(&position).ok_or("more seeds than in the table")?;
//! println!("South wins {gain} seeds more than North from here");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod error;
mod index;
mod table;
mod transpose;

pub use error::TablebaseError;
pub use index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, positions};
pub use table::Tablebase;

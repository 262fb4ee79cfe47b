//! Tables of exact gains: all positions with few seeds in the houses, in memory or in files.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use kalah::board::{AnyPosition, Board, Capture};
//! use kalah::tablebase::Tablebase;
//!
//! let board = Board::from_fen("<4,5,6,0,1,0,2,1,0,0,1>", Capture::Standard)?;
//! let table = Tablebase::build(board.rules(), 5, NonZeroUsize::MIN)?;
//! let AnyPosition::Narrow(_, position) = board.position() else { return Ok(()) };
//! let gain = table.gain(&position).ok_or("more seeds than in the table")?;
//! println!("South wins {gain} seeds more than North from here");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`TablebaseFiles`] are built once and then read where they lie, on the disk; `docs/tablebases.md`
//! describes them byte by byte.

mod definition;
mod error;
mod files;
mod generator;
mod index;
mod size;
mod table;
mod transpose;
mod workspace;

pub use definition::gains_of_moves;
pub use error::TablebaseError;
pub use files::{
    Amount, BuildNeeds, BuildProgress, BuildWatch, FileFault, SurveyedFile, TablebaseFiles,
    Verified, VerifyProgress, VerifyWatch, layer_bytes, survey, verify,
};
pub use index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, positions, positions_of_layer};
pub use size::{disk_to_build, memory_to_build, seeds_within};
pub use table::Tablebase;
pub(crate) use workspace::{BuildOutcome, TablebaseBuild};

//! Endgame tablebases: the exact gains of all positions with few seeds, in memory or in files.
//!
//! The *gain* of a position is what the player to move wins more than the opponent from there on, in seeds, with
//! best play. The final margin is the present store difference plus the gain.
//!
//! [`TablebaseFiles`] are read as they are probed; `docs/formats/tablebases.md` specifies their format.

mod error;
mod file_build;
mod generator;
mod index;
mod layer;
mod layout;
mod table;
mod table_files;
mod verify;

pub use error::{TablebaseError, TablebaseFileError};
pub use file_build::{BuildNeeds, BuildProgress};
pub use index::{
    MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, memory_to_build, positions, positions_of_layer, seeds_within,
};
pub use layout::layer_bytes;
pub(crate) use table::TablebaseBuild;
pub use table::{Tablebase, gains_of_moves};
pub use table_files::{SurveyedFile, TablebaseFiles, no_tables, survey, survey_file};
pub use verify::{Coverage, VerifyProgress, VerifyReport, verify};

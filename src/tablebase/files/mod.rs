//! Tablebases in files: one file for each layer.

mod build;
mod directory;
mod layer;
mod layout;
mod table_files;
mod verify;
mod writer;

pub use build::{BuildNeeds, BuildProgress};
pub use directory::{SurveyedFile, survey};
pub use layout::{disk_to_build, layer_bytes};
pub use table_files::TablebaseFiles;
pub use verify::{Coverage, VerifyProgress, VerifyReport, verify};

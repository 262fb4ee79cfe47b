//! Tablebases in files: one file for each layer.

mod build;
mod layer;
mod layout;
mod table_files;
mod verify;

pub use build::{BuildNeeds, BuildProgress};
pub use layout::{disk_to_build, layer_bytes};
pub use table_files::{SurveyedFile, TablebaseFiles, survey};
pub use verify::{Coverage, VerifyProgress, VerifyReport, verify};

//! What may go wrong in a training run.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use kalah::board::BoardError;
use kalah::search::{NetworkError, NetworkFileError, TableTooLarge};
use kalah::tablebase::TablebaseError;

/// Why a training run gave no network.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// A setting is invalid.
    #[error("{0}")]
    Config(String),
    /// Games cannot start from such a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The transposition table of a search does not fit in memory.
    #[error(transparent)]
    Search(#[from] TableTooLarge),
    /// The endgame table cannot be built.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The weights cannot be quantised.
    #[error(transparent)]
    Quantisation(#[from] NetworkError),
    /// The folder holds a run with other settings.
    #[error(
        "'{}' holds a training run with other settings; choose another folder or remove it",
        .0.display()
    )]
    OtherRun(PathBuf),
    /// The file of settings in the folder of a run is damaged.
    #[error("'{}' is damaged", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
    /// A file of the run cannot be read or written.
    #[error("'{}'", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file of samples or errors is damaged.
    #[error("'{}': {reason}; remove the file to make it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A network of an earlier generation cannot be read.
    #[error("'{}'", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: NetworkFileError,
    },
    /// Self-play gave no samples.
    #[error("no positions to learn from: games on this board are too short")]
    NoSamples,
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
}

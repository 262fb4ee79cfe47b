//! Why players cannot play.

use thiserror::Error;

use super::player::Fault;

/// Why a player cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The player cannot play.
    #[error("player '{name}': {reason}")]
    CannotPlay {
        /// The player.
        name: String,
        /// Why not.
        reason: String,
    },
    /// The player did not get ready.
    #[error("player '{name}': {fault}")]
    Unready {
        /// The player.
        name: String,
        /// What it did instead.
        fault: Fault,
    },
    /// There is no memory, no process or no file to be had for the player, who is not to blame.
    #[error("player '{name}': {reason}")]
    NoMeans {
        /// The player.
        name: String,
        /// What is missing.
        reason: String,
    },
    /// Somebody had enough of it before the player was ready.
    #[error("interrupted")]
    Interrupted,
}

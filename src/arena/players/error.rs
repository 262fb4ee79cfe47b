//! Why players cannot play.

use thiserror::Error;

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
    /// Somebody had enough of it before the player was ready.
    #[error("interrupted")]
    Interrupted,
}

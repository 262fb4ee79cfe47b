//! The text of the protocol, for both ends: lines to commands and back, replies to lines and back.
//! Pure: no I/O, no state.
//!
//! The specification is `protocol.md` at the top of the repository.

mod command;
mod error;
mod message;
mod reply;
mod written;

pub use command::{Command, Go, PositionBase, PositionCommand};
pub use error::ParseError;
pub use message::{EngineInfo, EngineMessage, EngineScore};
pub use reply::Reply;

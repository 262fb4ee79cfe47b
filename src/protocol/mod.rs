//! The text of the protocol, for engine and client: commands and replies to lines, and back. Nothing
//! here reads, writes or keeps state.
//!
//! `protocol.md` at the top of the repository specifies it.

mod command;
mod message;
mod parse;
mod reply;

pub use command::{Command, Go, PositionBase, PositionCommand};
pub use message::{EngineInfo, EngineMessage, EngineScore};
pub use parse::ParseError;
pub use reply::Reply;

//! The text of the protocol: lines to commands, replies to lines. Pure: no I/O, no state.
//!
//! The specification is `protocol.md` at the top of the repository.

mod command;
mod error;
mod reply;

pub use command::{Command, Go, PositionBase, PositionCommand};
pub use error::ParseError;
pub use reply::Reply;

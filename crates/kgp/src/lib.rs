//! The Kalah Game Protocol (KGP): a client that plays on a server, and a server for tournaments.
//!
//! The protocol is that of the public server go-kgp; `docs/manual/kgp.md` describes what of it is spoken.

mod client;
mod commands;
mod line;
mod line_stream;
mod process_usage;
mod server;
mod wide_board;

pub use client::{NotAServerAddress, ServerAddress, ThinkingTime};
pub use commands::KgpCommand;
pub use line::{Argument, Line, LineError, MAX_LINE};
pub use server::{Host, HostSettings, Ranked};
pub use wide_board::{WideBoard, WideBoardError, WidePlay};

//! The Kalah Game Protocol (KGP): a client that plays on a server, and a server for tournaments.
//!
//! The protocol is that of the public server go-kgp; `docs/manual/kgp.md` describes what of it is spoken.

mod client;
mod commands;
mod line;
mod line_reader;
mod server;
mod wide_board;

pub use client::{
    AgentIdentity, ClientError, ClientEvent, ClientMode, ClientSettings, GamesFileError, Goal,
    KGP_PORT, NotAServerAddress, RequestCounts, ServerAddress, run_client,
};
pub use commands::KgpCommand;
pub use line::{Argument, Line, LineError, MAX_LINE};
pub use server::{HostError, HostEvent, HostOutcome, HostSettings, HostedFormat, KgpHost};
pub use wide_board::{NotAWideBoard, WideBoard, WidePlay};

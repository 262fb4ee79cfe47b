//! Drives engines: programs that speak the protocol of [`kalah::protocol`] over pipes. They are not
//! trusted: they may send anything, hang or end.
//!
//! [`UciClient`] asks an engine for moves. [`EngineProcess`] below it sends and reads plain lines. The
//! programs end with this process, however it ends.

mod client;
mod declared_option;
mod engine_command;
mod process;
#[cfg_attr(windows, path = "process_job.rs")]
mod process_group;

pub use client::{REPLY_TIME, SearchAnswer, UciClient};
pub use declared_option::{DeclaredOption, OptionType};
pub use engine_command::{EngineCommand, NotACommand, UciError};
pub use process::{EngineProcess, ReadError};

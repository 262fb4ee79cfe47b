//! The engine: in this process as [`Engine`], and as a program that speaks the protocol ([`run`]).
//!
//! ```text
//!  stdin ──► reader thread ──lines──► protocol thread ──jobs──► search thread
//!                                      │   ▲   │                 │    locks the
//!  stdout ◄────────────────────────────┘   │   └─── StopToken ──►│    Engine while
//!                                          └──────── events ─────┘    it thinks
//! ```
//!
//! The *reader* thread reads lines, so that the process can end while a read is pending. The
//! *protocol* thread (`uci_loop`) carries out the commands one by one and alone writes to the output.
//! The *search* thread (`search_thread`) carries out one job at a time and sends back events. Each
//! `go` has a fresh [`StopToken`](crate::StopToken).
//!
//! A `go` takes this way: `crate::protocol::Command` is parsed, `uci_loop` checks it and starts
//! the clock, `search_thread` calls the `Engine`, which calls `think`: there the search, the
//! solver and the tables share the time.

mod book_result;
mod describe;
#[allow(clippy::module_inception)] // the field's word for both the module and the type
mod engine;
mod error;
mod game_solver;
mod logging;
mod options;
mod position;
mod reader;
mod search_thread;
mod skill;
mod solver_budget;
mod tables;
mod think;
mod uci_loop;

pub use engine::{Engine, EngineReport};
pub use error::{EngineError, UciLoopError};
pub use logging::{LogOutput, TRAFFIC_TARGET, set_log_level};
pub use options::{EngineOptions, OptionError, path_options};
#[doc(hidden)]
pub use reader::{InputLine, MAX_LINE, read_line};
pub use skill::{MAX_SKILL_LEVEL, Skill, skill_word};
#[doc(hidden)]
pub use solver_budget::expected_nodes;
pub use uci_loop::run;

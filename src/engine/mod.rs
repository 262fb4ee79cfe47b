//! The engine: in this process as [`Engine`], and as a program that speaks the protocol ([`run`]).
//!
//! ```text
//!  stdin ──► reader thread ──lines──► protocol thread ──requests──► search thread
//!                                      │   ▲   │                     │   owns the
//!  stdout ◄────────────────────────────┘   │   └───── StopToken ────►│   Engine
//!                                          └────────── events ───────┘
//! ```
//!
//! The *reader* thread reads lines, so that the process can end while a read is pending. The *protocol*
//! thread carries out the commands one by one and alone writes to the output. The *search* thread
//! carries out one request at a time: it changes options, forgets games, thinks and counts leaves. Each
//! `go` has a fresh [`StopToken`](crate::StopToken).

mod book_result;
#[allow(clippy::module_inception)] // the field's word for both the module and the type
mod engine;
mod error;
mod game_solver;
mod logging;
mod options;
mod position;
mod single_thread;
mod skill;
mod tables;
mod think;
mod uci_loop;

pub use engine::Engine;
pub use error::{EngineError, OptionError, UciLoopError};
#[doc(hidden)]
pub use game_solver::expected_nodes;
pub use logging::{LogOutput, TRAFFIC_TARGET, set_log_level};
pub use options::{EngineOptions, path_options};
pub use single_thread::SingleThreadLoop;
pub use skill::{MAX_SKILL_LEVEL, Skill, skill_elo, skill_word};
pub use uci_loop::run;

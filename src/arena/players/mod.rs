//! Whoever plays: searches of this crate, and programs that are never trusted.

mod builtin;
mod error;
mod player;
mod process;
mod program;
mod settings;
mod start;
mod time_control;

pub use error::StartError;
pub(super) use player::{Answer, GameSetup, Player, Task, Thought, Trouble};
pub use player::{Fault, FaultKind};
pub use process::end_all_programs;
pub(super) use process::{Process, Silence};
pub use settings::{EngineSettings, PartialPlayerSettings, PlayerSettings};
pub(super) use start::start;
pub(super) use time_control::GameClock;
pub use time_control::{ClockSettings, TimeControl};

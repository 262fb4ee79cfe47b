//! A Kalah engine as a library: boards, searches, exact values and the engine as a value.
#![doc = include_str!("../docs/library.md")]

#[cfg(feature = "arena")]
pub mod arena;
pub mod board;
pub mod engine;
#[cfg(feature = "lab")]
pub mod lab;
mod lock;
mod parallel;
pub mod protocol;
pub mod search;
pub mod solve;
mod stop;
mod sys;
pub mod tablebase;
#[cfg(feature = "training")]
pub mod training;

pub use stop::StopToken;
/// For the program, not for those who use the library.
#[doc(hidden)]
pub mod atomic_file;

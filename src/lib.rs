//! A Kalah engine as a library: boards, move generation and search.
#![doc = include_str!("../docs/library.md")]

pub mod arena;
pub mod board;
pub mod engine;
pub mod lab;
mod parallel;
pub mod protocol;
pub mod search;
pub mod solve;
mod stop;
mod sys;
pub mod tablebase;
pub mod training;

pub use stop::StopToken;
/// For the program, not for those who use the library.
#[doc(hidden)]
pub mod atomic_file;

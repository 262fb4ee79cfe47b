//! A Kalah engine as a library: boards, move generation and search.
#![doc = include_str!("../docs/library.md")]

pub mod arena;
pub mod board;
pub mod engine;
mod hints;
pub mod lab;
pub mod protocol;
pub mod search;
pub mod solve;
pub mod tablebase;
pub mod training;
/// For the program, not for those who use the library.
#[doc(hidden)]
pub mod whole_files;

//! The engine as WebAssembly: what a web worker runs in the place of a process (`README.md`).

#![cfg(target_family = "wasm")]

mod engine;

pub use engine::WebEngine;

//! Statistics and openings.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code, reason = "shared with other tests")]
#[path = "../../../../tests/support/boards.rs"]
mod boards;
#[path = "../../../../tests/support/reference.rs"]
mod reference;
#[path = "../../../../tests/support/runs.rs"]
mod runs;

mod davidson;
mod known_ratings;
mod openings;
mod statistics;

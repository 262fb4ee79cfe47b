//! What needs no processes: the parameters of a tuning run, the names of requirements, forms of lines.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod compliance;
mod live_lines;
mod protocol_names;
mod tuning;

//! The library against its rules, slower implementations and pinned figures: a file a subject.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../support/boards.rs"]
mod boards;
#[path = "../support/book_file.rs"]
mod book_file;
#[path = "../support/exact_values.rs"]
mod exact_values;
#[path = "../support/reference.rs"]
mod reference;
#[path = "../support/runs.rs"]
mod runs;
#[path = "../support/table_file.rs"]
mod table_file;

mod book;
mod book_files;
mod exact_data;
mod examples;
mod helpers;
mod host_files;
mod job_tree;
mod keys;
mod monte_carlo;
mod networks;
mod notation;
mod perft;
mod proof_files;
mod proof_number;
mod protocol_texts;
mod reference_games;
mod relay;
mod rules;
mod search;
mod solver;
mod tablebase;
mod tablebase_files;
mod transposition_table;
mod variants;

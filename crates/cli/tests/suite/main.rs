//! The program against its specification, as a process of its own: a file a subject.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code, reason = "shared with the tests of the library")]
#[path = "../../../../tests/support/book_file.rs"]
mod book_file;
#[cfg(unix)]
#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/contest.rs"]
mod contest;
#[path = "../../../../tests/support/exact_values.rs"]
mod exact_values;
#[cfg(unix)]
#[path = "../support/gui.rs"]
mod gui;
#[path = "../support/kgp.rs"]
mod kgp;
#[path = "../support/markup.rs"]
mod markup;
#[cfg(unix)]
#[path = "../support/page.rs"]
mod page;
#[path = "../../../../tests/support/runs.rs"]
mod runs;
#[cfg(unix)]
#[path = "../support/serve.rs"]
mod serve;
#[path = "../support/session.rs"]
mod session;
#[cfg(unix)]
#[path = "../support/site.rs"]
mod site;
#[cfg(unix)]
#[path = "../support/terminal.rs"]
mod terminal;

mod arena_faults;
mod arena_play;
mod arena_records;
mod arena_usage;
mod book_commands;
mod book_engine;
mod command_line;
#[cfg(unix)]
mod compliance;
mod compliance_tiers;
mod dataset_commands;
mod endings;
mod exact_play;
mod exam_command;
mod fair_command;
mod fuzz_targets;
mod game_text;
#[cfg(unix)]
mod gui_answers;
#[cfg(unix)]
mod gui_browser_access;
#[cfg(unix)]
mod gui_browser_faults;
#[cfg(unix)]
mod gui_browser_games;
#[cfg(unix)]
mod gui_browser_random;
#[cfg(unix)]
mod gui_browser_relay;
#[cfg(unix)]
mod gui_browser_rooms;
#[cfg(unix)]
mod gui_browser_site;
#[cfg(unix)]
mod gui_browser_sowing;
#[cfg(unix)]
mod gui_browser_start;
#[cfg(unix)]
mod gui_browser_views;
#[cfg(unix)]
mod gui_browser_words;
#[cfg(unix)]
mod gui_rooms;
#[cfg(unix)]
mod gui_server;
mod hostile_files;
mod hostile_input;
#[cfg(target_os = "linux")]
mod injected_faults;
mod install;
mod kgp_agents;
mod kgp_client;
mod kgp_client_faults;
mod kgp_server;
mod lab_commands;
mod logging;
mod merging;
mod play;
#[cfg(unix)]
mod play_terminal;
mod proof_commands;
mod protocol;
mod random_input;
mod ratings;
mod records;
mod report;
#[cfg(target_os = "linux")]
mod resource_limits;
mod review;
mod schemas;
#[cfg(unix)]
mod serve_answers;
#[cfg(unix)]
mod serve_limits;
mod shard_runner;
#[cfg(target_os = "linux")]
mod signals;
mod skill;
mod solve_command;
#[cfg(unix)]
mod store_add;
mod tablebase_commands;
mod tiny_engine;
mod tournament_config;
mod training;
mod transcripts;
mod tuning;
mod untrusted_text;
mod valuable_files;
mod watch;

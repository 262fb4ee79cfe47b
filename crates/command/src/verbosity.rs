//! How much is said on stderr: notes, progress and log lines.

use std::env;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::{ArgAction, Args};
use env_logger::{Builder, Target, WriteStyle};
use kalah::engine::{LogOutput, TRAFFIC_TARGET, set_log_level};
use kalah::printable::printable;
use log::LevelFilter;

/// Whether notes and progress are left out.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// The options of all commands about what is said on stderr.
#[derive(Args)]
pub struct Verbosity {
    /// Say nothing on stderr but errors: no notes, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Log more on stderr: what is going on; given twice, every line of the protocol
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
}

impl Verbosity {
    /// Installs the logger. What the environment variable `RUST_LOG` names goes before these options.
    pub fn apply(&self) {
        IS_QUIET.store(self.quiet, Relaxed);
        let level = match (self.quiet, self.verbose) {
            (true, _) => LevelFilter::Error,
            (false, 0) => LevelFilter::Warn,
            (false, 1) => LevelFilter::Info,
            (false, _) => LevelFilter::Debug,
        };
        init(level);
    }
}

/// Writes a line to stderr, without characters that a terminal would obey, unless the user wants none.
pub fn say(line: &str) {
    if !is_quiet() {
        let _ = writeln!(io::stderr(), "{}", printable(line));
    }
}

/// Whether notes and progress are left out.
pub fn is_quiet() -> bool {
    IS_QUIET.load(Relaxed)
}

/// Installs the logger.
fn init(level: LevelFilter) {
    let filters = filters_of_user();
    let level_of_user = builder(level, &filters).build().filter();
    let logger = builder(level, &filters)
        .filter_module(TRAFFIC_TARGET, LevelFilter::Debug)
        .target(Target::Pipe(Box::new(LogOutput)))
        // Colours are control characters, which `LogOutput` escapes.
        .write_style(WriteStyle::Never)
        .format_timestamp_millis()
        .try_init();
    if logger.is_ok() {
        set_log_level(level_of_user);
    }
}

fn builder(level: LevelFilter, filters: &str) -> Builder {
    let mut builder = Builder::new();
    builder.filter_level(level).parse_filters(filters);
    builder
}

/// The value of `RUST_LOG`, less what is not valid: the logger would name that on stderr each time
/// it reads it, even with `--quiet`.
fn filters_of_user() -> String {
    let value = env::var("RUST_LOG").unwrap_or_default();
    // After a slash comes a text that log lines must have.
    let (directives, wanted) = value.split_once('/').unwrap_or((value.as_str(), ""));
    if wanted.contains('/') {
        crate::say!("RUST_LOG: '{value}' has more than one '/' and is ignored");
        return String::new();
    }
    let (valid, invalid): (Vec<&str>, Vec<&str>) =
        directives.split(',').map(str::trim).partition(|directive| is_valid(directive));
    if !invalid.is_empty() {
        crate::say!("RUST_LOG: '{}' is not valid and is ignored", invalid.join(","));
    }
    let slash = if wanted.is_empty() { "" } else { "/" };
    format!("{}{slash}{wanted}", valid.join(","))
}

/// Whether a directive is a level, or a target with or without a level.
fn is_valid(directive: &str) -> bool {
    let level = directive.split_once('=').map_or("", |(_, level)| level.trim());
    level.is_empty() || level.parse::<LevelFilter>().is_ok()
}

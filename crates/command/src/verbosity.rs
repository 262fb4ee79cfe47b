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
        let mut filters = env::var("RUST_LOG").unwrap_or_default();
        if let Err(error) = env_filter::Builder::new().try_parse(&filters) {
            crate::say!("RUST_LOG is ignored: {error}");
            filters.clear();
        }
        let builder = || {
            let mut builder = Builder::new();
            builder.filter_level(level).parse_filters(&filters);
            builder
        };
        let level_of_user = builder().build().filter();
        let logger = builder()
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

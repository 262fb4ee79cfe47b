//! How much is said on stderr: notes, progress and log lines.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::{ArgAction, Args};
use env_logger::{Builder, Target, WriteStyle};
use kalah::engine::{LogOutput, TRAFFIC_TARGET, set_log_level};
use log::LevelFilter;

/// Whether notes and progress are left out.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// The options of all commands about what is said on stderr.
#[derive(Args)]
pub(super) struct Verbosity {
    /// Say nothing on stderr but errors: no notes, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Log more on stderr: what is going on; given twice, every line of the protocol
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
}

impl Verbosity {
    /// Installs the logger. What the environment variable `RUST_LOG` names goes before these options.
    pub(super) fn apply(&self) {
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

/// Whether notes and progress are left out.
pub(super) fn is_quiet() -> bool {
    IS_QUIET.load(Relaxed)
}

/// Installs the logger.
fn init(level: LevelFilter) {
    let level_of_user = from_environment(level).build().filter();
    let logger = from_environment(level)
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

fn from_environment(level: LevelFilter) -> Builder {
    let mut builder = Builder::new();
    builder.filter_level(level).parse_default_env();
    builder
}

//! The logger of the program.

use env_logger::{Builder, Target, WriteStyle};
use kalah::engine::{LogOutput, TRAFFIC_TARGET, set_log_level};
use log::LevelFilter;

/// Installs the logger: warnings and errors, or what the environment variable `RUST_LOG` names.
pub(super) fn init() {
    let level = from_environment().build().filter();
    let logger = from_environment()
        .filter_module(TRAFFIC_TARGET, LevelFilter::Debug)
        .target(Target::Pipe(Box::new(LogOutput)))
        // Colours are control characters, which `LogOutput` escapes.
        .write_style(WriteStyle::Never)
        .format_timestamp_millis()
        .try_init();
    if logger.is_ok() {
        set_log_level(level);
    }
}

fn from_environment() -> Builder {
    let mut builder = Builder::new();
    builder.filter_level(LevelFilter::Warn).parse_default_env();
    builder
}

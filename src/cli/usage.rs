//! What subcommands share: usage errors that clap cannot detect, and the number of threads.

use std::fmt::{self, Display};
use std::num::NonZeroUsize;
use std::thread;

/// A wrong argument that only the subcommand could detect. It is reported like clap's own errors,
/// with the usage of the subcommand and status 2.
#[derive(Debug)]
pub(crate) struct UsageError {
    /// The path from the program to the subcommand, as in `["tablebase", "probe"]`.
    pub(super) subcommand: Vec<String>,
    pub(super) message: String,
}

impl Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UsageError {}

/// The [`UsageError`] of a subcommand.
pub(super) fn wrong_usage(subcommand: &[&str], error: impl Display) -> UsageError {
    let subcommand = subcommand.iter().map(|&name| name.to_owned()).collect();
    UsageError { subcommand, message: error.to_string() }
}

/// The number of threads to use: that of the processors, or fewer on request.
pub(super) fn processors(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    threads.map_or(processors, |threads| threads.min(processors))
}

//! The `kalah` program: the engine on stdin and stdout, and its subcommands.

#[cfg_attr(
    not(all(
        feature = "arena",
        feature = "charts",
        feature = "lab",
        feature = "reports",
        feature = "training"
    )),
    allow(
        dead_code,
        unused_imports,
        reason = "some helpers serve only subcommands of these features"
    )
)]
mod cli;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

#[global_allocator]
static ALLOCATOR: cli::Allocator = cli::Allocator;

fn main() -> ExitCode {
    // Exits here with status 2 on wrong usage, and with 0 after help and version.
    let arguments = cli::Arguments::parse();
    match cli::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // The subcommand has printed everything.
            if error.is::<cli::Interrupted>() {
                return ExitCode::from(cli::INTERRUPTED);
            }
            if let Some(usage) = error.downcast_ref::<cli::UsageError>() {
                cli::report_usage_error(usage);
            }
            // All other errors of this type have a context.
            let is_bare = error.chain().len() == 1 && error.is::<io::Error>();
            let place = if is_bare { "cannot write the output: " } else { "" };
            let _ = writeln!(io::stderr(), "kalah: {place}{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
}

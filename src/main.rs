//! The `kalah` program: the engine on stdin and stdout, and its subcommands.

#[cfg_attr(
    not(all(
        feature = "arena",
        feature = "charts",
        feature = "lab",
        feature = "play",
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

use std::env;
use std::io::{self, ErrorKind, Write};
use std::process::{self, ExitCode};

use clap::Parser;
use kalah::printable::{is_printable, printable, printable_lines};

#[global_allocator]
static ALLOCATOR: cli::Allocator = cli::Allocator;

fn main() -> ExitCode {
    cli::end_without_signal_stacks();
    // Exits here with status 2 on wrong usage, and with 0 after help and version.
    let arguments = cli::Arguments::try_parse().unwrap_or_else(|error| {
        let words = env::args_os();
        if words
            .flat_map(|word| word.to_string_lossy().chars().collect::<Vec<_>>())
            .all(is_printable)
        {
            error.exit();
        }
        // The message may contain an argument, perhaps the name of a file, that a terminal would obey.
        let _ = write!(io::stderr(), "{}", printable_lines(&error.render().to_string()));
        process::exit(error.exit_code())
    });
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
            // It may contain names of files and texts of programs.
            let error = format!("{error:#}");
            let _ = writeln!(io::stderr(), "kalah: {place}{}", printable(&error));
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
}

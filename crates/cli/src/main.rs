//! The `kalah` program: the engine on stdin and stdout, and its subcommands.

mod arguments;
mod bench;
mod install;
mod perft;

use std::env;
use std::io::{self, ErrorKind, Write};
use std::process::{self, ExitCode};

use kalah::printable::{is_printable, printable, printable_lines};
use kalah_command::exit::{INTERRUPTED, Interrupted, UsageError};

fn main() -> ExitCode {
    let ended = match arguments::try_parse() {
        Ok(arguments) => arguments::run(arguments),
        // Wrong usage: status 2.
        Err(error) if error.use_stderr() => {
            let _ = print_message(&error);
            process::exit(error.exit_code())
        }
        // Help or the version was asked for, and is output like any other.
        Err(message) => print_message(&message).map_err(anyhow::Error::from),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // The subcommand has printed everything.
            if error.is::<Interrupted>() {
                return ExitCode::from(INTERRUPTED);
            }
            if let Some(usage) = error.downcast_ref::<UsageError>() {
                arguments::report_usage_error(usage);
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

fn print_message(message: &clap::Error) -> io::Result<()> {
    if env::args_os().all(|word| word.to_string_lossy().chars().all(is_printable)) {
        message.print()?;
        return io::stdout().flush();
    }
    // It may contain an argument, perhaps the name of a file, that a terminal would obey.
    let text = message.render().to_string();
    let text = printable_lines(&text);
    if message.use_stderr() {
        return write!(io::stderr(), "{text}");
    }
    let mut output = io::stdout();
    write!(output, "{text}")?;
    output.flush()
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use kalah_command::schemas::check;

    #[test]
    fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
        check::<super::perft::PerftJson>("perft", "kalah perft --json")?;
        check::<super::bench::BenchJson>("bench", "kalah bench --json")
    }
}

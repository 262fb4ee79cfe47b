//! The command line: the subcommands of all products, and the engine without one.

use std::env;
use std::io::{self, BufReader, IsTerminal};

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use kalah::engine;
use kalah_command::exit::UsageError;
use kalah_command::say;
use kalah_command::verbosity::Verbosity;

use crate::bench::Bench;
use crate::install::{CompletionsCommand, ManCommand};
use crate::perft::Perft;

/// The Kalah engine.
///
/// Without a subcommand it speaks its protocol, modelled on UCI, on standard input and output:
/// start it from a GUI, or try
///
///   printf 'position startpos moves C\ngo movetime 1000\n' | kalah
///
/// or one of its commands, such as
///
///   kalah play
///   kalah solve --seeds 3 --moves
///
/// The protocol is specified in protocol.md. Log lines go to standard error; `RUST_LOG=debug`
/// shows every line of the protocol. docs/manual/machines.md has the exit statuses of all commands.
#[derive(Parser)]
#[command(name = "kalah", version, verbatim_doc_comment)]
pub(crate) struct Arguments {
    #[command(flatten)]
    verbosity: Verbosity,

    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one of them")]
enum Subcommands {
    Perft(Perft),
    Bench(Bench),
    #[command(flatten)]
    Exact(kalah_exact::ExactCommand),
    #[cfg(feature = "dataset")]
    #[command(subcommand)]
    Dataset(kalah_dataset::DatasetCommand),
    #[cfg(feature = "exam")]
    Exam(kalah_exam::ExamCommand),
    #[cfg(feature = "gui")]
    Gui(kalah_gui::GuiCommand),
    #[cfg(feature = "serve")]
    Serve(kalah_serve::ServeCommand),
    #[cfg(feature = "serve")]
    #[command(subcommand)]
    Store(kalah_serve::StoreCommand),
    #[cfg(feature = "terminal")]
    Play(kalah_terminal::PlayCommand),
    #[cfg(feature = "kgp")]
    Kgp(kalah_kgp::KgpCommand),
    #[cfg(feature = "lab")]
    #[command(flatten)]
    Lab(kalah_lab::commands::LabCommand),
    #[cfg(feature = "review")]
    #[command(flatten)]
    Review(kalah_review::ReviewCommands),
    #[cfg(feature = "arena")]
    #[command(flatten)]
    Arena(kalah_arena::commands::ArenaCommand),
    Completions(CompletionsCommand),
    Man(ManCommand),
}

fn command_line() -> Command {
    with_joined_prose(unjoined_command_line())
}

fn unjoined_command_line() -> Command {
    with_negative_values(Arguments::command())
}

/// Reads the words of the command line.
///
/// # Errors
/// Returns an error on wrong usage, and when help or the version is asked for.
pub(crate) fn try_parse() -> Result<Arguments, clap::Error> {
    let mut command = unjoined_command_line();
    let matches = match command.try_get_matches_from_mut(env::args_os()) {
        // It alone shows descriptions: to join them takes as long as all the rest of a start.
        Err(error) if error.kind() == ErrorKind::DisplayHelp => command_line().try_get_matches()?,
        matches => matches?,
    };
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<()> {
    arguments.verbosity.apply();
    match arguments.command {
        Some(Subcommands::Perft(perft)) => perft.run(),
        Some(Subcommands::Bench(bench)) => bench.run(),
        Some(Subcommands::Exact(exact)) => exact.run(),
        #[cfg(feature = "dataset")]
        Some(Subcommands::Dataset(dataset)) => dataset.run(),
        #[cfg(feature = "exam")]
        Some(Subcommands::Exam(exam)) => exam.run(),
        #[cfg(feature = "gui")]
        Some(Subcommands::Gui(gui)) => gui.run(),
        #[cfg(feature = "serve")]
        Some(Subcommands::Serve(serve)) => serve.run(),
        #[cfg(feature = "serve")]
        Some(Subcommands::Store(store)) => store.run(),
        #[cfg(feature = "terminal")]
        Some(Subcommands::Play(play)) => play.run(),
        #[cfg(feature = "kgp")]
        Some(Subcommands::Kgp(kgp)) => kgp.run(),
        #[cfg(feature = "lab")]
        Some(Subcommands::Lab(lab)) => lab.run(),
        #[cfg(feature = "review")]
        Some(Subcommands::Review(review)) => review.run(),
        #[cfg(feature = "arena")]
        Some(Subcommands::Arena(arena)) => arena.run(),
        Some(Subcommands::Completions(completions)) => completions.run(command_line()),
        Some(Subcommands::Man(man)) => man.run(command_line()),
        None => {
            if io::stdin().is_terminal() {
                say!("This is the protocol of kalah: try 'd', 'go movetime 1000', 'quit'.");
                say!("See also 'kalah --help'.");
            }
            Ok(engine::run(BufReader::new(io::stdin()), io::stdout())?)
        }
    }
}

/// A usage error as clap reports its own.
pub(crate) fn report_usage_error(error: &UsageError) -> ! {
    let mut command = command_line();
    command.build();
    for name in &error.subcommand {
        if let Some(found) = command.find_subcommand(name) {
            command = found.clone();
        }
    }
    command.error(ErrorKind::ValueValidation, error).exit()
}

/// A negative number is a value that is out of range, not an unknown option.
fn with_negative_values(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        let takes_values = argument.get_action().takes_values();
        argument.allow_negative_numbers(takes_values)
    });
    command.mut_subcommands(with_negative_values)
}

/// Descriptions of commands are taken as they are written, for the sake of their examples, which are
/// indented lines. Their prose has the line breaks of the source, and is joined here into one line a
/// paragraph, so that it wraps at the width of the terminal.
fn with_joined_prose(mut command: Command) -> Command {
    if let Some(about) = command.get_long_about() {
        let about = joined_prose(&about.to_string());
        command = command.long_about(about);
    }
    command.mut_subcommands(with_joined_prose)
}

fn joined_prose(text: &str) -> String {
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut joined = String::new();
    let mut follows_prose = false;
    for line in text.lines() {
        if !joined.is_empty() {
            joined.push(if follows_prose && is_prose(line) { ' ' } else { '\n' });
        }
        joined.push_str(line);
        follows_prose = is_prose(line);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_examples_are_not() {
        let text =
            "Find it\n\nIt is found\nat once.\n\n  kalah find\n  kalah find --all\n\nThat\nis all.";
        let joined =
            "Find it\n\nIt is found at once.\n\n  kalah find\n  kalah find --all\n\nThat is all.";
        assert_eq!(joined_prose(text), joined);
        assert_eq!(joined_prose(joined), joined);
    }
}

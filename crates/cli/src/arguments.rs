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
use crate::help;
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
    help::with_joined_prose(Arguments::command())
}

/// Reads the words of the command line.
///
/// # Errors
/// Returns an error on wrong usage, and when help or the version is asked for.
pub(crate) fn try_parse() -> Result<Arguments, clap::Error> {
    let mut command = command_line();
    let matches = command.try_get_matches_from_mut(env::args_os())?;
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

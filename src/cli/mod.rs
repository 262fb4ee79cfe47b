//! The command line: one file a subcommand.

/// Writes a line to stderr, without characters that a terminal would obey, and ignores errors.
macro_rules! say {
    ($($text:tt)*) => {{
        if !$crate::cli::verbosity::is_quiet() {
            let line = format!($($text)*);
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!("{}\n", kalah::printable::printable(&line)),
            );
        }
    }};
}

mod allocator;
#[cfg(feature = "arena")]
mod arena;
mod bench;
mod book;
#[cfg(any(feature = "lab", feature = "arena"))]
#[cfg_attr(not(all(feature = "lab", feature = "reports")), allow(dead_code))]
mod chart;
mod exit;
#[cfg(feature = "gui")]
mod gui;
mod help;
mod install;
#[cfg(feature = "kgp")]
mod kgp;
#[cfg(feature = "lab")]
mod lab;
mod new_file;
mod options;
mod output;
mod perft;
#[cfg(feature = "play")]
mod play;
mod probed_board;
mod progress_bar;
#[cfg(feature = "review")]
mod review;
mod solve;
mod table;
mod tablebase;
#[cfg(all(feature = "arena", feature = "training"))]
mod train;
mod verbosity;
mod verify_proof;

use std::env;
use std::io::{self, BufReader, IsTerminal};

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use kalah::engine;

pub(crate) use allocator::{Allocator, end_without_signal_stacks};
pub(crate) use exit::{INTERRUPTED, Interrupted, UsageError};

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
#[command(version, verbatim_doc_comment)]
pub(crate) struct Arguments {
    #[command(flatten)]
    verbosity: verbosity::Verbosity,

    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Subcommand)]
enum Subcommands {
    Perft(perft::Perft),
    Bench(bench::Bench),
    Solve(solve::SolveCommand),
    VerifyProof(verify_proof::VerifyProof),
    Tablebase(tablebase::TablebaseCommand),
    Book(book::BookCommand),
    #[cfg(all(feature = "arena", feature = "training"))]
    Train(train::Train),
    #[cfg(feature = "gui")]
    Gui(gui::GuiCommand),
    #[cfg(feature = "play")]
    Play(play::PlayCommand),
    #[cfg(feature = "kgp")]
    // Its options take more room than those of other commands.
    Kgp(Box<kgp::KgpCommand>),
    #[cfg(feature = "lab")]
    Lab(lab::Lab),
    #[cfg(feature = "review")]
    Review(review::ReviewCommand),
    #[cfg(feature = "review")]
    Puzzles(review::PuzzlesCommand),
    #[cfg(feature = "arena")]
    Match(arena::MatchCommand),
    #[cfg(feature = "arena")]
    Tournament(arena::TournamentCommand),
    #[cfg(feature = "arena")]
    // Its options take more room than those of other commands.
    Tune(Box<arena::TuneCommand>),
    #[cfg(feature = "arena")]
    Games(arena::GamesCommand),
    #[cfg(feature = "arena")]
    Merge(arena::MergeCommand),
    #[cfg(feature = "arena")]
    Standing(arena::StandingCommand),
    #[cfg(feature = "arena")]
    Watch(arena::WatchCommand),
    #[cfg(feature = "arena")]
    Compliance(arena::ComplianceCommand),
    Completions(install::CompletionsCommand),
    Man(install::ManCommand),
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

/// Runs the subcommand, or the engine without one.
pub(crate) fn run(arguments: Arguments) -> anyhow::Result<()> {
    arguments.verbosity.apply();
    match arguments.command {
        Some(Subcommands::Perft(perft)) => perft.run(),
        Some(Subcommands::Bench(bench)) => bench.run(),
        Some(Subcommands::Solve(solve)) => solve.run(),
        Some(Subcommands::VerifyProof(verify)) => verify.run(),
        Some(Subcommands::Tablebase(tablebase)) => tablebase.run(),
        Some(Subcommands::Book(book)) => book.run(),
        #[cfg(all(feature = "arena", feature = "training"))]
        Some(Subcommands::Train(train)) => train.run(),
        #[cfg(feature = "gui")]
        Some(Subcommands::Gui(gui)) => gui.run(),
        #[cfg(feature = "play")]
        Some(Subcommands::Play(play)) => play.run(),
        #[cfg(feature = "kgp")]
        Some(Subcommands::Kgp(kgp)) => kgp.run(),
        #[cfg(feature = "lab")]
        Some(Subcommands::Lab(lab)) => lab.run(),
        #[cfg(feature = "review")]
        Some(Subcommands::Review(review)) => review.run(),
        #[cfg(feature = "review")]
        Some(Subcommands::Puzzles(puzzles)) => puzzles.run(),
        #[cfg(feature = "arena")]
        Some(Subcommands::Match(contest)) => contest.run(),
        #[cfg(feature = "arena")]
        Some(Subcommands::Tournament(tournament)) => tournament.run(),
        #[cfg(feature = "arena")]
        Some(Subcommands::Tune(tune)) => tune.run(),
        #[cfg(feature = "arena")]
        Some(Subcommands::Games(games)) => games.run(),
        #[cfg(feature = "arena")]
        Some(Subcommands::Merge(merge)) => merge.run(),
        #[cfg(feature = "arena")]
        Some(Subcommands::Standing(standing)) => standing.run(),
        #[cfg(feature = "arena")]
        Some(Subcommands::Watch(watch)) => watch.run(),
        #[cfg(feature = "arena")]
        Some(Subcommands::Compliance(compliance)) => compliance.run(),
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

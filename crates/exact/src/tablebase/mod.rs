//! `kalah tablebase`: one file a subcommand.

mod build;
mod common;
pub(crate) mod info;
mod probe;
pub(crate) mod verify;

use clap::{Args, Subcommand};

/// Build and use endgame tablebases
///
/// A tablebase holds the exact gain of every position up to a number of seeds in the houses: what
/// the player to move wins more than the opponent from there on, with best play of both sides.
///
///   kalah tablebase build tables --seeds 16
///   kalah tablebase info tables
///   kalah tablebase verify tables
///   kalah tablebase probe tables --fen '<6,29,29,0,0,2,1,3,2,0,1,2,0,2,1>'
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct TablebaseCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Build(build::BuildCommand),
    Info(info::InfoCommand),
    Verify(verify::VerifyCommand),
    Probe(probe::ProbeCommand),
}

impl TablebaseCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Build(command) => command.run(),
            Action::Info(command) => command.run(),
            Action::Verify(command) => command.run(),
            Action::Probe(command) => command.run(),
        }
    }
}

//! `kalah book`: one file a subcommand.

mod build;
pub(crate) mod contents;
pub(crate) mod verify;

use clap::{Args, Subcommand};

/// Build and use books of proofs
///
/// A book holds the exact margins of all moves of many positions: those that the best play from a start
/// reaches, and then those that follow from mistakes.
///
///   kalah book build kalah.kbk --plies 6
///   kalah book info kalah.kbk
///   kalah book verify kalah.kbk --sample 100
///   kalah book probe kalah.kbk '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S'
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct BookCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Build(build::BuildBook),
    Merge(build::MergeBooks),
    Info(contents::BookInfo),
    Probe(contents::ProbeBook),
    Verify(verify::VerifyBook),
}

impl BookCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Build(command) => command.run(),
            Action::Merge(command) => command.run(),
            Action::Info(command) => command.run(),
            Action::Probe(command) => command.run(),
            Action::Verify(command) => command.run(),
        }
    }
}

//! The commands for exact values: `kalah solve`, `verify-proof`, `tablebase` and `book`.

#![allow(clippy::missing_errors_doc, reason = "the errors of commands are sentences for people")]
#![allow(missing_docs, reason = "what a command does is the text of its help")]

mod book;
mod probed_board;
mod solve;
mod tablebase;
mod verify_proof;

use clap::Subcommand;

use book::BookCommand;
use solve::SolveCommand;
use tablebase::TablebaseCommand;
use verify_proof::VerifyProof;

pub use solve::survey;

/// The commands of this crate.
#[derive(Subcommand)]
pub enum ExactCommand {
    Solve(SolveCommand),
    VerifyProof(VerifyProof),
    Tablebase(TablebaseCommand),
    Book(BookCommand),
}

impl ExactCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            ExactCommand::Solve(command) => command.run(),
            ExactCommand::VerifyProof(command) => command.run(),
            ExactCommand::Tablebase(command) => command.run(),
            ExactCommand::Book(command) => command.run(),
        }
    }
}

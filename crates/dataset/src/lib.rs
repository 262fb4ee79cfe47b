//! `kalah dataset`: positions with the exact values of all moves, as Parquet.
//!
//! `draw` plays games and takes positions of them, `build` has them solved and writes them in shards, `verify` solves
//! some of them again.

#![allow(missing_docs, reason = "what a command does is the text of its help")]

mod build;
mod counts;
mod draw;
mod row;
mod settings;
mod shard;
mod sums;
mod verify;

use clap::Subcommand;

use build::BuildCommand;
use verify::VerifyCommand;

/// Make positions with exact values, for training and research
///
/// A dataset is a directory of Parquet files. Each row is a position with the exact margin of every move.
///
///   kalah dataset build positions --positions 10000
///   kalah dataset verify positions
#[derive(Subcommand)]
#[command(verbatim_doc_comment)]
pub enum DatasetCommand {
    Build(BuildCommand),
    Verify(VerifyCommand),
}

kalah_command::run_subcommands!(DatasetCommand { Build, Verify });

#[cfg(test)]
mod tests {
    use kalah_command::schemas::check;

    #[test]
    fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
        check::<super::counts::BuiltJson>("dataset-build", "kalah dataset build --json")?;
        check::<super::verify::VerifiedJson>("dataset-verify", "kalah dataset verify --json")
    }
}

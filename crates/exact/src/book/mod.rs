//! `kalah book`: one file a subcommand.

mod build;
pub(crate) mod contents;
pub(crate) mod verify;

use clap::Subcommand;

/// Build and use books of proofs
///
/// A book holds the exact margins of all moves of many positions: those that the best play from a start
/// reaches, and then those that follow from mistakes.
///
///   kalah book build kalah.kbk --plies 6
///   kalah book info kalah.kbk
///   kalah book verify kalah.kbk --sample 100
///   kalah book probe kalah.kbk '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S'
#[derive(Subcommand)]
#[command(verbatim_doc_comment)]
pub enum BookCommand {
    Build(build::BuildBook),
    Merge(build::MergeBooks),
    Info(contents::BookInfo),
    Probe(contents::ProbeBook),
    Verify(verify::VerifyBook),
}

kalah_command::run_subcommands!(BookCommand { Build, Merge, Info, Probe, Verify });

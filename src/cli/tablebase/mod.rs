//! `kalah tablebase`: one file a subcommand, on what they have in common.

mod build;
mod info;
mod probe;
mod progress;
mod rules;
mod verify;

use std::path::Path;

use anyhow::bail;
use clap::{Args, Subcommand};
use kalah::tablebase::TablebaseError;

use super::usage::wrong_usage;

/// Build and use endgame tablebases
///
/// A tablebase has the exact gain of every position with at most so many seeds in the houses: what
/// the player to move wins more than the other one from there on, with best play of both.
///
///   kalah tablebase build tables --seeds 16
///   kalah tablebase info tables
///   kalah tablebase verify tables
///   kalah tablebase probe tables --fen '<6,29,29,0,0,2,1,3,2,0,1,2,0,2,1>'
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Tablebase {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Build(build::Build),
    Info(info::Info),
    Verify(verify::Verify),
    Probe(probe::Probe),
}

impl Tablebase {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Build(build) => build.run(),
            Action::Info(info) => info.run(),
            Action::Verify(verify) => verify.run(),
            Action::Probe(probe) => probe.run(),
        }
    }
}

/// The error of a table as the command line sees it: some come of wrong sizes.
fn explained(action: &str, error: TablebaseError) -> anyhow::Error {
    match error {
        TablebaseError::Houses(_) | TablebaseError::Seeds(_) => {
            wrong_usage(&["tablebase", action], error).into()
        }
        _ => error.into(),
    }
}

/// Names all that is wrong with files.
fn refuse(
    directory: &Path,
    faults: impl IntoIterator<Item = TablebaseError>,
) -> anyhow::Result<()> {
    let mut count = 0;
    for fault in faults {
        say!("{:#}", anyhow::Error::from(fault));
        count += 1;
    }
    match count {
        0 => Ok(()),
        1 => bail!("a file in '{}' is bad", directory.display()),
        _ => bail!("{count} files in '{}' are bad", directory.display()),
    }
}

/// A number of bytes, for people.
fn bytes_text(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes as f64;
    let mut unit = "bytes";
    for larger in units {
        if amount < 1024.0 {
            break;
        }
        amount /= 1024.0;
        unit = larger;
    }
    if unit == "bytes" { format!("{bytes} bytes") } else { format!("{amount:.1} {unit}") }
}

//! `kalah tablebase`: one file a subcommand.

mod build;
pub(crate) mod info;
mod probe;
pub(crate) mod verify;

use std::fmt::Write;
use std::path::Path;

use anyhow::{Chain, bail};
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use kalah::tablebase::{SurveyedFile, TablebaseError, survey};
use kalah_command::exit::wrong_usage;
use kalah_command::progress_bar::styled_bar;
use kalah_command::say;

/// Build and use endgame tablebases
///
/// A tablebase holds the exact gain of every position up to a number of seeds in the houses: what
/// the player to move wins more than the opponent from there on, with best play of both sides.
///
///   kalah tablebase build tables --seeds 16
///   kalah tablebase info tables
///   kalah tablebase verify tables
///   kalah tablebase probe tables --fen '<6,29,29,0,0,2,1,3,2,0,1,2,0,2,1>'
#[derive(Subcommand)]
#[command(verbatim_doc_comment)]
pub enum TablebaseCommand {
    Build(build::BuildCommand),
    Info(info::InfoCommand),
    Verify(verify::VerifyCommand),
    Probe(probe::ProbeCommand),
}

kalah_command::run_subcommands!(TablebaseCommand { Build, Info, Verify, Probe });

/// A bar on stderr, if that is a terminal: positions, positions a second, and the time left.
fn progress_bar(total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{bar:30} {percent}% of {human_len} positions, {speed}, {eta} left  {msg}",
    );
    let speed = |state: &ProgressState, text: &mut dyn Write| {
        let _ = write!(text, "{:.1} M/s", state.per_sec() / 1e6);
    };
    styled_bar(ProgressBar::new(total), style.map(|style| style.with_key("speed", speed)))
}

fn show_progress(bar: &ProgressBar, done: u64, layer: u32) {
    bar.set_position(done);
    bar.set_message(format!("layer {layer}"));
}

/// Turns sizes out of range, which come from the arguments, into usage errors of a subcommand.
fn with_usage(subcommand: &str, error: TablebaseError) -> anyhow::Error {
    match error {
        TablebaseError::Houses(_) | TablebaseError::Seeds(_) => {
            wrong_usage(&["tablebase", subcommand], error).into()
        }
        _ => error.into(),
    }
}

/// The files of a directory; an error if there are none.
fn survey_tables(subcommand: &str, directory: &Path) -> anyhow::Result<Vec<SurveyedFile>> {
    let files = survey(directory).map_err(|error| with_usage(subcommand, error))?;
    if files.is_empty() {
        bail!("there are no tables in '{}'", directory.display());
    }
    Ok(files)
}

/// What is wrong, with its cause: an error of a file names only the file.
fn fault(error: &TablebaseError) -> String {
    Chain::new(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Prints the errors of files, a line each, and returns an error if there are any.
fn report_bad_files(
    directory: &Path,
    errors: impl IntoIterator<Item = TablebaseError>,
) -> anyhow::Result<()> {
    let (mut count, mut missing) = (0, 0);
    for error in errors {
        count += 1;
        missing += usize::from(matches!(error, TablebaseError::MissingLayer { .. }));
        say!("{}", fault(&error));
    }
    let fault = match missing {
        0 => "bad",
        _ if missing == count => "missing",
        _ => "bad or missing",
    };
    match count {
        0 => Ok(()),
        1 => bail!("a file in '{}' is {fault}", directory.display()),
        _ => bail!("{count} files in '{}' are {fault}", directory.display()),
    }
}

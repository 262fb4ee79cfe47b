//! Subcommands that read records of games, and what they share with those that write them.

#![allow(clippy::missing_errors_doc, reason = "the errors of commands are sentences for people")]
#![allow(missing_docs, reason = "what a command does is the text of its help")]

mod game_view;
mod games;
mod games_log;
mod merge;
mod merged_records;
mod record_follower;
mod report;
mod report_charts;
mod standing;
mod standings_html;
mod standings_json;
mod standings_text;
mod text_games;
mod watch;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Subcommand;

use kalah_command::new_file::NewFile;
use kalah_command::say;

use games::GamesCommand;
pub use games_log::GamesLog;
use merge::MergeCommand;
pub use report::Report;
use standing::StandingCommand;
pub use standing::print_standings;
pub use standings_html::{cross_table, standings_table};
pub use standings_json::{RatedPlayers, StandingsJson, UNDETERMINED};
pub use standings_text::{estimate, margin, percent};
pub use text_games::{TextGames, read_games_file, read_whole_games};
use watch::WatchCommand;

/// The warning about a record whose writer was interrupted.
fn torn_warning(path: &Path) -> String {
    format!("'{}' ends with an incomplete game, which is ignored", path.display())
}

/// Ends a command that has left out games: says why, and fails with the last reason.
pub fn fail_if_left_out(mut left_out: Vec<impl Display>) -> anyhow::Result<()> {
    let Some(last) = left_out.pop() else { return Ok(()) };
    for reason in &left_out {
        say!("{reason}");
    }
    bail!("{last}")
}

/// Checks that an output file would not replace a record, which need not exist yet.
pub fn reject_record_path(file: &NewFile, what: &str, records: &[PathBuf]) -> anyhow::Result<()> {
    if records.iter().any(|record| file.is(record)) {
        bail!("'{}' cannot be both record and {what}", file.path().display());
    }
    Ok(())
}

/// An output file that can be written, and would not replace a record.
pub fn new_file(path: &Path, what: &str, records: &[PathBuf]) -> anyhow::Result<NewFile> {
    let file = NewFile::create(path)?;
    reject_record_path(&file, what, records)?;
    Ok(file)
}

/// The commands that read records.
#[derive(Subcommand)]
pub enum RecordsCommand {
    Games(GamesCommand),
    Merge(MergeCommand),
    Standing(StandingCommand),
    Watch(WatchCommand),
}

kalah_command::run_subcommands!(RecordsCommand { Games, Merge, Standing, Watch });

#[cfg(test)]
mod tests {
    use kalah_command::schemas::{check, check_line};

    #[test]
    fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
        let standing = "kalah standing --json, kalah match --json, kalah tournament --json";
        check::<super::StandingsJson>("standing", standing)?;
        check::<super::standing::CountsJson>("counts", "kalah standing --counts --json")?;
        check::<super::merge::MergedJson>("merge", "kalah merge --json")?;
        let record = "A line of a record of games, which kalah games --json prints";
        check_line::<crate::GameRecord>("record", record)
    }
}

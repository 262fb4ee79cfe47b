//! Subcommands for games between players: playing, recording and reporting them.

mod compliance;
mod config_file;
mod dry_run;
mod expected_time;
mod game_formats;
mod game_options;
mod games;
#[cfg(feature = "reports")]
mod games_log;
mod live_lines;
mod merge;
mod play;
mod progress;
#[cfg(feature = "reports")]
mod report;
#[cfg(feature = "reports")]
mod report_charts;
#[cfg(feature = "reports")]
mod report_tables;
mod standing;
mod standings_json;
mod standings_text;
mod text_games;
mod tournament;
mod tune;
mod tune_output;
mod watch;

use std::path::Path;
#[cfg(any(feature = "lab", feature = "reports"))]
use std::path::PathBuf;

#[cfg(any(feature = "lab", feature = "reports"))]
use anyhow::bail;

#[cfg(any(feature = "lab", feature = "reports"))]
use super::new_file::NewFile;

pub(super) use compliance::ComplianceCommand;
#[cfg(feature = "lab")]
pub(super) use expected_time::ExpectedTime;
#[cfg(feature = "lab")]
pub(super) use game_options::SeriesOptions;
pub(super) use games::GamesCommand;
pub(super) use merge::MergeCommand;
#[cfg(any(feature = "lab", feature = "training"))]
pub(super) use play::play;
#[cfg(feature = "training")]
pub(super) use play::print_standings;
pub(super) use standing::StandingCommand;
#[cfg(any(feature = "kgp", feature = "training"))]
pub(super) use standings_json::StandingsJson;
#[cfg(feature = "kgp")]
pub(super) use standings_text::standings_text;
#[cfg(feature = "lab")]
pub(super) use standings_text::{UNDETERMINED, game_text, margin, percent};
#[cfg(any(feature = "play", feature = "review"))]
pub(super) use text_games::read_games_file;
pub(super) use tournament::{MatchCommand, TournamentCommand};
pub(super) use tune::TuneCommand;
pub(super) use watch::WatchCommand;

/// The warning about a record whose writer was interrupted.
fn torn_warning(path: &Path) -> String {
    format!("'{}' ends with an incomplete game, which is ignored", path.display())
}

/// Checks that an output file would not replace a record, which need not exist yet.
#[cfg(any(feature = "lab", feature = "reports"))]
pub(super) fn spare_records(file: &NewFile, records: &[PathBuf]) -> anyhow::Result<()> {
    let path = file.path().display();
    if records.iter().any(|record| file.is(record)) {
        bail!("'{path}' cannot be both record and report");
    }
    Ok(())
}

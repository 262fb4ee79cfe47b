//! Subcommands for games between players: playing, recording and reporting them.

mod compliance;
mod game_formats;
mod game_options;
mod games;
mod merge;
mod play;
mod progress;
#[cfg(feature = "reports")]
mod report;
#[cfg(feature = "reports")]
mod report_charts;
mod standing;
mod standings_text;
mod text_games;
mod tournament;
mod tune;
mod tune_output;

use std::path::Path;

pub(super) use compliance::ComplianceCommand;
pub(super) use games::GamesCommand;
pub(super) use merge::MergeCommand;
#[cfg(feature = "training")]
pub(super) use play::play;
pub(super) use standing::StandingCommand;
#[cfg(feature = "review")]
pub(super) use text_games::read_games_file;
pub(super) use tournament::{MatchCommand, TournamentCommand};
pub(super) use tune::TuneCommand;

/// The warning about a record whose writer was interrupted.
fn torn_warning(path: &Path) -> String {
    format!("'{}' ends with an incomplete game, which is ignored", path.display())
}

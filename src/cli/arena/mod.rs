//! Games between players on the command line.

mod compliance;
mod game_boards;
mod game_list;
mod game_rows;
mod game_text;
mod games;
mod merge;
mod play;
mod report;
mod report_charts;
mod standing;
mod standing_text;
mod tournament;

use std::path::Path;

pub(super) use compliance::ComplianceCommand;
pub(super) use games::GamesCommand;
pub(super) use merge::MergeCommand;
pub(super) use play::play;
pub(super) use standing::StandingCommand;
pub(super) use tournament::{MatchCommand, TournamentCommand};

/// What is said of a record whose writer was broken off.
fn torn(path: &Path) -> String {
    format!("'{}' ends with part of a game, which is left out", path.display())
}

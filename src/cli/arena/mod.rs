//! Games between players on the command line.

mod contest;
mod match_players;
mod play;
mod report;
mod report_charts;
mod standing;
mod standing_text;
mod tournament;

pub(super) use match_players::Match;
pub(crate) use play::Interrupted;
pub(super) use standing::Standing;
pub(super) use tournament::Tournament;

//! Games between players on the command line.

mod compliance;
mod contest;
mod match_players;
mod play;
mod standing_text;
mod tournament;

pub(super) use compliance::Compliance;
pub(super) use match_players::Match;
pub(crate) use play::Interrupted;
pub(super) use tournament::Tournament;

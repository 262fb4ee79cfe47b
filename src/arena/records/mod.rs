//! What is kept of games: lines of JSON in files, read, written, picked out and joined.

mod difference;
mod effort;
mod error;
mod file;
mod filter;
mod game_record;
mod games;
mod merge;

pub use difference::Difference;
pub(super) use difference::differ;
pub use effort::MoveStats;
pub use error::RecordError;
pub(super) use file::RecordFile;
pub use file::lock_record;
pub use filter::{GameFilter, GameRange, InvalidGameRange, PlayerOutcome, UnknownValue};
pub use game_record::{
    Conditions, GameRecord, GameResult, GameTime, MoveRecord, ScoreBound, Seat, Termination,
};
pub use games::{RecordedGames, is_record, read_games};
pub use merge::{MergeError, MergedRecords};

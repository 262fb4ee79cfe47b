//! Matches and tournaments between players: searches of this crate, and programs that speak the
//! protocol.
//!
//! A [`Tournament`] has a [format](TournamentFormat), by which the number of a game determines its
//! players and its opening. Several games are played at a time, each by a game runner with players
//! of its own: it starts them, and a referee asks them for moves in turn and checks the moves. A
//! finished game is written to disk as a [`GameRecord`] and counted in the [`Standings`];
//! [`statistics`] computes ratings and tests from them.

mod adjudication;
pub mod compliance;
mod context;
mod game_runner;
mod key_values;
mod openings;
mod players;
mod recorded;
mod records;
mod referee;
mod run;
mod schedule;
mod sequential_test;
mod standing;
pub mod statistics;
mod tournament;

pub use adjudication::{MAX_PROVEN_SEEDS, ResignRule};
pub use key_values::SettingsError;
pub use openings::{
    MarginFilter, OpeningBook, OpeningError, OpeningLineError, OpeningOrder, OpeningSettings,
    OpeningSource,
};
pub use players::{
    ClockSettings, EngineSettings, Fault, FaultKind, PartialPlayerSettings, PlayerSettings,
    StartError, TimeControl, end_all_programs,
};
pub use recorded::{Entrant, RecordedTournament};
pub use records::{
    Conditions, Difference, GameFilter, GameRange, GameRecord, GameResult, GameTime,
    InvalidGameRange, MergeError, MergedRecords, MoveRecord, MoveStats, PlayerOutcome, RecordError,
    RecordedGames, ScoreBound, Seat, Termination, UnknownValue, is_record, lock_record, read_games,
};
pub use run::{TournamentEnd, TournamentEvent, TournamentObserver, TournamentOutcome};
pub use schedule::{Shard, TournamentFormat};
pub use sequential_test::SequentialTest;
pub use standing::{GameSummary, Standings};
pub use tournament::{ArenaError, Tournament};

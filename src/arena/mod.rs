//! Games between players: searches of this crate, and programs that speak the protocol.
//!
//! A [`Tournament`] has a [schedule](TournamentFormat): the number of a game says who plays whom from which
//! opening. Games are played several at a time, each in a *slot* with players of its own. A slot
//! starts players and sits them down; a referee asks them in turn and checks what they answer. A
//! finished game becomes a [`GameRecord`], is written to disk, and counts in the [`Standings`].
//! [`statistics`] judges it.

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

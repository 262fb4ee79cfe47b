//! Games between players: searches of this crate, and programs that speak the protocol.
//!
//! A [`Tournament`] has a [schedule](Format): the number of a game says who plays whom from which
//! opening. Games are played several at a time, each in a *slot* with players of its own. A slot
//! starts players and sits them down; a referee asks them in turn and checks what they answer. A
//! finished game becomes a [`GameRecord`], is written to disk, and counts in the [`Standing`].
//! [`statistics`] judges it.

mod adjudication;
mod builtin;
pub mod compliance;
mod difference;
mod effort;
mod game_filter;
mod game_record;
mod games;
mod history;
mod interrupt;
mod key_values;
mod merge;
mod openings;
mod player;
mod player_settings;
mod process;
mod process_player;
mod record_file;
mod recorded;
mod referee;
mod schedule;
mod sequential_test;
mod slot;
mod standing;
pub mod statistics;
mod time_control;
mod tournament;

pub use adjudication::{MAX_PROVEN_SEEDS, Resign};
pub use difference::Difference;
pub use effort::Effort;
pub use game_filter::{GameFilter, GameRange, NoGameRange, PlayerOutcome, UnknownWord};
pub use game_record::{
    Conditions, GameRecord, GameResult, GameTime, MoveRecord, Reason, ScoreBound, Seat,
};
pub use games::{Games, read_games};
pub use interrupt::Interrupt;
pub use key_values::SettingsError;
pub use merge::{Merge, MergeError};
pub use openings::{
    MarginFilter, OpeningBook, OpeningError, OpeningLineError, OpeningOrder, OpeningSettings,
    OpeningSource,
};
pub use player::{Fault, FaultKind};
pub use player_settings::{EngineSettings, PlayerSettings, PlayerWords};
pub use process::end_all_programs;
pub use record_file::{RecordError, lock_record};
pub use recorded::{Entrant, RecordedTournament};
pub use schedule::{Format, NoShard, Shard, UnknownFormat};
pub use sequential_test::SequentialTest;
pub use standing::{GameSummary, Standing};
pub use time_control::{ClockSettings, TimeControl};
pub use tournament::{ArenaError, Ending, Event, Outcome, Tournament, Watch};

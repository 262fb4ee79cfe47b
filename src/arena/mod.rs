//! Games between players: referee, schedule, records and statistics.

mod adjudication;
mod builtin;
pub mod compliance;
mod game_record;
mod interrupt;
mod key_values;
mod openings;
mod player;
mod player_settings;
mod process;
mod process_player;
mod record_file;
mod referee;
mod schedule;
mod sequential_test;
mod slot;
mod standing;
pub mod statistics;
mod time_control;
mod tournament;

pub use adjudication::{MAX_PROVEN_SEEDS, Resign};
pub use game_record::{
    Conditions, GameRecord, GameResult, GameTime, MoveRecord, Reason, ScoreBound, Seat,
};
pub use interrupt::Interrupt;
pub use key_values::SettingsError;
pub use openings::{
    MarginFilter, OpeningBook, OpeningError, OpeningLineError, OpeningOrder, OpeningSettings,
    OpeningSource,
};
pub use player::{Fault, FaultKind};
pub use player_settings::{EngineSettings, PlayerSettings, PlayerWords};
pub use record_file::{Games, RecordError, read_games};
pub use schedule::{Format, NoShard, Shard, UnknownFormat};
pub use sequential_test::SequentialTest;
pub use standing::{GameSummary, Standing};
pub use time_control::{ClockSettings, TimeControl};
pub use tournament::{ArenaError, Ending, Event, Outcome, Tournament, Watch};

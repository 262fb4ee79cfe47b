//! Records of games between engines: what they are played by, how they are kept, and what follows from them.
//!
//! Nothing is played here. A [`GameRecord`] is a line of JSON with a game and the [`Conditions`] of its
//! tournament. A [`RecordedTournament`] is read from files of them, and has [`Standings`];
//! [`statistics`] computes ratings and tests from these.
//!
//! ```
//! use kalah_records::{GameSummary, Standings, Termination};
//!
//! let mut standings = Standings::new(vec!["new".to_owned(), "old".to_owned()]);
//! for (game, players, half_points) in [(1, [0, 1], 2), (2, [1, 0], 1)] {
//!     let (margin, plies, reason) = (None, 30, Termination::Resigned);
//!     standings.add(GameSummary { game, players, half_points, margin, plies, reason });
//! }
//! assert_eq!(standings.total(0).score(), 0.75);
//! assert_eq!(standings.pairs(0, 1).pairs(), 1);
//! ```

#[cfg(not(target_family = "wasm"))]
pub mod commands;
mod key_values;
mod openings;
mod player_settings;
mod recorded;
mod records;
mod schedule;
mod standings;
pub mod statistics;
mod termination;
mod time_control;

pub use key_values::{KeyValues, SettingsError};
pub use openings::{
    MarginFilter, OpeningBook, OpeningError, OpeningOrder, OpeningSettings, OpeningSource, shuffle,
};
pub use player_settings::{EngineSettings, PartialPlayerSettings, PlayerSettings, sets_board};
pub use recorded::{Entrant, RecordedTournament};
pub use records::{
    Conditions, GameRecord, GameResult, GameTime, JsonLine, JsonLines, LinesFile, MoveRecord,
    RecordError, RecordedGames, ReplayError, ScoreBound, Seat, append_text, bound_mark, date_tags,
    ends_within_a_line, game_of_record, games_from_text, lock_record, read_lines, require_equal,
};
pub use schedule::{Pairing, Schedule, TournamentFormat};
pub use standings::{GameSummary, SequentialTest, Standings};
pub use termination::{FaultKind, ResignRule, Termination};
pub use time_control::{ClockSettings, TimeControl};

from_words!(OpeningSettings, PartialPlayerSettings, ResignRule, statistics::Sprt);

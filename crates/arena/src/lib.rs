//! Matches and tournaments between players: searches of this crate, and programs that speak the
//! protocol.
//!
//! A [`Tournament`] has a [format](TournamentFormat), by which the number of a game determines its
//! players and its opening. Several games are played at a time, each by a game runner with players
//! of its own: it starts them, and a referee asks them for moves in turn and checks the moves. A
//! finished game is written to disk as a [`GameRecord`] and counted in the [`Standings`];
//! [`statistics`] computes ratings and tests from them. A [`Tuning`] plays games between two copies of
//! an engine to find better values of its numeric options.
//!
//! ```
//! use kalah_arena::{PlayerSettings, Tournament};
//! use kalah::{Board, Rules, StopToken};
//!
//! let each = "depth=4".parse()?;
//! let player = |words: &str| PlayerSettings::new(words.parse()?, &each);
//! let players = vec![player("builtin=negascout")?, player("builtin=minimax")?];
//! let start = Board::start(Rules::default(), 4)?;
//! let tournament = Tournament { games: 10, ..Tournament::new(players, start) };
//! let outcome = tournament.run(&StopToken::new(), &mut |_, _| {})?;
//! let results = outcome.standings.results(0, 1);
//! assert_eq!(results.games(), 10);
//! println!("{} wins, {}", results.wins, outcome.standings.pairs(0, 1).elo().value);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adaptive;
mod adjudication;
pub mod commands;
pub mod compliance;
mod context;
mod game_runner;
mod games_in_progress;
mod key_values;
mod openings;
mod players;
mod recorded;
mod records;
mod referee;
mod run;
mod schedule;
mod standings;
pub mod statistics;
mod tournament;
mod tuning;

pub use adjudication::{MAX_PROVEN_SEEDS, ResignRule};
pub use context::Crowding;
pub use games_in_progress::{GameInProgress, GamesInProgress};
#[doc(hidden)]
pub use key_values::KeyValues;
pub use key_values::SettingsError;
pub use openings::{
    MarginFilter, OpeningBook, OpeningError, OpeningOrder, OpeningSettings, OpeningSource,
};
pub use players::{
    ClockSettings, EngineSettings, Fault, FaultKind, MoveEvaluation, PartialPlayerSettings,
    PlayerSettings, SingleMove, SingleMoveError, SingleMoves, TimeControl,
};
pub use recorded::{Entrant, RecordedTournament};
pub use records::{
    Conditions, GameRecord, GameResult, GameTime, JsonLine, JsonLines, MoveRecord, RecordError,
    RecordedGames, ReplayError, ScoreBound, Seat, Termination, date_tags, game_of_record,
    games_from_text, lock_record, read_games,
};
#[doc(hidden)]
pub use records::{LinesFile, read_lines};
pub use run::{ShardRunner, TournamentEnd, TournamentEvent, TournamentObserver, TournamentOutcome};
pub use schedule::{Shard, TournamentFormat, UpcomingGame};
pub use standings::{GameSummary, SequentialTest, Standings};
pub use tournament::{ArenaError, Tournament, UNLIMITED_GAMES};
pub use tuning::{
    Spsa, SpsaTrial, Tuning, TuningEvent, TuningIteration, TuningObserver, TuningOutcome,
    TuningParameter,
};

use adjudication::{Adjudicator, ResignTracker};
use context::TournamentContext;
use game_runner::GameRunner;
use games_in_progress::ProgressPlace;
use players::{GameClock, MoveReply, MoveRequest, Player, PlayerError};
use records::{MergedRecords, RecordFollower, bound_mark, require_equal};
use referee::{Contestant, PlayedGame, Referee};
use run::{TournamentRun, play_all};
use schedule::{Pairing, Schedule};

key_values::from_words!(
    OpeningSettings,
    PartialPlayerSettings,
    ResignRule,
    statistics::Sprt,
    TuningParameter
);

//! Matches and tournaments between players: built-in searches, and programs that speak the protocol.
//!
//! A [`Tournament`] has a [format](kalah_records::TournamentFormat), by which the number of a game determines its
//! players and its opening. Several games are played at a time, each by a game runner with players
//! of its own: it starts them, and a referee asks them for moves in turn and checks the moves. A
//! finished game is written to disk as a [record](kalah_records::GameRecord) and counted in the
//! [standings](kalah_records::Standings). A [`Tuning`] plays games between two copies of
//! an engine to find better values of its numeric options.
//!
//! ```
//! use kalah::{Board, Rules, StopToken};
//! use kalah_arena::Tournament;
//! use kalah_records::PlayerSettings;
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
mod players;
mod referee;
mod run;
mod shard;
mod tournament;
mod tuning;

pub use adjudication::MAX_PROVEN_SEEDS;
pub use games_in_progress::{GameInProgress, GamesInProgress};
pub use players::{Fault, MoveEvaluation, MoveReply, PlayerError, SingleMoves};
pub use run::{ShardRunner, TournamentEnd, TournamentEvent, TournamentObserver, TournamentOutcome};
pub use shard::{Shard, UpcomingGame};
pub use tournament::{ArenaError, Tournament, UNLIMITED_GAMES};
pub use tuning::{
    Spsa, SpsaTrial, Tuning, TuningEvent, TuningIteration, TuningObserver, TuningOutcome,
    TuningParameter,
};

use adjudication::{Adjudicator, ResignTracker};
use context::TournamentContext;
use game_runner::GameRunner;
use players::{GameClock, MoveRequest, Player};
use referee::{Contestant, PlayedGame, Referee};
use run::{TournamentRun, play_all};

//! The players: built-in searches, and programs, which are never trusted.

mod builtin;
mod game_clock;
mod process_player;
mod single_moves;

use std::time::Duration;

use kalah::StopToken;
use kalah::board::{Board, Move, RuleSet, Side};
use kalah::protocol::{EngineScore, Go};
use kalah_client::EngineCommand;
use kalah_records::{EngineSettings, FaultKind, PlayerSettings};
use thiserror::Error;

use self::builtin::BuiltinPlayer;
use self::process_player::ProcessPlayer;

pub(super) use game_clock::GameClock;
pub use single_moves::SingleMoves;

/// The option of engines for the seed of their random numbers.
pub(super) const RANDOM_SEED: &str = "Random Seed";

pub(crate) trait Player {
    /// Gets ready for a new game: sets the rules and the seed of the player's random numbers,
    /// unless its options do, and clears everything learned in earlier games.
    fn new_game(&mut self, rules: RuleSet, random_seed: Option<u64>) -> Result<(), PlayerError>;

    /// Chooses a move. The player's clock runs during this call.
    fn choose_move(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError>;

    /// Ponders, if the player does, while its opponent thinks. Errors are returned by the next move.
    fn ponder(&mut self, _: &MoveRequest) {}

    /// The threads with which it searches.
    fn threads(&self) -> usize {
        1
    }

    /// The player for another thread; `None` if it belongs to this one, as a program does.
    fn for_other_thread(self: Box<Self>) -> Option<Box<dyn Player + Send>> {
        None
    }
}

/// A position with the limits for one move.
pub(crate) struct MoveRequest<'a> {
    pub opening: &'a Board,
    pub moves: &'a [Move],
    pub board: &'a Board,
    pub go: Go,
    /// A later reply loses on time; `None` without a clock.
    pub forfeit_after: Option<Duration>,
    /// A player without a clock that takes longer is stalled.
    pub deadline: Duration,
}

/// A move with the player's evaluation of it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReply {
    /// The move.
    pub mv: Move,
    /// What the player reported.
    pub evaluation: MoveEvaluation,
    /// The time that it took.
    pub time: Duration,
}

/// What a player reports about its move. Nothing of it is checked, all of it is optional.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveEvaluation {
    /// The last score from the view of the player; it may be a bound.
    pub score: Option<EngineScore>,
    /// The last score that is not a bound.
    pub exact: Option<EngineScore>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

/// Why a player returned no move.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlayerError {
    /// The player is at fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The player is part of this program, which has failed, or it does not support its settings or the rules.
    #[error("{0}")]
    Failed(String),
    /// This machine has no memory, process or file handle left. The player is not at fault.
    #[error("{0}")]
    OutOfResources(String),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
}

/// A breach of the rules or a failure that loses the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// Details, for people.
    pub detail: String,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}

impl<'a> MoveRequest<'a> {
    /// A request to the player on `side`, which need not be the side to move.
    pub(crate) fn new(
        opening: &'a Board,
        moves: &'a [Move],
        board: &'a Board,
        side: Side,
        clocks: &[GameClock; 2],
    ) -> MoveRequest<'a> {
        let clock = &clocks[side.index()];
        let go = clock.go(side, &clocks[(!side).index()]);
        let (forfeit_after, deadline) = (clock.forfeit_after(), clock.control.deadline());
        MoveRequest { opening, moves, board, go, forfeit_after, deadline }
    }

    pub(crate) fn time_limit(&self) -> Duration {
        self.forfeit_after.unwrap_or(self.deadline)
    }

    /// Returns the fault of a player that took `time`, if that is too long.
    pub(crate) fn check_time(&self, time: Duration) -> Result<(), Fault> {
        if time > self.time_limit() { Err(self.overtime(time)) } else { Ok(()) }
    }

    /// The fault of a player that has not moved after `time`.
    pub(crate) fn overtime(&self, time: Duration) -> Fault {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        if let Some(limit) = self.forfeit_after {
            let (limit, time) = (milliseconds(limit), milliseconds(time));
            let detail = format!("no move within {limit:.1} ms, after {time:.1} ms");
            return Fault::new(FaultKind::TimeForfeit, detail);
        }
        let detail = format!("no move within {} s", self.deadline.as_secs_f64());
        Fault::new(FaultKind::Stalled, detail)
    }
}

/// Starts a player; returns it with the name and version of its engine.
pub(super) fn start(
    player: &PlayerSettings,
    rules: RuleSet,
    stop: &StopToken,
) -> Result<(Box<dyn Player>, String), PlayerError> {
    Ok(match &player.engine {
        EngineSettings::Builtin { builtin } => {
            let search = BuiltinPlayer::new(builtin, player, rules, stop)?;
            (Box::new(search), builtin::ID_NAME.to_owned())
        }
        EngineSettings::Process { cmd, args, dir } => {
            let command = EngineCommand::new(&player.name, cmd);
            let (arguments, directory) = (args.clone(), dir.clone());
            let command = EngineCommand { arguments, directory, ..command };
            let program = ProcessPlayer::start(player, command, rules, stop)?;
            let id_name = program.id_name().to_owned();
            (Box::new(program), id_name)
        }
    })
}

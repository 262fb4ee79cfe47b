//! Players that are asked for single moves, without a game around them.

use std::time::Duration;

use kalah::StopToken;
use kalah::board::{Board, Move, RuleSet};
use thiserror::Error;

use super::{
    Fault, FaultKind, GameClock, MoveReply, MoveRequest, Player, PlayerError, PlayerSettings,
    RANDOM_SEED, start,
};
use crate::ArenaError;

/// A player that moves on single boards. It is told of a new game before each of them, so that no answer
/// depends on those before. After a fault the player is started again for the next board.
///
/// ```
/// use kalah::{Board, Rules, StopToken};
/// use kalah_arena::{PlayerSettings, SingleMoves};
///
/// let player = PlayerSettings::new("builtin=negascout depth=4".parse()?, &"".parse()?)?;
/// let mut player = SingleMoves::start(player, &StopToken::new())?;
/// let board = Board::start(Rules::default(), 4)?;
/// assert!(board.moves().any(|mv| player.answer(&board, 1).is_ok_and(|answer| answer.mv == mv)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SingleMoves {
    settings: PlayerSettings,
    id: String,
    player: Option<Box<dyn Player>>,
    stop: StopToken,
}

/// An answer in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SingleMove {
    /// The move, which is legal.
    pub mv: Move,
    /// The time that it took.
    pub time: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SingleMoveError {
    /// The player is at fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The player does not play by the rules of the board, or a search of this crate has failed.
    #[error("{0}")]
    Unsupported(String),
    /// This machine has no memory, process or file handle left.
    #[error("{0}")]
    OutOfResources(String),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
}

impl From<PlayerError> for SingleMoveError {
    fn from(error: PlayerError) -> SingleMoveError {
        match error {
            PlayerError::Fault(fault) => SingleMoveError::Fault(fault),
            PlayerError::Failed(reason) => SingleMoveError::Unsupported(reason),
            PlayerError::OutOfResources(reason) => SingleMoveError::OutOfResources(reason),
            PlayerError::Stopped => SingleMoveError::Stopped,
        }
    }
}

impl SingleMoves {
    /// Starts the player.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(settings: PlayerSettings, stop: &StopToken) -> Result<SingleMoves, ArenaError> {
        let (player, id) = start(&settings, RuleSet::default(), stop)
            .map_err(|error| ArenaError::start(&settings, error))?;
        Ok(SingleMoves { settings, id, player: Some(player), stop: stop.clone() })
    }

    /// The name of the player.
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// The name and version of its engine; empty if it gives none.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Asks for a move. The player draws its random numbers from `random_seed`, unless its settings have a seed.
    ///
    /// # Errors
    /// When there is no legal move in time.
    pub fn answer(
        &mut self,
        board: &Board,
        random_seed: u64,
    ) -> Result<SingleMove, SingleMoveError> {
        let mut player = match self.player.take() {
            Some(player) => player,
            None => self.start_again()?,
        };
        let random_seed = Some(random_seed).filter(|_| !self.settings.has_option(RANDOM_SEED));
        let control = &self.settings.time_control;
        let clocks = [0, 1].map(|_| GameClock::new(control));
        let request = MoveRequest::new(board, &[], board, board.side(), &clocks, control);
        let answer = player
            .new_game(board.rules().rule_set(), random_seed)
            .and_then(|()| player.choose_move(&request));
        if let Ok(_) | Err(PlayerError::Failed(_)) = answer {
            self.player = Some(player);
        }
        let MoveReply { mv, time, .. } = answer?;
        Ok(SingleMove { mv, time })
    }

    /// What has started before and does not now is at fault.
    fn start_again(&self) -> Result<Box<dyn Player>, SingleMoveError> {
        match start(&self.settings, RuleSet::default(), &self.stop) {
            Ok((player, _)) => Ok(player),
            Err(PlayerError::Failed(reason)) => Err(Fault::new(FaultKind::Crashed, reason).into()),
            Err(error) => Err(error.into()),
        }
    }
}

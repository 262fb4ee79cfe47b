//! Players that are asked for single moves, without a game around them.

use kalah::StopToken;
use kalah::board::{Board, RuleSet};
use kalah_records::{FaultKind, PlayerSettings};

use super::{Fault, GameClock, MoveReply, MoveRequest, Player, PlayerError, RANDOM_SEED, start};
use crate::ArenaError;

/// A player that moves on single boards. It is told of a new game before each of them, so that no answer
/// depends on those before. After a fault the player is started again for the next board.
///
/// ```
/// use kalah::{Board, Rules, StopToken};
/// use kalah_arena::SingleMoves;
/// use kalah_records::PlayerSettings;
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
    pub fn answer(&mut self, board: &Board, random_seed: u64) -> Result<MoveReply, PlayerError> {
        let mut player = match self.player.take() {
            Some(player) => player,
            // What has started before and does not now is at fault.
            None => match start(&self.settings, RuleSet::default(), &self.stop) {
                Ok((player, _)) => player,
                Err(PlayerError::Failed(reason)) => {
                    return Err(Fault::new(FaultKind::Crashed, reason).into());
                }
                Err(error) => return Err(error),
            },
        };
        let random_seed = Some(random_seed).filter(|_| !self.settings.has_option(RANDOM_SEED));
        let clocks = [0, 1].map(|_| GameClock::new(&self.settings.time_control));
        let request = MoveRequest::new(board, &[], board, board.side(), &clocks);
        let answer = player
            .new_game(board.rules().rule_set(), random_seed)
            .and_then(|()| player.choose_move(&request));
        if let Ok(_) | Err(PlayerError::Failed(_)) = answer {
            self.player = Some(player);
        }
        answer
    }
}

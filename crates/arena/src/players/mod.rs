//! The players: built-in searches of this crate, and programs, which are never trusted.

mod builtin;
mod player;
mod process_player;
mod settings;
mod time_control;

use self::builtin::BuiltinPlayer;
use self::process_player::ProcessPlayer;
use kalah::StopToken;
use kalah::board::Capture;
use kalah_client::EngineCommand;

pub use player::{Fault, FaultKind, MoveEvaluation};
pub(super) use player::{MoveReply, MoveRequest, Player, PlayerError};
pub use settings::{EngineSettings, PartialPlayerSettings, PlayerSettings};
pub(super) use time_control::GameClock;
pub use time_control::{ClockSettings, TimeControl};

/// Starts a player; returns it with the name and version of its engine.
pub(super) fn start(
    player: &PlayerSettings,
    capture: Capture,
    stop: &StopToken,
) -> Result<(Box<dyn Player>, String), PlayerError> {
    Ok(match &player.engine {
        EngineSettings::Builtin { builtin } => {
            let search = BuiltinPlayer::new(builtin, player, capture, stop)?;
            (Box::new(search), builtin::ID_NAME.to_owned())
        }
        EngineSettings::Process { cmd, args, dir } => {
            let command = EngineCommand::new(&player.name, cmd);
            let (arguments, directory) = (args.clone(), dir.clone());
            let command = EngineCommand { arguments, directory, ..command };
            let program = ProcessPlayer::start(player, command, capture, stop)?;
            let id_name = program.id_name().to_owned();
            (Box::new(program), id_name)
        }
    })
}

//! Players are started as their settings say.

use super::builtin::{self, Builtin};
use super::error::StartError;
use super::player::Player;
use super::program::Program;
use super::settings::{EngineSettings, PlayerSettings};
use crate::board::Capture;
use crate::stop::StopToken;

/// Starts a player; tells how it introduces itself.
pub(crate) fn start(
    player: &PlayerSettings,
    capture: Capture,
    stop: &StopToken,
) -> Result<(Box<dyn Player>, String), StartError> {
    Ok(match &player.engine {
        EngineSettings::Builtin { builtin } => {
            let search = Builtin::new(builtin, player, stop)?;
            (Box::new(search), builtin::INTRODUCTION.to_owned())
        }
        EngineSettings::Process { cmd, args, dir } => {
            let command = (cmd.as_str(), args.as_slice(), dir.as_deref());
            let program = Program::start(player, command, capture, stop)?;
            let introduction = program.introduction().to_owned();
            (Box::new(program), introduction)
        }
    })
}

//! What the engine knows between commands: settings, and the position to search.

use super::error::EngineError;
use super::options::{DEFAULT_SEEDS, Setting};
use crate::board::{Board, Rules};
use crate::protocol::{PositionBase, PositionCommand};
use crate::search::{Searcher, Settings};

/// The game that `startpos` begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    rules: Rules,
    seeds: u16,
}

/// Settings and position.
pub(super) struct State {
    pub settings: Settings,
    pub board: Board,
    start: Start,
    /// What `board` was made from: it is made anew when the options it depends on change.
    position: PositionCommand,
}

impl Start {
    fn board(self, position: &PositionCommand) -> Result<Board, EngineError> {
        let mut board = match &position.base {
            PositionBase::Start => Board::start(self.rules, self.seeds)?,
            PositionBase::Fen(fen) => Board::from_fen(fen, self.rules.capture())?,
        };
        board.play_moves(&position.moves)?;
        Ok(board)
    }
}

impl State {
    pub(super) fn new() -> Result<State, EngineError> {
        let start = Start { rules: Rules::default(), seeds: DEFAULT_SEEDS };
        let position = PositionCommand::default();
        let board = start.board(&position)?;
        Ok(State { settings: Settings::default(), board, start, position })
    }

    /// Takes a new position, or leaves everything as it is.
    pub(super) fn set_position(&mut self, position: PositionCommand) -> Result<(), EngineError> {
        self.board = self.start.board(&position)?;
        self.position = position;
        Ok(())
    }

    fn restart(&mut self, start: Start) -> Result<(), EngineError> {
        self.board = start.board(&self.position)?;
        self.start = start;
        Ok(())
    }

    /// Sets an option, or leaves everything as it is.
    pub(super) fn set(
        &mut self,
        setting: Setting,
        searcher: &mut Searcher,
    ) -> Result<(), EngineError> {
        let Start { rules, seeds } = self.start;
        match setting {
            Setting::Hash(mebibytes) => searcher.resize(mebibytes)?,
            Setting::ClearHash => searcher.clear(),
            Setting::Threads(threads) => self.settings.threads = threads,
            Setting::MultiPv(lines) => self.settings.multipv = lines,
            // The engine ponders when told to; the option only tells a GUI that it can.
            Setting::Ponder => {}
            Setting::MoveOverhead(time) => self.settings.move_overhead = time,
            Setting::Houses(houses) => {
                self.restart(Start { rules: Rules::new(houses, rules.capture())?, seeds })?;
            }
            Setting::Seeds(seeds) => self.restart(Start { rules, seeds })?,
            Setting::Capture(capture) => {
                self.restart(Start { rules: Rules::new(rules.houses(), capture)?, seeds })?;
            }
            Setting::LogFile(path) => super::logging::set_file(path.as_deref())
                .map_err(|error| EngineError::LogFile(error.to_string()))?,
        }
        Ok(())
    }
}

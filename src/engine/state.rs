//! What the engine knows between commands: settings, and the position to search.

use super::error::EngineError;
use super::logging;
use super::options::{DEFAULT_SEEDS, Setting, set_network};
use super::thinker::{Engine, EngineOptions};
use crate::board::{Board, Capture, Rules};
use crate::protocol::{PositionBase, PositionCommand};
use crate::tablebase::TablebaseFiles;

/// Settings and position.
pub(super) struct State {
    pub preferences: EngineOptions,
    pub board: Board,
    /// The board that `startpos` stands for.
    start: Board,
    /// What `board` was made from: it is made anew when the options it depends on change.
    position: PositionCommand,
}

/// Whether the position is still what it was set to when an option has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PositionKept {
    Yes,
    No,
}

fn board_of(position: &PositionCommand, start: &Board) -> Result<Board, EngineError> {
    let mut board = match &position.base {
        PositionBase::Start => *start,
        PositionBase::Fen(fen) => Board::from_fen(fen, start.rules().capture())?,
    };
    board.play_moves(&position.moves)?;
    Ok(board)
}

impl State {
    /// The default settings and the start of the default game.
    pub(super) fn new() -> Result<State, EngineError> {
        let start = Board::start(Rules::default(), DEFAULT_SEEDS)?;
        let position = PositionCommand::default();
        Ok(State { preferences: EngineOptions::default(), board: start, start, position })
    }

    /// Takes a new position, or leaves everything as it is.
    pub(super) fn set_position(&mut self, position: PositionCommand) -> Result<(), EngineError> {
        self.board = board_of(&position, &self.start)?;
        self.position = position;
        Ok(())
    }

    /// Another `startpos`, and the position made anew.
    fn restart(
        &mut self,
        houses: usize,
        seeds: u16,
        capture: Capture,
    ) -> Result<PositionKept, EngineError> {
        self.start = Board::start(Rules::new(houses, capture)?, seeds)?;
        if let Ok(board) = board_of(&self.position, &self.start) {
            self.board = board;
            return Ok(PositionKept::Yes);
        }
        self.position = PositionCommand::default();
        self.board = self.start;
        Ok(PositionKept::No)
    }

    /// Sets an option, or leaves everything as it is.
    pub(super) fn set(
        &mut self,
        setting: Setting,
        thinker: &mut Engine,
    ) -> Result<PositionKept, EngineError> {
        let (houses, capture) = (self.start.rules().houses(), self.start.rules().capture());
        let seeds = self.start.houses(self.start.side())[0];
        match setting {
            Setting::Houses(houses) => return self.restart(houses, seeds, capture),
            Setting::Seeds(seeds) => return self.restart(houses, seeds, capture),
            Setting::Capture(capture) => return self.restart(houses, seeds, capture),
            Setting::Hash(mebibytes) => thinker.resize(mebibytes)?,
            Setting::ClearHash => thinker.clear(),
            Setting::LogFile(path) => logging::set_file(path.as_deref())?,
            Setting::Tablebase(directory) => {
                if let Some(directory) = &directory {
                    TablebaseFiles::open(directory, self.start.rules())?;
                }
                self.preferences.tablebase = directory;
            }
            Setting::EvalFile(file) => set_network(&mut self.preferences, file)?,
            Setting::OfThinking(setting) => setting.apply_to(&mut self.preferences),
        }
        Ok(PositionKept::Yes)
    }
}

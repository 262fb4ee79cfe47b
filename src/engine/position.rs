//! The position that `position` has set, and the `startpos` that options have set.

use super::error::EngineError;
use super::options::DEFAULT_SEEDS;
use crate::board::{Board, Capture, Rules};
use crate::protocol::{PositionBase, PositionCommand};

/// The position to search next.
pub(super) struct CurrentPosition {
    board: Board,
    /// The board of `startpos`.
    start: Board,
    /// The command that has set `board`: it is carried out again when the start board changes.
    command: PositionCommand,
}

fn board_of(command: &PositionCommand, start: &Board) -> Result<Board, EngineError> {
    let mut board = match &command.base {
        PositionBase::Start => *start,
        PositionBase::Fen(fen) => Board::from_fen(fen, start.rules().capture())?,
    };
    board.play_moves(&command.moves)?;
    Ok(board)
}

impl CurrentPosition {
    /// The start of a game by the default options.
    pub(super) fn new() -> Result<CurrentPosition, EngineError> {
        let start = Board::start(Rules::default(), DEFAULT_SEEDS)?;
        Ok(CurrentPosition { board: start, start, command: PositionCommand::default() })
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// The rules of `startpos`.
    pub(super) fn start_rules(&self) -> Rules {
        self.start.rules()
    }

    /// Sets a position. On error nothing changes.
    pub(super) fn set(&mut self, command: PositionCommand) -> Result<(), EngineError> {
        self.board = board_of(&command, &self.start)?;
        self.command = command;
        Ok(())
    }

    /// Changes what is given of the start board, and carries out the last command again. Returns false
    /// if that is not possible: the position is then the new start. On error nothing changes.
    pub(super) fn set_start(
        &mut self,
        houses: Option<usize>,
        seeds: Option<u16>,
        capture: Option<Capture>,
    ) -> Result<bool, EngineError> {
        let rules = self.start.rules();
        let houses = houses.unwrap_or(rules.houses());
        let rules = Rules::new(houses, capture.unwrap_or(rules.capture()))?;
        let seeds = seeds.unwrap_or(self.start.houses(self.start.side())[0]);
        self.start = Board::start(rules, seeds)?;
        let board = board_of(&self.command, &self.start);
        let is_kept = board.is_ok();
        if !is_kept {
            self.command = PositionCommand::default();
        }
        self.board = board.unwrap_or(self.start);
        Ok(is_kept)
    }
}

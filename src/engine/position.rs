//! The position that `position` and the options of `startpos` have set, and the texts of `d` and `eval`.

use std::error::Error;

use super::options::StartOptions;
use crate::board::{AnyPosition, Board, BoardError, Position, RowTables, Sowings};
use crate::protocol::{PositionBase, PositionCommand};
use crate::search::{CENTISEEDS, Evaluation, EvaluationTerms, SearchOptions};

/// The position to search next.
pub(super) struct CurrentPosition {
    pub board: Board,
    /// The options of `startpos`, and its board.
    start_options: StartOptions,
    pub start: Board,
    /// The command that has set `board`: it is carried out again when the start board changes.
    command: PositionCommand,
}

fn board_of(command: &PositionCommand, start: &Board) -> Result<Board, Box<dyn Error>> {
    let mut board = match &command.base {
        PositionBase::Start => *start,
        PositionBase::Fen(fen) => Board::from_fen(fen, start.rules())?,
    };
    board.play_moves(&command.moves)?;
    Ok(board)
}

impl CurrentPosition {
    /// The start of a game by the default options.
    pub(super) fn new() -> Result<CurrentPosition, BoardError> {
        let start_options = StartOptions::default();
        let (start, command) = (start_options.board()?, PositionCommand::default());
        Ok(CurrentPosition { board: start, start_options, start, command })
    }

    /// Sets a position. On error nothing changes.
    pub(super) fn set(&mut self, command: PositionCommand) -> Result<(), Box<dyn Error>> {
        self.board = board_of(&command, &self.start)?;
        self.command = command;
        Ok(())
    }

    /// Changes an option of the start board, and carries out the last command again. Returns false if
    /// that is not possible: the position is then the new start. On error nothing changes.
    pub(super) fn set_start(
        &mut self,
        change: impl FnOnce(&mut StartOptions),
    ) -> Result<bool, BoardError> {
        let mut options = self.start_options;
        change(&mut options);
        self.start = options.board()?;
        self.start_options = options;
        let board = board_of(&self.command, &self.start);
        let is_kept = board.is_ok();
        if !is_kept {
            self.command = PositionCommand::default();
        }
        self.board = board.unwrap_or(self.start);
        Ok(is_kept)
    }

    /// The drawing of the board, with its text form and key.
    pub(super) fn drawing(&self) -> String {
        let board = &self.board;
        format!("{board}\nFen: {}\nKey: {:016x}", board.fen(), board.key())
    }

    /// The evaluation of the board term by term, in seeds, from the view of the player to move.
    pub(super) fn evaluation(&self, options: &SearchOptions) -> String {
        let board = &self.board;
        let evaluation = options.evaluation(board.rules());
        let (terms, gain) = match board.position() {
            AnyPosition::Narrow(sowings, position) => evaluate(&evaluation, sowings, &position),
            AnyPosition::Wide(sowings, position) => evaluate(&evaluation, sowings, &position),
        };
        let houses = |terms: &[i32]| terms.iter().map(|&term| in_seeds(term)).collect::<Vec<_>>();
        let mover = board.side().name();
        let stores = board.store_difference();
        let tempo = match terms.tempo {
            Some(tempo) => format!("Tempo     {}", in_seeds(tempo)),
            None => "Network; the contribution of each house".to_owned(),
        };
        let (own, opponent) = (houses(&terms.own).join(" "), houses(&terms.opponent).join(" "));
        let expected = board.result_for(board.side()).unwrap_or(stores + gain);
        format!(
            "Stores    {stores:+}\n\
             {tempo}\n\
             {mover}     {own}\n\
             {}     {opponent}\n\
             Expected  {expected:+} seeds for {mover}, to move",
            (!board.side()).name(),
        )
    }
}

fn evaluate<R: RowTables>(
    evaluation: &Evaluation,
    sowings: &Sowings<R>,
    position: &Position<R>,
) -> (EvaluationTerms, i32) {
    let houses = sowings.rules().houses();
    let gain = evaluation.gain(position, houses, position.seeds() as i32);
    (evaluation.terms(position, houses), gain)
}

fn in_seeds(centiseeds: i32) -> String {
    format!("{:+.2}", f64::from(centiseeds) / f64::from(CENTISEEDS))
}

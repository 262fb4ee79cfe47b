//! Puts positions to a player.

use std::time::Duration;

use kalah::board::{Move, splitmix64};
use kalah_arena::{ArenaError, Fault, MoveReply, PlayerError, SingleMoves};
use kalah_records::FaultKind;
use serde::Serialize;

use crate::{ExamPosition, LeftOut};

/// What a player answered to a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// The number of the position in the set, from 1.
    pub position: usize,
    /// The board as FEN, with the side to move.
    pub fen: String,
    /// The letter of the move; absent after a fault.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub letter: Option<char>,
    /// The letters of the best moves.
    pub best: String,
    /// The seeds that were given away; after a fault those that the worst move gives away.
    pub loss: i32,
    /// The time that it took in milliseconds; absent after a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<f64>,
    /// Why there is no move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "crate::schemas::fault"))]
    pub fault: Option<FaultKind>,
    /// What is known of the fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Answer {
    /// An answer to a position of this number, from 1: a move with its time, if that is known. A move that is not
    /// legal counts as none.
    pub fn new(
        number: usize,
        position: &ExamPosition,
        answered: Option<(Move, Option<Duration>)>,
    ) -> Answer {
        let answered = answered.filter(|(mv, _)| position.loss(*mv).is_some());
        let loss = answered.and_then(|(mv, _)| position.loss(mv));
        let milliseconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        Answer {
            position: number,
            fen: position.board.fen(),
            letter: answered.map(|(mv, _)| mv.letter()),
            best: position.best_moves().iter().map(|mv| mv.letter()).collect(),
            loss: loss.unwrap_or_else(|| position.worst_loss()),
            milliseconds: answered.and_then(|(_, time)| time).map(milliseconds),
            fault: answered.is_none().then_some(FaultKind::IllegalMove),
            detail: None,
        }
    }
}

/// Asks a player for a move on each position, in order, until it is stopped. `on_answer` gets each answer. Positions by
/// rules that the player does not know are left out.
///
/// # Errors
/// When this machine has no memory or no process left.
pub fn ask<'a>(
    player: &mut SingleMoves,
    positions: impl IntoIterator<Item = (usize, &'a ExamPosition)>,
    seed: u64,
    mut on_answer: impl FnMut(&Answer),
) -> Result<(Vec<Answer>, Vec<LeftOut>), ArenaError> {
    let (mut answers, mut left_out) = (Vec::new(), Vec::<LeftOut>::new());
    for (number, position) in positions {
        let board = &position.board;
        let rules = board.rules().rule_set();
        if let Some(left) = left_out.iter_mut().find(|left| left.rules == rules.name()) {
            left.positions += 1;
            continue;
        }
        let answer = match player.answer(board, splitmix64(seed ^ number as u64) >> 1) {
            Ok(MoveReply { mv, time, .. }) => Answer::new(number, position, Some((mv, Some(time)))),
            Err(PlayerError::Fault(Fault { kind, detail })) => Answer {
                fault: Some(kind),
                detail: Some(detail),
                ..Answer::new(number, position, None)
            },
            Err(PlayerError::Failed(reason)) => {
                left_out.push(LeftOut { rules: rules.name(), positions: 1, reason });
                continue;
            }
            Err(PlayerError::OutOfResources(reason)) => {
                return Err(ArenaError::Start { name: player.name().to_owned(), reason });
            }
            Err(PlayerError::Stopped) => break,
        };
        on_answer(&answer);
        answers.push(answer);
    }
    Ok((answers, left_out))
}

//! Lines of play, divided into turns.

use kalah::board::{Board, Move};
use serde::{Deserialize, Serialize};

/// All sowings of a side until the other one moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Turn {
    /// Who moves, `S` or `N`.
    pub side: String,
    /// The letters of the moves, without separators. All but the last one are extra turns, unless the
    /// line ends.
    pub moves: String,
    /// The seeds that it brings into the store, without those that are swept.
    pub stored: i32,
    /// The capture, which only the last move can make.
    pub capture: Option<TurnCapture>,
}

/// The seeds that a turn captures from the opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TurnCapture {
    /// The letter of the opponent's house.
    pub house: char,
    /// The seeds that were in it.
    pub seeds: u16,
}

/// The turns of a line, and the seeds that are swept at its end for the side that begins.
#[derive(Default)]
pub(super) struct Line {
    pub turns: Vec<Turn>,
    pub swept: i32,
}

impl Line {
    pub(super) fn new(mut board: Board, moves: &[Move]) -> Line {
        let beginner = board.side();
        let mut line = Line::default();
        for &mv in moves {
            let Ok(trace) = board.trace(mv) else { break };
            let swept = |side| trace.sweep.filter(|(to, _)| *to == side).map_or(0, |(_, n)| n);
            let store = |board: &Board| i32::from(board.store(mv.side));
            let stored = store(&trace.board) - i32::from(swept(mv.side)) - store(&board);
            line.swept += i32::from(swept(beginner)) - i32::from(swept(!beginner));
            let capture = trace.capture.and_then(|(houses, seeds)| {
                let house = houses.iter().find(|house| house.side != mv.side)?;
                Some(TurnCapture { house: house.letter(), seeds: seeds - 1 })
            });
            let side = mv.side.to_string();
            if line.turns.last().is_none_or(|turn| turn.side != side) {
                line.turns.push(Turn { side, moves: String::new(), stored: 0, capture: None });
            }
            if let Some(turn) = line.turns.last_mut() {
                turn.moves.push(mv.letter());
                turn.stored += stored;
                turn.capture = capture;
            }
            board = trace.board;
        }
        line
    }
}

/// The seeds that are swept at the ends of two lines, for the player who made the mistake; below 0 for
/// the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweptSeeds {
    /// At the end of the best line.
    pub best: i32,
    /// At the end of the line after the mistake.
    pub played: i32,
}

//! What the moves of a game took.

use super::game_record::{GameRecord, MoveRecord};
use crate::board::Side;

/// What a move of a player took in a game, in the mean of the moves of which it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveStats {
    /// Plies searched.
    pub depth: Option<f64>,
    /// Positions visited.
    pub nodes: Option<f64>,
    /// Milliseconds from the question to the answer.
    pub time: Option<f64>,
}

impl MoveStats {
    /// The effort of the player on a side.
    pub fn of(game: &GameRecord, side: Side) -> MoveStats {
        let mean = |value: fn(&MoveRecord) -> Option<f64>| {
            let moves = game.moves.iter().filter(|ply| ply.side() == side);
            let (sum, known) = moves
                .filter_map(value)
                .fold((0.0, 0_u32), |(sum, known), value| (sum + value, known + 1));
            (known > 0).then(|| sum / f64::from(known))
        };
        MoveStats {
            depth: mean(|ply| ply.depth.map(f64::from)),
            nodes: mean(|ply| ply.nodes.map(|nodes| nodes as f64)),
            time: mean(|ply| Some(ply.time)),
        }
    }
}

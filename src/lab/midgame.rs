//! Middle-game positions of Kalah, drawn at random.

use std::fmt::Display;

use serde::{Serialize, Serializer};

use super::error::LabError;
use crate::board::{Board, Capture, House, Rules};
use crate::search::splitmix64;

/// The game the positions are of, and how many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Midgame {
    /// Houses a side.
    pub houses: usize,
    /// Seeds in each house at the start.
    pub seeds: u16,
    /// The capture rule.
    #[serde(serialize_with = "by_name")]
    pub capture: Capture,
    /// How many positions.
    pub positions: usize,
    /// Where they come from.
    pub random_seed: u64,
}

/// Random plies that lead to the positions: these many and so many more at most.
const PLIES: u64 = 8;
const MORE_PLIES: u64 = 13;

/// Games tried for each position wanted, at most.
const TRIES: usize = 100;

/// Random numbers that follow from a seed.
struct Draws(u64);

impl Draws {
    /// A number below `limit`.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(1);
        ((u128::from(splitmix64(self.0)) * u128::from(limit)) >> 64) as u64
    }
}

/// Serializes what has a name as that.
fn by_name<S: Serializer>(named: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(named)
}

impl Midgame {
    /// The start of the game.
    ///
    /// # Errors
    /// When there is no such board.
    pub fn start(&self) -> Result<Board, LabError> {
        let rules = Rules::new(self.houses, self.capture)?;
        Ok(Board::start(rules, self.seeds)?)
    }

    /// Positions after 8 to 20 random plies, with half the seeds in play at least and a choice of
    /// moves; no two are the same.
    ///
    /// # Errors
    /// When there is no such board, or when its games hold no such positions.
    pub fn draw(&self) -> Result<Vec<Board>, LabError> {
        let start = self.start()?;
        let mut draws = Draws(splitmix64(self.random_seed));
        let mut boards: Vec<Board> = Vec::new();
        for _ in 0..self.positions.saturating_mul(TRIES) {
            if boards.len() == self.positions {
                break;
            }
            let mut board = start;
            for _ in 0..PLIES + draws.below(MORE_PLIES) {
                let moves: Vec<House> = board.moves().collect();
                if let Some(&house) = moves.get(draws.below(moves.len() as u64) as usize) {
                    // One of its own moves.
                    let _ = board.play(house);
                }
            }
            let is_midgame =
                2 * board.seeds_in_play() >= start.seeds_in_play() && board.moves().count() > 1;
            if is_midgame && !boards.contains(&board) {
                boards.push(board);
            }
        }
        if boards.len() == self.positions {
            Ok(boards)
        } else {
            Err(LabError::NoMiddleGame { wanted: self.positions })
        }
    }
}

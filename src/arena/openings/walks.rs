//! Positions so many random plies from the start.

use fastrand::Rng;
use rustc_hash::FxHashSet;

use super::MOST_POSITIONS;
use super::compact::CompactBoard;
use crate::board::Board;

/// Draws in a row without a new position, after which there are taken to be no others.
pub(super) const MOST_DRAWS: u32 = 1_000;

/// Draws positions of unfinished games, none twice. Nothing comes after the first `None`.
pub(super) struct Walks {
    start: Board,
    plies: u32,
    random: Rng,
    known: FxHashSet<CompactBoard>,
}

impl Walks {
    pub(super) fn new(start: &Board, plies: u32, random: Rng) -> Walks {
        Walks { start: *start, plies, random, known: FxHashSet::default() }
    }

    /// The position after random plies; `None` when the game has ended.
    fn draw(&mut self) -> Option<Board> {
        let mut board = self.start;
        for _ in 0..self.plies {
            let moves = board.moves().count() as u64;
            if moves == 0 {
                return None;
            }
            let house = board.moves().nth(self.random.u64(..moves) as usize)?;
            board.play(house).ok()?;
        }
        (!board.is_over()).then_some(board)
    }
}

impl Iterator for Walks {
    type Item = CompactBoard;

    fn next(&mut self) -> Option<CompactBoard> {
        if self.known.len() == MOST_POSITIONS {
            return None;
        }
        for _ in 0..MOST_DRAWS {
            if let Some(board) = self.draw().map(|board| CompactBoard::new(&board))
                && self.known.insert(board)
            {
                return Some(board);
            }
        }
        None
    }
}

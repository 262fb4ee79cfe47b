//! Mode `verify`: problems about the rules, one after the other, for those who write a client.

use fastrand::Rng;

use crate::line::Line;
use crate::wide_board::{WideBoard, WidePlay};

/// Houses a side of the boards.
const HOUSES: std::ops::RangeInclusive<usize> = 6..=11;

/// Seeds in a house, at most: enough to run round a board.
const MAX_SEEDS: u64 = 24;

/// A house that is to be sown.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    board: WideBoard,
    house: usize,
    solution: WidePlay,
}

impl Problem {
    pub(super) fn random(random: &mut Rng) -> Problem {
        loop {
            let houses = random.usize(HOUSES);
            let mut seeds: Vec<u64> = (0..2).map(|_| random.u64(0..=MAX_SEEDS)).collect();
            // Many houses are empty, as in the course of a game.
            let most = random.u64(1..=MAX_SEEDS);
            let some = |_| if random.bool() { random.u64(0..=most) } else { 0 };
            seeds.extend((0..2 * houses).map(some));
            let house = random.usize(..houses);
            if let Some(board) = WideBoard::new(&seeds)
                && let Some(solution) = board.sow(house)
            {
                return Problem { board, house, solution };
            }
        }
    }

    /// The command that poses it. Its house counts from 0.
    pub(super) fn line(&self) -> Line {
        Line::command("problem").with(self.board.clone()).with(self.house as u64)
    }

    /// What is wrong with a solution; `None` if it is right.
    pub(super) fn mistake(&self, solution: &Line) -> Option<&'static str> {
        // The published protocol has a number here, existing clients send a word.
        let is_extra_turn = match solution.text(1) {
            Some("true" | "1") => Some(true),
            Some("false" | "0") => Some(false),
            _ => None,
        };
        let (Some(board), Some(is_extra_turn)) = (solution.board(0), is_extra_turn) else {
            return Some("expected: solution BOARD true, or false");
        };
        if *board != self.solution.board {
            return Some("wrong board after the move");
        }
        (is_extra_turn != self.solution.is_extra_turn).then_some("wrong about the extra turn")
    }
}

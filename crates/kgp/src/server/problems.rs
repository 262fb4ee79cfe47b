//! Mode `verify`: problems about the rules, one after the other, for those who write a client.

use fastrand::Rng;

use super::super::line::Line;
use super::super::wide_board::WideBoard;

/// Houses a side of the boards.
const HOUSES: std::ops::RangeInclusive<usize> = 6..=11;

/// Seeds in a house, at most: enough to run round a board.
const MAX_SEEDS: u64 = 24;

/// A sowing, and whether it earns an extra turn.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    board: WideBoard,
    house: usize,
    is_extra_turn: bool,
}

impl Problem {
    /// A random board and one of its houses that can be sown.
    pub(super) fn random(random: &mut Rng) -> Problem {
        loop {
            let houses = random.usize(HOUSES);
            let mut numbers = vec![houses as u64];
            numbers.extend((0..2).map(|_| random.u64(0..=MAX_SEEDS)));
            // Many houses are empty, as in the course of a game.
            let most = random.u64(1..=MAX_SEEDS);
            let seeds = |random: &mut Rng| if random.bool() { random.u64(0..=most) } else { 0 };
            numbers.extend((0..2 * houses).map(|_| seeds(random)));
            let text: Vec<String> = numbers.iter().map(u64::to_string).collect();
            let Ok(board) = format!("<{}>", text.join(",")).parse::<WideBoard>() else { continue };
            let house = random.usize(..houses);
            if let Some(played) = board.sow(house) {
                return Problem { board, house, is_extra_turn: played.is_extra_turn };
            }
        }
    }

    /// The command that poses it. Its house counts from 0.
    pub(super) fn line(&self) -> Line {
        Line::command("problem").with_board(self.board.clone()).with_number(self.house as u64)
    }

    /// What is wrong with a solution; `None` if it is right.
    pub(super) fn mistake(&self, solution: &Line) -> Option<&'static str> {
        // The published protocol has a number here, existing clients send a word.
        let is_extra_turn = match solution.text(1) {
            Some("true" | "1") => true,
            Some("false" | "0") => false,
            _ => return Some("expected: solution BOARD true, or false"),
        };
        match solution.board(0) {
            None => Some("expected: solution BOARD true, or false"),
            Some(board)
                if self.board.sow(self.house).is_none_or(|played| played.board != *board) =>
            {
                Some("the board after the move is another")
            }
            Some(_) if is_extra_turn != self.is_extra_turn => Some("wrong about the extra turn"),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_board_and_turn_solve_a_problem() {
        let mut random = Rng::with_seed(3);
        let mut turns = [0, 0];
        for _ in 0..1000 {
            let problem = Problem::random(&mut random);
            let played = problem.board.sow(problem.house);
            let (board, is_extra_turn) = played.map_or((problem.board.clone(), false), |played| {
                (played.board, played.is_extra_turn)
            });
            turns[usize::from(is_extra_turn)] += 1;
            let solution = |board: &WideBoard, turn: &str| {
                Line::command("solution").with_board(board.clone()).with_word(turn)
            };
            let words = if is_extra_turn { ["true", "false"] } else { ["false", "true"] };
            assert_eq!(problem.mistake(&solution(&board, words[0])), None);
            assert!(problem.mistake(&solution(&board, words[1])).is_some());
            assert!(problem.mistake(&solution(&problem.board, words[0])).is_some());
            assert!(problem.mistake(&Line::command("solution")).is_some());
        }
        assert!(turns.iter().all(|&number| number > 10), "{turns:?}");
    }
}

//! The boards and moves with which games begin.

use fastrand::Rng;

use crate::wide_board::final_margin;
use kalah::StopToken;
use kalah::board::{Board, Move, splitmix64};
use kalah_records::{OpeningBook, OpeningError, OpeningSettings};

/// Openings of a book that are used before they repeat.
const MAX_OPENINGS: u64 = 10_000;

/// The openings of the games on one board, the same for all games of a round.
pub(super) enum Openings {
    /// Round 1 begins with the start, later ones after this many random plies.
    RandomPlies { start: Board, plies: usize, seed: u64 },
    /// Each round begins with an opening of its own.
    Book { start: Board, book: Box<OpeningBook> },
}

impl Openings {
    /// Those that a match would have, such as fair starts.
    pub(super) fn of_match(
        start: Board,
        settings: &OpeningSettings,
        seed: u64,
    ) -> Result<Openings, OpeningError> {
        let mut book = OpeningBook::new(settings, &start, seed, &StopToken::new())?;
        // Later ones cannot fail.
        book.opening(0)?;
        Ok(Openings::Book { start, book: Box::new(book) })
    }

    /// The board of the games of a round, from 1, and the moves before they begin.
    pub(super) fn of_round(&mut self, round: u64) -> (Board, Vec<Move>) {
        match self {
            &mut Openings::RandomPlies { start, plies, seed } => {
                (start, random_plies(start, plies, seed, round))
            }
            Openings::Book { start, book } => {
                // A record may name any round, and to find an opening takes those before it.
                let board = book.opening(round.saturating_sub(1) % MAX_OPENINGS);
                (board.unwrap_or(*start), Vec::new())
            }
        }
    }
}

fn random_plies(mut board: Board, plies: usize, seed: u64, round: u64) -> Vec<Move> {
    let mut random = Rng::with_seed(splitmix64(seed ^ splitmix64(round)));
    let mut moves = Vec::new();
    while round > 1 && moves.len() < plies {
        let legal: Vec<Move> = board.moves().collect();
        // A board where there is something left to choose.
        if legal.len() < 2 {
            break;
        }
        let mv = legal[random.usize(..legal.len())];
        if board.play(mv).is_err() || final_margin(&board).is_some() {
            break;
        }
        moves.push(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah::Rules;

    type Tested = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn openings_are_those_of_the_round_and_legal() -> Tested {
        let start = Board::start(Rules::default(), 4)?;
        let of_round = |round| Openings::RandomPlies { start, plies: 4, seed: 1 }.of_round(round);
        assert_eq!(of_round(1), (start, Vec::new()));
        assert_eq!(of_round(2), of_round(2));
        let mut openings = Openings::RandomPlies { start, plies: 6, seed: 7 };
        for round in 2..50 {
            let (mut board, moves) = openings.of_round(round);
            assert!(!moves.is_empty() && moves.len() <= 6);
            for mv in moves {
                board.play(mv)?;
            }
        }
        Ok(())
    }

    #[test]
    fn openings_repeat_so_that_any_round_has_one_soon() -> Tested {
        let start = Board::start(Rules::default(), 6)?;
        let mut openings = Openings::of_match(start, &"random=12".parse()?, 1)?;
        for round in [1, 2, 77] {
            assert_eq!(openings.of_round(MAX_OPENINGS + round), openings.of_round(round));
        }
        assert_ne!(openings.of_round(1), openings.of_round(2));
        openings.of_round(u64::MAX);
        Ok(())
    }

    #[test]
    fn fair_starts_are_those_of_a_match() -> Tested {
        let start = Board::start(Rules::default(), 4)?;
        let mut openings = Openings::of_match(start, &"fair".parse()?, 1)?;
        let mut book = OpeningBook::new(&"fair".parse()?, &start, 1, &StopToken::new())?;
        for round in 1..=10 {
            assert_eq!(openings.of_round(round), (book.opening(round - 1)?, Vec::new()));
        }
        let large = Board::start(Rules::new(8, kalah::Capture::Standard)?, 8)?;
        let none = Openings::of_match(large, &"fair".parse()?, 1).err().ok_or("there are some")?;
        assert!(none.to_string().contains("no fair starts of Kalah(8,8) are known"), "{none}");
        Ok(())
    }
}

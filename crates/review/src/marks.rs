//! What a move gave away, in words and as a score.

use kalah::board::{Board, Side};

/// The largest loss of a move that is still good, in seeds.
const GOOD: i32 = 2;

/// A part of the game, by the seeds in the houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// More than two thirds of all seeds are in the houses.
    Opening,
    Middle,
    /// At most a third of all seeds is in the houses.
    Ending,
}

impl Phase {
    pub(super) fn of(board: &Board) -> Phase {
        let (total, left) = (total_seeds(board), board.seeds_in_play());
        if 3 * left > 2 * total {
            Phase::Opening
        } else if 3 * left > total {
            Phase::Middle
        } else {
            Phase::Ending
        }
    }
}

pub(super) fn total_seeds(board: &Board) -> u32 {
    let stores = Side::ALL.map(|side| u32::from(board.store(side)));
    board.seeds_in_play() + stores[0] + stores[1]
}

/// The mark of a move. `before` is the value with best play and `after` the one that the move leads to,
/// both for the mover.
pub(super) fn mark(before: i32, after: i32) -> String {
    let loss = before - after;
    if loss <= 0 {
        "best".to_owned()
    } else if before > 0 && after <= 0 {
        "throws the win away".to_owned()
    } else if before == 0 {
        "throws the draw away".to_owned()
    } else if loss <= GOOD {
        "good".to_owned()
    } else {
        format!("gives away {loss}")
    }
}

/// The score of a move in per cent: 100 for the best, and half as much for every eighth of all seeds that
/// it gives away.
pub(super) fn score(loss: i32, total: u32) -> f64 {
    let eighth = f64::from(total.max(8)) / 8.0;
    100.0 * (-f64::from(loss.max(0)) / eighth).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_what_was_given_away() {
        for (before, after, expected) in [
            (8, 8, "best"),
            (8, 6, "good"),
            (8, 4, "gives away 4"),
            (2, 0, "throws the win away"),
            (8, -8, "throws the win away"),
            (0, -2, "throws the draw away"),
            (-2, -4, "good"),
            (-2, -10, "gives away 8"),
        ] {
            assert_eq!(mark(before, after), expected);
        }
        assert!((score(0, 48) - 100.0).abs() < 1e-9 && (score(6, 48) - 50.0).abs() < 1e-9);
        assert!((score(2, 2) - 25.0).abs() < 1e-9);
    }
}

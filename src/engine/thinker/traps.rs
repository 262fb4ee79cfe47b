//! Moves of the same exact value are not the same to an opponent who errs.
//!
//! A move sets *traps* of so many seeds: what a reply drawn at random gives away on average. Its
//! replies are all weighed alike, since nothing is known of the opponent, and by how much they give
//! away: a mistake that costs a seed is no trap worth more than one that costs ten. After an extra
//! turn it is the best of the moves that follow that counts.

use crate::board::{Board, House};

/// Extra turns in a row that are looked through.
const MOST_TURNS: u32 = 12;

/// Finds out exact margins, in seeds, from the view of the player to move; `None` when there is no
/// time for it.
pub(super) trait Truth {
    fn margin(&mut self, board: &Board) -> Option<i32>;

    /// Whether a margin reaches some value; where that is less work than to find out how great it is.
    fn reaches(&mut self, board: &Board, value: i32) -> Option<bool> {
        Some(self.margin(board)? >= value)
    }
}

/// What a move of `board` is worth to the player who makes it, and the board after it.
fn played(board: &Board, house: House, truth: &mut dyn Truth) -> Option<(i32, Board)> {
    let after = after(board, house)?;
    let margin = truth.margin(&after)?;
    Some((if after.side() == board.side() { margin } else { -margin }, after))
}

fn after(board: &Board, house: House) -> Option<Board> {
    let mut after = *board;
    after.play(house).ok()?;
    Some(after)
}

/// Seeds that a reply drawn at random gives away on average, when the margin of the player to move is
/// known.
fn mean_loss(board: &Board, margin: i32, truth: &mut dyn Truth) -> Option<f64> {
    let mut losses = 0;
    let mut replies = 0;
    for house in board.moves() {
        losses += margin - played(board, house, truth)?.0;
        replies += 1;
    }
    Some(if replies == 0 { 0.0 } else { f64::from(losses) / f64::from(replies) })
}

/// The best moves of a board that is worth so much, with their traps; those that there is time for.
fn traps(board: &Board, margin: i32, turns: u32, truth: &mut dyn Truth) -> Vec<(House, f64)> {
    let mut found = Vec::new();
    for house in board.moves() {
        let Some(after) = after(board, house) else { continue };
        let again = after.side() == board.side() && !after.is_over();
        let of_next = if again { margin } else { -margin };
        // A move is one of the best when it leaves the player who moves next no more than that.
        let is_best = if after.side() == board.side() {
            truth.reaches(&after, margin)
        } else {
            truth.reaches(&after, 1 - margin).map(|more| !more)
        };
        let Some(is_best) = is_best else { break };
        if !is_best {
            continue;
        }
        let loss = if again {
            let next =
                if turns == 0 { Vec::new() } else { traps(&after, margin, turns - 1, truth) };
            next.into_iter().map(|(_, loss)| loss).max_by(f64::total_cmp)
        } else {
            mean_loss(&after, of_next, truth)
        };
        found.extend(loss.map(|loss| (house, loss)));
    }
    found
}

/// The move that sets the greatest traps among those that are worth `margin`; `first`, which is one of
/// them, if none is known to set greater ones.
pub(super) fn choose(board: &Board, margin: i32, first: House, truth: &mut dyn Truth) -> House {
    let found = traps(board, margin, MOST_TURNS, truth);
    let Some(&(_, of_first)) = found.iter().find(|(house, _)| *house == first) else {
        return first;
    };
    let best = found.into_iter().fold(
        (first, of_first),
        |best, next| {
            if next.1 > best.1 { next } else { best }
        },
    );
    best.0
}

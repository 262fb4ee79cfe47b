//! Fair starts: boards near the start of a game that are a draw when both sides play best.
//!
//! Kalah's first player wins most starts by many seeds. T. W. Neller and co-workers (*FairKalah*) move one
//! or two seeds of the start so that the game becomes a draw. [`starts_with_moved`] returns all boards that
//! come into question.

use crate::board::{Board, BoardError, MAX_HOUSES, Rules, Side};

/// The houses of both players and their stores.
const MAX_PITS: usize = 2 * MAX_HOUSES + 2;

/// The boards that exactly `moved` seeds tell from the start of a game with `seeds` in each house: that
/// many lie in other houses, or in stores. South is to move. Boards on which the game is over are left out.
///
/// ```
/// use kalah::fair::starts_with_moved;
/// use kalah::{Board, Rules};
///
/// let rules = Rules::default();
/// assert_eq!(starts_with_moved(rules, 4, 0)?, [Board::start(rules, 4)?]);
/// // One of 12 houses gives a seed to another one or to a store.
/// assert_eq!(starts_with_moved(rules, 4, 1)?.len(), 12 * 13);
/// assert_eq!(starts_with_moved(rules, 4, 2)?.len(), 6_240);
/// # Ok::<(), kalah::board::BoardError>(())
/// ```
///
/// # Errors
/// As [`Board::start`].
pub fn starts_with_moved(rules: Rules, seeds: u16, moved: u16) -> Result<Vec<Board>, BoardError> {
    Board::start(rules, seeds)?;
    let mut boards = Vec::new();
    let mut pits = [0; MAX_PITS];
    let houses = 2 * rules.houses();
    pits[..houses].fill(seeds);
    let pits = &mut pits[..houses + 2];
    move_seeds(pits, 0, [moved, moved], &mut |pits| {
        let (houses, stores) = pits.split_at(houses);
        let (south, north) = houses.split_at(rules.houses());
        // It has the seeds of the start.
        let board = Board::new(rules, [south, north], [stores[0], stores[1]], Side::South);
        boards.extend(board.ok().filter(|board| !board.is_over()));
    });
    Ok(boards)
}

/// Calls `visit` for each way to take seeds from some pits, from this one on, and to add them to others.
fn move_seeds(
    pits: &mut [u16],
    pit: usize,
    [to_take, to_add]: [u16; 2],
    visit: &mut impl FnMut(&[u16]),
) {
    if (to_take, to_add) == (0, 0) {
        return visit(pits);
    }
    let Some(&seeds) = pits.get(pit) else { return };
    for taken in (1..=to_take.min(seeds)).rev() {
        pits[pit] = seeds - taken;
        move_seeds(pits, pit + 1, [to_take - taken, to_add], visit);
    }
    for added in 0..=to_add {
        pits[pit] = seeds + added;
        move_seeds(pits, pit + 1, [to_take, to_add - added], visit);
    }
    pits[pit] = seeds;
}

//! Tablebases in memory, and the definition of a gain by the moves of a position.

use super::index::{GAIN_BIAS, PositionIndex};
use crate::board::{AnyPosition, Board, Move, Next, Position, Rules, Side, Sowings};
use crate::sys::prefetch;

/// The exact gains of all positions up to a number of seeds in the houses, in memory.
///
/// [`Tablebase::build`] computes one, [`TablebaseFiles::load`](super::TablebaseFiles::load) reads
/// one from files. It takes one byte for each position.
#[derive(Clone, Debug)]
pub struct Tablebase {
    rules: Rules,
    index: PositionIndex,
    /// In the order of the index, with [`GAIN_BIAS`] added.
    gains: Box<[u8]>,
}

impl Tablebase {
    /// Takes the gains in the order of the index.
    pub(super) fn new(rules: Rules, index: PositionIndex, gains: Box<[u8]>) -> Tablebase {
        Tablebase { rules, index, gains }
    }

    /// The rules of the positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The maximum number of seeds in the houses of a position.
    pub fn seeds(&self) -> u32 {
        self.index.seeds()
    }

    /// The number of positions, which is also the size in bytes.
    pub fn positions(&self) -> usize {
        self.gains.len()
    }

    /// The gain of the player to move, in seeds; `None` if the board has other rules than the table, or
    /// too many seeds in the houses.
    pub fn gain(&self, board: &Board) -> Option<i32> {
        match board.position() {
            AnyPosition::Narrow(_, position) if board.rules() == self.rules => {
                self.gain_of_position(&position)
            }
            _ => None,
        }
    }

    /// The gain of the player to move, in seeds; `None` if the position has too many seeds. The
    /// position must follow the rules of the table.
    #[inline]
    pub fn gain_of_position(&self, position: &Position<u64>) -> Option<i32> {
        let fits = position.own_seeds() + position.opponent_seeds() <= self.seeds();
        fits.then(|| self.gain_at(self.place(position)))
    }

    /// The bytes of all gains.
    #[cfg(test)]
    pub(super) fn gains(&self) -> &[u8] {
        &self.gains
    }

    /// The place of a position, which has no more seeds than the table.
    #[inline]
    pub(crate) fn place(&self, position: &Position<u64>) -> usize {
        self.index.place_of(position)
    }

    /// The gain of the position with these rows, which has no more seeds than the table.
    #[inline]
    pub(crate) fn gain_of_rows(&self, own: u64, opponent: u64) -> i32 {
        self.gain_at(self.index.place(own, opponent))
    }

    /// Prefetches what [`Tablebase::gain_at`] reads for this place.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        if let Some(gain) = self.gains.get(place) {
            prefetch(gain);
        }
    }

    /// The gain of the position with this place.
    #[inline]
    pub(crate) fn gain_at(&self, place: usize) -> i32 {
        i32::from(self.gains[place]) - i32::from(GAIN_BIAS)
    }
}

/// Returns the gain by each move of a board, in seeds from the view of the player to move, given the
/// gains of the boards after the moves. Returns no moves if the game is over.
///
/// # Errors
/// Returns the first error of `gain`.
pub fn gains_of_moves<E>(
    board: &Board,
    mut gain: impl FnMut(&Board) -> Result<i32, E>,
) -> Result<Vec<(Move, i32)>, E> {
    let gain_of_move = |mv: Move| {
        let mut after = *board;
        // A legal move cannot fail.
        let _ = after.play(mv);
        let margin = match after.result() {
            Some(result) if mv.side == Side::South => result,
            Some(result) => -result,
            None if after.side() == mv.side => after.store_difference() + gain(&after)?,
            None => -after.store_difference() - gain(&after)?,
        };
        Ok((mv, margin - board.store_difference()))
    };
    board.moves().map(gain_of_move).collect()
}

/// Returns the gain of a position, given the gains of the positions after its moves.
pub(super) fn gain_by_moves<E>(
    sowings: &Sowings<u64>,
    position: &Position<u64>,
    mut gain: impl FnMut(&Position<u64>) -> Result<i32, E>,
) -> Result<i32, E> {
    if position.is_over() {
        // Each side keeps its seeds.
        return Ok(position.own_seeds() as i32 - position.opponent_seeds() as i32);
    }
    position.moves().try_fold(i32::MIN, |best, house| {
        let played = position.play(sowings, house);
        Ok(best.max(match played.next {
            Next::Over => played.won(),
            Next::Again => played.won() + gain(&played.position)?,
            Next::Other => played.won() - gain(&played.position)?,
        }))
    })
}

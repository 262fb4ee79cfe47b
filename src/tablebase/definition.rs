//! What a gain is, by the moves of a position.

use crate::board::{House, Next, Position, Sowings};

/// The gain that each move of a position leads to, from the view of the player who makes it, by
/// the gains of other positions; no moves when the game is over.
///
/// # Errors
/// What `gain` answers with.
pub fn gains_of_moves<E>(
    sowings: &Sowings<u64>,
    position: &Position<u64>,
    mut gain: impl FnMut(&Position<u64>) -> Result<i32, E>,
) -> Result<Vec<(House, i32)>, E> {
    if position.is_over() {
        return Ok(Vec::new());
    }
    let of_move = |house| Ok((house, gain_of_move(sowings, position, house, &mut gain)?));
    position.moves().map(of_move).collect()
}

/// The gain of a position by the gains of those that its moves lead to.
pub(super) fn gain_by_moves<E>(
    sowings: &Sowings<u64>,
    position: &Position<u64>,
    mut gain: impl FnMut(&Position<u64>) -> Result<i32, E>,
) -> Result<i32, E> {
    // Each side keeps its seeds; with seeds left there is a move.
    let kept = position.own_seeds() as i32 - position.opponent_seeds() as i32;
    if position.is_over() {
        return Ok(kept);
    }
    let mut moves = position.moves().map(|house| gain_of_move(sowings, position, house, &mut gain));
    moves.try_fold(i32::MIN, |best, gain| Ok(best.max(gain?)))
}

fn gain_of_move<E>(
    sowings: &Sowings<u64>,
    position: &Position<u64>,
    house: House,
    gain: &mut impl FnMut(&Position<u64>) -> Result<i32, E>,
) -> Result<i32, E> {
    let played = position.play(sowings, house);
    let won = played.won();
    Ok(match played.next {
        Next::Over => won,
        Next::Again => won + gain(&played.position)?,
        Next::Other => won - gain(&played.position)?,
    })
}

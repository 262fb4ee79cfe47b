//! What the player to move can win in one turn, whatever the opponent does after it.

use super::bounds::GainBounds;
use crate::board::{Next, Position, RowTables, Sowings};

/// Most seeds that a turn has to win for a look at its moves to pay. With more of them, and more moves, fewer
/// positions are searched, in more time: docs/notebook/solver.md.
const MAX_SEEDS_TO_WIN: i32 = 6;

/// Moves of a turn that are looked at.
const MAX_MOVES: u32 = 6;

/// A gain that reaches the target and that one turn of the player to move wins, even if the opponent gets all seeds
/// that are left in the houses. `None` says nothing: few moves are looked at, and only if few seeds are needed.
#[inline]
pub(super) fn gain_by_one_turn<R: RowTables>(
    sowings: &Sowings<R>,
    position: &Position<R>,
    seeds: u32,
    target: i32,
) -> Option<i32> {
    // All seeds that are not won are lost.
    let needs_few = target + seeds as i32 <= 2 * MAX_SEEDS_TO_WIN;
    if needs_few { search(sowings, position, seeds, target, &mut { MAX_MOVES }) } else { None }
}

fn search<R: RowTables>(
    sowings: &Sowings<R>,
    position: &Position<R>,
    seeds: u32,
    target: i32,
    moves_left: &mut u32,
) -> Option<i32> {
    for house in position.moves().rev() {
        *moves_left = moves_left.checked_sub(1)?;
        let played = position.play(sowings, house);
        let (won, next) = (played.won(), played.next);
        let left = if next == Next::Over { 0 } else { seeds - played.banked };
        let gain = GainBounds::from_seeds(left).before_move(won, next).lower;
        if gain >= target {
            return Some(gain);
        }
        if next == Next::Again
            && let Some(gain) = search(sowings, &played.position, left, target - won, moves_left)
        {
            return Some(won + gain);
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use std::num::NonZeroUsize;

    use proptest::prelude::*;

    use super::*;
    use crate::board::{Capture, Rules, Sowing};
    use crate::tablebase::Tablebase;

    const SEEDS: u32 = 9;

    /// The most that all ways to play a turn win for sure.
    fn most(sowings: &Sowings<u64>, position: &Position<u64>, seeds: u32) -> i32 {
        let gains = position.moves().map(|house| {
            let played = position.play(sowings, house);
            let left = seeds - played.banked;
            played.won()
                + match played.next {
                    Next::Over => 0,
                    Next::Other => -(left as i32),
                    Next::Again => most(sowings, &played.position, left),
                }
        });
        gains.max().unwrap()
    }

    #[test]
    fn what_a_turn_reaches_is_no_more_than_the_gain() {
        let rows = prop::collection::vec(0_u16..4, 6);
        for rules in [Rules::new(3, Capture::Standard), Rules::new(3, Sowing::Relay)] {
            let rules = rules.unwrap();
            let sowings = Sowings::from_rules(rules).unwrap();
            let tablebase = Tablebase::build(rules, SEEDS, NonZeroUsize::MIN).unwrap();
            proptest!(|(rows in &rows)| {
                let position = Position::new(sowings, &rows[..3], &rows[3..]).unwrap();
                prop_assume!(!position.is_over() && position.seeds() <= SEEDS);
                let (seeds, gain) = (position.seeds(), tablebase.gain_of_position(&position).unwrap());
                let most = most(sowings, &position, seeds);
                for target in -(seeds as i32) - 1..=seeds as i32 + 1 {
                    let found = gain_by_one_turn(sowings, &position, seeds, target);
                    prop_assert!(found.is_none_or(|found| (target..=gain).contains(&found)));
                    let found = search(sowings, &position, seeds, target, &mut { u32::MAX });
                    prop_assert_eq!(found.is_some(), most >= target);
                    prop_assert!(found.is_none_or(|found| (target..=gain).contains(&found)));
                }
            });
        }
    }
}

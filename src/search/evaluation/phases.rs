//! Parts of a game, told apart by the seeds in the houses.

use crate::board::{MAX_HOUSES, MAX_SEEDS};

/// GamePhases that are told apart.
pub const PHASES: usize = 8;

/// The phases of games on a board: from one to the next there are three quarters of a seed a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePhases {
    /// GamePhases a seed, times 2^[`SHIFT`]: a division would take longer than all the rest.
    per_seed: u32,
}

const SHIFT: u32 = 16;
// What rounding up adds to the number of phases is less than what is missing to the next.
const _: () = assert!(MAX_SEEDS as usize * 3 * MAX_HOUSES < 1 << SHIFT);

impl GamePhases {
    /// Those on a board of so many houses a side, one at least.
    pub fn new(houses: usize) -> GamePhases {
        GamePhases { per_seed: (2_u32 << SHIFT).div_ceil(3 * houses.clamp(1, MAX_HOUSES) as u32) }
    }

    /// The phase with so many seeds in the houses, from 0 for the fewest.
    #[inline]
    pub fn of(self, seeds: u32) -> usize {
        (seeds.wrapping_mul(self.per_seed) >> SHIFT).min(PHASES as u32 - 1) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_three_quarters_of_a_seed_a_house_in_a_phase() {
        for houses in 1..=MAX_HOUSES {
            for seeds in 0..=MAX_SEEDS as usize {
                let per_house = seeds as f64 / (2 * houses) as f64;
                let expected = ((per_house / 0.75 + 1e-9) as usize).min(PHASES - 1);
                assert_eq!(GamePhases::new(houses).of(seeds as u32), expected, "{houses} {seeds}");
            }
        }
    }
}

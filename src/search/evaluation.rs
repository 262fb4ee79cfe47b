//! The static evaluation: an estimate of the gain from the houses alone.

use crate::board::{House, MAX_HOUSES, Position, RowTables, Side};

/// What each feature of a house is worth, in hundredths of a seed of gain.
///
/// A house is known by its *distance*: the seeds that reach from it to its owner's store, 1 for
/// the rightmost. Distances beyond 6 take the value of distance 6. The opponent's houses count
/// the same with the sign changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Being to move.
    pub tempo: i32,
    /// Each seed on the owner's side, by distance from 1: part of it will be banked or swept.
    pub seed: [i32; DISTANCES],
    /// A house holding exactly as many seeds as its distance: an extra turn is ready.
    pub extra_turn: [i32; DISTANCES],
    /// An empty house: a place to capture from.
    pub empty: [i32; DISTANCES],
}

/// Distances told apart.
pub const DISTANCES: usize = 6;

/// Seed counts told apart; larger ones take the value of the last.
const COUNTS: usize = 64;

/// Hundredths of a seed in a seed.
pub const CENTISEEDS: i32 = 100;

impl Weights {
    /// The weights the engine plays with.
    pub const DEFAULT: Weights = Weights {
        tempo: 100,
        seed: [10; DISTANCES],
        extra_turn: [60; DISTANCES],
        empty: [30; DISTANCES],
    };

    /// Counting stores and nothing else.
    pub const NONE: Weights = Weights {
        tempo: 0,
        seed: [0; DISTANCES],
        extra_turn: [0; DISTANCES],
        empty: [0; DISTANCES],
    };

    /// What a house is worth to its owner.
    fn of_house(&self, distance: usize, seeds: usize) -> i32 {
        let i = distance.min(DISTANCES) - 1;
        let mut worth = self.seed[i] * seeds as i32;
        if seeds == distance {
            worth += self.extra_turn[i];
        }
        if seeds == 0 {
            worth += self.empty[i];
        }
        worth
    }
}

/// An evaluation function: [`Weights`] worked out for every house and number of seeds.
#[derive(Clone, Debug)]
pub struct Evaluation {
    weights: Weights,
    /// By distance less one, then seeds.
    house: Box<[[i32; COUNTS]; MAX_HOUSES]>,
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation::new(Weights::DEFAULT)
    }
}

/// The parts of an evaluation in hundredths of a seed, from the mover's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// For being to move.
    pub tempo: i32,
    /// For each of the mover's houses, from the left.
    pub own: Vec<i32>,
    /// For each of the opponent's houses, from the opponent's left; already negative where it
    /// speaks for the opponent.
    pub opponent: Vec<i32>,
}

impl Evaluation {
    /// The evaluation with these weights.
    pub fn new(weights: Weights) -> Evaluation {
        let mut house = Box::new([[0; COUNTS]; MAX_HOUSES]);
        for (i, row) in house.iter_mut().enumerate() {
            for (seeds, worth) in row.iter_mut().enumerate() {
                *worth = weights.of_house(i + 1, seeds);
            }
        }
        Evaluation { weights, house }
    }

    #[inline]
    fn of_house(&self, distance: usize, seeds: u32) -> i32 {
        self.house[distance - 1][(seeds as usize).min(COUNTS - 1)]
    }

    /// The estimated gain in whole seeds, of the parity and within the range that gains of this
    /// position have. `seeds` are those in the houses.
    #[inline]
    pub fn gain<R: RowTables>(&self, position: &Position<R>, houses: usize, seeds: i32) -> i32 {
        let mut sum = self.weights.tempo;
        for lane in 0..houses {
            let house = House::of_lane(lane);
            sum += self.of_house(houses - lane, position.own(house));
            sum -= self.of_house(houses - lane, position.opponent(house));
        }
        // The nearest whole number of the right parity.
        let odd = seeds & 1;
        let pairs = (sum - odd * CENTISEEDS + CENTISEEDS).div_euclid(2 * CENTISEEDS);
        (2 * pairs + odd).clamp(-seeds, seeds)
    }

    /// The estimate taken apart.
    pub fn terms<R: RowTables>(&self, position: &Position<R>, houses: usize) -> Terms {
        let of = |side: Side| {
            (0..houses).map(move |lane| {
                let house = House::of_lane(lane);
                match side {
                    Side::South => self.of_house(houses - lane, position.own(house)),
                    Side::North => -self.of_house(houses - lane, position.opponent(house)),
                }
            })
        };
        Terms {
            tempo: self.weights.tempo,
            own: of(Side::South).collect(),
            opponent: of(Side::North).collect(),
        }
    }
}

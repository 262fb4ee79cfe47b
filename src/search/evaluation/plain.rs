//! The plain evaluation: a sum over the houses.
//!
//! The value of a house depends on its distance from its owner's store and on the seeds in it, by some [`Weights`].
//! It is one table lookup, so more terms cost a search nothing.
//!
//! The weights were fitted by least squares to gains found by searches of 10,000 nodes, in games of such searches
//! from random openings with 6 and 8 houses, mostly under standard capture, and one random ply off their line, with
//! at least 8 seeds in play: a first set to games of simpler weights, the present set to games of the first.
//! `crates/lab/examples/evaluation_terms.rs` plays the weights against themselves with one term switched off.

use crate::board::{House, MAX_HOUSES, Position, RowTables};

/// The weights of the features of a house, in hundredths of a seed of gain.
///
/// The *distance* of a house is the number of seeds that reach from it to its owner's store. Distances beyond 6
/// have the weights of 6. The opponent's houses have the same weights with the sign changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The side to move.
    pub tempo: i32,
    /// Each seed on the owner's side, by distance from 1: the nearer, the likelier it is banked or swept.
    pub seed: [i32; DISTANCES],
    /// An empty house: a place to capture in, but one move less. The fit finds the loss greater.
    pub empty: [i32; DISTANCES],
    /// A house with more seeds than its distance: sowing it gives seeds to the opponent.
    pub overflow: i32,
}

/// Number of distances with weights of their own.
pub const DISTANCES: usize = 6;

/// Number of seed counts with values of their own; larger counts have the value of the last.
const MAX_COUNTS: usize = 64;

impl Weights {
    /// The weights of the plain evaluation.
    pub const DEFAULT: Weights = Weights {
        tempo: 183,
        seed: [59, 42, 38, 30, 31, 31],
        empty: [-73, -87, -141, -192, -202, -144],
        overflow: -382,
    };

    /// Counts the stores only.
    pub const NONE: Weights =
        Weights { tempo: 0, seed: [0; DISTANCES], empty: [0; DISTANCES], overflow: 0 };

    /// The value of a house for its owner.
    fn of_house(&self, distance: usize, seeds: usize) -> i32 {
        let i = distance.min(DISTANCES) - 1;
        let special = match seeds {
            0 => self.empty[i],
            _ if seeds > distance => self.overflow,
            _ => 0,
        };
        self.seed[i] * seeds as i32 + special
    }
}

/// The values of all houses with all numbers of seeds, by [`Weights`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseValues {
    weights: Weights,
    /// Indexed by distance - 1, then seeds.
    house: [[i32; MAX_COUNTS]; MAX_HOUSES],
}

impl HouseValues {
    pub(super) fn new(weights: Weights) -> HouseValues {
        let mut house = [[0; MAX_COUNTS]; MAX_HOUSES];
        for (i, row) in house.iter_mut().enumerate() {
            for (seeds, value) in row.iter_mut().enumerate() {
                *value = weights.of_house(i + 1, seeds);
            }
        }
        HouseValues { weights, house }
    }

    #[inline]
    fn of_house(&self, distance: usize, seeds: u32) -> i32 {
        self.house[distance - 1][(seeds as usize).min(MAX_COUNTS - 1)]
    }

    /// The estimated gain in hundredths of a seed.
    #[inline]
    pub(super) fn centiseeds<R: RowTables>(&self, position: &Position<R>, houses: usize) -> i32 {
        let houses = houses.min(MAX_HOUSES);
        let mut sum = self.weights.tempo;
        for lane in 0..houses {
            let house = House::from_lane(lane);
            sum += self.of_house(houses - lane, position.own(house));
            sum -= self.of_house(houses - lane, position.opponent(house));
        }
        sum
    }

    pub(super) fn terms<R: RowTables>(
        &self,
        position: &Position<R>,
        houses: usize,
    ) -> EvaluationTerms {
        let houses = houses.min(MAX_HOUSES);
        let lanes = || (0..houses).map(|lane| (houses - lane, House::from_lane(lane)));
        let own = lanes().map(|(distance, house)| self.of_house(distance, position.own(house)));
        let opponent =
            lanes().map(|(distance, house)| -self.of_house(distance, position.opponent(house)));
        let tempo = Some(self.weights.tempo);
        EvaluationTerms { tempo, own: own.collect(), opponent: opponent.collect() }
    }
}

/// The parts of an evaluation in hundredths of a seed, from the mover's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluationTerms {
    /// The value of being to move; `None` for a network.
    pub tempo: Option<i32>,
    /// The contribution of each of the mover's houses: its value or, for a network, what emptying it changes.
    pub own: Vec<i32>,
    /// The contribution of each of the opponent's houses, from the opponent's left; positive is good for the mover.
    pub opponent: Vec<i32>,
}

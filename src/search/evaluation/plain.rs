//! The plain evaluation: a sum over the houses.
//!
//! The value of a house depends on its distance from its owner's store and on the seeds in it, by a
//! handful of [`Weights`]. All terms of a house are one table lookup by distance and seeds, so more
//! terms cost a search nothing.
//!
//! The weights were fitted by least squares to the gains found by deeper searches. A search of
//! 10,000 nodes a move played against itself from random openings of boards with 6 and 8 houses,
//! mostly under standard capture. The positions of these games, and others one random ply off their
//! line, with at least 8 seeds in play, were labelled with the gain found by that search. A first set
//! of weights was fitted to games of simpler ones, the present set to the games of the first.
//! `crates/lab/examples/evaluation_terms.rs` plays the weights against themselves with one term switched off.
//!
//! A term for a house with exactly the seeds for an extra turn was tried and left out: with the other
//! weights fitted again, it gained +2 Elo [-7, 12] in 3,000 games on 6 houses with 6 seeds at 5,000
//! nodes a move.

use crate::board::{House, MAX_HOUSES, Position, RowTables};

/// The weights of the features of a house, in hundredths of a seed of gain.
///
/// The *distance* of a house is the number of seeds that reach from it to its owner's store, 1 for
/// the rightmost. Distances beyond 6 have the weights of distance 6. The opponent's houses have the
/// same weights with the sign changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The side to move.
    pub tempo: i32,
    /// Each seed on the owner's side, by distance from 1. Part of it will be banked or swept, more
    /// the nearer it is to the store.
    pub seed: [i32; DISTANCES],
    /// An empty house: a place to capture in, but one move less to choose from. The fit finds the
    /// loss greater, most of all at middle distances.
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
#[derive(Clone, Debug)]
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
        let values = |seeds: fn(&Position<R>, House) -> u32, sign: i32| {
            (0..houses)
                .map(|lane| {
                    let seeds = seeds(position, House::from_lane(lane));
                    sign * self.of_house(houses - lane, seeds)
                })
                .collect()
        };
        EvaluationTerms {
            tempo: Some(self.weights.tempo),
            own: values(Position::own, 1),
            opponent: values(Position::opponent, -1),
        }
    }
}

/// The parts of an evaluation in hundredths of a seed, from the mover's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluationTerms {
    /// The value of being to move; `None` for a network.
    pub tempo: Option<i32>,
    /// The contribution of each of the mover's houses, from the left: its value or, for a network, the
    /// difference to the evaluation with that house empty.
    pub own: Vec<i32>,
    /// The contribution of each of the opponent's houses, from the opponent's left; positive if it is
    /// good for the mover.
    pub opponent: Vec<i32>,
}

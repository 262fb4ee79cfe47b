//! The plain evaluation.
//!
//! The houses count one by one: what each is worth depends on its distance from its owner's
//! store and on the seeds in it, by a handful of [`Weights`]. Every sum of that kind is a table
//! by distance and seeds, so the number of terms costs a search nothing.
//!
//! The weights were found by least squares on the gains that deeper searches found. A search of
//! 10,000 nodes a move played against itself from random openings of boards with 6 and 8 houses,
//! mostly under standard capture; the positions of these games, and others one random ply off
//! their line, with at least 8 seeds in play, were labelled with the gain that search found. A
//! first set of weights was fitted to games of simpler ones, the present set to the games of the
//! first. `examples/evaluation_terms.rs` plays the weights against themselves with one term
//! switched off.
//!
//! A term for a house with exactly the seeds for an extra turn was tried and left out: with the
//! other weights fitted anew, it was worth +2 Elo [-7, 12] in 3,000 games on 6 houses with 6
//! seeds at 5,000 nodes a move.

use super::EvaluationTerms;
use crate::board::{House, MAX_HOUSES, Position, RowTables};

/// What each feature of a house is worth, in hundredths of a seed of gain.
///
/// A house is known by its *distance*: the seeds that reach from it to its owner's store, 1 for
/// the rightmost. Distances beyond 6 take the value of distance 6. The opponent's houses count
/// the same with the sign changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Being to move.
    pub tempo: i32,
    /// Each seed on the owner's side, by distance from 1: part of it will be banked or swept,
    /// more the nearer it is to the store.
    pub seed: [i32; DISTANCES],
    /// An empty house: a place to capture in, but one move less to choose from. The fit finds
    /// the loss greater, most of all at middle distances.
    pub empty: [i32; DISTANCES],
    /// A house holding more seeds than its distance: sowing it gives seeds to the other side.
    pub overflow: i32,
}

/// Distances told apart.
pub const DISTANCES: usize = 6;

/// Seed counts told apart; larger ones take the value of the last.
const COUNTS: usize = 64;

impl Weights {
    /// The weights the engine plays with.
    pub const DEFAULT: Weights = Weights {
        tempo: 183,
        seed: [59, 42, 38, 30, 31, 31],
        empty: [-73, -87, -141, -192, -202, -144],
        overflow: -382,
    };

    /// Counting stores and nothing else.
    pub const NONE: Weights =
        Weights { tempo: 0, seed: [0; DISTANCES], empty: [0; DISTANCES], overflow: 0 };

    /// What a house is worth to its owner.
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

/// [`Weights`] worked out for every house and number of seeds.
#[derive(Clone, Debug)]
pub struct HouseWorths {
    weights: Weights,
    /// By distance less one, then seeds.
    house: [[i32; COUNTS]; MAX_HOUSES],
}

impl HouseWorths {
    pub(super) fn new(weights: Weights) -> HouseWorths {
        let mut house = [[0; COUNTS]; MAX_HOUSES];
        for (i, row) in house.iter_mut().enumerate() {
            for (seeds, worth) in row.iter_mut().enumerate() {
                *worth = weights.of_house(i + 1, seeds);
            }
        }
        HouseWorths { weights, house }
    }

    #[inline]
    fn of_house(&self, distance: usize, seeds: u32) -> i32 {
        self.house[distance - 1][(seeds as usize).min(COUNTS - 1)]
    }

    /// The estimated gain in hundredths of a seed.
    #[inline]
    pub(super) fn centiseeds<R: RowTables>(&self, position: &Position<R>, houses: usize) -> i32 {
        let mut sum = self.weights.tempo;
        for lane in 0..houses {
            let house = House::of_lane(lane);
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
        let worths = |seeds: fn(&Position<R>, House) -> u32, sign: i32| {
            (0..houses)
                .map(|lane| {
                    let seeds = seeds(position, House::of_lane(lane));
                    sign * self.of_house(houses - lane, seeds)
                })
                .collect()
        };
        EvaluationTerms {
            tempo: Some(self.weights.tempo),
            own: worths(Position::own, 1),
            opponent: worths(Position::opponent, -1),
        }
    }
}

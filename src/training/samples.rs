//! Positions to learn from.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use crate::board::{Board, MAX_HOUSES, Side};
use crate::search::SEED_COUNTS;

/// A position with what is known of its gain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Seeds in the mover's houses, from the left, and then in the opponent's, from the opponent's
    /// left; with spaces between.
    pub houses: String,
    /// The gain that a search found, in seeds.
    pub search: i32,
    /// Whether it is proven.
    pub proven: bool,
    /// The gain that the mover came to in the game that the position is from; none when it stands
    /// beside the line of a game.
    pub outcome: Option<i32>,
}

/// The part of the outcome in what is learned, if there is one.
const OUTCOME_SHARE: f32 = 0.3;

impl Sample {
    /// A position with the gain that a search found.
    pub(super) fn new(board: &Board, search: i32, proven: bool) -> Sample {
        let sides = [board.side(), !board.side()];
        let seeds = sides.iter().flat_map(|&side: &Side| board.houses(side));
        let houses = seeds.map(u16::to_string).collect::<Vec<_>>().join(" ");
        Sample { houses, search, proven, outcome: None }
    }

    /// The gain to be learned, in seeds.
    pub(super) fn label(&self) -> f32 {
        let search = self.search as f32;
        match self.outcome {
            Some(outcome) if !self.proven => search + OUTCOME_SHARE * (outcome as f32 - search),
            _ => search,
        }
    }

    /// Seeds in the houses of a board of so many a side; `None` when the position is of another.
    pub(super) fn seeds(&self, houses: usize) -> Option<Vec<u16>> {
        let seeds = self.houses.split(' ').map(str::parse).collect::<Result<Vec<_>, _>>();
        seeds.ok().filter(|seeds| seeds.len() == 2 * houses)
    }
}

/// The rows of a network that a position with these seeds adds up.
pub(super) fn rows_of(seeds: &[u16]) -> impl Iterator<Item = u16> {
    seeds
        .iter()
        .zip(0..)
        .map(|(&seeds, house)| house * SEED_COUNTS as u16 + seeds.min(SEED_COUNTS as u16 - 1))
}

const _: () = assert!(2 * MAX_HOUSES * SEED_COUNTS <= u16::MAX as usize);

/// Writes samples as a table of comma-separated values with a header.
///
/// # Errors
/// When they cannot be written.
pub fn write_samples(to: impl Write, samples: &[Sample]) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(to);
    samples.iter().try_for_each(|sample| writer.serialize(sample))?;
    Ok(writer.flush()?)
}

/// Reads what [`write_samples`] has written.
///
/// # Errors
/// When it cannot be read or is something else.
pub fn read_samples(from: impl Read) -> Result<Vec<Sample>, csv::Error> {
    csv::Reader::from_reader(from).deserialize().collect()
}

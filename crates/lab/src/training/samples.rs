//! Training positions and their CSV files.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use kalah::board::{Board, MAX_HOUSES, Side};
use kalah::search::SEED_COUNTS;

/// A position with the gains to learn from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Seeds in the mover's houses from the left, then in the opponent's from the opponent's left,
    /// separated by spaces.
    pub houses: String,
    /// The gain that a search found, in seeds.
    pub search: i32,
    /// Whether that gain is proven.
    pub proven: bool,
    /// The mover's gain at the end of the game; `None` for a position that was not played.
    pub outcome: Option<i32>,
}

/// The names of its members.
const HEADER: &[&str] = &["houses", "search", "proven", "outcome"];

/// The weight of the outcome in the label, if there is one.
const OUTCOME_WEIGHT: f32 = 0.3;

impl Sample {
    pub(super) fn new(board: &Board, search: i32, proven: bool) -> Sample {
        let sides = [board.side(), !board.side()];
        let seeds = sides.iter().flat_map(|&side: &Side| board.houses(side));
        let houses = seeds.map(u16::to_string).collect::<Vec<_>>().join(" ");
        Sample { houses, search, proven, outcome: None }
    }

    /// The gain to learn, in seeds.
    pub(super) fn label(&self) -> f32 {
        let search = self.search as f32;
        match self.outcome {
            Some(outcome) if !self.proven => search + OUTCOME_WEIGHT * (outcome as f32 - search),
            _ => search,
        }
    }

    /// The seeds in the houses; `None` unless the position has `houses` houses a side.
    pub(super) fn seeds(&self, houses: usize) -> Option<Vec<u16>> {
        let seeds = self.houses.split(' ').map(str::parse::<u16>).collect::<Result<Vec<_>, _>>();
        seeds.ok().filter(|seeds| seeds.len() == 2 * houses)
    }
}

/// The rows of the network that the position with these seeds activates.
pub(super) fn feature_rows(seeds: &[u16]) -> impl Iterator<Item = u16> {
    seeds
        .iter()
        .zip(0..)
        .map(|(&seeds, house)| house * SEED_COUNTS as u16 + seeds.min(SEED_COUNTS as u16 - 1))
}

const _: () = assert!(2 * MAX_HOUSES * SEED_COUNTS <= u16::MAX as usize);

/// Writes samples as CSV with a header.
///
/// # Errors
/// When they cannot be written.
pub fn write_samples(output: impl Write, samples: &[Sample]) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(output);
    samples.iter().try_for_each(|sample| writer.serialize(sample))?;
    Ok(writer.flush()?)
}

/// Reads the samples of a CSV file with a header.
///
/// # Errors
/// When the file cannot be read or is not a file of samples.
pub fn read_samples(input: impl Read) -> Result<Vec<Sample>, csv::Error> {
    let mut reader = csv::Reader::from_reader(input);
    // What has no samples has no header either.
    if !reader.headers()?.is_empty() && reader.headers()? != HEADER {
        let text = format!("no samples: they begin with {}", HEADER.join(","));
        return Err(io::Error::new(io::ErrorKind::InvalidData, text).into());
    }
    reader.deserialize().collect()
}

//! The settings of a training run.

use serde::{Deserialize, Serialize};

use super::error::TrainingError;
use kalah::board::{Board, BoardError, Capture, Rules, splitmix64};
use kalah::search::{BLOCK_NEURONS, MAX_NEURONS, blocks_of_neurons};

/// The settings of a training run. Equal settings make equal networks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingConfig {
    /// Houses a side.
    pub houses: usize,
    /// `standard` or `empty`.
    pub capture: String,
    /// Seeds in each house at the start of games.
    pub seeds: Vec<u16>,
    /// Minimum number of positions in each generation.
    pub positions: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// Number of networks to train, one after the other. The games of the first generation use the
    /// plain evaluation.
    pub generations: u32,
    /// Neurons of the last network, [`BLOCK_NEURONS`] to [`MAX_NEURONS`] in steps of [`BLOCK_NEURONS`].
    /// The networks before it, which only play games, have [`BLOCK_NEURONS`].
    #[serde(default = "default_neurons")]
    pub neurons: usize,
    /// Random seed.
    pub seed: u64,
}

/// For the folders of runs from before there was a choice.
fn default_neurons() -> usize {
    BLOCK_NEURONS
}

impl TrainingConfig {
    pub(super) fn rules(&self) -> Result<Rules, TrainingError> {
        let capture: Result<Capture, _> = self.capture.parse();
        let capture = capture.map_err(|error| TrainingError::Config(error.to_string()))?;
        Ok(Rules::new(self.houses, capture).map_err(BoardError::from)?)
    }

    /// The boards that games start from, in rotation; at least one.
    pub(super) fn starts(&self) -> Result<Vec<Board>, TrainingError> {
        let rules = self.rules()?;
        let starts = self.seeds.iter().map(|&seeds| Board::start(rules, seeds));
        let starts = starts.collect::<Result<Vec<_>, _>>()?;
        if starts.is_empty() || self.generations == 0 {
            let message = "training needs at least one number of seeds and one generation";
            return Err(TrainingError::Config(message.to_owned()));
        }
        if blocks_of_neurons(self.neurons).is_none() {
            return Err(TrainingError::Config(format!(
                "neurons must be {BLOCK_NEURONS} to {MAX_NEURONS}, in steps of {BLOCK_NEURONS}"
            )));
        }
        Ok(starts)
    }

    /// The blocks of neurons of a generation's network.
    pub(super) fn blocks_of(&self, generation: u32) -> usize {
        if generation == self.generations { self.neurons / BLOCK_NEURONS } else { 1 }
    }

    /// The random seed of the games of a generation.
    pub(super) fn seed_of(&self, generation: u32) -> u64 {
        splitmix64(self.seed ^ splitmix64(u64::from(generation)))
    }
}

//! The settings of a training run.

use clap::builder::PossibleValuesParser;
use clap::{Args, value_parser};
use serde::{Deserialize, Serialize};

use super::error::TrainingError;
use kalah::board::{Board, BoardError, Capture, Rules, splitmix64};
use kalah::search::{BLOCK_NEURONS, MAX_NEURONS, blocks_of_neurons};

/// The settings of a training run. Equal settings make equal networks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Args)]
pub struct TrainingConfig {
    /// Houses a side, 1 to 12.
    #[arg(long, value_name = "H", default_value_t = 6)]
    pub houses: usize,
    /// Capture rule: standard, or empty (captures also when the opposite house is empty).
    #[arg(long, value_name = "RULE", default_value = Capture::Standard.name(),
          value_parser = PossibleValuesParser::new(Capture::ALL.map(Capture::name)))]
    pub capture: String,
    /// Seeds in each house at the start of games.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "3,4,5,6,7",
          value_parser = value_parser!(u16).range(1..))]
    pub seeds: Vec<u16>,
    /// Minimum number of positions in each generation.
    #[arg(long, value_name = "N", default_value_t = 250_000,
          value_parser = value_parser!(u64).range(1..))]
    pub positions: u64,
    /// Nodes of each search.
    #[arg(long, value_name = "N", default_value_t = 3_000,
          value_parser = value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Number of networks to train, one after the other. The games of the first generation use the
    /// plain evaluation.
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = value_parser!(u32).range(1..), help = "Generations")]
    pub generations: u32,
    /// Neurons of the last network, [`BLOCK_NEURONS`] to [`MAX_NEURONS`] in steps of [`BLOCK_NEURONS`].
    /// The networks before it, which only play games, have [`BLOCK_NEURONS`].
    #[serde(default = "default_neurons")]
    #[arg(long, value_name = "N", default_value_t = BLOCK_NEURONS,
          help = "Neurons of the last network, 32 to 128 in steps of 32: more estimate better and take longer")]
    pub neurons: usize,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// For the folders of runs from before there was a choice.
fn default_neurons() -> usize {
    BLOCK_NEURONS
}

impl TrainingConfig {
    pub(crate) fn rules(&self) -> Result<Rules, TrainingError> {
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

//! The learned evaluation: a network with one hidden layer.
//!
//! A feature is a house, the mover's or the opponent's, with a number of seeds. The hidden layer
//! consists of blocks of [`BLOCK_NEURONS`] neurons, and the weights of a feature to a block are a row of
//! 16-bit numbers. The rows of a position are added, negative sums become 0 (`ReLU`), and the rest is
//! weighted, with separate output weights for each of the [`PHASES`] of a game (output buckets).
//!
//! [`BLOCK_NEURONS`]: super::BLOCK_NEURONS

use thiserror::Error;

use super::hidden_layer::{
    BlockParameters, Features, HiddenLayer, MAX_BLOCKS, PHASES, SEED_COUNTS, features, weighted_sum,
};
use super::plain::EvaluationTerms;
use crate::board::{MAX_HOUSES, MAX_SEEDS, Position, RowTables, Rules};

/// Largest sum of the absolute output weights of a phase, and output bias: the output fits into 32 bits.
const MAX_OUTPUT: i64 = 60_000;
const MAX_OUTPUT_BIAS: u32 = 150_000_000;
const _: () = assert!(MAX_OUTPUT * i16::MAX as i64 + MAX_OUTPUT_BIAS as i64 <= i32::MAX as i64);

const MAX_SHIFT: u8 = 24;

/// Maps the seeds in the houses to a phase of the game: each has three quarters of a seed per house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePhases {
    /// Phases per seed, times 2^[`PHASE_SHIFT`]: a division would take longer than all the rest.
    per_seed: u32,
}

const PHASE_SHIFT: u32 = 16;
// The error of rounding up is less than the distance to the next phase.
const _: () = assert!(MAX_SEEDS as usize * 3 * MAX_HOUSES < 1 << PHASE_SHIFT);

impl GamePhases {
    /// The phases on a board of this many houses a side, at least one.
    pub fn new(houses: usize) -> GamePhases {
        let houses = houses.clamp(1, MAX_HOUSES) as u32;
        GamePhases { per_seed: (2_u32 << PHASE_SHIFT).div_ceil(3 * houses) }
    }

    /// The phase with this many seeds in the houses; 0 has the fewest.
    #[inline]
    pub fn phase(self, seeds: u32) -> usize {
        (seeds.wrapping_mul(self.per_seed) >> PHASE_SHIFT).min(PHASES as u32 - 1) as usize
    }
}

/// A learned evaluation for the rules of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    rules: Rules,
    phases: GamePhases,
    hidden: HiddenLayer,
    parameters: NetworkParameters,
}

/// The numbers that a [`Network`] consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkParameters {
    /// The blocks of the hidden layer, 1 to [`MAX_BLOCKS`].
    pub blocks: Vec<BlockParameters>,
    /// The output bias of each phase.
    pub output_bias: [i32; PHASES],
    /// The output is shifted right by this many bits to be in hundredths of a seed.
    pub shift: u8,
}

/// Why numbers do not make a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The number of rows does not fit the board.
    #[error("{found} rows of weights, but the board needs {expected}")]
    Rows {
        /// The number of rows that the board needs.
        expected: usize,
        /// The number of rows given.
        found: usize,
    },
    /// The number of blocks is not in the range.
    #[error("{0} blocks of neurons, but a network has 1 to {MAX_BLOCKS}")]
    Blocks(usize),
    /// The output could overflow 32 bits.
    #[error("weights too large")]
    TooLarge,
}

impl Network {
    /// Makes a network for a board.
    ///
    /// # Errors
    /// Returns an error if the number of rows or blocks is wrong, or if the output could overflow.
    pub fn new(rules: Rules, parameters: NetworkParameters) -> Result<Network, NetworkError> {
        let NetworkParameters { blocks, output_bias, shift } = &parameters;
        let hidden = HiddenLayer::new(blocks).ok_or(NetworkError::Blocks(blocks.len()))?;
        let expected = 2 * rules.houses() * SEED_COUNTS;
        if let Some(block) = blocks.iter().find(|block| block.rows.len() != expected) {
            return Err(NetworkError::Rows { expected, found: block.rows.len() });
        }
        let weight_of_phase = |phase: usize| -> i64 {
            let weights = blocks.iter().flat_map(|block| block.output[phase]);
            weights.map(|weight| i64::from(weight).abs()).sum()
        };
        let is_large = (0..PHASES).any(|phase| weight_of_phase(phase) > MAX_OUTPUT)
            || output_bias.iter().any(|bias| bias.unsigned_abs() > MAX_OUTPUT_BIAS);
        if is_large || *shift > MAX_SHIFT {
            return Err(NetworkError::TooLarge);
        }
        let phases = GamePhases::new(rules.houses());
        Ok(Network { rules, phases, hidden, parameters })
    }

    /// The rules of the board that the network is for.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The numbers that the network consists of.
    pub fn parameters(&self) -> &NetworkParameters {
        &self.parameters
    }

    /// The estimated gain in hundredths of a seed. `seeds` are those in the houses.
    #[inline]
    pub(super) fn centiseeds<R: RowTables>(
        &self,
        position: &Position<R>,
        houses: usize,
        seeds: u32,
    ) -> i32 {
        self.output(features(position), houses, self.phases.phase(seeds))
    }

    #[inline]
    fn output(&self, [own, opponent]: Features, houses: usize, phase: usize) -> i32 {
        let sum = weighted_sum(&self.hidden, own, opponent, houses, phase);
        (sum + self.parameters.output_bias[phase]) >> self.parameters.shift
    }

    /// For each house the difference to the evaluation with that house empty, in the same phase.
    pub(super) fn terms<R: RowTables>(
        &self,
        position: &Position<R>,
        houses: usize,
    ) -> EvaluationTerms {
        let houses = houses.min(MAX_HOUSES);
        let features = features(position);
        let phase = self.phases.phase(position.seeds());
        let whole = self.output(features, houses, phase);
        let value = |side: usize, lane: usize| {
            let mut without = features;
            without[side] &= !(0xff << (lane * 8));
            whole.saturating_sub(self.output(without, houses, phase))
        };
        let [own, opponent] =
            [0, 1].map(|side| (0..houses).map(|lane| value(side, lane)).collect());
        EvaluationTerms { tempo: None, own, opponent }
    }
}

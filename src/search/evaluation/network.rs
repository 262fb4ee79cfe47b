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
    BlockParameters, Features, HiddenLayer, MAX_BLOCKS, PHASES, SEED_COUNTS,
};
use super::plain::EvaluationTerms;
use crate::board::{MAX_HOUSES, MAX_SEEDS, Position, RowTables, Rules};

/// Largest sum of the absolute output weights of a phase, and largest output bias: with these the
/// output fits into 32 bits for all values of the neurons.
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
    pub fn of(self, seeds: u32) -> usize {
        (seeds.wrapping_mul(self.per_seed) >> PHASE_SHIFT).min(PHASES as u32 - 1) as usize
    }
}

/// A learned evaluation for the rules of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    rules: Rules,
    phases: GamePhases,
    hidden: HiddenLayer,
    output_bias: [i32; PHASES],
    shift: u8,
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
    pub fn new(rules: Rules, parameters: &NetworkParameters) -> Result<Network, NetworkError> {
        let NetworkParameters { blocks, output_bias, shift } = parameters;
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
        Ok(Network { rules, phases, hidden, output_bias: *output_bias, shift: *shift })
    }

    /// The rules of the board that the network is for.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The numbers that the network consists of.
    pub fn parameters(&self) -> NetworkParameters {
        NetworkParameters {
            blocks: self.hidden.blocks(self.rules.houses()),
            output_bias: self.output_bias,
            shift: self.shift,
        }
    }

    /// The estimated gain in hundredths of a seed. `seeds` are those in the houses.
    #[inline]
    pub(super) fn centiseeds<R: RowTables>(
        &self,
        position: &Position<R>,
        houses: usize,
        seeds: u32,
    ) -> i32 {
        self.output(Features::from_position(position, houses), self.phases.of(seeds))
    }

    #[inline]
    fn output(&self, features: Features, phase: usize) -> i32 {
        (self.hidden.weighted_sum(features, phase) + self.output_bias[phase]) >> self.shift
    }

    /// For each house the difference to the evaluation with that house empty, in the same phase.
    pub(super) fn terms<R: RowTables>(
        &self,
        position: &Position<R>,
        houses: usize,
    ) -> EvaluationTerms {
        let houses = houses.min(MAX_HOUSES);
        let features = Features::from_position(position, houses);
        let phase = self.phases.of(position.own_seeds() + position.opponent_seeds());
        let whole = self.output(features, phase);
        let value = |without| whole.saturating_sub(self.output(without, phase));
        EvaluationTerms {
            tempo: None,
            own: (0..houses).map(|lane| value(features.without_own(lane))).collect(),
            opponent: (0..houses).map(|lane| value(features.without_opponent(lane))).collect(),
        }
    }
}

#[cfg(test)]
pub(super) mod samples {
    use super::super::hidden_layer::BLOCK_NEURONS;
    use super::*;

    /// The expected output in hundredths of a seed for the mover's and the opponent's seeds.
    pub(in super::super) type Expected = fn(&[u16], &[u16]) -> i32;

    impl Network {
        /// Networks with a simple expected output.
        pub(in super::super) fn samples(
            rules: Rules,
        ) -> Result<[(Network, Expected); 2], NetworkError> {
            let count = |i: usize| (i % SEED_COUNTS) as i16;
            let is_own = |i: usize| i < rules.houses() * SEED_COUNTS;
            // Half a seed for each of the mover's seeds, up to 15 a house, and minus as much for the
            // opponent's: one neuron for positive sums, one for negative ones.
            let difference = |i: usize| {
                let mut row = [0; BLOCK_NEURONS];
                row[0] = if is_own(i) { count(i) } else { -count(i) };
                row[1] = -row[0];
                row
            };
            let mut output = [0; BLOCK_NEURONS];
            (output[0], output[1]) = (100, -100);
            let rows = 2 * rules.houses() * SEED_COUNTS;
            let linear = BlockParameters {
                bias: [0; BLOCK_NEURONS],
                output: [output; PHASES],
                rows: (0..rows).map(difference).collect(),
            };
            let linear =
                NetworkParameters { blocks: vec![linear], output_bias: [0; PHASES], shift: 1 };
            // All numbers are as large as they may be, or nearly: nothing overflows.
            let greatest = BlockParameters {
                bias: [i16::MAX; BLOCK_NEURONS],
                output: [[(1_875 / MAX_BLOCKS) as i16; BLOCK_NEURONS]; PHASES],
                rows: vec![[i16::MAX; BLOCK_NEURONS]; rows],
            };
            let greatest = NetworkParameters {
                blocks: vec![greatest; MAX_BLOCKS],
                output_bias: [MAX_OUTPUT_BIAS as i32; PHASES],
                shift: 0,
            };
            let half: Expected = |own, opponent| {
                let capped = |seeds: &[u16]| {
                    seeds.iter().map(|&seeds| i32::from(seeds.min(15))).sum::<i32>()
                };
                50 * (capped(own) - capped(opponent))
            };
            let [linear, greatest] = [linear, greatest].map(|it| Network::new(rules, &it));
            Ok([(linear?, half), (greatest?, |_, _| i32::MAX)])
        }
    }

    #[test]
    fn a_phase_has_three_quarters_of_a_seed_per_house() {
        for houses in 1..=MAX_HOUSES {
            for seeds in 0..=MAX_SEEDS as usize {
                let per_house = seeds as f64 / (2 * houses) as f64;
                let expected = ((per_house / 0.75 + 1e-9) as usize).min(PHASES - 1);
                assert_eq!(GamePhases::new(houses).of(seeds as u32), expected, "{houses} {seeds}");
            }
        }
    }

    #[test]
    fn numbers_that_make_no_network_are_refused() -> Result<(), NetworkError> {
        let rules = Rules::default();
        let (network, _) = &Network::samples(rules)?[1];
        let good = network.parameters();
        assert_eq!(Network::new(rules, &good).as_ref(), Ok(network));
        let mut few = good.clone();
        few.blocks[1].rows.pop();
        let expected = NetworkError::Rows { expected: 192, found: 191 };
        assert_eq!(Network::new(rules, &few), Err(expected));
        // The weights of a phase add up to 60,000, and to one more.
        let [mut full, mut heavy] = [good.clone(), good.clone()];
        full.blocks[2].output[PHASES - 1][0] = -564;
        assert!(Network::new(rules, &full).is_ok());
        heavy.blocks[2].output[PHASES - 1][0] = -565;
        let mut biased = good.clone();
        biased.output_bias[1] = i32::MIN;
        let shifted = NetworkParameters { shift: 25, ..good.clone() };
        for large in [heavy, biased, shifted] {
            assert_eq!(Network::new(rules, &large), Err(NetworkError::TooLarge));
        }
        for count in [0, MAX_BLOCKS + 1] {
            let blocks = vec![good.blocks[0].clone(); count];
            let parameters = NetworkParameters { blocks, ..good.clone() };
            assert_eq!(Network::new(rules, &parameters), Err(NetworkError::Blocks(count)));
        }
        Ok(())
    }
}

//! A network with floating-point weights, of the same shape as a [`Network`], and its quantisation.

use arrayvec::ArrayVec;
use fastrand::Rng;

use kalah::board::Rules;
use kalah::search::{
    BLOCK_NEURONS, BlockParameters, CENTISEEDS, MAX_BLOCKS, Network, NetworkError,
    NetworkParameters, PHASES, SEED_COUNTS,
};

/// Seeds per unit of the output, which gives all weights a similar magnitude.
pub(super) const UNIT: f32 = 4.0;

/// Quantised hidden weights are multiples of 2^-bits, with at most this number of bits.
const MAX_BITS: i32 = 12;

/// Maximum right shift of the quantised output.
const MAX_SHIFT: u8 = 20;

/// The hidden layer of a position, before its activation.
pub(super) type Hidden = ArrayVec<[f32; BLOCK_NEURONS], MAX_BLOCKS>;

#[derive(Clone, Debug)]
pub(super) struct FloatBlock {
    /// For each house, the mover's and then the opponent's, a row for each seed count.
    pub(super) rows: Vec<[f32; BLOCK_NEURONS]>,
    pub(super) bias: [f32; BLOCK_NEURONS],
    /// By phase.
    pub(super) output: [[f32; BLOCK_NEURONS]; PHASES],
}

#[derive(Clone, Debug)]
pub(super) struct FloatNetwork {
    pub(super) blocks: Vec<FloatBlock>,
    pub(super) output_bias: [f32; PHASES],
}

impl FloatNetwork {
    pub(super) fn zero(houses: usize, blocks: usize) -> FloatNetwork {
        let zero = [0.0; BLOCK_NEURONS];
        let rows = vec![zero; 2 * houses * SEED_COUNTS];
        let block = FloatBlock { rows, bias: zero, output: [zero; PHASES] };
        FloatNetwork { blocks: vec![block; blocks], output_bias: [0.0; PHASES] }
    }

    pub(super) fn random(houses: usize, blocks: usize, rng: &mut Rng) -> FloatNetwork {
        let mut network = FloatNetwork::zero(houses, blocks);
        let mut draw = |width: f32| width * (2.0 * rng.f32() - 1.0);
        let width = 1.0 / (2.0 * houses as f32).sqrt();
        let output_width = 1.0 / ((blocks * BLOCK_NEURONS) as f32).sqrt();
        for block in &mut network.blocks {
            for weight in block.rows.as_flattened_mut() {
                *weight = draw(width);
            }
            // Equal in all phases, so that a hidden neuron starts with one meaning.
            block.output = [[(); BLOCK_NEURONS].map(|()| draw(output_width)); PHASES];
        }
        network
    }

    /// The hidden layer, before its activation, of the position with these rows.
    pub(super) fn hidden(&self, rows: &[u16]) -> Hidden {
        self.blocks.iter().map(|block| block.hidden(rows)).collect()
    }

    /// The estimated gain in [`UNIT`]s.
    pub(super) fn output(&self, hidden: &Hidden, phase: usize) -> f32 {
        let blocks = self.blocks.iter().zip(hidden);
        self.output_bias[phase]
            + blocks.map(|(block, hidden)| block.output(hidden, phase)).sum::<f32>()
    }

    /// All weights, in the same order for every network.
    pub(super) fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let FloatNetwork { blocks, output_bias } = self;
        blocks.iter_mut().flat_map(FloatBlock::weights_mut).chain(output_bias)
    }

    /// The nearest network with integer weights.
    ///
    /// # Errors
    /// When a weight is too large for it.
    pub(super) fn quantised(&self, rules: Rules) -> Result<Network, NetworkError> {
        let max_hidden_sum =
            self.blocks.iter().map(FloatBlock::max_hidden_sum).fold(f32::MIN_POSITIVE, f32::max);
        let fits = |&bits: &i32| max_hidden_sum * 2_f32.powi(bits) < f32::from(i16::MAX);
        let bits = (0..=MAX_BITS).rev().find(fits).ok_or(NetworkError::TooLarge)?;
        let scale = 2_f32.powi(bits);
        let with_shift = |shift: u8| {
            let centiseeds = UNIT * CENTISEEDS as f32 * 2_f32.powi(i32::from(shift));
            let blocks = self.blocks.iter().map(|block| block.quantised(scale, centiseeds / scale));
            let parameters = NetworkParameters {
                blocks: blocks.collect::<Result<_, _>>()?,
                output_bias: self.output_bias.map(|bias| (bias * centiseeds).round() as i32),
                shift,
            };
            Network::new(rules, parameters)
        };
        // The largest shift loses the least precision.
        let finest = (0..=MAX_SHIFT).rev().find_map(|shift| with_shift(shift).ok());
        finest.ok_or(NetworkError::TooLarge)
    }
}

impl FloatBlock {
    fn hidden(&self, rows: &[u16]) -> [f32; BLOCK_NEURONS] {
        let mut sums = self.bias;
        for &row in rows {
            for (sum, weight) in sums.iter_mut().zip(&self.rows[usize::from(row)]) {
                *sum += weight;
            }
        }
        sums
    }

    /// What these neurons add to the output.
    fn output(&self, hidden: &[f32; BLOCK_NEURONS], phase: usize) -> f32 {
        let weighted = hidden.iter().zip(&self.output[phase]);
        weighted.map(|(number, weight)| number.max(0.0) * weight).sum()
    }

    fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let FloatBlock { rows, bias, output } = self;
        rows.as_flattened_mut().iter_mut().chain(bias).chain(output.as_flattened_mut())
    }

    /// The maximum of any hidden sum over all positions.
    fn max_hidden_sum(&self) -> f32 {
        let max_of_neuron = |i: usize| {
            let max_of_house = |rows: &[[f32; BLOCK_NEURONS]]| {
                rows.iter().map(|row| row[i].abs()).fold(0.0, f32::max)
            };
            self.bias[i].abs() + self.rows.chunks(SEED_COUNTS).map(max_of_house).sum::<f32>()
        };
        (0..BLOCK_NEURONS).map(max_of_neuron).fold(0.0, f32::max)
    }

    /// The nearest integers to the weights, multiplied by `scale`, and to the output weights, multiplied
    /// by `output_scale`.
    fn quantised(&self, scale: f32, output_scale: f32) -> Result<BlockParameters, NetworkError> {
        let hidden = |row: &[f32; BLOCK_NEURONS]| row.map(|weight| (weight * scale).round() as i16);
        let mut output = [[0; BLOCK_NEURONS]; PHASES];
        let weights = output.as_flattened_mut().iter_mut().zip(self.output.as_flattened());
        for (quantised, weight) in weights {
            let rounded = (weight * output_scale).round() as i32;
            *quantised = i16::try_from(rounded).map_err(|_| NetworkError::TooLarge)?;
        }
        let rows = self.rows.iter().map(hidden).collect();
        Ok(BlockParameters { bias: hidden(&self.bias), output, rows })
    }
}

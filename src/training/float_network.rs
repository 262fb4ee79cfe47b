//! A network with floating-point weights, of the same shape as a [`Network`], and its quantisation.

use fastrand::Rng;

use crate::board::Rules;
use crate::search::{
    CENTISEEDS, HIDDEN_NEURONS, Network, NetworkError, NetworkParameters, PHASES, SEED_COUNTS,
};

/// Seeds per unit of the output, which gives all weights a similar magnitude.
pub(super) const UNIT: f32 = 4.0;

/// Quantised hidden weights are multiples of 2^-bits, with at most this number of bits.
const MAX_BITS: i32 = 12;

/// Maximum right shift of the quantised output.
const MAX_SHIFT: u8 = 20;

/// A network with floating-point weights.
#[derive(Clone, Debug)]
pub(super) struct FloatNetwork {
    /// For each house, the mover's and then the opponent's, a row for each seed count.
    pub(super) rows: Vec<[f32; HIDDEN_NEURONS]>,
    pub(super) bias: [f32; HIDDEN_NEURONS],
    /// By phase.
    pub(super) output: [[f32; HIDDEN_NEURONS]; PHASES],
    pub(super) output_bias: [f32; PHASES],
}

impl FloatNetwork {
    pub(super) fn zero(rows: usize) -> FloatNetwork {
        let zero = [0.0; HIDDEN_NEURONS];
        let output = [zero; PHASES];
        FloatNetwork { rows: vec![zero; rows], bias: zero, output, output_bias: [0.0; PHASES] }
    }

    /// Random initial weights.
    pub(super) fn random(rows: usize, houses: usize, rng: &mut Rng) -> FloatNetwork {
        let mut network = FloatNetwork::zero(rows);
        let mut draw = |width: f32| width * (2.0 * rng.f32() - 1.0);
        let width = 1.0 / (2.0 * houses as f32).sqrt();
        for weight in network.rows.as_flattened_mut() {
            *weight = draw(width);
        }
        // Equal in all phases, so that a hidden unit starts with one meaning.
        network.output =
            [[(); HIDDEN_NEURONS].map(|()| draw(1.0 / (HIDDEN_NEURONS as f32).sqrt())); PHASES];
        network
    }

    /// The hidden layer, before its activation, of the position with these rows.
    pub(super) fn hidden(&self, rows: &[u16]) -> [f32; HIDDEN_NEURONS] {
        let mut sums = self.bias;
        for &row in rows {
            for (sum, weight) in sums.iter_mut().zip(&self.rows[usize::from(row)]) {
                *sum += weight;
            }
        }
        sums
    }

    /// The estimated gain in [`UNIT`]s.
    pub(super) fn output(&self, hidden: &[f32; HIDDEN_NEURONS], phase: usize) -> f32 {
        let weighted = hidden.iter().zip(&self.output[phase]);
        self.output_bias[phase]
            + weighted.map(|(number, weight)| number.max(0.0) * weight).sum::<f32>()
    }

    /// All weights, in the same order for every network.
    pub(super) fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let FloatNetwork { rows, bias, output, output_bias } = self;
        let rows = rows.as_flattened_mut().iter_mut();
        rows.chain(bias).chain(output.as_flattened_mut()).chain(output_bias)
    }

    /// The maximum of any hidden sum over all positions.
    fn max_hidden_sum(&self) -> f32 {
        let max_of_unit = |i: usize| {
            let max_of_house = |rows: &[[f32; HIDDEN_NEURONS]]| {
                rows.iter().map(|row| row[i].abs()).fold(0.0, f32::max)
            };
            self.bias[i].abs() + self.rows.chunks(SEED_COUNTS).map(max_of_house).sum::<f32>()
        };
        (0..HIDDEN_NEURONS).map(max_of_unit).fold(f32::MIN_POSITIVE, f32::max)
    }

    /// The nearest network with integer weights.
    ///
    /// # Errors
    /// When a weight is too large for it.
    pub(super) fn quantised(&self, rules: Rules) -> Result<Network, NetworkError> {
        let fits = |&bits: &i32| self.max_hidden_sum() * 2_f32.powi(bits) < f32::from(i16::MAX);
        let bits = (0..=MAX_BITS).rev().find(fits).ok_or(NetworkError::TooLarge)?;
        let scale = 2_f32.powi(bits);
        let hidden =
            |row: &[f32; HIDDEN_NEURONS]| row.map(|weight| (weight * scale).round() as i16);
        let rows: Vec<[i16; HIDDEN_NEURONS]> = self.rows.iter().map(hidden).collect();
        let with_shift = |shift: u8| {
            let centiseeds = UNIT * CENTISEEDS as f32 * 2_f32.powi(i32::from(shift));
            let mut output = [[0; HIDDEN_NEURONS]; PHASES];
            let weights = output.as_flattened_mut().iter_mut().zip(self.output.as_flattened());
            for (quantised, weight) in weights {
                let rounded = (weight * centiseeds / scale).round() as i32;
                *quantised = i16::try_from(rounded).map_err(|_| NetworkError::TooLarge)?;
            }
            let parameters = NetworkParameters {
                rows: rows.clone(),
                bias: hidden(&self.bias),
                output,
                output_bias: self.output_bias.map(|bias| (bias * centiseeds).round() as i32),
                shift,
            };
            Network::new(rules, &parameters)
        };
        // The largest shift loses the least precision.
        let finest = (0..=MAX_SHIFT).rev().find_map(|shift| with_shift(shift).ok());
        finest.ok_or(NetworkError::TooLarge)
    }
}

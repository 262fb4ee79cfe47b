//! Real numbers are rounded to those of a [`Network`].

use super::learner::{Fit, UNIT};
use crate::board::Rules;
use crate::search::{
    CENTISEEDS, HIDDEN_NEURONS, Network, NetworkError, NetworkParameters, PHASES, SEED_COUNTS,
};

/// Hidden numbers are whole multiples of 1 / 2^bits, of at most so many bits.
const MOST_BITS: i32 = 12;

/// Bits that the output is shifted by at most.
const MOST_SHIFT: u8 = 20;

impl Fit {
    /// The most that a hidden sum can come to, for any position.
    fn greatest_sum(&self) -> f32 {
        let of_hidden = |i: usize| {
            let of_house = |rows: &[[f32; HIDDEN_NEURONS]]| {
                rows.iter().map(|row| row[i].abs()).fold(0.0, f32::max)
            };
            self.bias[i].abs() + self.rows.chunks(SEED_COUNTS).map(of_house).sum::<f32>()
        };
        (0..HIDDEN_NEURONS).map(of_hidden).fold(f32::MIN_POSITIVE, f32::max)
    }

    /// The network that is nearest.
    ///
    /// # Errors
    /// When the numbers are larger than those of any network.
    pub fn quantised(&self, rules: Rules) -> Result<Network, NetworkError> {
        let fits = |&bits: &i32| self.greatest_sum() * 2_f32.powi(bits) < f32::from(i16::MAX);
        let bits = (0..=MOST_BITS).rev().find(fits).ok_or(NetworkError::TooLarge)?;
        let scale = 2_f32.powi(bits);
        let hidden =
            |row: &[f32; HIDDEN_NEURONS]| row.map(|number| (number * scale).round() as i16);
        let rows: Vec<[i16; HIDDEN_NEURONS]> = self.rows.iter().map(hidden).collect();
        let of_shift = |shift: u8| {
            let centiseeds = UNIT * CENTISEEDS as f32 * 2_f32.powi(i32::from(shift));
            let mut output = [[0; HIDDEN_NEURONS]; PHASES];
            let weights = output.as_flattened_mut().iter_mut().zip(self.output.as_flattened());
            for (to, weight) in weights {
                let rounded = (weight * centiseeds / scale).round() as i32;
                *to = i16::try_from(rounded).map_err(|_| NetworkError::TooLarge)?;
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
        // As fine as can be.
        let finest = (0..=MOST_SHIFT).rev().find_map(|shift| of_shift(shift).ok());
        finest.ok_or(NetworkError::TooLarge)
    }
}

//! Fits a [`FloatNetwork`] to samples by gradient descent on the squared error.
//!
//! The optimiser is Adam (D. Kingma and J. Ba, *Adam: A Method for Stochastic Optimization*, 2015),
//! with cosine annealing of the learning rate (I. Loshchilov and F. Hutter, *SGDR*, 2017). It runs on
//! one thread and adds in a fixed order, so equal samples make equal networks.

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use super::float_network::{FloatNetwork, UNIT};
use super::samples::{Sample, feature_rows};
use kalah::search::{BLOCK_NEURONS, GamePhases, SEED_COUNTS};

const BATCH_SIZE: usize = 256;

/// The learning rate of the first epoch, and that of the last as a fraction of it.
const LEARNING_RATE: f32 = 2e-3;
const FINAL_LEARNING_RATE: f32 = 0.02;

/// One sample in this many is used for validation.
const VALIDATION_SHARE: usize = 20;

/// Rows with fewer occurrences in the samples are not trained reliably.
const MIN_OCCURRENCES: u32 = 32;

/// Mean absolute errors of a network's estimates, in seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MeanErrors {
    /// On the samples that the network is fitted to.
    pub training: f64,
    /// On the samples set aside for validation.
    pub validation: f64,
}

struct EncodedSample {
    /// Index of its first row in [`Trainer::rows`].
    rows: usize,
    phase: usize,
    /// The gain to learn, in [`UNIT`]s.
    label: f32,
}

pub(super) struct Trainer {
    houses: usize,
    rows: Vec<u16>,
    training: Vec<EncodedSample>,
    validation: Vec<EncodedSample>,
    rng: Rng,
    network: FloatNetwork,
    gradient: FloatNetwork,
    first_moment: FloatNetwork,
    second_moment: FloatNetwork,
    steps: i32,
    epochs: u64,
}

impl Trainer {
    /// Passes over all samples.
    pub(super) const EPOCHS: u64 = 24;

    /// A trainer of a network with this many blocks for boards with `houses` houses a side, with random
    /// initial weights. `None` when there are no samples, or a sample is of another board.
    pub(super) fn new(
        houses: usize,
        blocks: usize,
        samples: &[Sample],
        seed: u64,
    ) -> Option<Trainer> {
        let mut rng = Rng::with_seed(seed);
        let phases = GamePhases::new(houses);
        let (mut rows, mut training) = (Vec::new(), Vec::new());
        for sample in samples {
            let seeds = sample.seeds(houses)?;
            let phase = phases.phase(seeds.iter().copied().map(u32::from).sum());
            training.push(EncodedSample { rows: rows.len(), phase, label: sample.label() / UNIT });
            rows.extend(feature_rows(&seeds));
        }
        rng.shuffle(&mut training);
        let validation = training.split_off(training.len() - training.len() / VALIDATION_SHARE);
        if training.is_empty() {
            return None;
        }
        let network = FloatNetwork::random(houses, blocks, &mut rng);
        let zero = FloatNetwork::zero(houses, blocks);
        Some(Trainer {
            houses,
            rows,
            training,
            validation,
            rng,
            network,
            gradient: zero.clone(),
            first_moment: zero.clone(),
            second_moment: zero,
            steps: 0,
            epochs: 0,
        })
    }

    /// Trains on all samples once. The training error is that of each sample before its step.
    pub(super) fn run_epoch(&mut self) -> MeanErrors {
        let progress = self.epochs as f32 / Self::EPOCHS as f32;
        let cosine = 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
        let rate = LEARNING_RATE * (FINAL_LEARNING_RATE + (1.0 - FINAL_LEARNING_RATE) * cosine);
        self.epochs += 1;
        let mut samples = std::mem::take(&mut self.training);
        self.rng.shuffle(&mut samples);
        let mut sum = 0.0;
        for batch in samples.chunks(BATCH_SIZE) {
            for sample in batch {
                sum += self.backpropagate(sample, 1.0 / batch.len() as f32);
            }
            self.step(rate);
        }
        let training = sum / samples.len() as f64;
        self.training = samples;
        let validation = self.validation.iter().map(|sample| self.error(sample)).sum::<f64>();
        MeanErrors { training, validation: validation / self.validation.len().max(1) as f64 }
    }

    /// The absolute error of the estimate, in seeds.
    fn error(&self, sample: &EncodedSample) -> f64 {
        let rows = &self.rows[sample.rows..sample.rows + 2 * self.houses];
        let output = self.network.output(&self.network.hidden(rows), sample.phase);
        f64::from(((output - sample.label) * UNIT).abs())
    }

    /// Adds the gradient at a sample, scaled by `share`. Returns the absolute error in seeds.
    fn backpropagate(&mut self, sample: &EncodedSample, share: f32) -> f64 {
        let Trainer { network, gradient, rows, houses, .. } = self;
        let rows = &rows[sample.rows..sample.rows + 2 * *houses];
        let hidden = network.hidden(rows);
        let error = network.output(&hidden, sample.phase) - sample.label;
        let slope = 2.0 * error * share;
        gradient.output_bias[sample.phase] += slope;
        let blocks = network.blocks.iter().zip(&mut gradient.blocks);
        for ((block, gradient), hidden) in blocks.zip(&hidden) {
            let weights = &block.output[sample.phase];
            let mut hidden_slopes = [0.0; BLOCK_NEURONS];
            for i in 0..BLOCK_NEURONS {
                let is_active = f32::from(u8::from(hidden[i] > 0.0));
                gradient.output[sample.phase][i] += slope * hidden[i] * is_active;
                hidden_slopes[i] = slope * weights[i] * is_active;
                gradient.bias[i] += hidden_slopes[i];
            }
            for &row in rows {
                let sums = &mut gradient.rows[usize::from(row)];
                for (sum, slope) in sums.iter_mut().zip(&hidden_slopes) {
                    *sum += slope;
                }
            }
        }
        f64::from((error * UNIT).abs())
    }

    /// A step of Adam, with the constants of the paper. Clears the gradient.
    fn step(&mut self, rate: f32) {
        const DECAY: [f32; 2] = [0.9, 0.999];
        const EPSILON: f32 = 1e-8;
        self.steps += 1;
        let [first, second] = DECAY.map(|decay| 1.0 / (1.0 - decay.powi(self.steps)));
        let Trainer { network, gradient, first_moment, second_moment, .. } = self;
        let moments = first_moment.weights_mut().zip(second_moment.weights_mut());
        let weights = network.weights_mut().zip(gradient.weights_mut());
        for ((weight, slope), (m, v)) in weights.zip(moments) {
            *m += (1.0 - DECAY[0]) * (*slope - *m);
            *v += (1.0 - DECAY[1]) * (*slope * *slope - *v);
            *weight -= rate * (*m * first) / ((*v * second).sqrt() + EPSILON);
            *slope = 0.0;
        }
    }

    /// The trained network. Seed counts that hardly occur in the samples share the row of the next
    /// smaller count.
    pub(super) fn finish(self) -> FloatNetwork {
        let Trainer { mut network, rows, houses, .. } = self;
        let mut occurrences = vec![0_u32; 2 * houses * SEED_COUNTS];
        for row in rows {
            occurrences[usize::from(row)] += 1;
        }
        for (row, &count) in occurrences.iter().enumerate() {
            if count < MIN_OCCURRENCES && row % SEED_COUNTS > 0 {
                for block in &mut network.blocks {
                    block.rows[row] = block.rows[row - 1];
                }
            }
        }
        network
    }
}

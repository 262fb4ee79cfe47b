//! A network of the same form as [`Network`](crate::search::Network), with real numbers that learn.
//!
//! The numbers follow the gradient of the squared error by D. Kingma and J. Ba, *Adam: A Method for
//! Stochastic Optimization* (2015), with a step that falls from pass to pass like a cosine
//! (I. Loshchilov and F. Hutter, *SGDR*, 2017). One thread, and a fixed order of all sums: the same
//! samples make the same network.

use fastrand::Rng;

use super::error::TrainingError;
use super::samples::{Sample, rows_of};
use crate::search::{GamePhases, HIDDEN_NEURONS, PHASES, SEED_COUNTS};

/// Times that every sample is gone through.
const PASSES: usize = 24;

/// Samples between two steps.
const BATCH: usize = 256;

/// The length of the first steps, and that of the last as a part of it.
const RATE: f32 = 2e-3;
const LAST_RATE: f32 = 0.02;

/// One sample of so many is kept to see how well others are known.
const TESTED: usize = 20;

/// Seeds that the output counts in, so that all numbers are about as large.
pub(super) const UNIT: f32 = 4.0;

/// Rows that were met less often learn nothing worth having.
const FEWEST: u32 = 32;

/// How far estimates are off, on average, in seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// Of the samples that were learned from.
    pub learned: f64,
    /// Of those that were kept apart.
    pub tested: f64,
}

/// A network of real numbers.
#[derive(Clone, Debug)]
pub struct Fit {
    /// For each house, the mover's and then the opponent's, a row for each count.
    pub(super) rows: Vec<[f32; HIDDEN_NEURONS]>,
    pub(super) bias: [f32; HIDDEN_NEURONS],
    /// By phase.
    pub(super) output: [[f32; HIDDEN_NEURONS]; PHASES],
    pub(super) output_bias: [f32; PHASES],
}

/// A sample as the network sees it.
struct Example {
    /// Where its rows begin among those of all examples.
    rows: usize,
    phase: usize,
    label: f32,
}

/// What learns.
pub struct Learner {
    houses: usize,
    rows: Vec<u16>,
    learned: Vec<Example>,
    tested: Vec<Example>,
    rng: Rng,
    fit: Fit,
    gradient: Fit,
    first_moment: Fit,
    second_moment: Fit,
    steps: i32,
    passes: usize,
}

impl Fit {
    fn zero(rows: usize) -> Fit {
        let zero = [0.0; HIDDEN_NEURONS];
        let output = [zero; PHASES];
        Fit { rows: vec![zero; rows], bias: zero, output, output_bias: [0.0; PHASES] }
    }

    fn drawn(rows: usize, houses: usize, rng: &mut Rng) -> Fit {
        let mut fit = Fit::zero(rows);
        let mut draw = |width: f32| width * (2.0 * rng.f32() - 1.0);
        let width = 1.0 / (2.0 * houses as f32).sqrt();
        for number in fit.rows.as_flattened_mut() {
            *number = draw(width);
        }
        // The same in all phases, so that hidden numbers begin with one meaning.
        fit.output =
            [[(); HIDDEN_NEURONS].map(|()| draw(1.0 / (HIDDEN_NEURONS as f32).sqrt())); PHASES];
        fit
    }

    fn hidden(&self, rows: &[u16]) -> [f32; HIDDEN_NEURONS] {
        let mut sums = self.bias;
        for &row in rows {
            for (sum, number) in sums.iter_mut().zip(&self.rows[usize::from(row)]) {
                *sum += number;
            }
        }
        sums
    }

    fn value(&self, hidden: &[f32; HIDDEN_NEURONS], phase: usize) -> f32 {
        let weighted = hidden.iter().zip(&self.output[phase]);
        self.output_bias[phase]
            + weighted.map(|(number, weight)| number.max(0.0) * weight).sum::<f32>()
    }

    /// All numbers, in an order that is the same for all.
    fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let Fit { rows, bias, output, output_bias } = self;
        let rows = rows.as_flattened_mut().iter_mut();
        rows.chain(bias).chain(output.as_flattened_mut()).chain(output_bias)
    }
}

impl Learner {
    /// One that knows nothing yet, for a board of so many houses a side. What it begins with is drawn
    /// from `seed`.
    ///
    /// # Errors
    /// When there are no samples, or they are of another board.
    pub fn new(houses: usize, samples: &[Sample], seed: u64) -> Result<Learner, TrainingError> {
        let mut rng = Rng::with_seed(seed);
        let phases = GamePhases::new(houses);
        let mut rows = Vec::with_capacity(samples.len() * 2 * houses);
        let mut examples = Vec::with_capacity(samples.len());
        for sample in samples {
            let seeds = sample.seeds(houses).ok_or_else(|| {
                TrainingError::Course(format!("no position of this board: {sample:?}"))
            })?;
            let phase = phases.of(seeds.iter().copied().map(u32::from).sum());
            examples.push(Example { rows: rows.len(), phase, label: sample.label() / UNIT });
            rows.extend(rows_of(&seeds));
        }
        rng.shuffle(&mut examples);
        let tested = examples.split_off(examples.len() - examples.len() / TESTED);
        if examples.is_empty() {
            return Err(TrainingError::Nothing);
        }
        let count = 2 * houses * SEED_COUNTS;
        let fit = Fit::drawn(count, houses, &mut rng);
        let zero = Fit::zero(count);
        Ok(Learner {
            houses,
            rows,
            learned: examples,
            tested,
            rng,
            fit,
            gradient: zero.clone(),
            first_moment: zero.clone(),
            second_moment: zero,
            steps: 0,
            passes: 0,
        })
    }

    /// Times that samples are gone through.
    pub fn passes() -> usize {
        PASSES
    }

    /// Goes through all samples once more; tells how far estimates were off.
    pub fn pass(&mut self) -> Errors {
        let part = self.passes as f32 / PASSES as f32;
        let fallen = 0.5 * (1.0 + (std::f32::consts::PI * part).cos());
        let rate = RATE * (LAST_RATE + (1.0 - LAST_RATE) * fallen);
        self.passes += 1;
        let mut examples = std::mem::take(&mut self.learned);
        self.rng.shuffle(&mut examples);
        let mut off = 0.0;
        for batch in examples.chunks(BATCH) {
            for example in batch {
                off += self.learn(example, 1.0 / batch.len() as f32);
            }
            self.step(rate);
        }
        let learned = off / examples.len() as f64;
        self.learned = examples;
        let tested = self.tested.iter().map(|example| self.off(example)).sum::<f64>();
        Errors { learned, tested: tested / self.tested.len().max(1) as f64 }
    }

    fn rows(&self, example: &Example) -> &[u16] {
        &self.rows[example.rows..example.rows + 2 * self.houses]
    }

    /// How far the estimate is off, in seeds.
    fn off(&self, example: &Example) -> f64 {
        let value = self.fit.value(&self.fit.hidden(self.rows(example)), example.phase);
        f64::from(((value - example.label) * UNIT).abs())
    }

    /// Adds to the gradient; tells how far the estimate was off, in seeds.
    fn learn(&mut self, example: &Example, share: f32) -> f64 {
        let Learner { fit, gradient, rows, houses, .. } = self;
        let rows = &rows[example.rows..example.rows + 2 * *houses];
        let hidden = fit.hidden(rows);
        let error = fit.value(&hidden, example.phase) - example.label;
        let slope = 2.0 * error * share;
        let weights = &fit.output[example.phase];
        gradient.output_bias[example.phase] += slope;
        let mut back = [0.0; HIDDEN_NEURONS];
        for i in 0..HIDDEN_NEURONS {
            let is_on = f32::from(u8::from(hidden[i] > 0.0));
            gradient.output[example.phase][i] += slope * hidden[i] * is_on;
            back[i] = slope * weights[i] * is_on;
            gradient.bias[i] += back[i];
        }
        for &row in rows {
            for (sum, back) in gradient.rows[usize::from(row)].iter_mut().zip(&back) {
                *sum += back;
            }
        }
        f64::from((error * UNIT).abs())
    }

    /// A step of Adam, with the constants that its authors give.
    fn step(&mut self, rate: f32) {
        const DECAY: [f32; 2] = [0.9, 0.999];
        const TINY: f32 = 1e-8;
        self.steps += 1;
        let [first, second] = DECAY.map(|decay| 1.0 / (1.0 - decay.powi(self.steps)));
        let Learner { fit, gradient, first_moment, second_moment, .. } = self;
        let moments = first_moment.numbers().zip(second_moment.numbers());
        for ((number, slope), (m, v)) in fit.numbers().zip(gradient.numbers()).zip(moments) {
            *m += (1.0 - DECAY[0]) * (*slope - *m);
            *v += (1.0 - DECAY[1]) * (*slope * *slope - *v);
            *number -= rate * (*m * first) / ((*v * second).sqrt() + TINY);
            *slope = 0.0;
        }
    }

    /// What was learned. Counts of seeds that were hardly ever met take the row of the next smaller one.
    pub fn finish(self) -> Fit {
        let Learner { mut fit, rows, .. } = self;
        let mut met = vec![0_u32; fit.rows.len()];
        for row in rows {
            met[usize::from(row)] += 1;
        }
        for (row, &times) in met.iter().enumerate() {
            if times < FEWEST && row % SEED_COUNTS > 0 {
                fit.rows[row] = fit.rows[row - 1];
            }
        }
        fit
    }
}

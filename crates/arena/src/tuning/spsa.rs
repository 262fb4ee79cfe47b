//! Simultaneous perturbation stochastic approximation: J. Spall, *Multivariate Stochastic
//! Approximation Using a Simultaneous Perturbation Gradient Approximation*, 1992; the sequences of
//! steps after his *Implementation of the Simultaneous Perturbation Algorithm for Stochastic
//! Optimization*, 1998, with the units of fishtest.

use fastrand::Rng;

use super::parameter::TuningParameter;
use kalah::board::splitmix64;

/// The exponents of the two sequences (Spall 1998, III.B).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The stability constant A, as a part of the iterations.
const STABILITY: f64 = 0.1;

/// Distinguishes these random numbers from those of openings and players with the same seed.
const STREAM: u64 = 0x5350_5341;

/// Tunes parameters by the results of games between two players that differ in all of them at once.
///
/// In each iteration every parameter is moved by a distance in a random direction for the one player,
/// and by the same distance in the other direction for its opponent. The difference of their points
/// moves all values towards the winner. The distances decrease slowly, the moves faster.
///
/// ```
/// use kalah_arena::Spsa;
///
/// let parameters = vec!["name=x start=20 min=0 max=100 step=4 rate=0.05".parse()?];
/// let spsa = Spsa { parameters, iterations: 200, seed: 1 };
/// let mut values = spsa.start();
/// for iteration in 0..200 {
///     let trial = spsa.trial(iteration, &values);
///     // A game in which the larger value wins.
///     let points = (trial.plus[0] - trial.minus[0]).signum();
///     values = spsa.update(iteration, &values, &trial, f64::from(points));
/// }
/// assert!(values[0] > 60.0);
/// # Ok::<(), kalah_records::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// The parameters, in the order of all lists of values.
    pub parameters: Vec<TuningParameter>,
    /// The number of iterations, for which the sequences are laid out.
    pub iterations: u32,
    /// The random seed of directions and rounding.
    pub seed: u64,
}

/// The values with which the two players of an iteration play.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaTrial {
    /// Those of the first player, in the order of the parameters.
    pub plus: Vec<i32>,
    /// Those of the second.
    pub minus: Vec<i32>,
    /// The first player's values before rounding less the tuned ones; the second player's are as far below.
    perturbations: Vec<f64>,
}

impl Spsa {
    /// The values before the first iteration.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| f64::from(parameter.start)).collect()
    }

    /// The values to play in an iteration, from 0. Seed, iteration and tuned values alone determine them.
    pub fn trial(&self, iteration: u32, values: &[f64]) -> SpsaTrial {
        let stream = splitmix64(self.seed ^ STREAM) ^ u64::from(iteration);
        let mut random = Rng::with_seed(splitmix64(stream));
        let mut trial = SpsaTrial { plus: vec![], minus: vec![], perturbations: vec![] };
        for (parameter, &value) in self.parameters.iter().zip(values) {
            let (min, max) = (f64::from(parameter.min), f64::from(parameter.max));
            // Near a bound both values are shifted, so that their distance remains (Sadegh, 1997).
            let distance = self.distance(parameter, iteration).min(parameter.range() / 2.0);
            let middle = value.clamp(min + distance, (max - distance).max(min + distance));
            let perturbation = if random.bool() { distance } else { -distance };
            // Rounded up as often as the fraction says, so that small distances act as well. With
            // one random number for both, the distance is wrong by less than 1.
            let threshold = random.f64();
            let rounded = |value: f64| (value + threshold).floor().clamp(min, max) as i32;
            trial.plus.push(rounded(middle + perturbation));
            trial.minus.push(rounded(middle - perturbation));
            trial.perturbations.push(perturbation);
        }
        trial
    }

    /// The values after an iteration. `points` are the wins of the first player less its losses.
    #[must_use]
    pub fn update(
        &self,
        iteration: u32,
        values: &[f64],
        trial: &SpsaTrial,
        points: f64,
    ) -> Vec<f64> {
        let all = self.parameters.iter().zip(values).zip(&trial.perturbations);
        let updated = all.map(|((parameter, value), perturbation)| {
            // Spall estimates the gradient as the difference in points over the perturbation; his
            // factor 2 is part of the rate, as in fishtest.
            let gradient = points / perturbation;
            reflected(value + self.gain(parameter, iteration) * gradient, parameter)
        });
        updated.collect()
    }

    /// The distance of the players' values from the tuned one, `c_k`.
    fn distance(&self, parameter: &TuningParameter, iteration: u32) -> f64 {
        parameter.step * self.elapsed(iteration, 0.0).powf(-GAMMA)
    }

    /// The factor of the gradient, `a_k`.
    fn gain(&self, parameter: &TuningParameter, iteration: u32) -> f64 {
        let last = parameter.rate * parameter.step.powi(2);
        last * self.elapsed(iteration, STABILITY).powf(-ALPHA)
    }

    /// The part of the iterations that is played once this one is, where the run began `before` it.
    fn elapsed(&self, iteration: u32, before: f64) -> f64 {
        let part = (f64::from(iteration) + 1.0) / f64::from(self.iterations.max(1));
        (part + before) / (1.0 + before)
    }
}

/// A value that has left the range is put back by as much as it was outside.
fn reflected(value: f64, parameter: &TuningParameter) -> f64 {
    let (min, max) = (f64::from(parameter.min), f64::from(parameter.max));
    let nearest = value.clamp(min, max);
    (2.0 * nearest - value).clamp(min, max)
}

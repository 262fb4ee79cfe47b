//! Statistics of match results: strength, its uncertainty, and when a test is decided.
//!
//! Two games with the same opening and the sides exchanged are a *pair*. An unbalanced opening gives
//! one game to each player, so the two results of a pair depend on each other, while pairs are
//! independent. All estimates are therefore based on pairs, counted in a [`Pentanomial`].

mod davidson;
mod elo;
mod known_opponents;
mod likelihood;
mod ratings;
mod sprt;

use std::f64::consts::SQRT_2;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

use crate::SettingsError;
use likelihood::scores;

pub use davidson::DavidsonRatings;
pub(crate) use elo::Z_95;
pub use elo::{Estimate, Strength};
pub use known_opponents::{RatedPair, RatingPrior, rating_against};
pub use ratings::{Anchor, Encounter, Ratings};
pub use sprt::{Hypothesis, Sprt, SprtModel};

/// Counts of pairs by the points of the first player in both games: 0, 1/2, 1, 3/2 and 2, where a
/// win is a point and a draw half a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The same pairs from the view of the second player.
    #[must_use]
    pub fn reversed(mut self) -> Pentanomial {
        self.0.reverse();
        self
    }

    /// The mean points of a game, 0 to 1; 1/2 without games.
    pub fn score(&self) -> f64 {
        weighted(&self.0, &scores()).unwrap_or(0.5)
    }

    /// The population variance of the score of a pair (the mean points of its games), 0 to 1/4;
    /// 0 without games.
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        weighted(&self.0, &scores().map(|score| (score - mean).powi(2))).unwrap_or(0.0)
    }

    /// The score that all pairs have in common, if they do.
    fn common_score(&self) -> Option<f64> {
        let mut scores = self.0.iter().zip(scores::<5>()).filter(|&(&count, _)| count > 0);
        let (_, score) = scores.next()?;
        scores.next().is_none().then_some(score)
    }
}

/// Counts of games by their result for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Counts a game by the half points of the first player: 0, 1 or 2.
    pub(crate) fn count(&mut self, half_points: usize) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// The difference in strength by games that count alone, as [`Pentanomial::strength`].
    pub fn strength(&self) -> Strength {
        // As pairs of two games each with the same result, which take the variance of a game for twice
        // that of a pair.
        let strength = Pentanomial([self.losses, 0, self.draws, 0, self.wins]).strength();
        let Estimate { value, low, high } = strength.normalized_elo;
        let [value, low, high] = [value, low, high].map(|elo| SQRT_2 * elo);
        Strength { normalized_elo: Estimate { value, low, high }, ..strength }
    }

    /// The mean points of a game, 0 to 1; 1/2 without games.
    pub fn score(&self) -> f64 {
        weighted(&[self.losses, self.draws, self.wins], &scores()).unwrap_or(0.5)
    }
}

/// The sum of some values, and their number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    /// The sum.
    pub sum: f64,
    /// The number.
    pub count: u64,
}

impl Mean {
    /// The mean; `None` without values.
    pub fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl Extend<f64> for Mean {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        for value in values {
            *self += Mean { sum: value, count: 1 };
        }
    }
}

impl AddAssign for Mean {
    fn add_assign(&mut self, other: Mean) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

/// The mean of values weighted by their counts; `None` if all counts are 0.
fn weighted<const N: usize>(counts: &[u64; N], values: &[f64; N]) -> Option<f64> {
    let total: f64 = counts.iter().map(|&count| count as f64).sum();
    let sum: f64 = counts.iter().zip(values).map(|(&count, value)| count as f64 * value).sum();
    (total > 0.0).then(|| sum / total)
}

/// The model of the ratings of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Display, EnumString)]
#[strum(parse_err_ty = SettingsError, parse_err_fn = unknown_model)]
pub enum RatingModel {
    /// Maximum likelihood, see [`Ratings`].
    #[default]
    #[serde(rename = "ml")]
    #[strum(serialize = "ml")]
    MaximumLikelihood,
    /// Bayesian, with draws, see [`DavidsonRatings`].
    #[serde(rename = "davidson")]
    #[strum(serialize = "davidson")]
    Davidson,
}

fn unknown_model(_: &str) -> SettingsError {
    SettingsError::new("expected ml or davidson")
}

/// Counts of integers in bars of equal width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// The number of integers in a bar.
    pub width: i64,
    /// The middle and the count of each bar, in ascending order, with the empty bars between.
    /// A bar of even width has one more integer below its middle than above.
    pub bars: Vec<(i64, u64)>,
}

impl Histogram {
    const MAX_BARS: i64 = 60;

    /// Counts values. If all are even, as margins of an even number of seeds are, the width is twice
    /// an odd number: no bar is empty for lack of odd values, and bars are symmetric about 0.
    pub fn new(values: impl IntoIterator<Item = i64>) -> Histogram {
        let values: Vec<i64> = values.into_iter().collect();
        let step = if values.iter().all(|value| value % 2 == 0) { 2 } else { 1 };
        let (Some(&min), Some(&max)) = (values.iter().min(), values.iter().max()) else {
            return Histogram { width: step, bars: Vec::new() };
        };
        let min_steps = (max - min) / (step * Self::MAX_BARS) + 1;
        let width = step * (min_steps | 1);
        let bar = |value: i64| (value + width / 2).div_euclid(width);
        let middles = (bar(min)..=bar(max)).map(|bar| bar * width);
        let mut bars: Vec<(i64, u64)> = middles.map(|middle| (middle, 0)).collect();
        for value in values {
            bars[(bar(value) - bar(min)) as usize].1 += 1;
        }
        Histogram { width, bars }
    }
}

/// The mean of some values with its normal interval. So that equal values do not make it a point, the variance
/// counts one more observation at the distance `prior` from the mean. Without values the interval is unbounded.
pub fn mean_estimate(values: &[f64], prior: f64) -> Estimate {
    let count = values.len() as f64;
    if values.is_empty() {
        return Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let value = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|one| (one - value).powi(2)).sum();
    let error = Z_95 * (squares + prior.powi(2)).sqrt() / count;
    Estimate { value, low: value - error, high: value + error }
}

/// The 95 % interval of a share, 0 to 1, of independent observations (E. Wilson, *Probable Inference, the Law of
/// Succession, and Statistical Inference*, 1927). Parts of an observation, such as draws, make it wider
/// than need be. Without observations it is 0 to 1.
pub fn share_estimate(share: f64, observations: f64) -> Estimate {
    if observations <= 0.0 {
        return Estimate { value: share, low: 0.0, high: 1.0 };
    }
    let z = Z_95 * Z_95 / observations;
    let middle = share + z / 2.0;
    let half = (z * (share * (1.0 - share) + z / 4.0)).sqrt();
    let (low, high) = ((middle - half) / (1.0 + z), (middle + half) / (1.0 + z));
    // Rounding does not put the share outside.
    Estimate { value: share, low: low.max(0.0).min(share), high: high.min(1.0).max(share) }
}

//! 95 % confidence intervals of what the experiments measure.

use kalah_records::statistics::{Estimate, share_estimate};
use serde::Serialize;
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};
use statrs::statistics::Statistics;

/// The ends of a 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConfidenceInterval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl From<ConfidenceInterval> for (f64, f64) {
    fn from(ConfidenceInterval { low, high }: ConfidenceInterval) -> (f64, f64) {
        (low, high)
    }
}

/// The probability that a value is above the interval, and that it is below.
const TAIL: f64 = 0.025;

impl ConfidenceInterval {
    /// The interval of a mean whose standard error was estimated from this number of values, by Student's
    /// distribution; `None` if there are fewer than two.
    fn for_estimate(mean: f64, standard_error: f64, values: usize) -> Option<ConfidenceInterval> {
        let degrees = values.checked_sub(1)? as f64;
        let quantile = StudentsT::new(0.0, 1.0, degrees).ok()?.inverse_cdf(1.0 - TAIL);
        let error = quantile * standard_error;
        Some(ConfidenceInterval { low: mean - error, high: mean + error })
    }

    /// The interval of the geometric mean of positive values: that of the mean of their logarithms. `None` if
    /// there are fewer than two.
    pub fn for_geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<ConfidenceInterval> {
        let logarithms: Vec<f64> = values.into_iter().map(f64::ln).collect();
        let count = logarithms.len();
        let standard_error = logarithms.iter().std_dev() / (count as f64).sqrt();
        let of_logarithms = Self::for_estimate(logarithms.iter().mean(), standard_error, count)?;
        let ConfidenceInterval { low, high } = of_logarithms;
        Some(ConfidenceInterval { low: low.exp(), high: high.exp() })
    }

    /// The interval of a median: two of the values, which are so far from the middle that the median is
    /// between them in 95 % of all samples, whatever the distribution. `None` if there are fewer than six.
    pub fn for_median(values: impl IntoIterator<Item = f64>) -> Option<ConfidenceInterval> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let below = Binomial::new(0.5, values.len() as u64).ok()?.inverse_cdf(TAIL) as usize;
        let (low, high) = (below.checked_sub(1)?, values.len().checked_sub(below)?);
        Some(ConfidenceInterval { low: *values.get(low)?, high: *values.get(high)? })
    }

    /// The interval of a proportion, as [`share_estimate`] has it. `None` without trials.
    pub fn for_proportion(successes: usize, trials: usize) -> Option<ConfidenceInterval> {
        let trials = (trials > 0).then_some(trials as f64)?;
        let Estimate { low, high, .. } = share_estimate(successes as f64 / trials, trials);
        Some(ConfidenceInterval { low, high })
    }

    /// The interval of the ratio of two sums over the same pairs (W. Cochran, *Sampling Techniques*, 1977).
    /// `None` if there are fewer than two pairs, or the second sum is 0.
    pub fn for_ratio(pairs: &[(f64, f64)]) -> Option<ConfidenceInterval> {
        let sums = pairs.iter().fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
        if sums.1 == 0.0 {
            return None;
        }
        let (ratio, count) = (sums.0 / sums.1, pairs.len() as f64);
        let residuals = pairs.iter().map(|pair| pair.0 - ratio * pair.1);
        // The residuals have the mean 0.
        let standard_error = residuals.std_dev() * count.sqrt() / sums.1;
        Self::for_estimate(ratio, standard_error, pairs.len())
    }
}

//! Means and shares of independent observations.

use super::elo::{Estimate, Z_95};

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

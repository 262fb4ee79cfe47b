//! How well pairs of games agree with an assumed strength: the maximum of the likelihood over all
//! distributions of the five results that have it.
//!
//! With frequencies f of scores a and the constraint that the mean of some values v(a) be 0, the
//! likeliest probabilities are p = f / (1 + θ v) with θ such that the mean of v is 0
//! (M. Van den Bergh, *Comparing the approximations for the generalized log likelihood ratio of a
//! multinomial distribution*, Proposition 1.1).

use super::counts::SCORES;

/// What is assumed of the distribution of the score of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) enum Assumption {
    /// Its mean.
    Mean(f64),
    /// How many standard deviations its mean lies above 1/2.
    Deviations(f64),
}

/// The greatest mean log-likelihood of a pair under an assumption, less that under none; at most
/// 0. The frequencies are above 0 and their sum is 1; the assumption can be fulfilled.
pub(super) fn log_likelihood(frequencies: &[f64; 5], assumption: Assumption) -> f64 {
    let (values, multiplier) = match assumption {
        Assumption::Mean(mean) => {
            let values = SCORES.map(|score| score - mean);
            (values, multiplier(frequencies, &values))
        }
        Assumption::Deviations(deviations) => with_deviations(frequencies, deviations),
    };
    -dot(frequencies, &values.map(|value| divisor(multiplier, value).ln()))
}

/// The values v and the multiplier θ for a mean of 1/2 + tσ, where σ depends on the distribution:
/// the constraint is made linear at a guess of the moments, which the solution makes better
/// (M. Van den Bergh, *Comments on Normalized Elo*, Section 4.1).
fn with_deviations(frequencies: &[f64; 5], deviations: f64) -> ([f64; 5], f64) {
    const MOST_ROUNDS: usize = 50;
    const CLOSE: f64 = 1e-9;

    // With t > 0, v of a loss is negative, and the mean of v never exceeds what the constraint
    // makes 0, that is, mean - 1/2 - tσ. So a solution has this at 0 or above, and the next values
    // have both signs again. (With t < 0, the same reversed.)
    let linear = |(mean, deviation): (f64, f64)| {
        SCORES.map(|score| {
            let square = (score - mean).powi(2);
            score - 0.5 - 0.5 * deviations * (deviation + square / deviation)
        })
    };
    let mut guess = moments(frequencies);
    let mut values = linear(guess);
    if !has_both_signs(&values) {
        // Wins and losses alone can fulfil any constraint.
        let deviation = 0.5 / deviations.hypot(1.0);
        guess = (0.5 + deviations * deviation, deviation);
        values = linear(guess);
    }
    let mut theta = multiplier(frequencies, &values);
    for _ in 0..MOST_ROUNDS {
        let mut likeliest = *frequencies;
        for (p, value) in likeliest.iter_mut().zip(values) {
            *p /= divisor(theta, value);
        }
        let (mean, deviation) = moments(&likeliest);
        let change = (mean - guess.0).abs() + (deviation - guess.1).abs();
        let next = linear((mean, deviation));
        if change < CLOSE || !has_both_signs(&next) {
            break;
        }
        (guess, values) = ((mean, deviation), next);
        theta = multiplier(frequencies, &values);
    }
    (values, theta)
}

/// The θ at which the mean of v / (1 + θ v) is 0, for values of both signs. The mean falls
/// with θ, from infinity to minus infinity between the poles of the outermost values. Newton's
/// method finds it, with bisection where a step would leave what is known to hold it.
fn multiplier(frequencies: &[f64; 5], values: &[f64; 5]) -> f64 {
    const MOST_STEPS: usize = 100;
    const CLOSE: f64 = 1e-14;

    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let close = CLOSE * (high - low);
    let mut theta = 0.0;
    for _ in 0..MOST_STEPS {
        let quotients = values.map(|value| value / divisor(theta, value));
        let mean = dot(frequencies, &quotients);
        let fall = dot(frequencies, &quotients.map(|quotient| quotient * quotient));
        if mean > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta + mean / fall;
        let next = if low < newton && newton < high { newton } else { f64::midpoint(low, high) };
        let step = (next - theta).abs();
        theta = next;
        if step <= close {
            break;
        }
    }
    theta
}

/// 1 + θ v, which is above 0 between the poles, but for rounding.
fn divisor(multiplier: f64, value: f64) -> f64 {
    (1.0 + multiplier * value).max(f64::EPSILON)
}

fn has_both_signs(values: &[f64; 5]) -> bool {
    values.iter().any(|&value| value < 0.0) && values.iter().any(|&value| value > 0.0)
}

/// Mean and standard deviation of the score.
fn moments(probabilities: &[f64; 5]) -> (f64, f64) {
    let mean = dot(probabilities, &SCORES);
    (mean, dot(probabilities, &SCORES.map(|score| (score - mean).powi(2))).sqrt())
}

fn dot(left: &[f64; 5], right: &[f64; 5]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

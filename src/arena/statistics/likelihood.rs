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
    match assumption {
        Assumption::Mean(mean) => {
            let values = SCORES.map(|score| score - mean);
            at_multiplier(frequencies, &values, multiplier(frequencies, &values))
        }
        Assumption::Deviations(deviations) => with_deviations(frequencies, deviations),
    }
}

/// The likelihood for a mean of 1/2 + tσ, where t is given and σ depends on the distribution.
///
/// The distributions with this mean or, for t > 0, a lower one are a convex set, so from a sample
/// above it one way leads to the one maximum. From below there can be several: when nearly all
/// pairs were 1 : 1, more of 3/2 points may make up the difference, or more of 2, or more of 0 and
/// 2 together. All are tried. (For t < 0 the same reversed.)
fn with_deviations(frequencies: &[f64; 5], deviations: f64) -> f64 {
    let sample @ (mean, deviation) = moments(frequencies);
    let from_sample = climb(frequencies, deviations, sample);
    if deviations * (mean - 0.5 - deviations * deviation) >= 0.0 {
        return from_sample;
    }
    // Two scores alone fulfil the assumption: 1/2 and a better one, or 0 and 1.
    let root = deviations.hypot(1.0);
    let share = deviations / root;
    let level_and_better =
        |step: f64| (0.5 + step * share * share.abs(), step * share.abs() / root);
    let starts = [level_and_better(0.25), level_and_better(0.5), (0.5 + 0.5 * share, 0.5 / root)];
    starts
        .into_iter()
        .map(|start| climb(frequencies, deviations, start))
        .fold(from_sample, f64::max)
}

/// The likelihood for a mean of 1/2 + tσ, by steps from given moments: the constraint is made
/// linear at a guess of the moments, and the solution is a better guess (M. Van den Bergh,
/// *Comments on Normalized Elo*, Section 4.1). Minus infinity from moments that lead nowhere.
fn climb(frequencies: &[f64; 5], deviations: f64, mut guess: (f64, f64)) -> f64 {
    const MOST_ROUNDS: usize = 50;
    const CLOSE: f64 = 1e-9;

    let mut likelihood = f64::NEG_INFINITY;
    for _ in 0..MOST_ROUNDS {
        let (mean, deviation) = guess;
        let values = SCORES.map(|score| {
            let square = (score - mean).powi(2);
            score - 0.5 - 0.5 * deviations * (deviation + square / deviation)
        });
        // With t > 0 a loss is below 0, and the mean of these values never exceeds what the
        // constraint makes 0, mean - 1/2 - tσ. So a solution has this at 0 or above, and the
        // next values have both signs again, but for rounding.
        if !has_both_signs(&values) {
            break;
        }
        let multiplier = multiplier(frequencies, &values);
        likelihood = at_multiplier(frequencies, &values, multiplier);
        let mut likeliest = *frequencies;
        for (p, value) in likeliest.iter_mut().zip(values) {
            *p /= divisor(multiplier, value);
        }
        guess = moments(&likeliest);
        if (mean - guess.0).abs() + (deviation - guess.1).abs() < CLOSE {
            break;
        }
    }
    likelihood
}

fn at_multiplier(frequencies: &[f64; 5], values: &[f64; 5], multiplier: f64) -> f64 {
    -dot(frequencies, &values.map(|value| divisor(multiplier, value).ln()))
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

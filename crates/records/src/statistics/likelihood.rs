//! The maximum likelihood of results under a hypothesis about their score, over all distributions of
//! the results that satisfy it: the five of a pair of games, or the three of a game.
//!
//! Given frequencies f of scores a and the constraint that some values v(a) have mean 0, the maximum
//! likelihood probabilities are p = f / (1 + θ v), with θ such that the mean of v is 0
//! (M. Van den Bergh, *Comparing the approximations for the generalized log likelihood ratio of a
//! multinomial distribution*, Proposition 1.1).

/// The score of each of N results, from 0 to 1.
pub(super) fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|result| result as f64 / (N - 1) as f64)
}

/// The maximum mean log-likelihood of a result for a mean of the score, minus that without a constraint; at most 0.
/// The frequencies must be positive with sum 1, and the constraint satisfiable.
pub(super) fn with_mean<const N: usize>(frequencies: &[f64; N], mean: f64) -> f64 {
    let values = scores::<N>().map(|score| score - mean);
    at_multiplier(frequencies, &values, multiplier(frequencies, &values))
}

/// The same for a mean of 1/2 + tσ, where t is given and the standard deviation σ depends on the distribution.
///
/// The distributions with this mean or, for t > 0, a lower one form a convex set, so for a sample
/// above it the maximum is unique. For a sample below there can be several local maxima: if nearly
/// all pairs are 1 : 1, a higher probability of 3/2 points can make up the difference, or of 2, or of
/// 0 and 2 together. All are tried. (For t < 0 the same reversed.)
pub(super) fn with_deviations<const N: usize>(frequencies: &[f64; N], deviations: f64) -> f64 {
    let sample @ (mean, deviation) = moments(frequencies);
    let from_sample = climb(frequencies, deviations, sample);
    if deviations * (mean - 0.5 - deviations * deviation) >= 0.0 {
        return from_sample;
    }
    // Distributions of two scores that satisfy the constraint: 1/2 and a better one, or 0 and 1.
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

/// The likelihood for a mean of 1/2 + tσ, by iteration from given moments: the constraint is
/// linearised at the current moments, and its solution gives the next ones (M. Van den Bergh,
/// *Comments on Normalized Elo*, Section 4.1). Minus infinity if the first moments have no solution.
fn climb<const N: usize>(frequencies: &[f64; N], deviations: f64, mut guess: (f64, f64)) -> f64 {
    const MAX_ITERATIONS: usize = 50;
    const TOLERANCE: f64 = 1e-9;

    let mut likelihood = f64::NEG_INFINITY;
    for _ in 0..MAX_ITERATIONS {
        let (mean, deviation) = guess;
        let values = scores::<N>().map(|score| {
            let square = (score - mean).powi(2);
            score - 0.5 - 0.5 * deviations * (deviation + square / deviation)
        });
        // For t > 0 the value of a loss is negative, and the mean of the values is at most
        // mean - 1/2 - tσ, which the constraint makes 0. At a solution this is 0 or above, so the
        // next values have both signs again, except for rounding.
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
        if (mean - guess.0).abs() + (deviation - guess.1).abs() < TOLERANCE {
            break;
        }
    }
    likelihood
}

fn at_multiplier<const N: usize>(
    frequencies: &[f64; N],
    values: &[f64; N],
    multiplier: f64,
) -> f64 {
    -dot(frequencies, &values.map(|value| divisor(multiplier, value).ln()))
}

/// The θ at which the mean of v / (1 + θ v) is 0, for values of both signs. The mean decreases in
/// θ, from infinity to minus infinity between the poles of the extreme values. Newton's method finds
/// the root, with bisection where a step would leave the bracket.
fn multiplier<const N: usize>(frequencies: &[f64; N], values: &[f64; N]) -> f64 {
    const MAX_STEPS: usize = 100;
    const TOLERANCE: f64 = 1e-14;

    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / max, -1.0 / min);
    let tolerance = TOLERANCE * (high - low);
    let mut theta = 0.0;
    for _ in 0..MAX_STEPS {
        let quotients = values.map(|value| value / divisor(theta, value));
        let mean = dot(frequencies, &quotients);
        let slope = dot(frequencies, &quotients.map(|quotient| quotient * quotient));
        if mean > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta + mean / slope;
        let next = if low < newton && newton < high { newton } else { f64::midpoint(low, high) };
        let step = (next - theta).abs();
        theta = next;
        if step <= tolerance {
            break;
        }
    }
    theta
}

/// 1 + θ v, which is positive between the poles, except for rounding.
fn divisor(multiplier: f64, value: f64) -> f64 {
    (1.0 + multiplier * value).max(f64::EPSILON)
}

fn has_both_signs<const N: usize>(values: &[f64; N]) -> bool {
    values.iter().any(|&value| value < 0.0) && values.iter().any(|&value| value > 0.0)
}

/// Mean and standard deviation of the score.
fn moments<const N: usize>(probabilities: &[f64; N]) -> (f64, f64) {
    let mean = dot(probabilities, &scores::<N>());
    (mean, dot(probabilities, &scores::<N>().map(|score| (score - mean).powi(2))).sqrt())
}

fn dot<const N: usize>(left: &[f64; N], right: &[f64; N]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

//! The rating of a player by games against opponents whose ratings are known.

use super::elo::{Estimate, Z_95, score_of};
use super::ratings::ELO_UNIT;

/// A pair of games, one with each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedPair {
    /// The rating of the opponent.
    pub opponent: f64,
    /// The points of the player in both games: 0 to 2.
    pub points: f64,
}

/// The rating that is known of a player before its first game, as a normal distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingPrior {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// The rating of a player in the logistic model, in which it is expected to score 1 / (1 + 10^(-d / 400)) a game
/// against an opponent rated d lower: the mode of the posterior with its 95 % interval. Ratings of opponents count as
/// exact.
///
/// The interval comes from the measured variance of pairs about their expectation, with one pair
/// more (two wins or two losses), or from the model, whichever is larger.
pub fn rating_against(pairs: &[RatedPair], prior: RatingPrior) -> Estimate {
    const MAX_STEPS: usize = 100;
    const TOLERANCE: f64 = 1e-6;

    let precision = prior.deviation.powi(-2);
    let expected = |rating: f64, pair: &RatedPair| score_of(rating - pair.opponent);
    let information = |rating: f64| {
        let of_pair = |pair| {
            let score = expected(rating, pair);
            2.0 * score * (1.0 - score) / ELO_UNIT.powi(2)
        };
        precision + pairs.iter().map(of_pair).sum::<f64>()
    };
    let surplus = |rating: f64, pair: &RatedPair| pair.points - 2.0 * expected(rating, pair);
    // The log-density is concave: its slope falls, and is 0 between these ends.
    let slope = |rating: f64| {
        let of_pairs: f64 = pairs.iter().map(|pair| surplus(rating, pair)).sum();
        of_pairs / ELO_UNIT + (prior.mean - rating) * precision
    };
    let reach = 2.0 * pairs.len() as f64 / ELO_UNIT / precision;
    let (mut low, mut high) = (prior.mean - reach, prior.mean + reach);
    for _ in 0..MAX_STEPS {
        let middle = f64::midpoint(low, high);
        let end = if slope(middle) > 0.0 { &mut low } else { &mut high };
        *end = middle;
        if high - low < TOLERANCE {
            break;
        }
    }
    let value = f64::midpoint(low, high);
    let information = information(value);
    let squares: f64 = pairs.iter().map(|pair| surplus(value, pair).powi(2)).sum();
    let scatter = precision + (squares + 1.0) / ELO_UNIT.powi(2);
    let variance = (scatter / information.powi(2)).max(1.0 / information);
    let error = Z_95 * variance.sqrt();
    Estimate { value, low: value - error, high: value + error }
}

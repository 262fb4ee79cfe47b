//! The difference in strength of two players.

use std::f64::consts::LN_10;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::Pentanomial;

/// Normalised Elo of a score one standard deviation of a game above 1/2. With this unit, normalised
/// and logistic Elo agree for small differences in games without draws.
pub(super) const NORMALIZED_ELO_UNIT: f64 = 800.0 / LN_10;

/// The two-sided 95 % quantile of the normal distribution.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// The error probability on either side of [`Pentanomial::elo`] if all pairs are alike.
const RISK: f64 = 0.025;

/// A value with its 95 % confidence interval. Each of the three may be infinite; none is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The maximum likelihood estimate; `null` in JSON if it is infinite.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub value: f64,
    /// The lower end of the 95 % interval; `null` in JSON if it is infinite.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub low: f64,
    /// The upper end of the 95 % interval; `null` in JSON if it is infinite.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub high: f64,
}

/// The difference in strength of two players, first minus second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Strength {
    /// The Elo difference.
    pub elo: Estimate,
    /// The difference in normalised Elo.
    pub normalized_elo: Estimate,
    /// The probability that the first player is the stronger one.
    pub likelihood_of_superiority: f64,
}

impl Pentanomial {
    /// All measures of the difference in strength.
    pub fn strength(&self) -> Strength {
        Strength {
            elo: self.elo(),
            normalized_elo: self.normalized_elo(),
            likelihood_of_superiority: self.likelihood_of_superiority(),
        }
    }

    /// The Elo difference, first player minus second: 400 log10(s / (1 - s)) for a score of s
    /// (A. Elo, *The Rating of Chessplayers*, 1978, with the logistic curve).
    ///
    /// The interval is the normal interval of the score, from the variance of pairs, transformed by
    /// the same formula; an end outside 0 to 1 becomes infinite. If all n pairs are alike, their
    /// variance is 0. The interval then contains the scores m under which n such pairs are likely
    /// enough: by Markov's inequality their probability is at most (m / s)^n if m < s, and the
    /// limit is 2.5 % on either side. Without pairs the value is 0 and the interval unbounded.
    pub fn elo(&self) -> Estimate {
        let Estimate { value, low, high } = self.score_estimate();
        Estimate { value: elo_of(value), low: elo_of(low), high: elo_of(high) }
    }

    /// The score, 0 to 1, with the interval that [`elo`](Self::elo) transforms.
    pub fn score_estimate(&self) -> Estimate {
        let score = self.score();
        let (low, high) = if self.pairs() == 0 {
            (0.0, 1.0)
        } else if let Some(score) = self.common_score() {
            let shrunk = RISK.powf(1.0 / self.pairs() as f64);
            (score * shrunk, 1.0 - (1.0 - score) * shrunk)
        } else {
            let error = Z_95 * self.standard_error();
            ((score - error).max(0.0), (score + error).min(1.0))
        };
        Estimate { value: score, low, high }
    }

    /// The normalised Elo difference, first player minus second: 800 / ln 10 times the distance of
    /// the score from 1/2 in standard deviations of a game, where the variance of a game is twice
    /// that of a pair (M. Van den Bergh, *Comments on Normalized Elo*). It determines the number of
    /// games needed to prove a difference, independent of openings and draw rate.
    ///
    /// The interval takes the standard deviation as known. If all pairs are alike it is unknown:
    /// the interval is then unbounded, and the value 0 for a score of 1/2 and infinite for others.
    pub fn normalized_elo(&self) -> Estimate {
        let above_even = self.score() - 0.5;
        if self.pairs() == 0 || self.common_score().is_some() {
            let value = if above_even == 0.0 { 0.0 } else { above_even * f64::INFINITY };
            return Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let normalized =
            |above_even: f64| NORMALIZED_ELO_UNIT * above_even / (2.0 * self.variance()).sqrt();
        let error = Z_95 * self.standard_error();
        Estimate {
            value: normalized(above_even),
            low: normalized(above_even - error),
            high: normalized(above_even + error),
        }
    }

    /// The likelihood of superiority (LOS): the probability, 0 to 1, that the first player is the
    /// stronger one, for a normally distributed score and a uniform prior.
    ///
    /// If all n pairs are alike with a score s above 1/2, it is 1 - (1 / 2s)^n / 2, from the
    /// bound of [`elo`](Self::elo) at m = 1/2; below 1/2 likewise. Without pairs it is 1/2.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let score = self.score();
        if self.pairs() == 0 || self.common_score().is_some() {
            let doubt = 0.5 * (0.5 / score.max(1.0 - score)).powf(self.pairs() as f64);
            return if score < 0.5 { doubt } else { 1.0 - doubt };
        }
        Normal::standard().cdf((score - 0.5) / self.standard_error())
    }

    fn standard_error(&self) -> f64 {
        (self.variance() / self.pairs() as f64).sqrt()
    }
}

fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

pub(super) fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

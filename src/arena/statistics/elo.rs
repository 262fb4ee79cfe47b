//! How much stronger one of two players is.

use std::f64::consts::LN_10;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::counts::Pentanomial;

/// Normalised Elo for a score that lies one standard deviation of a game above 1/2. With it,
/// normalised and logistic Elo agree for small differences in games without draws.
pub(super) const NORMALIZED_ELO_UNIT: f64 = 800.0 / LN_10;

/// The two-sided 95 % quantile of the normal distribution.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// The risk that [`Pentanomial::elo`] takes on either side when all pairs are alike.
const RISK: f64 = 0.025;

/// A value with its 95 % interval. Each of the three can be infinite; none is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value that fits the results best.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Pentanomial {
    /// The Elo difference, first player less second: 400 log10(s / (1 - s)) for a score of s
    /// (A. Elo, *The Rating of Chessplayers*, 1978, with the logistic curve).
    ///
    /// The interval is the normal one of the score, from the variance of pairs, put through the
    /// same formula; where it leaves 0 to 1, the end is infinite. When all n pairs are alike there
    /// is no variance to go by. Then the interval holds the scores m under which n such pairs are
    /// not too rare: by Markov's inequality their probability is at most (m / s)^n if m < s, and
    /// 2.5 % is taken as the limit, on either side. Without pairs the value is 0 and the interval
    /// is everything.
    pub fn elo(&self) -> Estimate {
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
        Estimate { value: elo_of(score), low: elo_of(low), high: elo_of(high) }
    }

    /// The normalised Elo difference, first player less second: 800 / ln 10 times the distance of
    /// the score from 1/2 in standard deviations of a game, where the variance of a game is twice
    /// that of a pair (M. Van den Bergh, *Comments on Normalized Elo*). It says how many games it
    /// takes to show a difference, whatever the openings and the draws.
    ///
    /// The interval counts the standard deviation as known. When all pairs are alike it is
    /// not: then the interval is everything, and the value is 0 for a score of 1/2 and infinite
    /// for others.
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

    /// The likelihood of superiority: how probable it is, 0 to 1, that the first player is the
    /// stronger one, with the score normally distributed and no opinion beforehand.
    ///
    /// When all n pairs are alike with a score s above 1/2, it is 1 - (1 / 2s)^n / 2, from the
    /// bound of [`elo`](Self::elo) at m = 1/2; below 1/2 likewise. Without pairs it is 1/2.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let score = self.score();
        if self.pairs() == 0 || self.common_score().is_some() {
            let doubt = 0.5 * (0.5 / score.max(1.0 - score)).powf(self.pairs() as f64);
            return if score < 0.5 { doubt } else { 1.0 - doubt };
        }
        Normal::standard().cdf((score - 0.5) / self.standard_error())
    }

    /// The standard error of the score.
    fn standard_error(&self) -> f64 {
        (self.variance() / self.pairs() as f64).sqrt()
    }
}

/// The Elo difference at which a score is expected.
fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that is expected at an Elo difference.
pub(super) fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

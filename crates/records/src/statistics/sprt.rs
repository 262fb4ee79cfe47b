//! The sequential probability ratio test (SPRT), which ends a match as soon as it is decided.

use std::f64::consts::SQRT_2;
use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

use super::elo::{NORMALIZED_ELO_UNIT, score_of};
use super::likelihood::{with_deviations, with_mean};
use crate::statistics::{Pentanomial, Wdl};
use crate::{KeyValues, SettingsError};

/// Replaces counts of 0, so that every result has a positive probability.
const REGULARIZED_ZERO: f64 = 1e-3;

/// Larger Elo differences are useless in a test; their expected scores are close to 0 or 1.
const MAX_ELO: f64 = 1000.0;

const DEFAULT_RISK: f64 = 0.05;

/// The Elo scale of the hypotheses of an [`Sprt`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SprtModel {
    /// Logistic Elo.
    Logistic,
    /// Normalised Elo, see [`Pentanomial::normalized_elo`]. The length of a test hardly depends on
    /// openings, draw rate and time control.
    #[default]
    Normalized,
}

/// One of the two hypotheses of an [`Sprt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Hypothesis {
    /// The difference is `elo0`.
    H0,
    /// The difference is `elo1`.
    H1,
}

/// A sequential probability ratio test of the difference in strength, first player minus second
/// (A. Wald, *Sequential Tests of Statistical Hypotheses*, 1945), in its generalised form: the
/// unknown distribution of results is estimated by maximum likelihood under each hypothesis
/// (M. Van den Bergh, *A Practical Introduction to the GSPRT*).
///
/// Its text has the form `elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized`:
///
/// | key | value |
/// |---|---|
/// | `elo0`, `elo1` | the two differences, -1000 to 1000, the lower one first |
/// | `alpha` | probability of accepting H1 if H0 is true, between 0 and 0.5; default 0.05 |
/// | `beta` | probability of accepting H0 if H1 is true, between 0 and 0.5; default 0.05 |
/// | `model` | `normalized` (default) or `logistic` |
///
/// ```
/// use kalah_records::statistics::{Hypothesis, Pentanomial, Sprt};
///
/// let sprt: Sprt = "elo0=0 elo1=20".parse()?;
/// let results = Pentanomial([20, 150, 500, 250, 80]);
/// assert_eq!(sprt.verdict(&results), Some(Hypothesis::H1));
/// # Ok::<(), kalah_records::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(!try_from))]
#[serde(try_from = "KeyValues")]
pub struct Sprt {
    /// The difference under H0.
    elo0: f64,
    /// The difference under H1.
    elo1: f64,
    /// The probability of accepting H1 if H0 is true.
    alpha: f64,
    /// The probability of accepting H0 if H1 is true.
    beta: f64,
    /// The scale of `elo0` and `elo1`.
    model: SprtModel,
}

impl Sprt {
    /// The log-likelihood ratio (LLR) of H1 to H0, a natural logarithm. It is finite; 0 without
    /// pairs. Counts of 0 are replaced by 0.001, as in fastchess, since a result that has not
    /// occurred may still be possible.
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        // The deviation of a pair is that of a game divided by the root of 2.
        self.ratio(results.0, SQRT_2)
    }

    /// The same of games that count alone, as if openings were not played twice.
    pub fn llr_of_games(&self, games: &Wdl) -> f64 {
        self.ratio([games.losses, games.draws, games.wins], 1.0)
    }

    fn ratio<const N: usize>(&self, counts: [u64; N], deviation: f64) -> f64 {
        if counts == [0; N] {
            return 0.0;
        }
        let counts = counts.map(|count| (count as f64).max(REGULARIZED_ZERO));
        let total: f64 = counts.iter().sum();
        let frequencies = counts.map(|count| count / total);
        let [under_h0, under_h1] = [self.elo0, self.elo1].map(|elo| match self.model {
            SprtModel::Logistic => with_mean(&frequencies, score_of(elo)),
            SprtModel::Normalized => {
                with_deviations(&frequencies, deviation * elo / NORMALIZED_ELO_UNIT)
            }
        });
        total * (under_h1 - under_h0)
    }

    /// The log-likelihood ratios at or below which H0, and at or above which H1, is accepted:
    /// ln(β / (1 - α)) and ln((1 - β) / α) (Wald, 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The accepted hypothesis; `None` if the match must continue. The error probabilities hold if
    /// the match ends with the first verdict.
    pub fn verdict(&self, results: &Pentanomial) -> Option<Hypothesis> {
        self.verdict_at(self.llr(results))
    }

    /// The hypothesis that a log-likelihood ratio accepts.
    pub fn verdict_at(&self, llr: f64) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        if llr <= lower {
            Some(Hypothesis::H0)
        } else if llr >= upper {
            Some(Hypothesis::H1)
        } else {
            None
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}")
    }
}

impl TryFrom<KeyValues> for Sprt {
    type Error = SettingsError;

    fn try_from(mut words: KeyValues) -> Result<Sprt, SettingsError> {
        let [elo0, elo1] = ["elo0", "elo1"].map(|key| {
            let is_valid = |elo: &f64| elo.abs() <= MAX_ELO;
            words.value_if(key, "a number from -1000 to 1000", is_valid)
        });
        let [alpha, beta] = ["alpha", "beta"].map(|key| {
            let is_valid = |risk: &f64| 0.0 < *risk && *risk < 0.5;
            words.value_if(key, "a number between 0 and 0.5", is_valid)
        });
        let model = words.value("model", "normalized or logistic")?.unwrap_or_default();
        words.finish()?;
        let (Some(elo0), Some(elo1)) = (elo0?, elo1?) else {
            return Err(SettingsError::new("a sequential test needs both elo0=… and elo1=…"));
        };
        let (alpha, beta) = (alpha?.unwrap_or(DEFAULT_RISK), beta?.unwrap_or(DEFAULT_RISK));
        if elo0 >= elo1 {
            let expected = format!("a number above elo0, {elo0}");
            return Err(SettingsError::value("elo1", expected, &elo1.to_string()));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }
}

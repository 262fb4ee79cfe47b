//! Results, counted.

use serde::{Deserialize, Serialize};

/// The score of a game in a pair, by the index into [`Pentanomial`]: the mean of its two games.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Pairs of games, counted by the points that the first player made in both games together:
/// 0, 1/2, 1, 3/2 and 2, where a win is a point and a draw half a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The same pairs as the second player sees them.
    #[must_use]
    pub fn reversed(mut self) -> Pentanomial {
        self.0.reverse();
        self
    }

    /// The mean points of a game, 0 to 1; 1/2 without games.
    pub fn score(&self) -> f64 {
        mean(&self.0, &SCORES)
    }

    /// The variance of the score of a pair (the mean points of its games), 0 to 1/4; 0 without
    /// games. It is that of the sample, divided by the number of pairs.
    pub fn variance(&self) -> f64 {
        variance(&self.0, &SCORES)
    }

    /// The score of all pairs when they are alike.
    pub(super) fn common_score(&self) -> Option<f64> {
        let mut kinds = self.0.iter().zip(SCORES).filter(|&(&count, _)| count > 0);
        let (_, score) = kinds.next()?;
        kinds.next().is_none().then_some(score)
    }
}

/// Games, counted by their results for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// The mean points of a game, 0 to 1; 1/2 without games.
    pub fn score(&self) -> f64 {
        mean(&[self.losses, self.draws, self.wins], &[0.0, 0.5, 1.0])
    }

    /// The variance of the points of a game, 0 to 1/4; 0 without games. When it is above twice the
    /// variance of the same games in pairs, the openings are lopsided.
    pub fn variance(&self) -> f64 {
        variance(&[self.losses, self.draws, self.wins], &[0.0, 0.5, 1.0])
    }
}

fn mean<const N: usize>(counts: &[u64; N], scores: &[f64; N]) -> f64 {
    weighted(counts, scores).unwrap_or(0.5)
}

fn variance<const N: usize>(counts: &[u64; N], scores: &[f64; N]) -> f64 {
    let mean = mean(counts, scores);
    weighted(counts, &scores.map(|score| (score - mean).powi(2))).unwrap_or(0.0)
}

/// The mean of values that occurred so often, if any did.
fn weighted<const N: usize>(counts: &[u64; N], values: &[f64; N]) -> Option<f64> {
    let total: f64 = counts.iter().map(|&count| count as f64).sum();
    let sum: f64 = counts.iter().zip(values).map(|(&count, value)| count as f64 * value).sum();
    (total > 0.0).then(|| sum / total)
}

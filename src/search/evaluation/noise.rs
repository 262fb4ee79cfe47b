//! Errors of judgement, for play that is to be weaker.

use crate::search::ordering::splitmix64;

/// How far estimates are off, by a seeded chance that is the same for a position each time: who misjudges
/// a position does so again a move later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationNoise {
    /// The standard deviation in hundredths of a seed.
    pub centiseeds: u32,
    /// What chance is drawn from.
    pub random_seed: u64,
}

/// Draws whose sum is all but normal, their range, and the standard deviation of the sum.
const DRAWS: u32 = 4;
const RANGE: i64 = 1 << 16;
const DEVIATION: i64 = 37_837;

impl EvaluationNoise {
    /// The error in the estimate of the position with this key, in hundredths of a seed.
    pub(super) fn of(self, key: u64) -> i32 {
        let bits = splitmix64(key ^ splitmix64(self.random_seed));
        let draws = (0..DRAWS).map(|draw| (bits >> (16 * draw)) as u16);
        let sum = draws.map(i64::from).sum::<i64>() - i64::from(DRAWS) * (RANGE - 1) / 2;
        (sum * i64::from(self.centiseeds) / DEVIATION) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_no_side_and_the_deviation_asked_for() {
        for centiseeds in [0, 100, 700] {
            for random_seed in [0, 1, u64::MAX] {
                let noise = EvaluationNoise { centiseeds, random_seed };
                let errors: Vec<i32> = (0..10_000).map(|key| noise.of(key)).collect();
                let count = errors.len() as f64;
                let mean = errors.iter().map(|&error| f64::from(error)).sum::<f64>() / count;
                let squares = errors.iter().map(|&error| f64::from(error).powi(2)).sum::<f64>();
                let expected = f64::from(centiseeds);
                assert!(mean.abs() <= 0.05 * expected, "{mean}");
                assert!(((squares / count).sqrt() - expected).abs() <= 0.03 * expected);
            }
        }
    }
}

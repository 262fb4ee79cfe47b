//! A sequential test of a match while it is played.

use std::collections::BTreeMap;

use crate::GameSummary;
use crate::statistics::{Hypothesis, Pentanomial, Sprt};

/// A sequential test of a match. Pairs count in the order of their numbers, whatever the order in
/// which they end: short games do not count before long ones, and the verdict does not depend on
/// the number of concurrent games.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    /// The pairs that have counted.
    results: Pentanomial,
    /// The number of the next pair, from 0.
    next: u64,
    /// Pairs that end after the next one: half points of the first player, and games played.
    waiting: BTreeMap<u64, (usize, u32)>,
    verdict: Option<Hypothesis>,
}

impl SequentialTest {
    /// A test without games.
    pub fn new(sprt: Sprt) -> SequentialTest {
        SequentialTest {
            sprt,
            results: Pentanomial::default(),
            next: 0,
            waiting: BTreeMap::new(),
            verdict: None,
        }
    }

    /// Counts a game between the two players of a match. Games after the verdict do not count.
    pub fn add(&mut self, game: &GameSummary) {
        if self.verdict.is_some() {
            return;
        }
        let (half_points, games) = self.waiting.entry(game.pair()).or_default();
        *half_points += game.half_points_of(0);
        *games += 1;
        while let Some(&(half_points, 2)) = self.waiting.get(&self.next) {
            self.waiting.remove(&self.next);
            self.next += 1;
            self.results.0[half_points] += 1;
            self.verdict = self.sprt.verdict(&self.results);
            if self.verdict.is_some() {
                return;
            }
        }
    }

    /// The hypotheses and error rates of the test.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The pairs that have counted.
    pub fn results(&self) -> &Pentanomial {
        &self.results
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(&self.results)
    }

    /// The accepted hypothesis, if the test is decided.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.verdict
    }
}

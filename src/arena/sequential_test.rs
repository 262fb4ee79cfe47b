//! A sequential test on a match that is being played.

use std::collections::BTreeMap;

use super::standing::GameSummary;
use super::statistics::{Hypothesis, Pentanomial, Sprt};

/// Hears of games and looks at pairs in the order of their numbers, whatever the order in which
/// they end: so short games do not count before long ones, and the verdict is the same however
/// many games are played at a time.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    /// What was looked at.
    results: Pentanomial,
    /// The pair to be looked at next, from 0.
    next: u64,
    /// Half points of the first player, and games, by pair.
    waiting: BTreeMap<u64, (usize, u32)>,
    verdict: Option<Hypothesis>,
}

impl SequentialTest {
    /// A test that has seen nothing.
    pub fn new(sprt: Sprt) -> SequentialTest {
        SequentialTest {
            sprt,
            results: Pentanomial::default(),
            next: 0,
            waiting: BTreeMap::new(),
            verdict: None,
        }
    }

    /// Counts a game between the first two players of a tournament. After the verdict nothing
    /// counts any more.
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

    /// The test.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The pairs that were looked at.
    pub fn results(&self) -> &Pentanomial {
        &self.results
    }

    /// The logarithm of the likelihood ratio of the two hypotheses.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(&self.results)
    }

    /// The hypothesis that was accepted.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.verdict
    }
}

//! The static evaluation: an estimate of the gain from the houses alone.
//!
//! There are two kinds. In the *plain* one the houses count one by one, by a handful of [`Weights`];
//! of these, too, is the counting of stores and nothing else. The *learned* one is a small
//! [`Network`], made by `kalah train` for the rules of one board.

mod choice;
mod nets;
mod network;
mod network_file;
mod noise;
mod phases;
mod weights;

use std::sync::{Arc, LazyLock};

pub use choice::EvaluationChoice;
pub use network::{HIDDEN_NEURONS, Network, NetworkError, NetworkParameters, SEED_COUNTS};
pub use network_file::NetworkFileError;
pub use noise::EvaluationNoise;
pub use phases::{GamePhases, PHASES};
pub use weights::{DISTANCES, Weights};

use self::weights::HouseWorths;
use super::value::CENTISEEDS;
use crate::board::{Position, RowTables};

/// An evaluation function.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The sum of what houses are worth one by one.
    Plain(Arc<HouseWorths>),
    /// A network. On boards of other rules than its own it is of no use, and does no harm.
    Learned(Arc<Network>),
    /// Another one with errors.
    Noisy(Box<Evaluation>, EvaluationNoise),
}

impl Default for Evaluation {
    /// The plain one with the weights that it has been given.
    fn default() -> Self {
        static DEFAULT: LazyLock<Arc<HouseWorths>> =
            LazyLock::new(|| Arc::new(HouseWorths::new(Weights::DEFAULT)));
        Evaluation::Plain(Arc::clone(&DEFAULT))
    }
}

/// The parts of an evaluation in hundredths of a seed, from the mover's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluationTerms {
    /// For being to move; a network has no such part.
    pub tempo: Option<i32>,
    /// For each of the mover's houses, from the left: what it is worth, or, where the whole is not
    /// the sum of its parts, by how much it would be less were the house empty.
    pub own: Vec<i32>,
    /// For each of the opponent's houses, from the opponent's left; already negative where it
    /// speaks for the opponent.
    pub opponent: Vec<i32>,
}

impl Evaluation {
    /// Counting stores and nothing else.
    pub fn material() -> Evaluation {
        static MATERIAL: LazyLock<Arc<HouseWorths>> =
            LazyLock::new(|| Arc::new(HouseWorths::new(Weights::NONE)));
        Evaluation::Plain(Arc::clone(&MATERIAL))
    }

    /// Whether this is the very same evaluation.
    pub(super) fn is(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::Plain(own), Evaluation::Plain(other)) => Arc::ptr_eq(own, other),
            (Evaluation::Learned(own), Evaluation::Learned(other)) => Arc::ptr_eq(own, other),
            (Evaluation::Noisy(own, noise), Evaluation::Noisy(other, other_noise)) => {
                noise == other_noise && own.is(other)
            }
            _ => false,
        }
    }

    /// The plain evaluation with these weights.
    pub fn new(weights: Weights) -> Evaluation {
        Evaluation::Plain(Arc::new(HouseWorths::new(weights)))
    }

    /// The estimated gain in whole seeds, of the parity and within the range that gains of this
    /// position have. `seeds` are those in the houses.
    #[inline]
    pub fn gain<R: RowTables>(&self, position: &Position<R>, houses: usize, seeds: i32) -> i32 {
        let centiseeds = self.centiseeds(position, houses, seeds as u32);
        // The nearest whole number of the right parity.
        let odd = seeds & 1;
        let pairs = (centiseeds - odd * CENTISEEDS + CENTISEEDS).div_euclid(2 * CENTISEEDS);
        (2 * pairs + odd).clamp(-seeds, seeds)
    }

    /// The same in hundredths of a seed, as it is.
    #[inline]
    pub(crate) fn centiseeds<R: RowTables>(
        &self,
        position: &Position<R>,
        houses: usize,
        seeds: u32,
    ) -> i32 {
        match self {
            Evaluation::Plain(worths) => worths.centiseeds(position, houses),
            Evaluation::Learned(network) => network.centiseeds(position, houses, seeds),
            Evaluation::Noisy(evaluation, noise) => {
                noisy_centiseeds(evaluation, *noise, position, houses, seeds)
            }
        }
    }

    /// The estimate taken apart; errors are no part of it.
    pub fn terms<R: RowTables>(&self, position: &Position<R>, houses: usize) -> EvaluationTerms {
        match self {
            Evaluation::Plain(worths) => worths.terms(position, houses),
            Evaluation::Learned(network) => network.terms(position, houses),
            Evaluation::Noisy(evaluation, _) => evaluation.terms(position, houses),
        }
    }
}

/// Apart from the estimates that have to be fast.
#[inline(never)]
fn noisy_centiseeds<R: RowTables>(
    evaluation: &Evaluation,
    noise: EvaluationNoise,
    position: &Position<R>,
    houses: usize,
    seeds: u32,
) -> i32 {
    evaluation.centiseeds(position, houses, seeds).saturating_add(noise.of(position.key()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Capture, MAX_HOUSES, Rules, Sowings};
    use proptest::prelude::*;

    fn check<R: RowTables>(houses: &[(u16, u16)]) -> Result<(), TestCaseError> {
        let (own, opponent): (Vec<u16>, Vec<u16>) = houses.iter().copied().unzip();
        let rules = Rules::new(houses.len(), Capture::Standard)?;
        let Some(sowings) = Sowings::<R>::of(rules) else { return Ok(()) };
        let Some(position) = Position::new(sowings, &own, &opponent) else { return Ok(()) };
        let seeds = (position.own_seeds() + position.opponent_seeds()) as i32;
        let range = CENTISEEDS * seeds;

        let evaluation = Evaluation::default();
        let gain = evaluation.gain(&position, houses.len(), seeds);
        prop_assert!(gain.abs() <= seeds && (gain - seeds) % 2 == 0);
        let terms = evaluation.terms(&position, houses.len());
        let houses_sum = terms.own.iter().chain(&terms.opponent).sum::<i32>();
        let sum = terms.tempo.unwrap_or_default() + houses_sum;
        prop_assert!((gain * CENTISEEDS - sum.clamp(-range, range)).abs() <= CENTISEEDS);

        let material = Evaluation::material().gain(&position, houses.len(), seeds);
        prop_assert_eq!(material, seeds & 1);

        for (network, gain) in Network::samples(rules)? {
            let evaluation = Evaluation::Learned(Arc::new(network));
            let terms = evaluation.terms(&position, houses.len());
            prop_assert_eq!((terms.own.len(), terms.opponent.len()), (own.len(), own.len()));
            let found = evaluation.gain(&position, houses.len(), seeds);
            prop_assert!(found.abs() <= seeds && (found - seeds) % 2 == 0);
            let expected = gain(&own, &opponent).clamp(-range, range);
            prop_assert!((found * CENTISEEDS - expected).abs() <= CENTISEEDS);
        }
        for other in [1, MAX_HOUSES] {
            let [(network, _), _] = Network::samples(Rules::new(other, Capture::Empty)?)?;
            let evaluation = Evaluation::Learned(Arc::new(network));
            prop_assert!(evaluation.gain(&position, houses.len(), seeds).abs() <= seeds);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn an_estimate_is_what_its_terms_say_rounded_to_a_possible_gain(
            houses in prop::collection::vec((0..=40_u16, 0..=40_u16), 1..=MAX_HOUSES),
        ) {
            check::<u64>(&houses)?;
            check::<u128>(&houses)?;
        }
    }
}

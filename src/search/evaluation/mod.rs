//! The static evaluation: an estimate of the gain from the houses alone.
//!
//! The *plain* evaluation is a sum over the houses, with a handful of [`Weights`]; without any it counts
//! the stores only. The *learned* evaluation is a small [`Network`], trained by `kalah train` for the
//! rules of one board.

mod hidden_layer;
mod network;
mod network_file;
mod plain;

use std::sync::Arc;

pub use hidden_layer::{
    BLOCK_NEURONS, BlockParameters, MAX_BLOCKS, MAX_NEURONS, PHASES, SEED_COUNTS, blocks_of_neurons,
};
pub use network::{GamePhases, Network, NetworkError, NetworkParameters};
pub use network_file::NetworkFileError;
pub use plain::{DISTANCES, EvaluationTerms, Weights};

use self::plain::HouseValues;
use super::value::CENTISEEDS;
use crate::board::{AnyPosition, Board, Position, RowTables, splitmix64};

/// An evaluation function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// A sum over the houses.
    Plain(Arc<HouseValues>),
    /// A network. For boards of other rules than its own the estimates are poor, but valid.
    Learned(Arc<Network>),
    /// Another evaluation with random errors.
    Noisy(Box<Evaluation>, EvaluationNoise),
}

impl Default for Evaluation {
    /// The plain evaluation with [`Weights::DEFAULT`].
    fn default() -> Self {
        Evaluation::new(Weights::DEFAULT)
    }
}

impl Evaluation {
    /// The evaluation that counts the stores only.
    pub fn material() -> Evaluation {
        Evaluation::new(Weights::NONE)
    }

    /// The plain evaluation with these weights.
    pub fn new(weights: Weights) -> Evaluation {
        Evaluation::Plain(Arc::new(HouseValues::new(weights)))
    }

    /// The estimated gain, rounded to a possible one: of the parity of the `seeds` in the houses and no larger.
    /// `houses` are those of a side, at most [`MAX_HOUSES`](crate::board::MAX_HOUSES).
    #[inline]
    pub fn gain<R: RowTables>(&self, position: &Position<R>, houses: usize, seeds: i32) -> i32 {
        let most = CENTISEEDS * seeds;
        let centiseeds = self.centiseeds(position, houses, seeds as u32).clamp(-most, most);
        // The nearest of the possible gains, which are two seeds apart.
        let pairs = (centiseeds + most + CENTISEEDS) as u32 / (2 * CENTISEEDS as u32);
        2 * pairs as i32 - seeds
    }

    /// The estimated gain in hundredths of a seed, not rounded.
    #[inline]
    pub(crate) fn centiseeds<R: RowTables>(
        &self,
        position: &Position<R>,
        houses: usize,
        seeds: u32,
    ) -> i32 {
        match self {
            Evaluation::Plain(values) => values.centiseeds(position, houses),
            Evaluation::Learned(network) => network.centiseeds(position, houses, seeds),
            Evaluation::Noisy(evaluation, noise) => {
                noisy_centiseeds(evaluation, *noise, position, houses, seeds)
            }
        }
    }

    /// The expected final margin of a board in seeds, from the view of the player to move.
    ///
    /// ```
    /// use kalah::search::Evaluation;
    /// use kalah::{Board, Capture};
    ///
    /// let board = Board::from_fen("<3,9,0,0,0,0,2,1,0> N", Capture::Standard)?;
    /// assert_eq!(Evaluation::default().margin(&board), -6.0);
    /// # Ok::<(), kalah::board::FenError>(())
    /// ```
    pub fn margin(&self, board: &Board) -> f64 {
        if let Some(margin) = board.result_for(board.side()) {
            return f64::from(margin);
        }
        let (houses, seeds) = (board.rules().houses(), board.seeds_in_play());
        let gain = match board.position() {
            AnyPosition::Narrow(_, position) => self.centiseeds(&position, houses, seeds),
            AnyPosition::Wide(_, position) => self.centiseeds(&position, houses, seeds),
        };
        f64::from(board.store_difference()) + f64::from(gain) / f64::from(CENTISEEDS)
    }

    /// The parts of the estimate, without noise. `houses` are those of a side, at most 12.
    pub fn terms<R: RowTables>(&self, position: &Position<R>, houses: usize) -> EvaluationTerms {
        match self {
            Evaluation::Plain(values) => values.terms(position, houses),
            Evaluation::Learned(network) => network.terms(position, houses),
            Evaluation::Noisy(evaluation, _) => evaluation.terms(position, houses),
        }
    }
}

/// Not inlined into the fast evaluations.
#[inline(never)]
fn noisy_centiseeds<R: RowTables>(
    evaluation: &Evaluation,
    noise: EvaluationNoise,
    position: &Position<R>,
    houses: usize,
    seeds: u32,
) -> i32 {
    evaluation
        .centiseeds(position, houses, seeds)
        .saturating_add(noise.error_at(position.houses_key()))
}

/// Chooses the evaluation of a search, whatever the board.
#[derive(Clone, Debug, Default)]
pub enum EvaluationChoice {
    /// The learned one for the selective search; those of the literature keep the plain one, to stay comparable.
    #[default]
    Automatic,
    /// The learned one, or the plain one for boards without a network.
    Learned,
    /// The plain one.
    Plain,
    /// Counts the stores only.
    Material,
    /// This one.
    Given(Evaluation),
}

/// Random errors of the evaluation, for a weaker engine. The error of a position is always the same, so
/// a misjudged position is misjudged again a move later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationNoise {
    /// The standard deviation in hundredths of a seed.
    pub centiseeds: u32,
    /// The seed of the random errors.
    pub random_seed: u64,
}

/// Number of draws, whose sum is nearly normal, their range, and the standard deviation of the sum.
const DRAWS: u32 = 4;
const RANGE: i64 = 1 << 16;
const DEVIATION: i64 = 37_837;

impl EvaluationNoise {
    /// The error in the estimate of the position with this key, in hundredths of a seed.
    fn error_at(self, key: u64) -> i32 {
        let bits = splitmix64(key ^ splitmix64(self.random_seed));
        let draws = (0..DRAWS).map(|draw| (bits >> (16 * draw)) as u16);
        let sum = draws.map(i64::from).sum::<i64>() - i64::from(DRAWS) * (RANGE - 1) / 2;
        (sum * i64::from(self.centiseeds) / DEVIATION) as i32
    }
}

//! The learned evaluation: a network with one hidden layer.
//!
//! Every house, the mover's and the opponent's, has a row of [`HIDDEN_NEURONS`] numbers for each count of
//! seeds. The rows of a position are added up; what is negative counts as nothing, the rest is
//! weighted and makes the estimate, by weights of its own for each of the [`PHASES`] of a game. With
//! 16-bit numbers a row is one cache line, and adding it takes a few instructions: there is nothing to
//! gain by keeping the sums from one position to the next.

use thiserror::Error;

use super::EvaluationTerms;
use super::phases::{GamePhases, PHASES};
use crate::board::{House, MAX_HOUSES, Position, RowTables, Rules};

/// Numbers in the hidden layer.
pub const HIDDEN_NEURONS: usize = 32;

/// Seed counts told apart; larger ones take the row of the last.
pub const SEED_COUNTS: usize = 16;

/// Most that the weights of the hidden numbers may come to in a phase, signs left aside, and the bias of
/// what they make: the sum then stays within 32 bits whatever the hidden numbers are.
const MOST_OUTPUT: i64 = 60_000;
const MOST_OUTPUT_BIAS: u32 = 150_000_000;
const _: () = assert!(MOST_OUTPUT * i16::MAX as i64 + MOST_OUTPUT_BIAS as i64 <= i32::MAX as i64);

/// Most bits that the output may be shifted by.
const MOST_SHIFT: u8 = 24;

/// A row of the hidden layer, in a cache line of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Hidden([i16; HIDDEN_NEURONS]);

/// The rows of each house of a side, from its left.
type Side = [[Hidden; SEED_COUNTS]; MAX_HOUSES];

/// A learned evaluation for the rules of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    rules: Rules,
    phases: GamePhases,
    own: Box<Side>,
    opponent: Box<Side>,
    bias: Hidden,
    output: [Hidden; PHASES],
    output_bias: [i32; PHASES],
    shift: u8,
}

/// The numbers that make a [`Network`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkParameters {
    /// For each house, the mover's from the left and then the opponent's, a row for each count from 0
    /// to [`SEED_COUNTS`] - 1.
    pub rows: Vec<[i16; HIDDEN_NEURONS]>,
    /// What the hidden sums begin with.
    pub bias: [i16; HIDDEN_NEURONS],
    /// What the hidden numbers count for in each phase, from the one with the fewest seeds.
    pub output: [[i16; HIDDEN_NEURONS]; PHASES],
    /// What the sum of these begins with.
    pub output_bias: [i32; PHASES],
    /// The bits that it is shifted down by to be hundredths of a seed.
    pub shift: u8,
}

/// Numbers that make no network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// Not as many rows as the board needs.
    #[error("{found} rows where the board needs {expected}")]
    Rows {
        /// Rows of a network for this board.
        expected: usize,
        /// Rows given.
        found: usize,
    },
    /// The output could leave the numbers of 32 bits.
    #[error("weights too large")]
    TooLarge,
}

impl Network {
    /// The network of these numbers.
    ///
    /// # Errors
    /// When there are not as many as the board needs, or when the weights of the output are too large.
    pub fn new(rules: Rules, parameters: &NetworkParameters) -> Result<Network, NetworkError> {
        let NetworkParameters { rows, bias, output, output_bias, shift } = parameters;
        let of_side = rules.houses() * SEED_COUNTS;
        if rows.len() != 2 * of_side {
            return Err(NetworkError::Rows { expected: 2 * of_side, found: rows.len() });
        }
        let weight = |of_phase: &[i16; HIDDEN_NEURONS]| {
            of_phase.iter().map(|&weight| i64::from(weight).abs()).sum::<i64>()
        };
        let is_large = output.iter().any(|of_phase| weight(of_phase) > MOST_OUTPUT)
            || output_bias.iter().any(|bias| bias.unsigned_abs() > MOST_OUTPUT_BIAS);
        if is_large || *shift > MOST_SHIFT {
            return Err(NetworkError::TooLarge);
        }
        let side = |rows: &[[i16; HIDDEN_NEURONS]]| {
            let mut side = Box::new([[Hidden([0; HIDDEN_NEURONS]); SEED_COUNTS]; MAX_HOUSES]);
            for (to, &from) in side.as_flattened_mut().iter_mut().zip(rows) {
                *to = Hidden(from);
            }
            side
        };
        let (own, opponent) = rows.split_at(of_side);
        Ok(Network {
            rules,
            phases: GamePhases::new(rules.houses()),
            own: side(own),
            opponent: side(opponent),
            bias: Hidden(*bias),
            output: output.map(Hidden),
            output_bias: *output_bias,
            shift: *shift,
        })
    }

    /// The rules of the board it is for.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The numbers it is made of.
    pub fn parameters(&self) -> NetworkParameters {
        let of_side = self.rules.houses() * SEED_COUNTS;
        let sides = [&self.own, &self.opponent];
        let rows = sides.into_iter().flat_map(|side| &side.as_flattened()[..of_side]);
        NetworkParameters {
            rows: rows.map(|row| row.0).collect(),
            bias: self.bias.0,
            output: self.output.map(|of_phase| of_phase.0),
            output_bias: self.output_bias,
            shift: self.shift,
        }
    }

    /// The estimated gain in hundredths of a seed. `seeds` are those in the houses.
    #[inline]
    pub(super) fn centiseeds<R: RowTables>(
        &self,
        position: &Position<R>,
        houses: usize,
        seeds: u32,
    ) -> i32 {
        self.output(self.hidden(position, houses), self.phases.of(seeds))
    }

    #[inline]
    fn hidden<R: RowTables>(&self, position: &Position<R>, houses: usize) -> Hidden {
        let mut sums = self.bias;
        let sides = self.own.iter().zip(self.opponent.iter()).take(houses);
        for (lane, (own, opponent)) in sides.enumerate() {
            let house = House::of_lane(lane);
            sums.add(&own[row(position.own(house))]);
            sums.add(&opponent[row(position.opponent(house))]);
        }
        sums
    }

    #[inline]
    fn output(&self, hidden: Hidden, phase: usize) -> i32 {
        let weighted = hidden.0.iter().zip(&self.output[phase].0);
        let sum = weighted.map(|(&number, &weight)| i32::from(number.max(0)) * i32::from(weight));
        (sum.sum::<i32>() + self.output_bias[phase]) >> self.shift
    }

    /// By how much the estimate would be less, in the same phase, were a house empty.
    pub(super) fn terms<R: RowTables>(
        &self,
        position: &Position<R>,
        houses: usize,
    ) -> EvaluationTerms {
        let hidden = self.hidden(position, houses);
        let phase = self.phases.of(position.own_seeds() + position.opponent_seeds());
        let whole = self.output(hidden, phase);
        let worths = |side: &Side, seeds: fn(&Position<R>, House) -> u32| {
            let worth = |(lane, rows): (usize, &[Hidden; SEED_COUNTS])| {
                let mut without = hidden;
                without.subtract(&rows[row(seeds(position, House::of_lane(lane)))]);
                without.add(&rows[0]);
                whole.saturating_sub(self.output(without, phase))
            };
            side.iter().take(houses).enumerate().map(worth).collect()
        };
        EvaluationTerms {
            tempo: None,
            own: worths(&self.own, Position::own),
            opponent: worths(&self.opponent, Position::opponent),
        }
    }
}

/// The row for so many seeds.
#[inline]
fn row(seeds: u32) -> usize {
    (seeds as usize).min(SEED_COUNTS - 1)
}

impl Hidden {
    #[inline]
    fn add(&mut self, row: &Hidden) {
        for (sum, number) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.saturating_add(*number);
        }
    }

    fn subtract(&mut self, row: &Hidden) {
        for (sum, number) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.saturating_sub(*number);
        }
    }
}

#[cfg(test)]
pub(super) mod samples {
    use super::*;

    /// What a network should find, in hundredths of a seed, for the mover's and the opponent's seeds.
    pub(in super::super) type Expected = fn(&[u16], &[u16]) -> i32;

    impl Network {
        /// Networks that find what can be said in a line, for any seeds.
        pub(in super::super) fn samples(
            rules: Rules,
        ) -> Result<[(Network, Expected); 2], NetworkError> {
            let count = |i: usize| (i % SEED_COUNTS) as i16;
            let is_own = |i: usize| i < rules.houses() * SEED_COUNTS;
            // Half a seed for each of the mover's up to 15 a house, less as much for the opponent's:
            // one number of the hidden layer for what is positive, one for what is negative.
            let difference = |i: usize| {
                let mut row = [0; HIDDEN_NEURONS];
                row[0] = if is_own(i) { count(i) } else { -count(i) };
                row[1] = -row[0];
                row
            };
            let mut output = [0; HIDDEN_NEURONS];
            (output[0], output[1]) = (100, -100);
            let rows = 2 * rules.houses() * SEED_COUNTS;
            let linear = NetworkParameters {
                rows: (0..rows).map(difference).collect(),
                bias: [0; HIDDEN_NEURONS],
                output: [output; PHASES],
                output_bias: [0; PHASES],
                shift: 1,
            };
            // All that can be at its greatest is: nothing overflows.
            let greatest = NetworkParameters {
                rows: vec![[i16::MAX; HIDDEN_NEURONS]; rows],
                bias: [i16::MAX; HIDDEN_NEURONS],
                output: [[1_875; HIDDEN_NEURONS]; PHASES],
                output_bias: [MOST_OUTPUT_BIAS as i32; PHASES],
                shift: 0,
            };
            let half: Expected = |own, opponent| {
                let capped = |seeds: &[u16]| {
                    seeds.iter().map(|&seeds| i32::from(seeds.min(15))).sum::<i32>()
                };
                50 * (capped(own) - capped(opponent))
            };
            let [linear, greatest] = [linear, greatest].map(|it| Network::new(rules, &it));
            Ok([(linear?, half), (greatest?, |_, _| i32::MAX)])
        }
    }

    #[test]
    fn numbers_that_make_no_network_are_refused() -> Result<(), NetworkError> {
        let rules = Rules::default();
        let (network, _) = &Network::samples(rules)?[1];
        let good = network.parameters();
        assert_eq!(Network::new(rules, &good).as_ref(), Ok(network));
        let mut few = good.clone();
        few.rows.pop();
        let expected = NetworkError::Rows { expected: 192, found: 191 };
        assert_eq!(Network::new(rules, &few), Err(expected));
        let mut heavy = good.clone();
        heavy.output[PHASES - 1][0] = -1_876;
        let mut biased = good.clone();
        biased.output_bias[1] = i32::MIN;
        let shifted = NetworkParameters { shift: 25, ..good };
        for large in [heavy, biased, shifted] {
            assert_eq!(Network::new(rules, &large), Err(NetworkError::TooLarge));
        }
        Ok(())
    }
}

//! The hidden layer of a network, laid out for the search.
//!
//! The weights of a feature to all neurons lie together, one cache line for each block. The sum is
//! compiled for several widths of vectors, and that of the processor is chosen at run time: with 128
//! neurons the search then visits a third more nodes a second.

use std::hint::black_box;

#[cfg(feature = "simd")]
use multiversion::multiversion;

use crate::board::{MAX_HOUSES, Position, RowTables};

/// Number of neurons in a block of the hidden layer.
pub const BLOCK_NEURONS: usize = 32;

/// Most blocks of a network.
pub const MAX_BLOCKS: usize = 4;

/// Most neurons of a network.
pub const MAX_NEURONS: usize = MAX_BLOCKS * BLOCK_NEURONS;

/// The blocks of a network with this many neurons; `None` unless they are 1 to [`MAX_BLOCKS`] whole ones.
pub fn blocks_of_neurons(neurons: usize) -> Option<usize> {
    (1..=MAX_BLOCKS).find(|blocks| blocks * BLOCK_NEURONS == neurons)
}

/// Number of seed counts with a row of their own; larger counts have the row of the last.
pub const SEED_COUNTS: usize = 16;

/// Number of phases of a game.
pub const PHASES: usize = 8;

/// The numbers of a block of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockParameters {
    /// The biases of the hidden neurons.
    pub bias: [i16; BLOCK_NEURONS],
    /// The output weights of each phase, from the one with the fewest seeds.
    pub output: [[i16; BLOCK_NEURONS]; PHASES],
    /// The weights of the features: for each house, the mover's from the left and then the
    /// opponent's, a row for each seed count from 0 to [`SEED_COUNTS`] - 1.
    pub rows: Vec<[i16; BLOCK_NEURONS]>,
}

/// A number for each neuron of some blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Neurons<const BLOCKS: usize>([[i16; BLOCK_NEURONS]; BLOCKS]);

/// The weights of each house of a side, from its left, by seed count. A house has a row that is not
/// used: with 16 rows, a page, those of all houses for one seed count would share a few sets of the cache.
type SideWeights<const BLOCKS: usize> = [[Neurons<BLOCKS>; SEED_COUNTS + 1]; MAX_HOUSES];

/// A hidden layer of some blocks, with its weights on either side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layer<const BLOCKS: usize> {
    own: SideWeights<BLOCKS>,
    opponent: SideWeights<BLOCKS>,
    bias: Neurons<BLOCKS>,
    output: [Neurons<BLOCKS>; PHASES],
}

/// A hidden layer of one block, or of two to four, padded with 0. The built-in networks have one or four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HiddenLayer {
    One(Box<Layer<1>>),
    Four(Box<Layer<MAX_BLOCKS>>),
}

impl HiddenLayer {
    /// A layer of 1 to [`MAX_BLOCKS`] blocks; `None` of any other number.
    pub(super) fn new(blocks: &[BlockParameters]) -> Option<HiddenLayer> {
        match blocks.len() {
            1 => Some(HiddenLayer::One(Box::new(Layer::new(blocks)))),
            2..=MAX_BLOCKS => Some(HiddenLayer::Four(Box::new(Layer::new(blocks)))),
            _ => None,
        }
    }
}

/// What a network sees of a position: the seeds of the mover's and the opponent's houses, at most
/// [`SEED_COUNTS`] - 1, in bytes.
pub(super) type Features = [u128; 2];

const _: () = assert!(SEED_COUNTS == 16 && MAX_HOUSES <= 16);

#[inline]
pub(super) fn features<R: RowTables>(position: &Position<R>) -> Features {
    [position.own_row(), position.opponent_row()].map(R::counts_up_to_15)
}

/// The sum of all neurons, weighted for the output in a phase. Its arguments are in registers. The functions that it
/// calls are inlined into each version; a closure would not be.
#[cfg_attr(
    feature = "simd",
    multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))
)]
pub(super) fn weighted_sum(
    layer: &HiddenLayer,
    own: u128,
    opponent: u128,
    houses: usize,
    phase: usize,
) -> i32 {
    match layer {
        HiddenLayer::One(layer) => layer.weighted_sum(own, opponent, houses, phase),
        HiddenLayer::Four(layer) => layer.weighted_sum(own, opponent, houses, phase),
    }
}

#[allow(clippy::inline_always)] // into every version of the sum
impl<const BLOCKS: usize> Layer<BLOCKS> {
    fn new(blocks: &[BlockParameters]) -> Layer<BLOCKS> {
        let zero = Neurons([[0; BLOCK_NEURONS]; BLOCKS]);
        let side = [[zero; SEED_COUNTS + 1]; MAX_HOUSES];
        let output = [zero; PHASES];
        let mut layer = Layer { own: side, opponent: side, bias: zero, output };
        for (at, block) in blocks.iter().enumerate() {
            let Layer { own, opponent, bias, output } = &mut layer;
            bias.0[at] = block.bias;
            for (to, from) in output.iter_mut().zip(block.output) {
                to.0[at] = from;
            }
            let (own_rows, opponent_rows) = block.rows.split_at(block.rows.len() / 2);
            for (side, rows) in [(own, own_rows), (opponent, opponent_rows)] {
                for (house, rows) in side.iter_mut().zip(rows.chunks(SEED_COUNTS)) {
                    for (to, &from) in house.iter_mut().zip(rows) {
                        to.0[at] = from;
                    }
                }
            }
        }
        layer
    }

    #[inline(always)]
    fn weighted_sum(&self, mut own: u128, mut opponent: u128, houses: usize, phase: usize) -> i32 {
        let mut sums = self.bias;
        for (own_rows, opponent_rows) in self.own.iter().zip(&self.opponent).take(houses) {
            sums = sums.plus(own_rows[own as usize % SEED_COUNTS]);
            sums = sums.plus(opponent_rows[opponent as usize % SEED_COUNTS]);
            own >>= 8;
            opponent >>= 8;
        }
        // Without the black box, the compiler splits the vectors of the loop at every house into the
        // narrower ones of the weighted sum, which takes a third longer.
        black_box(sums.positive()).weighted_sum(&self.output[phase % PHASES])
    }
}

#[allow(clippy::inline_always)] // into every version of the sum
impl<const BLOCKS: usize> Neurons<BLOCKS> {
    /// Takes its rows by value: with references, the compiler allows for overlaps.
    #[inline(always)]
    fn plus(self, row: Neurons<BLOCKS>) -> Neurons<BLOCKS> {
        let Neurons(mut sums) = self;
        let numbers = row.0.as_flattened();
        for (sum, number) in sums.as_flattened_mut().iter_mut().zip(numbers) {
            *sum = sum.saturating_add(*number);
        }
        Neurons(sums)
    }

    /// With 0 for negative numbers.
    #[inline(always)]
    fn positive(mut self) -> Neurons<BLOCKS> {
        for number in self.0.as_flattened_mut() {
            *number = (*number).max(0);
        }
        self
    }

    #[inline(always)]
    fn weighted_sum(&self, weights: &Neurons<BLOCKS>) -> i32 {
        let pairs = self.0.as_flattened().iter().zip(weights.0.as_flattened());
        pairs.map(|(&number, &weight)| i32::from(number) * i32::from(weight)).sum()
    }
}

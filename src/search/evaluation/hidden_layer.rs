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
    Four(Box<Layer<MAX_BLOCKS>>, usize),
}

impl HiddenLayer {
    /// A layer of 1 to [`MAX_BLOCKS`] blocks; `None` of any other number.
    pub(super) fn new(blocks: &[BlockParameters]) -> Option<HiddenLayer> {
        match blocks.len() {
            1 => Some(HiddenLayer::One(Box::new(Layer::new(blocks)))),
            count @ 2..=MAX_BLOCKS => Some(HiddenLayer::Four(Box::new(Layer::new(blocks)), count)),
            _ => None,
        }
    }

    /// The blocks that it was made of, for a board with this many houses a side.
    pub(super) fn blocks(&self, houses: usize) -> Vec<BlockParameters> {
        match self {
            HiddenLayer::One(layer) => layer.blocks(houses, 1),
            HiddenLayer::Four(layer, count) => layer.blocks(houses, *count),
        }
    }

    /// The sum of all neurons, weighted for the output in a phase.
    #[inline]
    pub(super) fn weighted_sum(&self, features: Features, phase: usize) -> i32 {
        let Features { houses, sides: [own, opponent] } = features;
        weighted_sum(self, own, opponent, houses, phase)
    }
}

/// What a network sees of a position: the seeds of each house, at most [`SEED_COUNTS`] - 1, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    houses: usize,
    /// The mover's and the opponent's.
    sides: [u128; 2],
}

const _: () = assert!(SEED_COUNTS == 16 && MAX_HOUSES <= 16);

impl Features {
    #[inline]
    pub(super) fn from_position<R: RowTables>(position: &Position<R>, houses: usize) -> Features {
        let own = position.own_row().counts_up_to_15();
        Features { houses, sides: [own, position.opponent_row().counts_up_to_15()] }
    }

    /// The same with one house empty, the mover's (side 0) or the opponent's (side 1).
    pub(super) fn without(mut self, side: usize, lane: usize) -> Features {
        self.sides[side] &= !(0xff << (lane * 8));
        self
    }
}

/// [`HiddenLayer::weighted_sum`] with registers as arguments. The functions that it calls are inlined
/// into each version; a closure would not be.
#[cfg_attr(
    feature = "simd",
    multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))
)]
fn weighted_sum(
    layer: &HiddenLayer,
    own: u128,
    opponent: u128,
    houses: usize,
    phase: usize,
) -> i32 {
    match layer {
        HiddenLayer::One(layer) => layer.weighted_sum(own, opponent, houses, phase),
        HiddenLayer::Four(layer, _) => layer.weighted_sum(own, opponent, houses, phase),
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

    fn blocks(&self, houses: usize, count: usize) -> Vec<BlockParameters> {
        let block = |at: usize| {
            let sides = [&self.own, &self.opponent].into_iter();
            let rows =
                sides.flat_map(|side| &side[..houses]).flat_map(|house| &house[..SEED_COUNTS]);
            BlockParameters {
                bias: self.bias.0[at],
                output: self.output.map(|of_phase| of_phase.0[at]),
                rows: rows.map(|row| row.0[at]).collect(),
            }
        };
        (0..count).map(block).collect()
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

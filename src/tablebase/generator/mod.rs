//! The generator: computes the gains of a layer, the positions with equally many seeds, from smaller layers.
//!
//! Let x be the mover's row and y the opponent's. F(x, y) is the gain of the player who owns x and
//! is to move; G(x, y) is the gain of the player who owns y if that player is to move. A move
//! x → x' has the gain -G(x', y) for all y, so that whole table rows are combined byte by byte. F
//! of the block with (a, b) seeds is the transpose of G of the block with (b, a) seeds: one of the
//! two is computed, the other one is transposed from it.
//!
//! Most moves are *scoring* moves, which lead to smaller layers. Where they add seeds to the other
//! side or capture some, runs of neighbours in one row go to neighbours in another, see
//! [`RankMap`](rank_map::RankMap). Runs are long if neighbours differ in their last houses, since
//! sowing changes the first ones. In the order of ranks they differ in the first houses. So the
//! columns of G are in the order of the mirrored rows, which the transposition provides for free.
//!
//! *Quiet* moves end on the mover's side without a capture. They stay in the layer and lower the
//! rank of the mover's row, so rows are completed by ascending rank. Rows that no quiet move connects
//! form groups, which are processed together in a [`Tile`](tile::Tile): a move y → y' has the gain
//! -F(x, y') for all x of a group at once.

mod moves;
mod rank_map;
mod rows;
mod tile;

use std::num::NonZeroUsize;
use std::sync::Mutex;

use self::moves::SmallerLayers;
use self::rows::MoveTables;
use self::tile::transpose;
use super::error::TablebaseError;
use super::index::{GAIN_BIAS, NO_GAIN, PositionIndex, zeroed};
use crate::board::Sowings;
use crate::lock::lock;
use crate::parallel;
use crate::stop::StopToken;

/// Computes layers.
pub(super) struct Generator<'a> {
    index: &'a PositionIndex,
    tables: MoveTables<'a>,
    threads: NonZeroUsize,
    /// Memory for transposed blocks that no thread uses.
    spare: Mutex<Vec<Box<[u8]>>>,
}

/// The blocks of (a, b) and of (b, a) seeds.
struct BlockPair<'a> {
    own: u32,
    opponent: u32,
    block: Block<'a>,
    /// `None` if both sides have the same number of seeds.
    swapped: Option<Block<'a>>,
}

struct Block<'a> {
    f: &'a mut [u8],
    /// `None` in the largest layer.
    g: Option<&'a mut [u8]>,
}

impl BlockPair<'_> {
    /// Whether it has not been computed. A pair is computed as a whole.
    fn is_missing(&self) -> bool {
        self.block.f.first() == Some(&NO_GAIN)
    }

    fn positions(&self) -> usize {
        self.block.f.len() * if self.swapped.is_some() { 2 } else { 1 }
    }
}

impl<'a> Generator<'a> {
    pub(super) fn new(
        sowings: &'a Sowings<u64>,
        index: &'a PositionIndex,
        threads: NonZeroUsize,
    ) -> Generator<'a> {
        let tables = MoveTables::new(sowings, index, threads);
        Generator { index, tables, threads, spare: Mutex::default() }
    }

    /// Writes the gains of all positions with `total` seeds to `f` and, but for the largest layer, transposed to
    /// `g`. Both hold all smaller layers; in `f` the layer is [`NO_GAIN`] but for the blocks that an earlier call
    /// has computed. `progress` gets the numbers of positions computed.
    ///
    /// # Errors
    /// Returns [`TablebaseError::Stopped`] if it is stopped; each thread computes a pair of blocks
    /// in any case. Returns [`TablebaseError::MemoryRefused`] if there is no memory for a block.
    pub(super) fn build_layer(
        &self,
        total: u32,
        f: &mut [u8],
        g: &mut [u8],
        stop: &StopToken,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TablebaseError> {
        /// Smaller layers are complete before another thread has started.
        const POSITIONS_PER_THREAD: usize = 20_000;
        let layer = self.index.layer(total);
        let (smaller_f, f) = f.split_at_mut(layer.start);
        let (smaller_g, g) = g.split_at_mut(layer.start);
        let smaller = SmallerLayers { f: smaller_f, g: smaller_g };
        let mut pairs = self.pairs(total, f, g);
        // The largest first, so that all threads finish at about the same time.
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.block.f.len()));
        pairs.retain(BlockPair::is_missing);
        let max_threads = NonZeroUsize::new(layer.len() / POSITIONS_PER_THREAD);
        let threads = self.threads.min(max_threads.unwrap_or(NonZeroUsize::MIN));
        parallel::try_for_each(threads, pairs.into_iter(), |pair| {
            let positions = pair.positions() as u64;
            self.compute(pair, smaller)?;
            progress(positions);
            stop.check(TablebaseError::Stopped)
        })
    }

    /// Writes a layer of `f` that was not computed here to `g`, transposed.
    pub(super) fn transpose_layer(&self, total: u32, f: &mut [u8], g: &mut [u8]) {
        let start = self.index.start_of_layer(total);
        let pairs = self.pairs(total, &mut f[start..], &mut g[start..]);
        parallel::for_each(self.threads, pairs.into_iter(), |pair| self.transpose_pair(pair));
    }

    /// The pairs of blocks of a layer.
    fn pairs<'b>(&self, total: u32, mut f: &'b mut [u8], g: &'b mut [u8]) -> Vec<BlockPair<'b>> {
        let mut g = (total < self.index.seeds()).then_some(g);
        let mut blocks = Vec::new();
        for own in 0..=total {
            let length = self.rows(own) * self.rows(total - own);
            let (block_f, rest_f) = f.split_at_mut(length);
            let (block_g, rest_g) = g.map(|g| g.split_at_mut(length)).unzip();
            (f, g) = (rest_f, rest_g);
            blocks.push(Block { f: block_f, g: block_g });
        }
        let (mut blocks, mut pairs) = (blocks.into_iter(), Vec::new());
        while let Some(block) = blocks.next() {
            let own = pairs.len() as u32;
            let (opponent, swapped) = (total - own, blocks.next_back());
            pairs.push(BlockPair { own, opponent, block, swapped });
        }
        pairs
    }

    fn compute(
        &self,
        pair: BlockPair<'_>,
        smaller: SmallerLayers<'_>,
    ) -> Result<(), TablebaseError> {
        let BlockPair { own, opponent, block, mut swapped } = pair;
        let f = block.f;
        if own == 0 {
            // The game is over, and each side keeps its seeds.
            f.fill(GAIN_BIAS - opponent as u8);
            if let Some(swapped) = &mut swapped {
                swapped.f.fill(GAIN_BIAS + opponent as u8);
            }
        } else {
            // Without this memory the pair remains missing.
            let spare = lock(&self.spare).pop();
            let mut transposed = spare.map_or_else(|| self.largest_block(), Ok)?;
            self.tables.apply_scoring_moves(own, opponent, f, smaller);
            let g = &mut transposed[..f.len()];
            let [rows, columns] = [own, opponent].map(|seeds| self.rows(seeds));
            if let Some(swapped) = &mut swapped {
                self.tables.apply_scoring_moves(opponent, own, swapped.f, smaller);
                transpose(swapped.f, rows, |row| row, g);
                self.tables.apply_quiet_moves(own, opponent, f, g);
                transpose(g, columns, |row| row, swapped.f);
            } else {
                transpose(f, columns, |row| row, g);
                self.tables.apply_quiet_moves(own, opponent, f, g);
            }
            lock(&self.spare).push(transposed);
        }
        self.transpose_pair(BlockPair { own, opponent, block: Block { f, ..block }, swapped });
        Ok(())
    }

    /// Writes F of a pair to G, transposed.
    fn transpose_pair(&self, BlockPair { own, opponent, block, swapped }: BlockPair<'_>) {
        if let Some(g) = block.g {
            let from = swapped.as_ref().map_or(&*block.f, |swapped| &*swapped.f);
            self.transpose_block(opponent, own, from, g);
        }
        if let Some(g) = swapped.and_then(|swapped| swapped.g) {
            self.transpose_block(own, opponent, block.f, g);
        }
    }

    /// Writes a block of F to G, transposed, with columns in the order of the mirrored rows.
    fn transpose_block(&self, own: u32, opponent: u32, f: &[u8], g: &mut [u8]) {
        let mirrored = &self.tables.sides[own as usize].mirrored;
        transpose(f, self.rows(opponent), |row| mirrored[row] as usize, g);
    }

    /// The number of rows with `seeds` seeds.
    fn rows(&self, seeds: u32) -> usize {
        self.index.ranks.count(seeds)
    }

    /// Memory for the largest block.
    fn largest_block(&self) -> Result<Box<[u8]>, TablebaseError> {
        let (houses, seeds) = (self.index.ranks.houses, self.index.seeds());
        let size = self.rows(seeds / 2) * self.rows(seeds.div_ceil(2));
        zeroed(size).ok_or(TablebaseError::MemoryRefused { houses, seeds, size })
    }
}

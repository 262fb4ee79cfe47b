//! How tables are built: by layers of as many seeds, and in a layer by rows.
//!
//! With x the mover's row and y the opponent's, F(x, y) is the gain of the player of x to move and
//! G(x, y) that of the player of y when that one is to move. A move x → x' has the gain -G(x', y),
//! for all y at once: a row of bytes beside a row of bytes. F of (a, b) seeds and G of (b, a) seeds
//! are the same numbers, turned over. Half of the blocks are worked out, and the others are turned
//! over from them.
//!
//! Most moves lead to smaller layers (`outer`). Where they put seeds on the other side, or take some
//! off it, runs of neighbours tell where the row goes on (`runs`). These are long when neighbours
//! differ in their last houses, for it is to the first ones that something happens, but in the order
//! of the table they differ in the first. So the columns of G stand by the ranks of the mirrored
//! rows, which costs nothing when blocks are turned over.
//!
//! The moves that end on the mover's own side without a capture stay in the layer (`inner`), and
//! lower the rank of the mover's row. So when rows come by ascending rank, everything that a position
//! needs is there. They may as well come in groups of rows between which no move leads: then a move
//! y → y' has its gain -F(x, y') for all x of a group at once, which stand side by side (`strip`).

mod inner;
mod outer;
mod runs;
mod side;
mod strip;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use side::Side;

use super::index::{Blocks, Ranks};
use super::table::ZERO;
use super::transpose::transpose;
use crate::board::{Row, Rules, Sowings};
use crate::parallel;
use crate::sys::use_huge_pages;

/// Less than any gain.
const NOTHING: u8 = 0;

/// All that does not change while a table is built.
pub(super) struct Builder<'a> {
    rules: Rules,
    sowings: &'a Sowings<u64>,
    ranks: &'a Ranks,
    blocks: &'a Blocks,
    threads: NonZeroUsize,
    /// By seeds.
    sides: Vec<Side>,
    /// Room for blocks that nobody works on.
    spare: Mutex<Vec<Vec<u8>>>,
}

/// The smaller layers.
#[derive(Clone, Copy)]
struct Lower<'a> {
    /// Gains of the player to move.
    f: &'a [u8],
    /// The same positions, with the rows of the players exchanged, and columns by the ranks of
    /// mirrored rows.
    g: &'a [u8],
}

/// The blocks of two numbers of seeds, a side having either.
struct Pair<'a> {
    own: u32,
    opponent: u32,
    block: Block<'a>,
    /// With the numbers exchanged, unless they are equal.
    exchanged: Option<Block<'a>>,
}

struct Block<'a> {
    f: &'a mut [u8],
    /// `None` in the largest layer.
    g: Option<&'a mut [u8]>,
}

impl Pair<'_> {
    /// Whether nothing was done for it: whoever begins with a pair finishes it.
    fn is_missing(&self) -> bool {
        self.block.f.first() == Some(&NOTHING)
    }
}

/// A gain from the other player's view, with what was banked on the way.
#[inline]
fn negated(gain: u8, banked: u8) -> u8 {
    gain.wrapping_neg().wrapping_add(banked)
}

/// Hears how many positions were done, whenever some are, on whatever thread did them, and says
/// whether to go on.
pub(super) type Watch<'a> = &'a (dyn Fn(u64) -> ControlFlow<()> + Sync);

impl<'a> Builder<'a> {
    pub(super) fn new(
        sowings: &'a Sowings<u64>,
        ranks: &'a Ranks,
        blocks: &'a Blocks,
        threads: NonZeroUsize,
    ) -> Builder<'a> {
        let rules = sowings.rules();
        let most = blocks.seeds();
        let sides = parallel::map(threads, 0..=most, |seeds| Side::new(rules, ranks, seeds, most));
        Builder { rules, sowings, ranks, blocks, threads, sides, spare: Mutex::default() }
    }

    /// Fills in the gains of all positions of a layer, block by block, into `f`, and, but for the
    /// largest layer, turned over into `g`. In both all smaller layers are there, and the layer is
    /// all [`NOTHING`] in `f` before, but for what was done when `watch` broke off.
    pub(super) fn build_layer(
        &self,
        total: u32,
        f: &mut [u8],
        g: &mut [u8],
        watch: Watch,
    ) -> ControlFlow<()> {
        let start = self.blocks.start_of_layer(total);
        let (lower_f, f) = f.split_at_mut(start);
        let (lower_g, g) = g.split_at_mut(start);
        let lower = Lower { f: lower_f, g: lower_g };
        let f_len = self.blocks.start_of_layer(total + 1) - start;
        let mut pairs = self.pairs(total, f, g);
        // The largest first, one at a time, so that nobody is left with one at the end.
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.block.f.len()));
        pairs.retain(Pair::is_missing);
        let threads = self.threads_for(f_len);
        let filled = parallel::try_for_each(threads, pairs.into_iter(), |pair| {
            let blocks = if pair.exchanged.is_some() { 2 } else { 1 };
            let positions = pair.block.f.len() * blocks;
            self.fill(pair, lower);
            if watch(positions as u64).is_break() { Err(()) } else { Ok(()) }
        });
        if filled.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Turns a layer over into `g` that is in `f` without having been built there.
    pub(super) fn turn_layer_over(&self, total: u32, f: &mut [u8], g: &mut [u8]) {
        let start = self.blocks.start_of_layer(total);
        let pairs = self.pairs(total, &mut f[start..], &mut g[start..]);
        parallel::for_each(self.threads, pairs.into_iter(), |pair| self.turn_pair_over(pair));
    }

    /// Threads for a layer: small layers are done before another thread has started.
    fn threads_for(&self, positions: usize) -> NonZeroUsize {
        const POSITIONS_PER_THREAD: usize = 20_000;
        let worthwhile = NonZeroUsize::new(positions / POSITIONS_PER_THREAD);
        self.threads.min(worthwhile.unwrap_or(NonZeroUsize::MIN))
    }

    /// Where the gains of a row begin against all rows of so many seeds.
    fn start(&self, row: u64, opponent: u32) -> usize {
        let rank = self.ranks.rank(row);
        self.blocks.start(row.total(), opponent) + rank * self.ranks.count(opponent)
    }

    /// Where the gain of the player of one row against the other stands.
    fn place(&self, own: u64, opponent: u64) -> usize {
        self.start(own, opponent.total()) + self.ranks.rank(opponent)
    }

    /// The blocks of a layer, two by two.
    fn pairs<'b>(&self, total: u32, mut f: &'b mut [u8], g: &'b mut [u8]) -> Vec<Pair<'b>> {
        let mut g = (total < self.blocks.seeds()).then_some(g);
        let mut blocks = Vec::new();
        for own in 0..=total {
            let length = self.ranks.count(own) * self.ranks.count(total - own);
            let (block_f, rest_f) = f.split_at_mut(length);
            let (block_g, rest_g) = g.map(|g| g.split_at_mut(length)).unzip();
            (f, g) = (rest_f, rest_g);
            blocks.push(Some(Block { f: block_f, g: block_g }));
        }
        let mut pairs = Vec::new();
        for own in 0..=total / 2 {
            let opponent = total - own;
            let Some(block) = blocks[own as usize].take() else { continue };
            let exchanged = blocks[opponent as usize].take();
            pairs.push(Pair { own, opponent, block, exchanged });
        }
        pairs
    }

    fn fill(&self, pair: Pair<'_>, lower: Lower<'_>) {
        let Pair { own, opponent, block, mut exchanged } = pair;
        let f = block.f;
        if own == 0 {
            // The game is over, and each side keeps its seeds.
            f.fill(ZERO - opponent as u8);
            if let Some(exchanged) = &mut exchanged {
                exchanged.f.fill(ZERO + opponent as u8);
            }
        } else {
            self.fill_outer(own, opponent, f, lower);
            let spare = self.spare().pop();
            let mut turned = spare.unwrap_or_else(|| self.room());
            let g = &mut turned[..f.len()];
            let [rows, columns] = [own, opponent].map(|seeds| self.ranks.count(seeds));
            if let Some(exchanged) = &mut exchanged {
                self.fill_outer(opponent, own, exchanged.f, lower);
                transpose(exchanged.f, rows, |row| row, g);
                self.fill_inner(own, opponent, f, g);
                transpose(g, columns, |row| row, exchanged.f);
            } else {
                transpose(f, columns, |row| row, g);
                self.fill_inner(own, opponent, f, g);
            }
            self.spare().push(turned);
        }
        self.turn_pair_over(Pair { own, opponent, block: Block { f, ..block }, exchanged });
    }

    fn turn_pair_over(&self, Pair { own, opponent, block, exchanged }: Pair<'_>) {
        if let Some(g) = block.g {
            let turned = exchanged.as_ref().map_or(&*block.f, |exchanged| &*exchanged.f);
            self.turn_over(opponent, own, turned, g);
        }
        if let Some(g) = exchanged.and_then(|exchanged| exchanged.g) {
            self.turn_over(own, opponent, block.f, g);
        }
    }

    /// Room for the largest block.
    fn room(&self) -> Vec<u8> {
        let most = self.blocks.seeds();
        let room = vec![NOTHING; self.ranks.count(most / 2) * self.ranks.count(most.div_ceil(2))];
        use_huge_pages(&room);
        room
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Turns a block of F over into G.
    fn turn_over(&self, own: u32, opponent: u32, f: &[u8], g: &mut [u8]) {
        let mirrored = &self.sides[own as usize].mirrored;
        transpose(f, self.ranks.count(opponent), |row| mirrored[row] as usize, g);
    }
}

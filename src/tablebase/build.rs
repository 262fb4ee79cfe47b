//! How tables are built: by layers of as many seeds, and in a layer by rows.
//!
//! All moves lead to fewer seeds in the houses but for those that end on the mover's own side
//! without a capture, and these lower the rank of the mover's row. So when the rows of both sides
//! come by ascending rank, everything that a position needs is there. With x the mover's row, y
//! the opponent's, F(x, y) the gain of the player of x to move and G(x, y) that of the player of y
//! when that one is to move, a move x → x' that stays on its side has the gain -G(x', y), for all
//! y at once: a row of bytes beside a row of bytes. A move y → y' has the gain -F(x, y'), which is
//! in the row of F that was just made. All other moves lead to smaller layers; where they put seeds
//! on the other side, or take some off it, a map of ranks tells where the row goes on.
//!
//! F of (a, b) seeds and G of (b, a) seeds are the same numbers, turned over. Half of the blocks
//! are worked out, and the others are turned over from them.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::index::{Blocks, Ranks};
use super::table::ZERO;
use super::transpose::transpose;
use crate::board::{Capture, Row, Rules, Sowings};

/// Less than any gain.
const NOTHING: u8 = 0;

/// What the rows of one side with so many seeds become.
struct Side {
    /// By rank.
    rows: Vec<u64>,
    /// By how many first houses gain a seed each, less one: the rank with them.
    raised: Vec<Vec<u32>>,
    /// By house: the seeds in it, and the rank without them.
    taken: Vec<(Vec<u8>, Vec<u32>)>,
    /// Moves that stay on the own side: where those of each row begin.
    own_moves: Vec<u32>,
    /// Their ranks, and above [`CONDITION`] one more than the house of the other side that has to be
    /// empty, if any has to be.
    own_ranks: Vec<u32>,
}

/// Where in a word the condition of a move begins.
const CONDITION: u32 = 28;

/// All that does not change while a table is built.
pub(super) struct Builder<'a> {
    rules: Rules,
    sowings: &'a Sowings<u64>,
    ranks: &'a Ranks,
    blocks: &'a Blocks,
    /// By seeds.
    sides: Vec<Side>,
}

/// The smaller layers.
#[derive(Clone, Copy)]
struct Lower<'a> {
    /// Gains of the player to move.
    f: &'a [u8],
    /// The same positions, with the rows of the players exchanged.
    g: &'a [u8],
}

/// The blocks of two numbers of seeds, a side having either.
struct Pair<'a> {
    own: u32,
    opponent: u32,
    f: &'a mut [u8],
    g: &'a mut [u8],
    /// The blocks with the numbers exchanged, unless they are equal.
    exchanged: Option<(&'a mut [u8], &'a mut [u8])>,
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
    ) -> Builder<'a> {
        let rules = sowings.rules();
        let sides = (0..=blocks.seeds()).into_par_iter();
        let sides = sides.map(|seeds| Side::new(rules, ranks, seeds)).collect();
        Builder { rules, sowings, ranks, blocks, sides }
    }

    /// Fills in the gains of all positions of a layer, block by block, into `f`, and turned over
    /// into `g`. In both all smaller layers are there, and the layer is all [`NOTHING`] before; it
    /// is of no use when `watch` broke off.
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
        let mut pairs = self.pairs(total, f, g);
        // The largest first, so that nobody is left with one at the end.
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.f.len()));
        pairs.into_par_iter().with_max_len(1).try_for_each(|pair| {
            let blocks = if pair.exchanged.is_some() { 2 } else { 1 };
            let positions = pair.f.len() * blocks;
            self.fill(pair, lower);
            watch(positions as u64)
        })
    }

    /// Turns a layer over into `g` that is in `f` without having been built there.
    pub(super) fn turn_layer_over(&self, total: u32, f: &mut [u8], g: &mut [u8]) {
        let start = self.blocks.start_of_layer(total);
        let pairs = self.pairs(total, &mut f[start..], &mut g[start..]);
        pairs.into_par_iter().with_max_len(1).for_each(|pair| {
            let Pair { own, opponent, f, g, exchanged } = pair;
            let [rows, columns] = [own, opponent].map(|seeds| self.ranks.count(seeds));
            match exchanged {
                None => transpose(f, columns, g),
                Some((exchanged_f, exchanged_g)) => {
                    transpose(exchanged_f, rows, g);
                    transpose(f, columns, exchanged_g);
                }
            }
        });
    }
}

impl Side {
    fn new(rules: Rules, ranks: &Ranks, seeds: u32) -> Side {
        let houses = rules.houses();
        let rows = ranks.rows(seeds);
        let rank = |row| ranks.rank(row) as u32;
        let raised = (1..=houses).map(|first| {
            let more = (0..first).fold(0, |row: u64, house| row.plus(u64::lane(house, 1)));
            rows.iter().map(|row| rank(row.plus(more))).collect()
        });
        let taken = (0..houses).map(|house| {
            let without = |row: &u64| {
                let seeds = row.seeds(house);
                (seeds as u8, rank(row.plus(0_u64.minus(u64::lane(house, seeds)))))
            };
            rows.iter().map(without).unzip()
        });
        let (raised, taken) = (raised.collect(), taken.collect());
        let (mut own_moves, mut own_ranks) = (vec![0], Vec::new());
        for row in &rows {
            for house in row.occupied() {
                let last = house + row.seeds(house) as usize;
                if last >= houses {
                    continue;
                }
                let sown = (house + 1..=last).map(|house| u64::lane(house, 1));
                let emptied = row.plus(0_u64.minus(u64::lane(house, row.seeds(house))));
                let after = sown.fold(emptied, Row::plus);
                let condition = match (after.seeds(last), rules.capture()) {
                    (1, Capture::Empty) => continue,
                    (1, Capture::Standard) => houses - last,
                    _ => 0,
                };
                own_ranks.push(rank(after) | (condition as u32) << CONDITION);
            }
            own_moves.push(own_ranks.len() as u32);
        }
        Side { rows, raised, taken, own_moves, own_ranks }
    }

    /// The moves of a row that stay on its side.
    #[inline]
    fn own_moves(&self, rank: usize) -> &[u32] {
        &self.own_ranks[self.own_moves[rank] as usize..self.own_moves[rank + 1] as usize]
    }
}

/// The rank that a move leads to, and the house of the other side that has to be empty.
fn unpacked(own_move: u32) -> (usize, Option<usize>) {
    let rank = (own_move & ((1 << CONDITION) - 1)) as usize;
    (rank, (own_move >> CONDITION).checked_sub(1).map(|house| house as usize))
}

impl Builder<'_> {
    /// The gains against all rows of so many seeds.
    fn row<'a>(&self, table: &'a [u8], row: u64, opponent: u32) -> &'a [u8] {
        let columns = self.sides[opponent as usize].rows.len();
        let start = self.blocks.start(row.total(), opponent) + self.ranks.rank(row) * columns;
        &table[start..start + columns]
    }

    /// The ranks that rows have with these seeds more, if they are a seed in each of some first
    /// houses.
    fn raising<'a>(&self, side: &'a Side, more: u64) -> Option<&'a [u32]> {
        let first = more.total();
        let is_plain = first <= self.rules.houses() as u32
            && (0..first as usize).all(|house| more.seeds(house) == 1);
        is_plain.then(|| side.raised[first as usize - 1].as_slice())
    }

    /// The blocks of a layer, two by two.
    fn pairs<'a>(&self, total: u32, mut f: &'a mut [u8], mut g: &'a mut [u8]) -> Vec<Pair<'a>> {
        let mut all = Vec::new();
        for own in 0..=total {
            let length =
                self.sides[own as usize].rows.len() * self.sides[(total - own) as usize].rows.len();
            let (block_f, rest_f) = f.split_at_mut(length);
            let (block_g, rest_g) = g.split_at_mut(length);
            (f, g) = (rest_f, rest_g);
            all.push(Some((block_f, block_g)));
        }
        let mut pairs = Vec::new();
        for own in 0..=total / 2 {
            let opponent = total - own;
            let Some((f, g)) = all[own as usize].take() else { continue };
            let exchanged = all[opponent as usize].take();
            pairs.push(Pair { own, opponent, f, g, exchanged });
        }
        pairs
    }

    fn fill(&self, pair: Pair<'_>, lower: Lower<'_>) {
        let Pair { own, opponent, f, g, exchanged } = pair;
        if own == 0 {
            // The game is over, and each side keeps its seeds.
            let gain = |a: u32, b: u32| (i32::from(ZERO) + a as i32 - b as i32) as u8;
            f.fill(gain(0, opponent));
            g.fill(gain(opponent, 0));
            if let Some((f, g)) = exchanged {
                f.fill(gain(opponent, 0));
                g.fill(gain(0, opponent));
            }
            return;
        }
        let columns = self.sides[opponent as usize].rows.len();
        let rows = self.sides[own as usize].rows.len();
        self.fill_outer(own, opponent, f, lower);
        match exchanged {
            None => {
                transpose(f, columns, g);
                self.fill_inner(own, opponent, f, g);
            }
            Some((exchanged_f, exchanged_g)) => {
                self.fill_outer(opponent, own, exchanged_f, lower);
                transpose(exchanged_f, rows, g);
                self.fill_inner(own, opponent, f, g);
                transpose(g, columns, exchanged_f);
                transpose(f, columns, exchanged_g);
            }
        }
    }

    /// The best of the moves that lead to smaller layers, for each position of a block.
    fn fill_outer(&self, own: u32, opponent: u32, block: &mut [u8], lower: Lower<'_>) {
        let side = &self.sides[own as usize];
        let columns = self.sides[opponent as usize].rows.len();
        for (row, gains) in side.rows.iter().zip(block.chunks_exact_mut(columns)) {
            for house in row.occupied() {
                self.play_all(*row, house, opponent, gains, lower);
            }
        }
    }

    /// Plays a house of a row against all rows of the other side, unless that stays in the layer.
    fn play_all(&self, row: u64, house: usize, opponent: u32, gains: &mut [u8], lower: Lower<'_>) {
        let sowing = self.sowings.get(house, row.seeds(house));
        let after = row.plus(sowing.own);
        let banked = sowing.banked as u8;
        let last = u32::from(sowing.last_shift);
        let lands_alone = after.seeds_at(last) & u32::from(sowing.last_is_own) == 1;
        let stays = banked == 0;
        let other = &self.sides[opponent as usize];
        // Without captures.
        if sowing.ends_in_store || !(stays || lands_alone) {
            let raised = opponent + sowing.opponent.total();
            let gain = |from: u8| {
                if sowing.ends_in_store { from.wrapping_add(banked) } else { negated(from, banked) }
            };
            let table = if sowing.ends_in_store { lower.f } else { lower.g };
            let table = self.row(table, after, raised);
            if sowing.opponent == 0 {
                for (best, &from) in gains.iter_mut().zip(table) {
                    *best = (*best).max(gain(from));
                }
            } else if let Some(map) = self.raising(other, sowing.opponent) {
                for (best, &place) in gains.iter_mut().zip(map) {
                    *best = (*best).max(gain(table[place as usize]));
                }
            } else {
                for (best, row) in gains.iter_mut().zip(&other.rows) {
                    let place = self.ranks.rank(row.plus(sowing.opponent));
                    *best = (*best).max(gain(table[place]));
                }
            }
        } else if lands_alone {
            let opposite = (self.sowings.opposite_shifts - last) / u64::LANE_BITS;
            if stays {
                self.capture_all(after, last, opposite as usize, opponent, gains, lower);
            } else {
                self.capture_each(row, house, opponent, gains, lower);
            }
        }
    }

    /// Captures that come of a sowing on the mover's own side, against all rows of the other.
    fn capture_all(
        &self,
        after: u64,
        last: u32,
        opposite: usize,
        opponent: u32,
        gains: &mut [u8],
        lower: Lower<'_>,
    ) {
        let (counts, ranks) = &self.sides[opponent as usize].taken[opposite];
        let left = after.minus_at(last, 1);
        let fewest = u32::from(!self.sowings.captures_alone);
        // By seeds captured.
        let tables: Vec<&[u8]> = (0..=opponent)
            .map(|captured| {
                if captured < fewest {
                    &[][..]
                } else {
                    self.row(lower.g, left, opponent - captured)
                }
            })
            .collect();
        for ((best, &captured), &place) in gains.iter_mut().zip(counts).zip(ranks) {
            if u32::from(captured) >= fewest {
                let gain = negated(tables[usize::from(captured)][place as usize], captured + 1);
                *best = (*best).max(gain);
            }
        }
    }

    /// Long sowings that end in an empty house of the mover's: a row of the other side at a time.
    fn capture_each(
        &self,
        row: u64,
        house: usize,
        opponent: u32,
        gains: &mut [u8],
        lower: Lower<'_>,
    ) {
        let sowing = self.sowings.get(house, row.seeds(house));
        let last = u32::from(sowing.last_shift);
        let opposite = self.sowings.opposite_shifts - last;
        let after = row.plus(sowing.own);
        let banked = sowing.banked as u8;
        for (best, row) in gains.iter_mut().zip(&self.sides[opponent as usize].rows) {
            let other = row.plus(sowing.opponent);
            let captured = other.seeds_at(opposite);
            let (own, other, banked) = if captured > 0 || self.sowings.captures_alone {
                let banked = banked + captured as u8 + 1;
                (after.minus_at(last, 1), other.minus_at(opposite, captured), banked)
            } else {
                (after, other, banked)
            };
            let gain = self.row(lower.g, own, other.total())[self.ranks.rank(other)];
            *best = (*best).max(negated(gain, banked));
        }
    }

    /// The moves that stay in the layer, and with them the gains.
    fn fill_inner(&self, own: u32, opponent: u32, f: &mut [u8], g: &mut [u8]) {
        let (side, other) = (&self.sides[own as usize], &self.sides[opponent as usize]);
        let columns = other.rows.len();
        // What a move has that is not possible.
        let never = vec![u8::MAX; columns];
        for (rank, row) in side.rows.iter().enumerate() {
            let gains = &mut f[rank * columns..][..columns];
            let (before, g) = g.split_at_mut(rank * columns);
            for &own_move in side.own_moves(rank) {
                let (after, condition) = unpacked(own_move);
                let table = &before[after * columns..][..columns];
                match condition {
                    None => {
                        for (best, &from) in gains.iter_mut().zip(table) {
                            *best = (*best).max(negated(from, 0));
                        }
                    }
                    Some(house) => {
                        let counts = &other.taken[house].0;
                        for ((best, &from), &seeds) in gains.iter_mut().zip(table).zip(counts) {
                            let gain = if seeds == 0 { negated(from, 0) } else { NOTHING };
                            *best = (*best).max(gain);
                        }
                    }
                }
            }
            let mut tables = [&*gains; 1 + super::index::MAX_TABLE_HOUSES];
            for house in row.occupied() {
                tables[house + 1] = &never;
            }
            for (rank, best) in g[..columns].iter_mut().enumerate() {
                for &own_move in other.own_moves(rank) {
                    let table = tables[(own_move >> CONDITION) as usize];
                    let from = table[(own_move & ((1 << CONDITION) - 1)) as usize];
                    *best = (*best).max(negated(from, 0));
                }
            }
        }
    }
}

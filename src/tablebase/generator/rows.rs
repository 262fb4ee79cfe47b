//! Precomputed moves of whole rows.

use std::num::NonZeroUsize;

use super::rank_map::RankMap;
use super::tile::TILE_ROWS;
use crate::board::{Row, SowingEnd, Sowings};
use crate::parallel;
use crate::tablebase::index::{PositionIndex, Ranks};

/// What does not change while a table is built.
pub(super) struct MoveTables<'a> {
    pub(super) sowings: &'a Sowings<u64>,
    pub(super) index: &'a PositionIndex,
    /// By seeds.
    pub(super) sides: Vec<SideRows>,
}

impl<'a> MoveTables<'a> {
    pub(super) fn new(
        sowings: &'a Sowings<u64>,
        index: &'a PositionIndex,
        threads: NonZeroUsize,
    ) -> MoveTables<'a> {
        let (ranks, max_seeds) = (&index.ranks, index.seeds());
        let side = |seeds| SideRows::new(sowings, ranks, seeds, max_seeds);
        let sides = parallel::map(threads, 0..=max_seeds, side);
        MoveTables { sowings, index, sides }
    }
}

/// The rows of one side with a certain number of seeds, and what becomes of them.
pub(super) struct SideRows {
    /// By rank.
    pub(super) rows: Vec<u64>,
    /// The rank of the mirror image of each row, in which the houses are in reverse order.
    pub(super) mirrored: Vec<u32>,
    /// By house: a mask for each row, all ones if the house holds seeds.
    pub(super) occupied: Vec<Vec<u8>>,
    /// By the number of first houses that gain a seed each, less one.
    pub(super) sown: Vec<RankMap>,
    /// By house: its seeds are captured.
    pub(super) captured: Vec<RankMap>,
    /// By house: each house gains a seed, then the seeds of this one are captured.
    pub(super) sown_and_captured: Vec<RankMap>,
    /// Where the quiet moves of each row start.
    quiet_starts: Vec<u32>,
    quiet_moves: Vec<QuietMove>,
    /// All ranks, in groups between which quiet moves lead backwards only; the last rank fills up a group.
    pub(super) groups: Vec<[usize; TILE_ROWS]>,
}

/// A move that ends in one of the mover's own houses without a capture.
///
/// The low bits are the rank of the row that it leads to. The high bits are one more than the house
/// of the other side that has to be empty, since the move would capture otherwise, or 0.
#[derive(Clone, Copy)]
pub(super) struct QuietMove(u32);

impl QuietMove {
    const CONDITION_SHIFT: u32 = 28;
    pub(super) const CONDITIONS: usize = 1 << (u32::BITS - QuietMove::CONDITION_SHIFT);

    fn new(rank: u32, condition: usize) -> QuietMove {
        QuietMove(rank | (condition as u32) << QuietMove::CONDITION_SHIFT)
    }

    /// The rank of the row that it leads to.
    #[inline]
    pub(super) fn rank(self) -> usize {
        (self.0 & ((1 << QuietMove::CONDITION_SHIFT) - 1)) as usize
    }

    /// One more than the house of the other side that has to be empty, or 0.
    #[inline]
    pub(super) fn condition(self) -> usize {
        (self.0 >> QuietMove::CONDITION_SHIFT) as usize
    }
}

impl SideRows {
    fn new(sowings: &Sowings<u64>, ranks: &Ranks, seeds: u32, max_seeds: u32) -> SideRows {
        let houses = sowings.rules().houses();
        let rows = ranks.rows(seeds);
        let rank = |row| ranks.rank(row) as u32;
        let mirror = |row: u64| row.swap_bytes() >> (u64::BITS - u64::LANE_BITS * houses as u32);
        let mirrored = rows.iter().map(|&row| rank(mirror(row))).collect();
        let occupied = (0..houses).map(|house| {
            let mask = |row: &u64| if row.seeds(house) > 0 { u8::MAX } else { 0 };
            rows.iter().map(mask).collect()
        });
        let seed_each =
            |houses| (0..houses).fold(0, |row: u64, house| row.plus(u64::lane(house, 1)));
        // The mirrored rows in the order of their ranks are `rows` again, each mirrored. Rows with
        // more seeds than the table are never reached.
        let sown = |added: u64| {
            if seeds + added.total() > max_seeds {
                return RankMap::default();
            }
            RankMap::new(rows.iter().map(|&row| (0, rank(row.plus(mirror(added))))), 0)
        };
        let min_captured = u32::from(!sowings.empty_capture);
        let captured = |house: usize, added: u64| {
            if seeds + added.total() > max_seeds {
                return RankMap::default();
            }
            let lane = houses - 1 - house;
            let targets = rows.iter().map(|row| {
                let row = row.plus(added);
                let captured = row.seeds(lane);
                (captured, rank(row.minus_at(lane as u32 * u64::LANE_BITS, captured)))
            });
            RankMap::new(targets, min_captured)
        };
        let occupied = occupied.collect();
        let sown = (1..=houses).map(|first| sown(seed_each(first))).collect();
        let sown_and_captured =
            (0..houses).map(|house| captured(house, seed_each(houses))).collect();
        let captured = (0..houses).map(|house| captured(house, 0)).collect();
        let (mut quiet_starts, mut quiet_moves) = (vec![0], Vec::new());
        for &row in &rows {
            for house in row.occupied() {
                let (after, sown) = sowings.sow_own_side(row, house);
                if sown.end == SowingEnd::Store || !sown.opponent.is_empty() {
                    continue;
                }
                let last = u32::from(sown.last_shift);
                let may_capture = after.seeds_at(last) & u32::from(sown.captures) == 1;
                if may_capture && sowings.empty_capture {
                    continue;
                }
                let condition = if may_capture { houses - usize::from(sown.last) } else { 0 };
                quiet_moves.push(QuietMove::new(rank(after), condition));
            }
            quiet_starts.push(quiet_moves.len() as u32);
        }
        let mut side = SideRows {
            rows,
            mirrored,
            occupied,
            sown,
            captured,
            sown_and_captured,
            quiet_starts,
            quiet_moves,
            groups: Vec::new(),
        };
        side.groups = side.grouped();
        side
    }

    #[inline]
    pub(super) fn quiet_moves(&self, rank: usize) -> &[QuietMove] {
        &self.quiet_moves[self.quiet_starts[rank] as usize..self.quiet_starts[rank + 1] as usize]
    }

    fn grouped(&self) -> Vec<[usize; TILE_ROWS]> {
        // The length of the longest sequence of quiet moves.
        let mut longest: Vec<u32> = Vec::with_capacity(self.rows.len());
        for rank in 0..self.rows.len() {
            let after = self.quiet_moves(rank).iter().map(|quiet| longest[quiet.rank()] + 1);
            longest.push(after.max().unwrap_or(0));
        }
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|&rank| longest[rank]);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = vec![usize::MAX; self.rows.len()];
        for rank in order {
            let last = groups.len().wrapping_sub(1);
            let depends = self.quiet_moves(rank).iter().any(|quiet| group_of[quiet.rank()] == last);
            match groups.last_mut().filter(|group| group.len() < TILE_ROWS && !depends) {
                Some(group) => group.push(rank),
                None => groups.push(vec![rank]),
            }
            group_of[rank] = groups.len() - 1;
        }
        let filled = |group: Vec<usize>| std::array::from_fn(|i| group[i.min(group.len() - 1)]);
        groups.into_iter().map(filled).collect()
    }
}

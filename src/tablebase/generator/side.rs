//! What the rows of one side with so many seeds become.

use super::runs::Runs;
use crate::board::{Capture, Row, Rules};
use crate::tablebase::index::Ranks;
use crate::tablebase::transpose::SIDE;

/// What the rows of one side with so many seeds become.
pub(super) struct Side {
    /// By rank.
    pub(super) rows: Vec<u64>,
    /// The ranks of the mirrored rows, the houses of which stand in the opposite order.
    pub(super) mirrored: Vec<u32>,
    /// By house: all ones where it holds seeds.
    pub(super) barred: Vec<Vec<u8>>,
    /// By how many first houses gain a seed each, less one.
    pub(super) raised: Vec<Runs>,
    /// By house: without the seeds in it.
    pub(super) taken: Vec<Runs>,
    /// The same after each house has gained a seed.
    pub(super) raised_and_taken: Vec<Runs>,
    /// Moves that stay on the own side: where those of each row begin.
    own_moves: Vec<u32>,
    /// Those of all rows.
    own_ranks: Vec<OwnMove>,
    /// All ranks, in groups between which moves lead backwards. Those that are not full are filled
    /// with one of their ranks.
    pub(super) groups: Vec<[usize; SIDE]>,
}

/// A move that stays on the own side: the rank it leads to, and above one more than the house of
/// the other side that has to be empty, if any has to be.
#[derive(Clone, Copy)]
pub(super) struct OwnMove(u32);

impl OwnMove {
    /// Where in the word the condition begins.
    const CONDITION: u32 = 28;
    /// How many different conditions there may be.
    pub(super) const CONDITIONS: usize = 1 << (u32::BITS - OwnMove::CONDITION);

    fn new(rank: u32, condition: usize) -> OwnMove {
        OwnMove(rank | (condition as u32) << OwnMove::CONDITION)
    }

    /// The rank that it leads to.
    #[inline]
    pub(super) fn rank(self) -> usize {
        (self.0 & ((1 << OwnMove::CONDITION) - 1)) as usize
    }

    /// One more than the house of the other side that has to be empty, or 0.
    #[inline]
    pub(super) fn condition(self) -> usize {
        (self.0 >> OwnMove::CONDITION) as usize
    }
}

impl Side {
    pub(super) fn new(rules: Rules, ranks: &Ranks, seeds: u32, most: u32) -> Side {
        let houses = rules.houses();
        let rows = ranks.rows(seeds);
        let rank = |row| ranks.rank(row) as u32;
        let mirror = |row: u64| row.swap_bytes() >> (u64::BITS - u64::LANE_BITS * houses as u32);
        let mirrored = rows.iter().map(|&row| rank(mirror(row))).collect();
        let barred = (0..houses).map(|house| {
            let barred = |row: &u64| if row.seeds(house) > 0 { u8::MAX } else { 0 };
            rows.iter().map(barred).collect()
        });
        let seed_each =
            |houses| (0..houses).fold(0, |row: u64, house| row.plus(u64::lane(house, 1)));
        // The mirrored rows by their ranks are `rows` again, each mirrored. Rows with more seeds than
        // the table has are not reached.
        let raised = |more: u64| {
            if seeds + more.total() > most {
                return Runs::default();
            }
            Runs::new(rows.iter().map(|&row| (0, rank(row.plus(mirror(more))))), 0)
        };
        let fewest = u32::from(rules.capture() == Capture::Standard);
        let taken = |house: usize, more: u64| {
            if seeds + more.total() > most {
                return Runs::default();
            }
            let lane = houses - 1 - house;
            let targets = rows.iter().map(|row| {
                let row = row.plus(more);
                let captured = row.seeds(lane);
                (captured, rank(row.plus(0_u64.minus(u64::lane(lane, captured)))))
            });
            Runs::new(targets, fewest)
        };
        let barred = barred.collect();
        let raised = (1..=houses).map(|first| raised(seed_each(first))).collect();
        let raised_and_taken = (0..houses).map(|house| taken(house, seed_each(houses))).collect();
        let taken = (0..houses).map(|house| taken(house, 0)).collect();
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
                own_ranks.push(OwnMove::new(rank(after), condition));
            }
            own_moves.push(own_ranks.len() as u32);
        }
        let mut side = Side {
            rows,
            mirrored,
            barred,
            raised,
            taken,
            raised_and_taken,
            own_moves,
            own_ranks,
            groups: Vec::new(),
        };
        side.groups = side.grouped();
        side
    }

    /// The moves of a row that stay on its side.
    #[inline]
    pub(super) fn own_moves(&self, rank: usize) -> &[OwnMove] {
        &self.own_ranks[self.own_moves[rank] as usize..self.own_moves[rank + 1] as usize]
    }

    fn grouped(&self) -> Vec<[usize; SIDE]> {
        // How many moves on the own side can follow each other.
        let mut longest: Vec<u32> = Vec::with_capacity(self.rows.len());
        for rank in 0..self.rows.len() {
            let next = self.own_moves(rank).iter().map(|own_move| longest[own_move.rank()] + 1);
            longest.push(next.max().unwrap_or(0));
        }
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|&rank| longest[rank]);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = vec![usize::MAX; self.rows.len()];
        for rank in order {
            let last = groups.len().wrapping_sub(1);
            let depends = self.own_moves(rank).iter().any(|own| group_of[own.rank()] == last);
            match groups.last_mut().filter(|group| group.len() < SIDE && !depends) {
                Some(group) => group.push(rank),
                None => groups.push(vec![rank]),
            }
            group_of[rank] = groups.len() - 1;
        }
        let filled = |group: Vec<usize>| std::array::from_fn(|i| group[i.min(group.len() - 1)]);
        groups.into_iter().map(filled).collect()
    }
}

//! Unique keys of positions: no two positions of a game share one.

use super::bounds::{MAX_SEEDS, PositionHash};
use super::request::SolveError;
use crate::board::{AnyPosition, Board, MAX_HOUSES, Position, RowTables, Rules, Side};
use crate::tablebase::positions;

/// Maps the positions of one game to different numbers.
pub(super) trait UniqueKeys<R>: Sync {
    fn key(&self, position: &Position<R>) -> Option<u64>;
}

/// Five bits for each house, on boards of up to [`PACKED_HOUSES`] houses a side. Positions with
/// more than 31 seeds in a house, which are rare, have no key.
pub(super) struct PackedKeys;

pub(super) const PACKED_HOUSES: usize = 6;
const _: () = assert!(2 * PACKED_HOUSES * 5 <= u64::BITS as usize);

/// Six lanes of eight bits, each less than 32, as six lanes of five bits.
#[inline]
fn packed(row: u64) -> u64 {
    let row = (row & 0x001f_001f_001f) | (row >> 3 & 0x03e0_03e0_03e0);
    (row & 0x3ff) | (row >> 6 & 0x000f_fc00) | (row >> 12 & 0x3ff0_0000)
}

/// The hash of the key of a board; `None` if it has none.
pub(super) fn hash_of_board(board: &Board) -> Option<PositionHash> {
    let (rules, seeds) = (board.rules(), board.seeds_in_play());
    let key = match board.position() {
        AnyPosition::Narrow(_, position) if rules.houses() <= PACKED_HOUSES => {
            PackedKeys.key(&position)?
        }
        _ => RankedKeys::new(rules, seeds)?.rank(board),
    };
    Some(PositionHash::from_key(key))
}

impl UniqueKeys<u64> for PackedKeys {
    #[inline]
    fn key(&self, position: &Position<u64>) -> Option<u64> {
        const TOO_MANY: u64 = 0xe0e0_e0e0_e0e0_e0e0;
        let (own, opponent) = (position.own_row(), position.opponent_row());
        let fits = (own | opponent) & TOO_MANY == 0;
        fits.then(|| packed(own) | packed(opponent) << (5 * PACKED_HOUSES))
    }
}

/// The rank of a position among all positions of the board, in the combinatorial number system. The houses of both
/// sides are one row, ranked as in [`crate::tablebase`], but together with its seeds.
#[derive(Debug)]
pub(crate) struct RankedKeys {
    pub(crate) rules: Rules,
    pub(crate) seeds: u32,
    /// C(p + j, j + 1), indexed by j, then p.
    binomials: Vec<[u64; MAX_SEEDS as usize + 1]>,
}

/// The most seeds in the houses for which all positions have a key.
pub(crate) fn max_solvable_seeds(rules: Rules) -> u32 {
    let can_rank = |&seeds: &u32| positions(rules.houses(), seeds).is_some();
    (0..=MAX_SEEDS).take_while(can_rank).last().unwrap_or(0)
}

/// The error for a board with more seeds than that.
pub(crate) fn too_many_seeds(rules: Rules, seeds: u32) -> SolveError {
    SolveError::TooManySeeds { houses: rules.houses(), seeds, max: max_solvable_seeds(rules) }
}

impl RankedKeys {
    /// Keys of all positions with at most `seeds` seeds; `None` if 64 bits or [`MAX_SEEDS`] are too few.
    pub(crate) fn new(rules: Rules, seeds: u32) -> Option<RankedKeys> {
        if seeds > MAX_SEEDS {
            return None;
        }
        positions(rules.houses(), seeds)?;
        let mut binomials = vec![[0; MAX_SEEDS as usize + 1]; 2 * rules.houses()];
        // C(p + j, j + 1) is the sum of all C(q + j - 1, j) with q up to p.
        for j in 0..binomials.len() {
            for p in 1..=seeds as usize {
                let smaller = if j == 0 { 1 } else { binomials[j - 1][p] };
                binomials[j][p] = binomials[j][p - 1] + smaller;
            }
        }
        Some(RankedKeys { rules, seeds, binomials })
    }

    /// Keys of all positions that a board can lead to.
    pub(super) fn from_board(board: &Board) -> Result<RankedKeys, SolveError> {
        let (rules, seeds) = (board.rules(), board.seeds_in_play());
        RankedKeys::new(rules, seeds).ok_or_else(|| too_many_seeds(rules, seeds))
    }

    /// The rank of a board, which has no more seeds in the houses than the keys are for.
    pub(crate) fn rank(&self, board: &Board) -> u64 {
        let mut sum = 0;
        let counts = board.houses(board.side()).iter().chain(board.houses(!board.side()));
        let terms = counts.zip(&self.binomials).map(|(&seeds, binomials)| {
            sum += usize::from(seeds);
            binomials[sum & MAX_SEEDS as usize]
        });
        terms.sum()
    }

    /// The houses of the position with this rank: the mover's from the left, then the opponent's.
    pub(crate) fn houses_of(&self, mut rank: u64) -> [u16; 2 * MAX_HOUSES] {
        let mut counts = [0; 2 * MAX_HOUSES];
        let mut last = self.seeds as usize;
        for (house, binomials) in self.binomials.iter().enumerate().rev() {
            // The seeds in the houses up to this one.
            let sum = binomials[..=last].partition_point(|&first| first <= rank).saturating_sub(1);
            rank -= binomials[sum].min(rank);
            if let Some(next) = counts.get_mut(house + 1) {
                *next = (last - sum) as u16;
            }
            last = sum;
        }
        counts[0] = last as u16;
        // What is above the last sum belongs to no house of this board.
        if let Some(beyond) = counts.get_mut(2 * self.rules.houses()) {
            *beyond = 0;
        }
        counts
    }

    /// The board with this rank, South to move and the stores empty.
    pub(crate) fn board_of(&self, rank: u64) -> Option<Board> {
        let (counts, houses) = (self.houses_of(rank), self.rules.houses());
        let (south, north) = counts[..2 * houses].split_at(houses);
        Board::new(self.rules, [south, north], [0, 0], Side::South).ok()
    }
}

impl<R: RowTables> UniqueKeys<R> for RankedKeys {
    #[inline]
    fn key(&self, position: &Position<R>) -> Option<u64> {
        let (own, opponent) = self.binomials.split_at(self.rules.houses());
        let mut sum = 0;
        let mut key = 0;
        for (row, binomials) in [(position.own_row(), own), (position.opponent_row(), opponent)] {
            for (lane, binomial) in binomials.iter().enumerate() {
                sum += row.seeds(lane) as usize;
                key += binomial[sum & MAX_SEEDS as usize];
            }
        }
        Some(key)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::{Capture, Sowings};

    /// All ways to distribute at most `seeds` seeds over `houses` houses.
    fn rows(houses: usize, seeds: u16) -> Vec<Vec<u16>> {
        let Some(fewer) = houses.checked_sub(1) else { return vec![Vec::new()] };
        let more = |first: u16| {
            let rest = rows(fewer, seeds - first).into_iter();
            rest.map(move |row| [vec![first], row].concat())
        };
        (0..=seeds).flat_map(more).collect()
    }

    fn check<R: RowTables>(houses: usize, seeds: u16, keys: &impl UniqueKeys<R>) -> HashSet<u64> {
        let rules = Rules::new(houses, Capture::Standard).unwrap();
        let sowings = Sowings::from_rules(rules).unwrap();
        let all = rows(2 * houses, seeds);
        let key = |row: &Vec<u16>| {
            let (own, opponent) = row.split_at(houses);
            keys.key(&Position::<R>::new(sowings, own, opponent)?)
        };
        let found: HashSet<u64> = all.iter().filter_map(key).collect();
        assert_eq!(found.len(), all.len());
        found
    }

    #[test]
    fn no_two_positions_share_a_key() {
        for (houses, seeds) in [(1, 31), (3, 9), (6, 4)] {
            check::<u64>(houses, seeds, &PackedKeys);
        }
        for (houses, seeds) in [(1, 40), (4, 7), (8, 4), (12, 3)] {
            let rules = Rules::new(houses, Capture::Standard).unwrap();
            let keys = RankedKeys::new(rules, u32::from(seeds)).unwrap();
            let found = check::<u128>(houses, seeds, &keys);
            assert_eq!(found.iter().max(), Some(&(found.len() as u64 - 1)), "they are ranks");
        }
    }

    #[test]
    fn a_rank_determines_the_houses() {
        for (houses, seeds) in [(1, 20), (3, 7), (6, 3), (12, 2)] {
            let rules = Rules::new(houses, Capture::Standard).unwrap();
            let keys = RankedKeys::new(rules, u32::from(seeds) + 2).unwrap();
            for row in rows(2 * houses, seeds) {
                let (own, opponent) = row.split_at(houses);
                let board = Board::new(rules, [own, opponent], [0, 0], Side::South);
                let rank = keys.rank(&board.unwrap());
                assert_eq!(keys.houses_of(rank)[..2 * houses], row);
                let sowings = Sowings::<u128>::from_rules(rules).unwrap();
                let position = Position::new(sowings, own, opponent).unwrap();
                assert_eq!(keys.key(&position), Some(rank));
            }
        }
    }

    #[test]
    fn houses_too_full_for_five_bits_have_no_key() {
        let sowings = Sowings::from_rules(Rules::default()).unwrap();
        for (seeds, has_key) in [(31, true), (32, false), (127, false)] {
            for house in 0..12 {
                let mut counts = [0; 12];
                counts[house] = seeds;
                let position = Position::new(sowings, &counts[..6], &counts[6..]).unwrap();
                assert_eq!(PackedKeys.key(&position).is_some(), has_key);
            }
        }
    }
}

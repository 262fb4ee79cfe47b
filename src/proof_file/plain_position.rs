//! Positions as counts of seeds, and moves played seed by seed, straight from the rules: without the packed rows
//! and sowing tables of [`crate::board`], so that a mistake there does not pass unseen.

use std::cmp::Ordering;

use crate::board::{Board, Capture, MAX_HOUSES, Next, Rules, Side, Sowing};

/// The houses of both players, seen from the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainPosition {
    /// From the owner's left; houses that the board does not have are empty.
    pub own: [u8; MAX_HOUSES],
    pub opponent: [u8; MAX_HOUSES],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainMove {
    /// Seen from the player who moves next.
    pub position: PlainPosition,
    /// Seeds added to the mover's store, less those that the sweep at the end gives the opponent.
    pub won: i32,
    /// Seeds that left the houses.
    pub taken: u32,
    pub next: Next,
}

impl PlainPosition {
    /// The position of a board; `None` if a house has more than 255 seeds.
    pub(crate) fn from_board(board: &Board) -> Option<PlainPosition> {
        let row = |side: Side| {
            let mut row = [0; MAX_HOUSES];
            for (house, &seeds) in row.iter_mut().zip(board.houses(side)) {
                *house = u8::try_from(seeds).ok()?;
            }
            Some(row)
        };
        Some(PlainPosition { own: row(board.side())?, opponent: row(!board.side())? })
    }

    /// The same houses in the order of `Position::new`.
    pub(crate) fn rows(&self) -> [[u16; MAX_HOUSES]; 2] {
        [self.own.map(u16::from), self.opponent.map(u16::from)]
    }

    pub(crate) fn seeds(&self) -> u32 {
        total(&self.own) + total(&self.opponent)
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.own == [0; MAX_HOUSES] || self.opponent == [0; MAX_HOUSES]
    }

    /// The gain if the game is over: each side keeps its seeds.
    pub(crate) fn final_gain(&self) -> i32 {
        total(&self.own) as i32 - total(&self.opponent) as i32
    }

    /// The legal moves, a bit for each house; the game must not be over.
    #[inline]
    pub(crate) fn moves(&self) -> u16 {
        let bit = |(house, &seeds): (usize, &u8)| u16::from(seeds > 0) << house;
        self.own.iter().enumerate().map(bit).sum()
    }

    /// Sows a house that is not empty, seed by seed, and on from the last one under relay sowing.
    #[inline]
    pub(crate) fn play(&self, rules: Rules, house: usize) -> PlainMove {
        let (houses, is_relay) = (rules.houses(), rules.sowing() == Sowing::Relay);
        let PlainPosition { mut own, mut opponent } = *self;
        let mut taken = 0;
        let mut hand = std::mem::take(&mut own[house]);
        // The mover's houses, the mover's store, the opponent's houses.
        let mut pit = house;
        while hand > 0 {
            pit = if pit == 2 * houses { 0 } else { pit + 1 };
            match pit.cmp(&houses) {
                Ordering::Less => own[pit] += 1,
                Ordering::Equal => taken += 1,
                Ordering::Greater => opponent[pit - houses - 1] += 1,
            }
            hand -= 1;
            if hand == 0 && is_relay && pit != houses {
                let last =
                    if pit < houses { &mut own[pit] } else { &mut opponent[pit - houses - 1] };
                if *last > 1 {
                    hand = std::mem::take(last);
                }
            }
        }
        if pit < houses && own[pit] == 1 && !is_relay {
            let opposite = houses - 1 - pit;
            if opponent[opposite] > 0 || rules.capture() == Capture::Empty {
                taken += 1 + u32::from(opponent[opposite]);
                own[pit] = 0;
                opponent[opposite] = 0;
            }
        }
        let (after, mut won) = (PlainPosition { own, opponent }, taken as i32);
        if after.is_over() {
            won += after.final_gain();
            let empty = PlainPosition { own: [0; MAX_HOUSES], opponent: [0; MAX_HOUSES] };
            return PlainMove { position: empty, won, taken: self.seeds(), next: Next::Over };
        }
        if pit == houses {
            return PlainMove { position: after, won, taken, next: Next::Again };
        }
        let position = PlainPosition { own: opponent, opponent: own };
        PlainMove { position, won, taken, next: Next::Other }
    }
}

fn total(row: &[u8; MAX_HOUSES]) -> u32 {
    row.iter().map(|&seeds| u32::from(seeds)).sum()
}

/// Numbers all positions of a board with up to a number of seeds: no two have the same number.
///
/// Let s1, s2, … be the seeds in the first house, in the first two houses and so on, of both sides. The
/// rank is C(s1, 1) + C(s2 + 1, 2) + C(s3 + 2, 3) + …, the combinatorial number system.
pub(crate) struct PlainRanks {
    houses: usize,
    /// C(s + j, j + 1), by j, then s.
    terms: Vec<Vec<u64>>,
}

impl PlainRanks {
    /// Ranks of positions with at most `seeds` seeds; `None` if they need more than 64 bits.
    pub(crate) fn new(rules: Rules, seeds: u32) -> Option<PlainRanks> {
        let mut terms: Vec<Vec<u64>> = Vec::new();
        // C(s + j, j + 1) is the sum of C(t + j - 1, j) for t = 1 … s.
        let mut smaller = vec![1; seeds as usize + 1];
        for _ in 0..2 * rules.houses() {
            let mut row = vec![0];
            let mut sum = 0_u64;
            for &term in &smaller[1..] {
                sum = sum.checked_add(term)?;
                row.push(sum);
            }
            terms.push(row.clone());
            smaller = row;
        }
        // The largest rank.
        terms.iter().try_fold(0_u64, |sum, row| sum.checked_add(*row.last()?))?;
        Some(PlainRanks { houses: rules.houses(), terms })
    }

    /// The rank of a position, which must have no more seeds than the ranks are for.
    #[inline]
    pub(crate) fn rank(&self, position: &PlainPosition) -> u64 {
        let (own, opponent) = self.terms.split_at(self.houses);
        let (mut rank, mut sum) = (0, 0);
        for (row, terms) in [(&position.own, own), (&position.opponent, opponent)] {
            for (&seeds, terms) in row.iter().zip(terms) {
                sum += usize::from(seeds);
                rank += terms[sum];
            }
        }
        rank
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::super::verify::rows;
    use super::*;
    use crate::board::RuleSet;

    fn boards() -> impl Strategy<Value = Board> {
        let rules = (1..=MAX_HOUSES, prop::sample::select(&RuleSet::ALL[..]));
        let rows =
            prop::collection::vec(prop_oneof![4 => 0..=3_u16, 1 => 0..=30_u16], 2 * MAX_HOUSES);
        (rules, rows, any::<bool>()).prop_filter_map("too many seeds", |(rules, rows, is_south)| {
            let (houses, rule_set) = rules;
            let rules = Rules::new(houses, rule_set).ok()?;
            let (south, north) = rows.split_at(MAX_HOUSES);
            let side = if is_south { Side::South } else { Side::North };
            let board = Board::new(rules, [&south[..houses], &north[..houses]], [0, 0], side);
            board.ok().filter(|board| board.seeds_in_play() <= 127)
        })
    }

    proptest! {
        /// To the end of a game.
        #[test]
        fn moves_are_those_of_the_board(mut board in boards(), picks: [u8; 32]) {
            let rules = board.rules();
            for pick in picks {
                let Some(position) = PlainPosition::from_board(&board) else { break };
                prop_assert_eq!(position.seeds(), board.seeds_in_play());
                prop_assert_eq!(position.is_over(), board.is_over());
                let moves: Vec<_> = board.moves().collect();
                if moves.is_empty() {
                    break;
                }
                let houses = moves.iter().map(|mv| 1_u16 << mv.house.index()).sum::<u16>();
                prop_assert_eq!(position.moves(), houses);
                let (mv, before) = (moves[usize::from(pick) % moves.len()], board);
                let next = board.play(mv).unwrap_or(Next::Over);
                let played = position.play(rules, mv.house.index());
                prop_assert_eq!(played.next, next);
                prop_assert_eq!(Some(played.position), PlainPosition::from_board(&board));
                let sign = if next == Next::Other { -1 } else { 1 };
                prop_assert_eq!(played.won, sign * board.store_difference() - before.store_difference());
                prop_assert_eq!(played.taken, before.seeds_in_play() - board.seeds_in_play());
            }
        }
    }

    #[test]
    fn ranks_are_different() {
        for (houses, seeds) in [(1, 40), (2, 12), (3, 7), (6, 4)] {
            let rules = Rules::new(houses, Capture::Standard).unwrap();
            let ranks = PlainRanks::new(rules, seeds).unwrap();
            let (mut found, mut count) = (HashSet::new(), 0);
            for (own, opponent) in
                (0..=seeds).flat_map(|own| (0..=seeds - own).map(move |it| (own, it)))
            {
                for own in rows(rules, own).unwrap() {
                    for opponent in rows(rules, opponent).unwrap() {
                        found.insert(ranks.rank(&PlainPosition { own, opponent }));
                        count += 1;
                    }
                }
            }
            assert_eq!(found.len(), count);
            assert_eq!(found.iter().max(), Some(&(count as u64 - 1)));
        }
        assert!(PlainRanks::new(Rules::default(), 127).is_some());
        let large = Rules::new(MAX_HOUSES, Capture::Standard).unwrap();
        assert!(PlainRanks::new(large, 127).is_none());
    }
}

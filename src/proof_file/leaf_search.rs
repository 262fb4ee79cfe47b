//! The search that decides the leaves of a proof: a null-window alpha-beta search with a plain order of moves and a
//! table of its own. It depends on the leaf alone: it decides the same for writer and verifier.

use arrayvec::ArrayVec;

use super::claim::{Claim, EndgameGains};
use super::plain_position::PlainRanks;
use crate::board::{MAX_HOUSES, Next, Rules};
use crate::stop::StopToken;

/// Deeper lines are left undecided: the search is a recursion.
const MAX_DEPTH: u32 = 400;

/// Entries of the smallest and the largest table.
const MIN_ENTRIES: usize = 1 << 8;
const MAX_ENTRIES: usize = 1 << 20;

/// Positions after which the search looks at its token.
const NODES_BETWEEN_POLLS: u64 = 1 << 14;

/// The bounds of a position that this leaf's search has found.
#[derive(Clone, Copy, Default)]
struct LeafEntry {
    rank: u64,
    /// Entries of other leaves are not used.
    leaf: u32,
    lower: i16,
    upper: i16,
}

/// A search with its table, for one leaf after the other.
pub(crate) struct LeafSearch<'a> {
    rules: Rules,
    ranks: &'a PlainRanks,
    endgames: EndgameGains<'a>,
    stop: &'a StopToken,
    max_nodes: u64,
    entries: Vec<LeafEntry>,
    leaf: u32,
    nodes: u64,
}

/// A move to search, with the claim about the position after it.
struct SearchMove {
    score: i32,
    passes_turn: bool,
    claim: Claim,
}

impl<'a> LeafSearch<'a> {
    /// A search of at most `max_nodes` positions a leaf; `None` if there is no memory for its table.
    pub(crate) fn new(
        rules: Rules,
        ranks: &'a PlainRanks,
        endgames: EndgameGains<'a>,
        max_nodes: u32,
        stop: &'a StopToken,
    ) -> Option<LeafSearch<'a>> {
        let size = (max_nodes as usize).next_power_of_two().clamp(MIN_ENTRIES, MAX_ENTRIES);
        let mut entries = Vec::new();
        entries.try_reserve_exact(size).ok()?;
        entries.resize(size, LeafEntry::default());
        let max_nodes = max_nodes.into();
        Some(LeafSearch { rules, ranks, endgames, stop, max_nodes, entries, leaf: 0, nodes: 0 })
    }

    /// Whether the gain of the claim's position reaches its target; `None` if that takes too many
    /// positions or the token was stopped. Adds to the number of positions searched.
    pub(crate) fn decide(&mut self, claim: &Claim, nodes: &mut u64) -> Option<bool> {
        let Claim { position, seeds, target, .. } = claim;
        if let Some(is_reached) = self.endgames.decide(position, *seeds, *target) {
            return Some(is_reached);
        }
        if self.leaf == u32::MAX {
            self.entries.fill(LeafEntry::default());
            self.leaf = 0;
        }
        self.leaf += 1;
        self.nodes = 0;
        let is_reached = self.search(claim, 0);
        *nodes += self.nodes;
        is_reached
    }

    fn search(&mut self, claim: &Claim, depth: u32) -> Option<bool> {
        self.nodes += 1;
        if self.nodes > self.max_nodes || depth == MAX_DEPTH {
            return None;
        }
        if self.nodes.is_multiple_of(NODES_BETWEEN_POLLS) && self.stop.is_stopped() {
            return None;
        }
        let Claim { position, seeds, target, .. } = *claim;
        let rank = self.ranks.rank(&position);
        let slot =
            (rank.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.entries.len() - 1);
        let entry = self.entries[slot];
        let max_gain = seeds as i16;
        let (mut lower, mut upper) = (-max_gain, max_gain);
        if entry.leaf == self.leaf && entry.rank == rank {
            (lower, upper) = (entry.lower, entry.upper);
            if target <= i32::from(lower) || target > i32::from(upper) {
                return Some(target <= i32::from(lower));
            }
        }
        let is_reached = self.search_moves(claim, depth)?;
        if is_reached {
            lower = target as i16;
        } else {
            upper = target as i16 - 2;
        }
        self.entries[slot] = LeafEntry { rank, leaf: self.leaf, lower, upper };
        Some(is_reached)
    }

    /// Moves that need no search come first, then extra turns, then by seeds won and the opponent's moves.
    fn search_moves(&mut self, claim: &Claim, depth: u32) -> Option<bool> {
        let mut moves = ArrayVec::<SearchMove, MAX_HOUSES>::new();
        for (house, played, claim) in claim.moves(self.rules) {
            let Claim { position, seeds, target, .. } = &claim;
            let passes_turn = played.next == Next::Other;
            if let Some(is_reached) = self.endgames.decide(position, *seeds, *target) {
                if is_reached != passes_turn {
                    return Some(true);
                }
                continue;
            }
            let score = if passes_turn {
                16 * played.won + house as i32 - 8 * position.moves().count_ones() as i32
            } else {
                i32::MAX
            };
            moves.push(SearchMove { score, passes_turn, claim });
        }
        // Stable: of equal moves the rightmost comes first.
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        for SearchMove { passes_turn, claim, .. } in &moves {
            if self.search(claim, depth + 1)? != *passes_turn {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use std::num::NonZeroUsize;

    use super::super::plain_position::PlainPosition;
    use super::super::verify::rows;
    use super::*;
    use crate::board::RuleSet;
    use crate::tablebase::Tablebase;

    /// All positions with some seeds, by searches down to tablebases of every size.
    fn check(rules: Rules, seeds: u32) {
        let table = Tablebase::build(rules, seeds, NonZeroUsize::MIN).unwrap();
        let ranks = PlainRanks::new(rules, seeds).unwrap();
        let stop = StopToken::new();
        let gains = EndgameGains { tablebase: Some(&table), seeds };
        for table_seeds in 0..seeds {
            let endgames = EndgameGains { tablebase: Some(&table), seeds: table_seeds };
            // The smallest table, so that entries are replaced, and no limit that is reached.
            let mut search = LeafSearch::new(rules, &ranks, endgames, 0, &stop).unwrap();
            search.max_nodes = u64::MAX;
            for of_mover in 0..=seeds {
                let [own, opponents] =
                    [of_mover, seeds - of_mover].map(|seeds| rows(rules, seeds).unwrap());
                for position in own.iter().flat_map(|&own| {
                    opponents.iter().map(move |&opponent| PlainPosition { own, opponent })
                }) {
                    let gain = gains.gain(&position).unwrap_or_default();
                    let mut nodes = 0;
                    for (target, is_reached) in [(gain, true), (gain + 2, false)] {
                        let claim = Claim { position, seeds, target, is_reached };
                        let found = search.decide(&claim, &mut nodes);
                        assert_eq!(found, Some(is_reached), "{}", claim.text(rules));
                    }
                }
            }
        }
    }

    #[test]
    fn all_positions_with_few_seeds_are_decided() {
        for rule_set in RuleSet::ALL {
            for (houses, seeds) in [(1, 12), (2, 8), (3, 6), (4, 5)] {
                check(Rules::new(houses, rule_set).unwrap(), seeds);
            }
        }
    }

    #[test]
    fn a_limit_is_kept() {
        let (rules, stop) = (Rules::default(), StopToken::new());
        let ranks = PlainRanks::new(rules, 36).unwrap();
        let endgames = EndgameGains { tablebase: None, seeds: 0 };
        let mut row = [0; MAX_HOUSES];
        row[..6].fill(3);
        let position = PlainPosition { own: row, opponent: row };
        let claim = Claim { position, seeds: 36, target: 2, is_reached: true };
        for limit in [0, 1, 100, 3000] {
            let mut search = LeafSearch::new(rules, &ranks, endgames, limit, &stop).unwrap();
            for _ in 0..2 {
                let mut nodes = 0;
                assert_eq!(search.decide(&claim, &mut nodes), None);
                assert_eq!(nodes, u64::from(limit) + 1);
            }
        }
    }
}

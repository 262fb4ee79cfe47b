//! From proofs to values: depth-first proof-number search of any game, without clocks, and the
//! sequence of claims that determines a value.

use super::df_pn::DfPn;
use super::numbers::ProofOptions;
use super::table::NumberTable;
use crate::search::game::Game;
use crate::search::limits::TimeManager;
use crate::search::result::Counters;
use crate::search::shared::SharedState;

/// Depth-first proof-number search with a table of fixed size, for experiments and tests.
///
/// The search uses the entries already in the table, so another game needs a new one.
pub struct ProofSearch {
    table: NumberTable,
    /// The options.
    pub options: ProofOptions,
    /// The greatest number of nodes for all claims of one search.
    pub node_limit: Option<u64>,
}

/// The result of determining a value by proof-number searches.
#[derive(Clone, Debug)]
pub struct ProofResult {
    /// The least and the greatest value that the root can still have; they are equal unless the
    /// search reached its limit.
    pub range: (i32, i32),
    /// The claims "the value is at least this" that were decided, and whether they hold.
    pub claims: Vec<(i32, bool)>,
    /// The work done.
    pub counters: Counters,
}

impl ProofSearch {
    /// A search without limits, with a table of `mebibytes` MiB, or less if memory is short.
    pub fn new(mebibytes: usize, options: ProofOptions) -> ProofSearch {
        ProofSearch { table: NumberTable::new(mebibytes), options, node_limit: None }
    }

    /// Whether the value of a position is at least `value`; `None` if the limit was reached.
    pub fn prove<G: Game>(
        &mut self,
        game: &G,
        root: &G::Position,
        value: i32,
    ) -> (Option<bool>, Counters) {
        self.with_search(game, |search| search.search(root, value).ok())
    }

    /// Determines the value of a position.
    pub fn value<G: Game>(&mut self, game: &G, root: &G::Position) -> ProofResult {
        let (min, max) = game.value_range(root);
        let value = |index: u32| min + index as i32 * G::VALUE_STEP;
        let mut bisection = Bisection::up_to(((max - min) / G::VALUE_STEP) as u32);
        let mut claims = Vec::new();
        let ((), counters) = self.with_search(game, |search| {
            while let Some(index) = bisection.next_claim() {
                let Ok(holds) = search.search(root, value(index)) else { return };
                bisection.update(index, holds);
                claims.push((value(index), holds));
            }
        });
        let (low, high) = bisection.range();
        ProofResult { range: (value(low), value(high)), claims, counters }
    }

    fn with_search<G: Game, T>(
        &mut self,
        game: &G,
        run: impl FnOnce(&mut DfPn<'_, G>) -> T,
    ) -> (T, Counters) {
        let shared = SharedState::new(TimeManager::unlimited(), self.node_limit, 1);
        self.table.new_age();
        let mut search = DfPn::new(game, &mut self.table, &shared, self.options, &[]);
        let result = run(&mut search);
        (result, search.counters)
    }
}

/// The sequence of claims of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (2014).
///
/// The possible values of a position are sorted and numbered from 0. The claims that the index of
/// the value is at least 1, 2, 4, 8, … are made until one fails; then bisection finds the index
/// between the last claim that held and the first that failed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bisection {
    low: u32,
    high: u32,
    /// Whether every claim has held so far.
    doubling: bool,
}

impl Bisection {
    /// Finds an index from 0 to `last`.
    pub(super) fn up_to(last: u32) -> Bisection {
        Bisection { low: 0, high: last, doubling: true }
    }

    /// The least and the greatest possible index.
    pub(super) fn range(&self) -> (u32, u32) {
        (self.low, self.high)
    }

    /// The next claim, "the index is at least this"; `None` when the index is known.
    pub(super) fn next_claim(&self) -> Option<u32> {
        if self.low == self.high {
            return None;
        }
        let doubled = self.low.saturating_mul(2).max(1);
        if self.doubling && doubled <= self.high {
            return Some(doubled);
        }
        // The lecture rounds down and would claim the lower of two neighbours for ever.
        Some(self.low + (self.high - self.low).div_ceil(2))
    }

    /// Updates the range with the result of a claim.
    pub(super) fn update(&mut self, claim: u32, holds: bool) {
        if holds {
            self.low = claim;
        } else {
            self.high = claim - 1;
            self.doubling = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The claims made to find an index.
    fn claims(number: u32, last: u32) -> Vec<u32> {
        let mut bisection = Bisection::up_to(last);
        let mut claims = Vec::new();
        while let Some(v) = bisection.next_claim() {
            bisection.update(v, number >= v);
            claims.push(v);
        }
        assert_eq!(bisection.range(), (number, number));
        claims
    }

    #[test]
    fn claims_are_doubled_until_one_fails_and_then_halved() {
        assert_eq!(claims(0, 100), [1]);
        assert_eq!(claims(1, 100), [1, 2]);
        assert_eq!(claims(18, 100), [1, 2, 4, 8, 16, 32, 24, 20, 18, 19]);
        assert_eq!(claims(5, 6), [1, 2, 4, 5, 6]);
        assert!(claims(0, 0).is_empty());
    }

    #[test]
    fn every_index_takes_at_most_two_claims_per_binary_digit() {
        for last in 0..200 {
            for number in 0..=last {
                assert!(claims(number, last).len() <= 2 * (number.max(1).ilog2() as usize + 1));
            }
        }
    }
}

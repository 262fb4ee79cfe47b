//! Proof-number search: L. V. Allis, M. van der Meulen and H. J. van den Herik, *Proof-Number
//! Search* (Artificial Intelligence 66, 1994).
//!
//! It decides claims of the form "the position is worth at least v" and expands the tree where a
//! proof or disproof needs the fewest leaves. Nothing is estimated: the results are exact. There are
//! two forms: [`best_first`] keeps the tree in memory and reads like the paper; [`df_pn`] needs only
//! a table of fixed size and plays. Values are determined by a sequence of claims ([`Bisection`]).
//!
//! A node is counted when its moves are generated or a leaf is evaluated. Moves that end the game,
//! and positions that are decided by their range of values or by the table, are not counted.

mod best_first;
mod df_pn;
mod numbers;
mod table;

pub use best_first::{LeafSelection, ProofNode, ProofTree};
pub use numbers::{InitialNumbers, ProofNumbers, ProofOptions};

pub(super) use table::NumberTable;

use df_pn::{DfPn, ProofMove};

use super::game::Game;
use super::job::RootPosition;
use super::kalah_game::KalahGame;
use super::limits::TimeManager;
use super::result::{Counters, PvLine, SearchObserver, SearchReport, SearchResult};
use super::shared::SharedState;
use super::value::Bound;
use crate::board::{House, Move, Next, RowTables};

/// Proof-number search as a search of the engine: finds the value and a move that reaches it, by claims.
///
/// It reports one line, whatever the number requested, because the proof of the best move says nothing about the
/// others. Its depth is the number of claims decided, so a depth limit has no meaning.
pub(super) struct KalahProofSearch<'a, R: RowTables> {
    root: &'a RootPosition<'a, R>,
    /// Whether one claim is sufficient, because there is only one move.
    forced: bool,
    search: DfPn<'a, KalahGame<'a, R>>,
    values: Bisection,
    /// The move that proves the lower bound.
    best: Option<House>,
    decided: u32,
}

impl<'a, R: RowTables> KalahProofSearch<'a, R> {
    pub(super) fn new(
        root: &'a RootPosition<'a, R>,
        game: &'a KalahGame<'a, R>,
        forced: bool,
        table: &'a mut NumberTable,
        shared: &'a SharedState,
    ) -> KalahProofSearch<'a, R> {
        table.new_age();
        KalahProofSearch {
            root,
            forced,
            search: DfPn::new(game, table, shared, ProofOptions::default(), &root.excluded),
            // The possible gains have the parity of the seeds: every second number.
            values: Bisection::up_to(root.houses.seeds as u32),
            best: None,
            decided: 0,
        }
    }

    /// Narrows the bounds until the value is known or the search is stopped.
    pub(super) fn run(mut self, observer: SearchObserver<'_>) -> SearchResult {
        let mut lines = Vec::new();
        let has_moves = !self.root.moves.is_empty();
        while let Some(claim) = self.values.next_claim().filter(|_| has_moves) {
            let Ok(holds) = self.search.search(&self.root.houses, self.gain(claim)) else { break };
            self.values.update(claim, holds);
            self.decided += 1;
            self.search.counters.researches = u64::from(self.decided - 1);
            if holds || self.best.is_none() {
                self.best = self.most_promising();
            }
            if let Some(line) = self.line(holds) {
                observer(SearchReport::Line(&line, &self.search.stats()));
                if line.bound != Bound::Upper {
                    lines = vec![line];
                }
            }
            if self.forced || self.search.shared.time.past_soft_limit() {
                break;
            }
        }
        let best = self.best.or_else(|| self.most_promising());
        self.root.result(best, lines, self.search.stats(), self.search.counters)
    }

    fn gain(&self, index: u32) -> i32 {
        2 * index as i32 - self.root.houses.seeds
    }

    /// The root move that is proven or nearest to a proof.
    fn most_promising(&self) -> Option<House> {
        let moves = self.search.root_moves().iter();
        moves.min_by_key(|one| one.numbers.proof).map(|one| one.mv)
    }

    /// The line to report after a claim.
    fn line(&self, holds: bool) -> Option<PvLine> {
        let Bisection { low, high, .. } = self.values;
        let (index, bound) = match (low == high, holds) {
            (true, _) => (low, Bound::Exact),
            (false, true) => (low, Bound::Lower),
            (false, false) => (high, Bound::Upper),
        };
        let gain = self.gain(index);
        Some(PvLine {
            depth: self.decided,
            seldepth: self.search.seldepth as u32,
            multipv: 1,
            margin: self.root.board.store_difference() + gain,
            bound,
            proven: bound == Bound::Exact,
            pv: self.principal_variation(self.best?, gain),
        })
    }

    /// The line of play that begins with `first`, by moves that, by the table, prove the rest of `gain`.
    fn principal_variation(&self, first: House, mut gain: i32) -> Vec<Move> {
        let mut side = self.root.board.side();
        let mut houses = self.root.houses;
        let mut pv = Vec::new();
        let mut proven = self.search.moves_of(&houses, gain).find(|one| one.mv == first);
        while let Some(ProofMove { mv, transition, .. }) = proven {
            pv.push(Move { side, house: mv });
            gain -= transition.gain;
            match transition.next {
                Next::Over => break,
                Next::Again => {}
                Next::Other => {
                    gain = -gain;
                    side = !side;
                }
            }
            houses = transition.position;
            proven = self.search.moves_of(&houses, gain).find(|one| one.numbers.proof == 0);
        }
        pv
    }
}

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
    /// The least and the greatest possible value of the root; equal unless the search reached its limit.
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
        let Bisection { low, high, .. } = bisection;
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
struct Bisection {
    /// The least and the greatest possible index.
    low: u32,
    high: u32,
    /// Whether every claim has held so far.
    doubling: bool,
}

impl Bisection {
    /// Finds an index from 0 to `last`.
    fn up_to(last: u32) -> Bisection {
        Bisection { low: 0, high: last, doubling: true }
    }

    /// The next claim, "the index is at least this"; `None` when the index is known.
    fn next_claim(&self) -> Option<u32> {
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
    fn update(&mut self, claim: u32, holds: bool) {
        if holds {
            self.low = claim;
        } else {
            self.high = claim - 1;
            self.doubling = false;
        }
    }
}

//! Proof-number search as the engine's search.

use super::conduct::ProofOptions;
use super::df_pn::{DfPn, Edge};
use super::table::NumberTable;
use super::values::Bisection;
use crate::board::{House, Move, Next, RowTables};
use crate::search::kalah_game::Kalah;
use crate::search::report::{Observer, PvLine, SearchResult};
use crate::search::root::Root;
use crate::search::threads::{Shared, Work};
use crate::search::value::Bound;

/// A search for the value of a position and a move that reaches it, claim by claim, on one thread.
///
/// There is one line, whatever the number asked for: a proof of the best move says nothing of the
/// others. Its depth is how many claims have been settled, there being no other measure of how far
/// the search has come; whatever it says follows from the rules, so that a limit on depth would
/// mean nothing.
pub(in crate::search) struct Prover<'a, R: RowTables> {
    root: &'a Root<'a, R>,
    /// No more than one move can be made and time is worth saving.
    forced: bool,
    search: DfPn<'a, Kalah<'a, R>>,
    values: Bisection,
    /// The move by which the lower bound was proven.
    best: Option<House>,
    /// Claims settled.
    settled: u32,
}

impl<'a, R: RowTables> Prover<'a, R> {
    pub(in crate::search) fn new(
        root: &'a Root<'a, R>,
        game: &'a Kalah<'a, R>,
        forced: bool,
        table: &'a mut NumberTable,
        shared: &'a Shared,
    ) -> Prover<'a, R> {
        table.new_age();
        Prover {
            root,
            forced,
            search: DfPn::new(game, table, shared, ProofOptions::default(), &root.excluded),
            // Every second number has the parity of the seeds.
            values: Bisection::up_to(root.houses.seeds as u32),
            best: None,
            settled: 0,
        }
    }

    /// Closes in on the value until it is known or time is up.
    pub(in crate::search) fn prove(mut self, observer: &mut dyn Observer) -> SearchResult {
        let mut lines = Vec::new();
        while let Some(v) = self.next_claim() {
            let Ok(holds) = self.search.search(&self.root.houses, self.gain(v)) else { break };
            self.values.learn(v, holds);
            self.settled += 1;
            self.search.counters.researches = u64::from(self.settled - 1);
            if holds || self.best.is_none() {
                self.best = self.most_promising();
            }
            if let Some(line) = self.line(holds) {
                let hashfull = self.search.table.permille_full();
                let stats =
                    self.search.shared.stats(Work::of_nodes(self.search.unpublished()), hashfull);
                observer.line(&line, &stats);
                if line.bound != Bound::Upper {
                    lines = vec![line];
                }
            }
            if self.forced || self.search.shared.time().past_soft_limit() {
                break;
            }
        }
        self.outcome(lines)
    }

    /// The number of the next claim; `None` when there is nothing left to find out.
    fn next_claim(&self) -> Option<u32> {
        self.values.next_claim().filter(|_| !self.root.moves.is_empty())
    }

    /// The gain with a number.
    fn gain(&self, number: u32) -> i32 {
        2 * number as i32 - self.root.houses.seeds
    }

    /// The move of the root that is proven, or nearest to it.
    fn most_promising(&self) -> Option<House> {
        let moves = self.search.root_moves().iter();
        moves.min_by_key(|edge| edge.numbers.proof).map(|edge| edge.chosen)
    }

    /// What the last claim has told.
    fn line(&self, holds: bool) -> Option<PvLine> {
        let (low, high) = self.values.range();
        let (number, bound) = match (low == high, holds) {
            (true, _) => (low, Bound::Exact),
            (false, true) => (low, Bound::Lower),
            (false, false) => (high, Bound::Upper),
        };
        let gain = self.gain(number);
        Some(PvLine {
            depth: self.settled,
            seldepth: self.search.seldepth as u32,
            multipv: 1,
            margin: self.root.board.store_difference() + gain,
            bound,
            proven: bound == Bound::Exact,
            pv: self.principal_variation(self.best?, gain),
        })
    }

    /// The line of play that begins with `first`: at every turn a move by which the table proves
    /// that the player to move gets the rest of `gain`.
    fn principal_variation(&self, first: House, mut gain: i32) -> Vec<Move> {
        let mut side = self.root.board.side();
        let mut houses = self.root.houses;
        let mut pv = Vec::new();
        let mut proven = self.search.moves(&houses, gain).find(|edge| edge.chosen == first);
        while let Some(Edge { chosen, step, .. }) = proven {
            pv.push(Move { side, house: chosen });
            gain -= step.gain;
            match step.next {
                Next::Over => break,
                Next::Again => {}
                Next::Other => {
                    gain = -gain;
                    side = !side;
                }
            }
            houses = step.position;
            proven = self.search.moves(&houses, gain).find(|edge| edge.numbers.proof == 0);
        }
        pv
    }

    /// The answer.
    fn outcome(mut self, lines: Vec<PvLine>) -> SearchResult {
        // What is not yet published; that the search is over is known.
        let _ = self.search.poll();
        let ply = |house| Move { side: self.root.board.side(), house };
        // Stopped before the first claim was settled, and perhaps before the first node.
        let any = || self.most_promising().or(self.root.moves.last().copied());
        let best = self.best.or_else(any).map(ply);
        let pv = lines.first().map_or(&[][..], |line| &line.pv);
        let ponder = pv.get(1).copied();
        let stats = self.search.shared.stats(Work::default(), self.search.table.permille_full());
        SearchResult { best, ponder, lines, stats, counters: self.search.counters }
    }
}

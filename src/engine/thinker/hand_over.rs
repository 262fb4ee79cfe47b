//! A search by time, done in parts by the search and the solver.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use log::debug;

use super::preferences::EngineOptions;
use super::proof::Prover;
use super::prospects::{Plan, plan};
use super::tables::Tables;
use super::told::Told;
use super::traps::{Truth, choose};
use crate::board::{AnyPosition, Board, House, Move, Next, Side};
use crate::search::{
    Bound, ExactTables, Limits, MAX_DEPTH, Observer, PvLine, SearchOptions, SearchResult, Searcher,
    TimeManager,
};
use crate::solve::{FirstGuess, SolveRequest};
use crate::stop::StopToken;

/// The most time for telling equal moves apart, and for the moves that are expected after the best.
const AFTERWARDS: Duration = Duration::from_millis(150);

/// A board to find a move on, with all who help.
pub(super) struct HandOver<'a> {
    pub searcher: &'a mut Searcher,
    pub tables: &'a mut Tables,
    pub prover: &'a mut Prover,
    pub board: &'a Board,
    pub limits: &'a Limits,
    pub settings: SearchOptions,
    pub preferences: &'a EngineOptions,
    pub time: &'a TimeManager,
}

impl HandOver<'_> {
    pub(super) fn think(mut self, observer: &mut dyn Observer) -> SearchResult {
        let mut told = Told::new(observer);
        let Some(mut plan) = self.plan() else {
            let whole = self.time.clone();
            let outcome = self.search(whole, None, &mut told);
            return self.finished(outcome, &mut told);
        };
        let mut best = None;
        loop {
            let outcome = self.search(self.time.part(plan.search), best.take(), &mut told);
            if is_proven(&outcome) {
                return self.finished(outcome, &mut told);
            }
            if self.time.past_hard_limit() {
                return outcome;
            }
            let part = match plan.end {
                Some(end) => self.time.stop_after(end.min(self.reserved(&plan))),
                None => self.time.token().child_with_timeout(2 * plan.search),
            };
            let first = outcome.best.map(|best| best.house);
            let guess = outcome.lines.first();
            let guess = guess.map(|line| FirstGuess { margin: line.margin, best: first });
            let margin = self.prove(&plan, guess, &part);
            told.nodes += std::mem::take(&mut self.prover.nodes);
            if let Some(margin) = margin {
                return self.solved(margin, outcome, &mut told);
            }
            let outcome = self.with_bounds(outcome, &mut told);
            let outcome = self.without_refuted(outcome, &plan, &mut told);
            if self.time.past_soft_limit() || (plan.end.is_some() && part.is_stopped()) {
                return outcome;
            }
            if plan.end.is_some() {
                // The solver has no table, or no memory.
                let whole = self.time.clone();
                return self.search(whole, Some(outcome), &mut told);
            }
            best = Some(outcome);
            plan.search *= 2;
        }
    }

    /// Threads that can work at a time.
    fn threads(&self) -> NonZeroUsize {
        self.settings.threads.min(available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    fn plan(&self) -> Option<Plan> {
        let nodes = self.prover.expected_nodes(self.board);
        let rate = self.prover.rate(self.threads());
        let plan = plan(self.time, nodes, rate);
        debug!("{nodes:.0} nodes to solve, {rate:.0} a second: {plan:?}");
        plan
    }

    /// When the solver has to end, so that there is time for another move should it refute that of the
    /// search.
    fn reserved(&self, plan: &Plan) -> Duration {
        let hard = self.time.budget().map_or(Duration::MAX, |budget| budget.hard);
        hard.saturating_sub(plan.search / 2)
    }

    /// A part of the search. When it comes less far than an earlier one, that is the answer.
    fn search(
        &mut self,
        end: TimeManager,
        before: Option<SearchResult>,
        told: &mut Told<'_>,
    ) -> SearchResult {
        let HandOver { searcher, board, limits, settings, .. } = self;
        let mut outcome = searcher.search_until(end, board, limits, settings, told);
        let depth = |outcome: &SearchResult| outcome.lines.first().map(|line| line.depth);
        told.count(&mut outcome.stats);
        match before {
            Some(before) if depth(&outcome) < depth(&before) => {
                SearchResult { stats: outcome.stats, ..before }
            }
            _ => outcome,
        }
    }

    /// The margin, if the solver finds it in time.
    fn prove(&mut self, plan: &Plan, guess: Option<FirstGuess>, end: &StopToken) -> Option<i32> {
        let threads = self.threads();
        let time = plan.end.map(|_| end.remaining().unwrap_or_default());
        let table = self.tables.for_solver(self.board, time, plan.expected, threads, end);
        self.prover.prepare(self.board, self.preferences.solver_mebibytes, threads, table);
        let solution = self.prover.solve(self.board, guess, SolveRequest::default(), end)?;
        Some(solution.margin)
    }

    /// The answer of the search, or a move that the solver has proven to be worth more, or as much when
    /// that of the search is known not to be worth more.
    fn with_bounds(&self, mut outcome: SearchResult, told: &mut Told<'_>) -> SearchResult {
        outcome.stats.time = self.time.elapsed();
        outcome.stats.nodes = told.nodes;
        let Some((lower, _, Some(house))) = self.prover.known(self.board) else { return outcome };
        let Some(line) = outcome.lines.first_mut() else { return outcome };
        let first = Move { side: self.board.side(), house };
        let is_proven_better = || match outcome.best {
            Some(best) if lower == line.margin => {
                self.known_after(best.house).is_some_and(|(_, upper)| upper <= lower)
            }
            _ => lower > line.margin,
        };
        if outcome.best != Some(first) && self.is_legal(house) && is_proven_better() {
            *line = PvLine { margin: lower, bound: Bound::Lower, pv: vec![first], ..line.clone() };
            (outcome.best, outcome.ponder) = (Some(first), None);
            told.repeat(line, &outcome.stats);
        }
        outcome
    }

    /// The answer, or the best of the moves that have not been refuted when it has: when it is proven to
    /// be worth less than the search has said.
    fn without_refuted(
        &mut self,
        outcome: SearchResult,
        plan: &Plan,
        told: &mut Told<'_>,
    ) -> SearchResult {
        let answer = outcome.lines.first().zip(outcome.best);
        let Some((margin, best)) = answer.map(|(line, best)| (line.margin, best.house)) else {
            return outcome;
        };
        let refuted = |house| {
            let upper = self.known_after(house).map(|(_, upper)| upper);
            upper.filter(|&upper| upper < margin)
        };
        let Some(at_most) = refuted(best) else { return outcome };
        let searchmoves: Vec<_> =
            self.board.moves().filter(|&house| refuted(house).is_none()).collect();
        if searchmoves.is_empty() || self.time.past_hard_limit() {
            return outcome;
        }
        let limits = Limits { searchmoves, ..self.limits.clone() };
        let end = self.time.part(plan.search);
        let mut other =
            self.searcher.search_until(end, self.board, &limits, &self.settings, &mut ());
        told.count(&mut other.stats);
        match other.lines.first_mut() {
            Some(line) if line.margin >= at_most => {
                // What was refuted may be worth more.
                line.proven &= line.margin >= margin;
                told.repeat(line, &other.stats);
                other
            }
            _ => SearchResult { stats: other.stats, ..outcome },
        }
    }

    /// Bounds of what a move is worth, as far as they are known.
    fn known_after(&self, house: House) -> Option<(i32, i32)> {
        let mut after = *self.board;
        let next = after.play(house).ok()?;
        let (lower, upper, _) = self.prover.known(&after)?;
        Some(if next == Next::Other { (-upper, -lower) } else { (lower, upper) })
    }

    fn is_legal(&self, house: House) -> bool {
        self.board.moves().any(|legal| legal == house)
    }

    /// The answer when the solver has found the margin.
    fn solved(&mut self, margin: i32, outcome: SearchResult, told: &mut Told<'_>) -> SearchResult {
        let afterwards = self.afterwards();
        let wanted = SolveRequest { line: true, ..SolveRequest::default() };
        let guess = Some(FirstGuess { margin, best: None });
        let solution = self.prover.solve(self.board, guess, wanted, &afterwards);
        let line = solution.map(|solution| solution.line).unwrap_or_default();
        let known = || self.prover.known(self.board).filter(|known| known.0 == margin)?.2;
        let Some(first) = line.first().copied().or_else(known).filter(|&best| self.is_legal(best))
        else {
            // The proof has not left a move behind, which is all but impossible.
            return outcome;
        };
        self.settled(margin, first, line, outcome, told)
    }

    /// The answer when the search has proven the margin itself, or has come to its end.
    fn finished(&mut self, outcome: SearchResult, told: &mut Told<'_>) -> SearchResult {
        let line = outcome.lines.first().filter(|_| is_proven(&outcome)).cloned();
        let Some((line, first)) = line.and_then(|line| Some((line.clone(), *line.pv.first()?)))
        else {
            return outcome;
        };
        if !self.preferences.traps || outcome.best != Some(first) {
            return outcome;
        }
        let pv = line.pv.iter().map(|ply| ply.house).collect();
        self.settled(line.margin, first.house, pv, outcome, told)
    }

    /// The answer when the margin is proven, and that a move has it; `line` goes on from there.
    fn settled(
        &mut self,
        margin: i32,
        first: House,
        line: Vec<House>,
        mut outcome: SearchResult,
        told: &mut Told<'_>,
    ) -> SearchResult {
        let was_proven = is_proven(&outcome);
        let best = if self.preferences.traps { self.choose(margin, first) } else { first };
        let line = if best == first && !line.is_empty() { line } else { self.line_after(best) };
        told.nodes += std::mem::take(&mut self.prover.nodes);
        outcome.stats.time = self.time.elapsed();
        (outcome.stats.nodes, outcome.stats.tbhits) = (told.nodes, told.tbhits);
        let first = Move { side: self.board.side(), house: best };
        if was_proven && outcome.best == Some(first) {
            return outcome;
        }
        let pv = plies(self.board, &line);
        let depth = (pv.len() as u32).clamp(1, MAX_DEPTH);
        let bound = Bound::Exact;
        let line = PvLine { depth, seldepth: depth, multipv: 1, margin, bound, proven: true, pv };
        told.repeat(&line, &outcome.stats);
        outcome.best = Some(first);
        outcome.ponder = line.pv.get(1).copied();
        outcome.lines = vec![line];
        outcome
    }

    /// What may be spent when the margin is known.
    fn afterwards(&self) -> StopToken {
        let budget = self.time.budget().map(|budget| budget.soft / 5);
        let time = budget.unwrap_or(AFTERWARDS).min(AFTERWARDS);
        self.time.token().child_with_timeout(time)
    }

    /// One of the moves that are worth the margin.
    fn choose(&mut self, margin: i32, first: House) -> House {
        if self.board.moves().count() == 1 {
            return first;
        }
        let end = self.afterwards();
        let tables = self.settings.tables.clone();
        let tables = tables.filter(|tables| tables.rules() == self.board.rules());
        if tables.as_ref().is_none_or(|tables| self.board.seeds_in_play() > tables.seeds()) {
            let (threads, memory) = (self.threads(), self.preferences.solver_mebibytes);
            let table = self.tables.kept(self.board.rules());
            self.prover.prepare(self.board, memory, threads, table);
        }
        let mut known = Known { tables: tables.as_deref(), prover: self.prover, end: &end };
        choose(self.board, margin, first, &mut known)
    }

    /// A move and the best ones after it.
    fn line_after(&mut self, house: House) -> Vec<House> {
        let mut line = vec![house];
        let mut after = *self.board;
        if after.play(house).is_ok() && !after.is_over() {
            let end = self.afterwards();
            let wanted = SolveRequest { line: true, ..SolveRequest::default() };
            let solution = self.prover.solve(&after, None, wanted, &end);
            line.extend(solution.map(|solution| solution.line).unwrap_or_default());
        }
        line
    }
}

fn is_proven(outcome: &SearchResult) -> bool {
    outcome.lines.first().is_some_and(|line| line.proven)
}

/// The houses of a line with the players who sow them.
fn plies(board: &Board, houses: &[House]) -> Vec<Move> {
    let mut board = *board;
    let mut plies = Vec::with_capacity(houses.len());
    for &house in houses {
        let side = board.side();
        if board.play(house).is_err() {
            break;
        }
        plies.push(Move { side, house });
    }
    plies
}

/// Margins from tables, or else from the solver, as long as there is time.
struct Known<'a> {
    tables: Option<&'a ExactTables>,
    prover: &'a mut Prover,
    end: &'a StopToken,
}

impl Known<'_> {
    fn of_tables(&self, board: &Board) -> Option<i32> {
        if let Some(result) = board.result() {
            return Some(if board.side() == Side::South { result } else { -result });
        }
        let AnyPosition::Narrow(_, position) = board.position() else { return None };
        Some(board.store_difference() + self.tables?.gain(&position)?)
    }
}

impl Truth for Known<'_> {
    fn margin(&mut self, board: &Board) -> Option<i32> {
        let margin = self.of_tables(board);
        let solved = |prover: &mut Prover| {
            Some(prover.solve(board, None, SolveRequest::default(), self.end)?.margin)
        };
        margin.or_else(|| solved(self.prover))
    }

    fn reaches(&mut self, board: &Board, value: i32) -> Option<bool> {
        if let Some(margin) = self.of_tables(board) {
            return Some(margin >= value);
        }
        match self.prover.known(board) {
            Some((lower, _, _)) if lower >= value => Some(true),
            Some((_, upper, _)) if upper < value => Some(false),
            _ => {
                let guess = Some(FirstGuess { margin: value, best: None });
                let solution = self.prover.solve(board, guess, SolveRequest::default(), self.end);
                Some(solution?.margin >= value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rules;

    #[test]
    fn what_the_solver_refutes_is_not_played() -> Result<(), Box<dyn std::error::Error>> {
        let board = Board::start(Rules::default(), 2)?;
        let (searcher, mut prover) = (&mut Searcher::new(1)?, Prover::default());
        let stop = StopToken::new();
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let preferences = EngineOptions::default();
        let settings = preferences.search.clone();
        let found = searcher.search(&board, &limits, &settings, &stop, &mut ());
        let time = TimeManager::new(&limits, board.seeds_in_play(), Duration::ZERO, &stop);
        prover.prepare(&board, 16, NonZeroUsize::MIN, None);
        let values: Vec<_> = board
            .moves()
            .filter_map(|house| {
                let mut after = board;
                let next = after.play(house).ok()?;
                let solution = prover.solve(&after, None, SolveRequest::default(), &stop)?;
                Some((house, if next == Next::Other { -solution.margin } else { solution.margin }))
            })
            .collect();
        let most = values.iter().map(|value| value.1).max().ok_or("no value")?;
        let mut parts = HandOver {
            searcher,
            tables: &mut Tables::default(),
            prover: &mut prover,
            board: &board,
            limits: &limits,
            settings,
            preferences: &preferences,
            time: &time,
        };
        let plan = Plan { search: AFTERWARDS, end: None, expected: AFTERWARDS };
        let mut answer = |house, margin| {
            let mut outcome = found.clone();
            let best = Move { side: board.side(), house };
            outcome.best = Some(best);
            outcome.lines[0] = PvLine { margin, pv: vec![best], ..outcome.lines[0].clone() };
            let observer = &mut ();
            let outcome = parts.without_refuted(outcome, &plan, &mut Told::new(observer));
            outcome.best.map(|best| best.house)
        };
        for &(house, value) in &values {
            assert_eq!(answer(house, value), Some(house), "it was right");
            let other = answer(house, most).and_then(|house| {
                let value = values.iter().find(|value| value.0 == house)?;
                Some(value.1)
            });
            assert_eq!(other, Some(most), "instead of {house:?}, which is worth {value}");
            assert_eq!(answer(house, most + 2), Some(house), "none is worth so much");
        }
        Ok(())
    }
}

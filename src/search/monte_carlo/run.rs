//! Random games until a limit is reached, and what is told of them meanwhile.

use super::playout::Playouts;
use super::{Method, Verdict};
use crate::board::{Board, House, Move, RowTables};
use crate::search::assignment::Assignment;
use crate::search::counters::Counters;
use crate::search::deepening::Findings;
use crate::search::kalah_game::Kalah;
use crate::search::report::{Observer, PvLine, SearchResult, SearchStats};
use crate::search::root::Root;
use crate::search::threads::{Shared, Stopped, Work};
use crate::search::value::Bound;

/// Iterations before the first report. Each later one comes after twice as many.
const FIRST_REPORT: u64 = 1024;

/// Iterations when there is one move to choose from and time is worth saving.
const FORCED: u64 = 64;

/// The search of one root by random games.
pub(super) struct Run<'a, R: RowTables> {
    root: &'a Root<'a, R>,
    shared: Shared,
    multipv: usize,
    random_seed: u64,
    /// How many iterations there may be.
    iterations: u64,
    /// Nodes that the limits know of.
    published: u64,
    /// The node count at which to look at the limits again.
    next_poll: u64,
}

impl<'a, R: RowTables> Run<'a, R> {
    pub(super) fn new(assignment: Assignment<'a, R>) -> Self {
        let most = if assignment.is_forced() { FORCED } else { u64::MAX };
        let Assignment { root, limits, settings, time } = assignment;
        let shared = Shared::new(time, limits.nodes, 1);
        Run {
            root,
            random_seed: settings.depth_first.random_seed,
            multipv: settings.multipv.get(),
            iterations: limits.iterations.unwrap_or(u64::MAX).min(most),
            published: 0,
            next_poll: shared.first_poll(),
            shared,
        }
    }

    /// Iterates until a limit is reached or the method is done.
    ///
    /// Limits are looked at between iterations: a random game is never cut short.
    pub(super) fn run<'g, M: Method<Kalah<'g, R>>>(
        mut self,
        game: &Kalah<'g, R>,
        begin: impl FnOnce() -> M,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let mut findings = Findings::default();
        if self.root.moves.is_empty() {
            return findings.outcome(self.root, self.shared.stats(Work::default(), 0));
        }
        let mut playouts = Playouts::new(game, self.random_seed);
        let mut method = begin();
        let mut next_report = FIRST_REPORT;
        let mut iterations = 0;
        while iterations < self.iterations && !method.is_done() {
            if iterations == next_report {
                self.report(&method, &playouts.counters, observer);
                next_report *= 2;
            }
            method.iterate(&mut playouts);
            iterations += 1;
            if playouts.counters.nodes >= self.next_poll && self.poll(&playouts.counters).is_err() {
                break;
            }
        }
        findings.lines = self.report(&method, &playouts.counters, observer);
        findings.counters = playouts.counters;
        findings.outcome(self.root, self.stats(&method, &playouts.counters))
    }

    fn stats<'g>(&self, method: &impl Method<Kalah<'g, R>>, counters: &Counters) -> SearchStats {
        self.shared.stats(Work::of_nodes(self.unpublished(counters)), method.permille_full())
    }

    fn unpublished(&self, counters: &Counters) -> u64 {
        counters.nodes - self.published
    }

    /// Publishes the node count and looks at the limits.
    fn poll(&mut self, counters: &Counters) -> Result<(), Stopped> {
        let visited = self.unpublished(counters);
        self.published = counters.nodes;
        self.next_poll = counters.nodes + self.shared.poll(Work::of_nodes(visited))?;
        // There is no deepening here: time is up when it is for beginning anything.
        if self.shared.time().past_soft_limit() { Err(Stopped) } else { Ok(()) }
    }

    /// Tells the best lines.
    fn report<'g>(
        &self,
        method: &impl Method<Kalah<'g, R>>,
        counters: &Counters,
        observer: &mut dyn Observer,
    ) -> Vec<PvLine> {
        let stats = self.stats(method, counters);
        let verdicts = method.verdicts();
        let best = verdicts.iter().take(self.multipv).zip(1..);
        let lines: Vec<PvLine> =
            best.map(|(verdict, multipv)| self.line(verdict, multipv, method.seldepth())).collect();
        for line in &lines {
            observer.line(line, &stats);
        }
        lines
    }

    /// The depth of a line is its length: these searches have no other.
    fn line(&self, verdict: &Verdict<House>, multipv: usize, seldepth: usize) -> PvLine {
        let pv = plies(self.root.board, &verdict.pv);
        PvLine {
            depth: pv.len() as u32,
            seldepth: seldepth.max(pv.len()) as u32,
            multipv,
            margin: self.root.board.store_difference() + verdict.gain,
            bound: Bound::Exact,
            proven: verdict.proven,
            pv,
        }
    }
}

/// The houses of a line with the players who sow them.
fn plies(board: &Board, houses: &[House]) -> Vec<Move> {
    let mut board = *board;
    let mut plies = Vec::with_capacity(houses.len());
    for &house in houses {
        plies.push(Move { side: board.side(), house });
        if board.play(house).is_err() {
            break;
        }
    }
    plies
}

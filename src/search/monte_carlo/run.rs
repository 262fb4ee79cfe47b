//! The main loop of the Monte Carlo searches: random games until a limit is reached.

use fastrand::Rng;

use crate::board::{House, Next, RowTables};
use crate::search::game::Game;
use crate::search::job::{RootPosition, SearchJob};
use crate::search::kalah_game::KalahGame;
use crate::search::result::{
    Counters, PvLine, SearchObserver, SearchReport, SearchResult, SearchStats,
};
use crate::search::shared::{NODES_BETWEEN_POLLS, Poller, SharedState};
use crate::search::value::Bound;

/// Iterations before the first report; the number doubles with each report.
const FIRST_REPORT: u64 = 1024;

/// Iterations when there is only one move and a clock runs.
const FORCED_ITERATIONS: u64 = 64;

/// Decides where random games begin, and learns from their results.
pub(super) trait MonteCarloMethod<G: Game> {
    /// Plays one random game, or gets a result without, and learns from it. Counts a node, for the limits.
    fn iterate(&mut self, playouts: &mut Playouts<'_, G>);

    /// Whether further games cannot change the result.
    fn is_done(&self) -> bool;

    /// The estimates of the root moves that have been tried, best first.
    fn estimates(&self) -> Vec<MoveEstimate<G::Move>>;

    /// The greatest ply from which a random game has begun.
    fn seldepth(&self) -> usize {
        1
    }

    /// The part of the memory in use, in permille.
    fn permille_full(&self) -> u32 {
        0
    }
}

pub(super) struct MoveEstimate<M> {
    /// The expected or proven gain.
    pub gain: i32,
    pub proven: bool,
    /// The line of play that begins with the move.
    pub pv: Vec<M>,
}

/// Plays random games and counts their positions.
pub(super) struct Playouts<'a, G> {
    pub game: &'a G,
    pub counters: Counters,
    random: Rng,
}

impl<G: Game> Playouts<'_, G> {
    /// A game that has no moves left. Unlike in other searches the final position counts as a node:
    /// an iteration without nodes would never reach a node limit.
    pub(super) fn end(&mut self) -> i32 {
        self.counters.nodes += 1;
        self.counters.finished += 1;
        0
    }

    /// Plays random moves to the end of the game. Returns the gain of the player to move at the start.
    pub(super) fn play(&mut self, start: &G::Position) -> i32 {
        self.counters.leaves += 1;
        let (mut position, mut gain, mut sign) = (*start, 0, 1);
        loop {
            self.counters.nodes += 1;
            if self.game.is_leaf(&position) {
                return gain + sign * self.game.evaluate(&position);
            }
            let pick = |moves| self.random.usize(..moves);
            let Some(transition) = self.game.play_random(&position, pick) else { return gain };
            gain += sign * transition.gain;
            match transition.next {
                Next::Again => {}
                Next::Other => sign = -sign,
                Next::Over => {
                    self.counters.finished += 1;
                    return gain;
                }
            }
            position = transition.position;
        }
    }
}

pub(super) struct MonteCarloRun<'a, R: RowTables> {
    root: &'a RootPosition<'a, R>,
    shared: SharedState,
    multipv: usize,
    max_iterations: u64,
    playouts: Playouts<'a, KalahGame<'a, R>>,
    poller: Poller,
}

impl<'a, R: RowTables> MonteCarloRun<'a, R> {
    pub(super) fn new(game: &'a KalahGame<'a, R>, job: SearchJob<'a, R>) -> Self {
        let max_iterations = if job.is_forced() { FORCED_ITERATIONS } else { u64::MAX };
        let SearchJob { root, limits, options, time, .. } = job;
        let shared = SharedState::new(time, limits.nodes, 1);
        let random = Rng::with_seed(options.depth_first.random_seed);
        MonteCarloRun {
            root,
            multipv: options.multipv.get(),
            max_iterations: limits.iterations.unwrap_or(u64::MAX).min(max_iterations),
            playouts: Playouts { game, counters: Counters::default(), random },
            poller: Poller::new(&shared, NODES_BETWEEN_POLLS),
            shared,
        }
    }

    /// Iterates until the method is done or a limit is reached, which is checked between random games.
    pub(super) fn run<M: MonteCarloMethod<KalahGame<'a, R>>>(
        mut self,
        start: impl FnOnce() -> M,
        observer: SearchObserver<'_>,
    ) -> SearchResult {
        if self.root.moves.is_empty() {
            let stats = self.shared.stats(0);
            return self.root.result(None, Vec::new(), stats, Counters::default());
        }
        let mut method = start();
        let mut next_report = FIRST_REPORT;
        let mut iterations = 0;
        while iterations < self.max_iterations && !method.is_done() {
            if iterations == next_report {
                self.report(&method, observer);
                next_report *= 2;
            }
            method.iterate(&mut self.playouts);
            iterations += 1;
            let counters = &self.playouts.counters;
            // There are no iterations of increasing depth, so the soft limit ends the search.
            if counters.nodes >= self.poller.next
                && (self.poller.poll(&self.shared, counters).is_err()
                    || self.shared.time.past_soft_limit())
            {
                break;
            }
        }
        let (lines, stats) = self.report(&method, observer);
        self.root.result(None, lines, stats, self.playouts.counters)
    }

    /// Reports the best lines and returns them, with the work so far.
    fn report(
        &mut self,
        method: &impl MonteCarloMethod<KalahGame<'a, R>>,
        observer: SearchObserver<'_>,
    ) -> (Vec<PvLine>, SearchStats) {
        // Whether the search is stopped is noticed later.
        let _ = self.poller.poll(&self.shared, &self.playouts.counters);
        let stats = self.shared.stats(method.permille_full());
        let estimates = method.estimates();
        let best = estimates.iter().take(self.multipv).zip(1..);
        let lines: Vec<PvLine> = best
            .map(|(estimate, multipv)| self.line(estimate, multipv, method.seldepth()))
            .collect();
        for line in &lines {
            observer(SearchReport::Line(line, &stats));
        }
        (lines, stats)
    }

    /// The depth of a line is its length: these searches have no other depth.
    fn line(&self, estimate: &MoveEstimate<House>, multipv: usize, seldepth: usize) -> PvLine {
        let pv = self.root.board.line_from(estimate.pv.iter().copied());
        PvLine {
            depth: pv.len() as u32,
            seldepth: seldepth.max(pv.len()) as u32,
            multipv,
            margin: self.root.board.store_difference() + estimate.gain,
            bound: Bound::Exact,
            proven: estimate.proven,
            pv,
        }
    }
}

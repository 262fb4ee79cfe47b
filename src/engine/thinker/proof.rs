//! The solver with a clock beside it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use log::debug;

use super::prospects::expected_nodes;
use crate::board::{Board, House, Rules, Side};
use crate::solve::{FirstGuess, Solution, SolveProgress, SolveRequest, Solver, SolverResources};
use crate::stop::StopToken;
use crate::sys::available_memory;
use crate::tablebase::Tablebase;

/// Positions a second and thread, before any was measured.
const RATE: f64 = 4e6;

/// Times shorter than this, in seconds, tell nothing of the rate.
const MEASURABLE: f64 = 0.1;

/// Whatever was measured: a busy machine may be less so soon.
const LEAST_RATE: f64 = 2e6;

/// Bytes of the solver's table for each position expected. Memory takes its time when it is first
/// used: more of it took longer to get than it saved.
const BYTES_PER_NODE: f64 = 5.0;

/// By so many seeds the search may have come to another value since a question was left open.
const NEAR: u32 = 4;

/// Proves what positions are worth, one of a game after the other.
#[derive(Default)]
pub(super) struct Prover {
    solver: Option<Kept>,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Positions a second, all threads together, and how many these are.
    rate: Option<(f64, NonZeroUsize)>,
}

/// A solver that remembers positions of a game.
struct Kept {
    solver: Solver,
    mebibytes: usize,
    rules: Rules,
    /// Positions visited in vain.
    invested: u64,
    /// Seeds of the position that was solved last: those after it are mostly known.
    solved: Option<u32>,
    /// A question that has no answer yet: whether South's margin reaches so many seeds.
    open: Option<i32>,
}

impl Kept {
    /// Where the proof of a board goes on that the search says is worth so much: an answer that has
    /// cost much already comes before another question.
    fn first_target(&self, guess: i32, side: Side) -> i32 {
        let open = self.open.map(|open| target_of(side, open));
        open.filter(|open| open.abs_diff(guess) <= NEAR).unwrap_or(guess)
    }
}

/// South's target as one of the side to move, or the contrary: the one reaches its target where the
/// other misses its own. Margins of a board are two apart.
fn target_of(side: Side, target: i32) -> i32 {
    match side {
        Side::South => target,
        Side::North => 2 - target,
    }
}

impl Prover {
    pub(super) fn clear(&mut self) {
        if let Some(kept) = &mut self.solver {
            kept.solver.clear();
            (kept.invested, kept.solved, kept.open) = (0, None, None);
        }
    }

    /// Positions a second.
    pub(super) fn rate(&self, threads: NonZeroUsize) -> f64 {
        let (rate, measured) = self.rate.unwrap_or((RATE, NonZeroUsize::MIN));
        (rate / measured.get() as f64).max(LEAST_RATE) * threads.get() as f64
    }

    /// Positions that are still to be visited, as far as can be told.
    pub(super) fn expected_nodes(&self, board: &Board) -> f64 {
        let seeds = board.seeds_in_play();
        let expected = expected_nodes(board.rules(), seeds);
        let kept = self.solver.as_ref().filter(|kept| kept.rules == board.rules());
        let Some(kept) = kept else { return expected };
        // Some of the work was for positions that did not come about.
        let left = (expected - kept.invested as f64 / 2.0).max(expected / 20.0);
        if kept.solved.is_some_and(|solved| seeds <= solved) { left.min(1e4) } else { left }
    }

    /// Makes a solver ready for a board, with a table in memory, if there is one.
    pub(super) fn prepare(
        &mut self,
        board: &Board,
        mebibytes: usize,
        threads: NonZeroUsize,
        table: Option<Arc<Tablebase>>,
    ) {
        let rules = board.rules();
        let bytes = expected_nodes(rules, board.seeds_in_play()) * BYTES_PER_NODE;
        let wanted = ((bytes / 2_f64.powi(20)) as usize).clamp(4, mebibytes.max(4));
        // Tables have sizes that are powers of two.
        let wanted = 1 << wanted.ilog2();
        // What was kept may be more than is allowed by now.
        let fits = |kept: &Kept| (wanted..=mebibytes.max(wanted)).contains(&kept.mebibytes);
        if self.solver.as_ref().is_none_or(|kept| kept.rules != rules || !fits(kept)) {
            let spare = available_memory().map_or(usize::MAX, |bytes| (bytes >> 22) as usize);
            let resources = SolverResources { threads, mebibytes: wanted.min(spare).max(4) };
            let solver = Solver::new(resources);
            self.solver = Some(Kept {
                solver,
                mebibytes: wanted,
                rules,
                invested: 0,
                solved: None,
                open: None,
            });
        }
        if let Some(kept) = &mut self.solver {
            kept.solver.set_threads(threads);
            if let Some(table) = table {
                kept.solver.set_tablebase(table);
            }
        }
    }

    /// The truth about a board, if it is found before the token stops. A solver has to be ready.
    pub(super) fn solve(
        &mut self,
        board: &Board,
        guess: Option<FirstGuess>,
        wanted: SolveRequest,
        stop: &StopToken,
    ) -> Option<Solution> {
        let kept = self.solver.as_mut()?;
        let side = board.side();
        let guess = guess
            .map(|guess| FirstGuess { margin: kept.first_target(guess.margin, side), ..guess });
        let request = SolveRequest { guess, ..wanted };
        let progress = SolveProgress::new();
        if stop.is_stopped() || !kept.solver.provide_memory(board, stop) {
            return None;
        }
        let begun = Instant::now();
        let found = kept.solver.solve_with(board, request, stop, &progress).ok();
        let (nodes, bounds) = (progress.nodes(), progress.bounds());
        self.nodes += nodes;
        if found.is_some() {
            kept.solved = kept.solved.max(Some(board.seeds_in_play()));
        } else {
            kept.invested += nodes;
            if let (Some(guess), Some((lower, upper))) = (guess, bounds)
                && lower < upper
            {
                let target = guess.margin.clamp(lower + 2, upper);
                kept.open = Some(target_of(side, target));
            }
        }
        let time = begun.elapsed().as_secs_f64();
        debug!("solver: {nodes} nodes in {time:.3} s, {}", found.is_some());
        if time >= MEASURABLE {
            self.rate = Some((nodes as f64 / time, kept.solver.threads()));
        }
        found
    }

    /// Bounds of the margin and a move that proves the lower one, as far as they are known.
    pub(super) fn known(&self, board: &Board) -> Option<(i32, i32, Option<House>)> {
        let proven = self.solver.as_ref()?.solver.probe(board)?;
        Some((proven.lower, proven.upper, proven.best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_option() -> Result<(), crate::board::BoardError> {
        let board = Board::start(Rules::default(), 6)?;
        let few = Board::start(Rules::default(), 1)?;
        let mut prover = Prover::default();
        let mut kept_for = |board, mebibytes| {
            prover.prepare(board, mebibytes, NonZeroUsize::MIN, None);
            prover.solver.as_ref().map(|kept| kept.mebibytes)
        };
        for (option, kept) in [(100, 64), (256, 256), (32, 32), (4, 4), (16, 16)] {
            assert_eq!(kept_for(&board, option), Some(kept));
        }
        // What a larger board needed serves a smaller one, too.
        assert_eq!(kept_for(&few, 16), Some(16));
        assert_eq!(kept_for(&few, 8), Some(4));
        Ok(())
    }
}

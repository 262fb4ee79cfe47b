//! Resignation and adjudication: how a game ends before it is played out.

use crate::MoveEvaluation;
use kalah::StopToken;
use kalah::board::{Board, Side};
use kalah::search::{Limits, SearchOptions, Searcher};
use kalah::solve::{SolveProgress, SolveRequest, Solver, SolverResources};
use kalah::tablebase::MAX_TABLE_HOUSES;
use kalah_records::ResignRule;

/// The largest number of seeds in the houses at which games can be adjudicated.
pub const MAX_PROVEN_SEEDS: u32 = 24;

/// Nodes of a proof by search, on boards too large for tablebases; without a proof the game goes on.
const PROOF_NODES: u64 = 20_000_000;

/// The transposition table of a proof by search.
const PROOF_MEBIBYTES: usize = 4;

const SOLVER_MEBIBYTES: usize = 32;

/// Follows the scores of both players in a game.
pub(super) struct ResignTracker {
    rule: ResignRule,
    /// By side: the number of moves in a row with a lost score, and with a won score.
    lost: [u32; 2],
    won: [u32; 2],
}

impl ResignTracker {
    pub(super) fn new(rule: ResignRule) -> ResignTracker {
        ResignTracker { rule, lost: [0; 2], won: [0; 2] }
    }

    /// Whether the player resigns after this move. A bound decides nothing: the search was not done with it.
    pub(super) fn resigns(&mut self, side: Side, evaluation: &MoveEvaluation) -> bool {
        let ResignRule { movecount, score, twosided } = self.rule;
        let expected = evaluation.exact.map_or(0, |score| score.centiseeds);
        let count = |count: &mut u32, more: bool| *count = if more { *count + 1 } else { 0 };
        count(&mut self.lost[side.index()], expected <= -score);
        count(&mut self.won[side.index()], expected >= score);
        let opponent_agrees = !twosided || self.won[(!side).index()] >= movecount;
        self.lost[side.index()] >= movecount && opponent_agrees
    }
}

/// Proves the margins of positions with few seeds, whatever the speed of the machine.
pub(super) struct Adjudicator {
    /// The largest number of seeds in the houses.
    max_seeds: u32,
    /// For boards with tablebases: it proves every position, within milliseconds.
    solver: Solver,
    /// For larger boards.
    searcher: Searcher,
}

impl Adjudicator {
    pub(super) fn new(max_seeds: u32) -> Result<Adjudicator, kalah::search::TableTooLarge> {
        let resources =
            SolverResources { mebibytes: SOLVER_MEBIBYTES, ..SolverResources::default() };
        let searcher = Searcher::new(PROOF_MEBIBYTES)?;
        Ok(Adjudicator { max_seeds, solver: Solver::new(resources), searcher })
    }

    pub(super) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// The margin from the view of South in seeds, if it can be proven before a stop.
    pub(super) fn prove(&mut self, board: &Board, stop: &StopToken) -> Option<i32> {
        if board.seeds_in_play() > self.max_seeds {
            return None;
        }
        let margin = if board.rules().houses() <= MAX_TABLE_HOUSES {
            let (request, progress) = (SolveRequest::default(), SolveProgress::default());
            self.solver.solve_with(board, request, stop, &progress).ok()?.margin
        } else {
            let limits = Limits { nodes: Some(PROOF_NODES), ..Limits::default() };
            let options = SearchOptions::negascout();
            let result = self.searcher.search(board, &limits, &options, stop, &mut |_| {});
            result.lines.first().filter(|line| line.proven)?.margin
        };
        Some(board.side().sign() * margin)
    }
}

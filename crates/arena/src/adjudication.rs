//! Resignation and adjudication: how a game ends before it is played out.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{KeyValues, MoveEvaluation, SettingsError};
use kalah::StopToken;
use kalah::board::{Board, Side};
use kalah::search::{Limits, SearchOptions, Searcher};
use kalah::solve::{SolveProgress, SolveRequest, Solver, SolverResources};
use kalah::tablebase::MAX_TABLE_HOUSES;

/// The largest number of seeds in the houses at which games can be adjudicated.
pub const MAX_PROVEN_SEEDS: u32 = 24;

/// Nodes of a proof by search, on boards too large for tablebases; without a proof the game goes on.
const PROOF_NODES: u64 = 20_000_000;

/// The transposition table of a proof by search.
const PROOF_MEBIBYTES: usize = 4;

const SOLVER_MEBIBYTES: usize = 32;

/// When a player resigns: as text `movecount=3 score=400`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(!try_from))]
#[serde(try_from = "KeyValues")]
pub struct ResignRule {
    /// The number of own moves in a row whose score must be this bad.
    pub movecount: u32,
    /// The expected loss, in hundredths of a seed.
    pub score: i32,
    /// Whether the opponent's scores must agree.
    pub twosided: bool,
}

impl TryFrom<KeyValues> for ResignRule {
    type Error = SettingsError;

    fn try_from(mut words: KeyValues) -> Result<ResignRule, SettingsError> {
        let movecount = words.value_if("movecount", "at least 1 move", |&moves| moves > 0)?;
        let score =
            words.value_if("score", "at least 1 hundredth of a seed", |&score| score > 0)?;
        let twosided = words.value("twosided", "true or false")?.unwrap_or(false);
        words.finish()?;
        match (movecount, score) {
            (Some(movecount), Some(score)) => Ok(ResignRule { movecount, score, twosided }),
            _ => Err(SettingsError::new("resignation needs 'movecount' and 'score'")),
        }
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "movecount={} score={}", self.movecount, self.score)?;
        if self.twosided { f.write_str(" twosided=true") } else { Ok(()) }
    }
}

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

    /// Counts the score of a move; returns whether the player resigns. A bound decides nothing: the search
    /// was not done with it.
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

/// Proves the margins of positions with few seeds. The proofs do not depend on the speed of the
/// machine.
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
            let result = self.searcher.search(board, &limits, &options, stop, &mut ());
            result.lines.first().filter(|line| line.proven)?.margin
        };
        Some(if board.side() == Side::South { margin } else { -margin })
    }
}

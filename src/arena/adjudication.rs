//! How a game may end before it is played out.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::key_values::{KeyValues, SettingsError};
use super::players::MoveEvaluation;
use crate::board::{Board, Side};
use crate::search::{Limits, SearchOptions, Searcher};
use crate::solve::{Solver, SolverResources};
use crate::stop::StopToken;
use crate::tablebase::MAX_TABLE_HOUSES;

/// Most seeds in the houses of a position that the referee proves.
pub const MAX_PROVEN_SEEDS: u32 = 24;

/// Positions looked at on a board that is too large for tables before the referee lets the players go
/// on.
const PROOF_NODES: u64 = 20_000_000;

const PROOF_MEBIBYTES: usize = 4;

/// What the tables of the solver may take.
const SOLVER_MEBIBYTES: usize = 32;

/// When a player gives up: as text `movecount=3 score=400`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Own moves in a row that have to look so bad.
    pub movecount: u32,
    /// Hundredths of a seed by which the player expects to lose.
    pub score: i32,
    /// Whether the opponent has to see it, too.
    #[serde(default)]
    pub twosided: bool,
}

impl FromStr for ResignRule {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<ResignRule, SettingsError> {
        let mut words: KeyValues = text.parse()?;
        let missing = || SettingsError::Invalid("resigning takes 'movecount' and 'score'".into());
        let movecount = words.value("movecount", "a number of moves")?;
        let score: Option<i32> = words.value("score", "hundredths of a seed")?;
        let twosided = words.value("twosided", "true or false")?;
        words.finish()?;
        let (movecount, score) = (movecount.ok_or_else(missing)?, score.ok_or_else(missing)?);
        if movecount == 0 {
            return Err(SettingsError::value("movecount", "a number of moves from 1", "0"));
        }
        if score <= 0 {
            return Err(SettingsError::value(
                "score",
                "hundredths of a seed from 1",
                &score.to_string(),
            ));
        }
        Ok(ResignRule { movecount, score, twosided: twosided.unwrap_or(false) })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "movecount={} score={}", self.movecount, self.score)?;
        if self.twosided { f.write_str(" twosided=true") } else { Ok(()) }
    }
}

/// Follows what the players say of their chances.
pub(super) struct ResignTracker {
    resign: ResignRule,
    /// By side: moves in a row that looked lost, and such that looked won.
    lost: [u32; 2],
    won: [u32; 2],
}

impl ResignTracker {
    pub(super) fn new(resign: ResignRule) -> ResignTracker {
        ResignTracker { resign, lost: [0; 2], won: [0; 2] }
    }

    /// Hears what a player says of its move; tells whether the player resigns.
    pub(super) fn resigns(&mut self, side: Side, evaluation: &MoveEvaluation) -> bool {
        let ResignRule { movecount, score, twosided } = self.resign;
        let expected = evaluation.score.map_or(0, |score| score.centiseeds);
        let count = |count: &mut u32, more: bool| *count = if more { *count + 1 } else { 0 };
        count(&mut self.lost[side.index()], expected <= -score);
        count(&mut self.won[side.index()], expected >= score);
        let opponent_agrees = !twosided || self.won[(!side).index()] >= movecount;
        self.lost[side.index()] >= movecount && opponent_agrees
    }
}

/// Proves what positions with few seeds are worth. What it proves does not depend on the machine.
pub(super) struct Adjudicator {
    /// Seeds in the houses, at most.
    seeds: u32,
    /// For boards that there are tables of: it always gets to the end, in milliseconds.
    solver: Solver,
    /// For larger boards.
    searcher: Searcher,
}

impl Adjudicator {
    pub(super) fn new(seeds: u32) -> Result<Adjudicator, crate::search::TableTooLarge> {
        let resources =
            SolverResources { mebibytes: SOLVER_MEBIBYTES, ..SolverResources::default() };
        let searcher = Searcher::new(PROOF_MEBIBYTES)?;
        Ok(Adjudicator { seeds, solver: Solver::new(resources), searcher })
    }

    /// Forgets earlier games.
    pub(super) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// The margin of a game from the view of South, when it is proven.
    pub(super) fn prove(&mut self, board: &Board) -> Option<i32> {
        if board.seeds_in_play() > self.seeds {
            return None;
        }
        let margin = if board.rules().houses() <= MAX_TABLE_HOUSES {
            self.solver.solve(board).ok()?.margin
        } else {
            self.search(board)?
        };
        Some(if board.side() == Side::South { margin } else { -margin })
    }

    fn search(&mut self, board: &Board) -> Option<i32> {
        let stop = StopToken::new();
        let limits = Limits { nodes: Some(PROOF_NODES), ..Limits::default() };
        let outcome =
            self.searcher.search(board, &limits, &SearchOptions::negascout(), &stop, &mut ());
        outcome.lines.first().filter(|line| line.proven).map(|line| line.margin)
    }
}

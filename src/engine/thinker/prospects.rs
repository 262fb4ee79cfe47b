//! Whether the solver can be expected to finish.

use std::time::Duration;

use crate::board::Rules;
use crate::search::TimeManager;
use crate::tablebase::{MAX_TABLE_HOUSES, positions};

/// Somewhat more positions than Kalah(6,4) takes with a table of 20 seeds, which are 8.6 million of
/// [`LARGE_POSITIONS`]. Kalah(6,3) takes 171 thousand of 7e10: the power that leads from one to the
/// other is about [`POWER`]. Boards without a network take twice as many.
const LARGE_NODES: f64 = 12e6;
const LARGE_POSITIONS: f64 = 1.4e12;
const POWER: f64 = 1.34;

/// Boards of too many houses for tables take more.
const WITHOUT_TABLES: f64 = 30.0;

/// So many times what it can do in the time for one move is worth beginning with: what was found
/// out is there for the next move.
const AHEAD: f64 = 10.0;

/// The most positions worth visiting when time does not matter.
const MOST: f64 = 2e9;

/// Less time than this is all for the search.
const LEAST_TIME: Duration = Duration::from_millis(2);

/// Positions to be visited to solve one with so many seeds.
pub(super) fn expected_nodes(rules: Rules, seeds: u32) -> f64 {
    let count = positions(rules.houses(), seeds).map_or(f64::INFINITY, |count| count as f64);
    let tables = if rules.houses() > MAX_TABLE_HOUSES { WITHOUT_TABLES } else { 1.0 };
    (LARGE_NODES * (count / LARGE_POSITIONS).powf(POWER) * tables).max(1e3)
}

/// How the time for a move is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// What the search has before the solver begins.
    pub search: Duration,
    /// When the solver has to end; `None` when parts of search and solver take turns.
    pub end: Option<Duration>,
    /// How long the solver will take if all goes as expected.
    pub expected: Duration,
}

/// The plan for a position that is expected to take `nodes` more, at so many a second; `None` when
/// the search is better off alone. Times are such of the clock that matters.
pub(super) fn plan(time: &TimeManager, nodes: f64, rate: f64) -> Option<Plan> {
    let expected = Duration::try_from_secs_f64(nodes / rate).ok()?;
    let Some(budget) = time.budget() else {
        let search = Duration::from_millis(100);
        return (nodes <= MOST).then_some(Plan { search, end: None, expected });
    };
    if budget.soft < LEAST_TIME {
        return None;
    }
    if expected <= budget.hard {
        let search = (budget.soft / 10).min(Duration::from_millis(200));
        Some(Plan { search, end: Some(budget.hard), expected })
    } else if expected <= budget.soft.mul_f64(AHEAD) {
        // The search has to tell a move and a guess; with a sixth of the time, and so two plies more,
        // it was not right more often, and the solver later.
        Some(Plan { search: budget.soft / 16, end: Some(budget.soft), expected })
    } else {
        None
    }
}

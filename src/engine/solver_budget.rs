//! Whether the solver can be expected to finish, and how the time for a move is split.

use std::time::Duration;

use crate::board::Rules;
use crate::search::TimeBudget;
use crate::tablebase::{MAX_TABLE_HOUSES, positions};

/// Somewhat more nodes than Kalah(6,4) takes: 6.2 million, of [`REFERENCE_POSITIONS`]. Kalah(6,3) takes
/// 141 thousand, of 7e10 positions: the power that leads from one to the other is about [`POWER`].
/// Boards without a network take twice as many nodes.
const REFERENCE_NODES: f64 = 9e6;
const REFERENCE_POSITIONS: f64 = 1.4e12;
const POWER: f64 = 1.3;

/// How many times more nodes boards take that have too many houses for tables.
const WITHOUT_TABLES: f64 = 30.0;

/// The solver begins if it needs at most this many times the time for one move: what it finds stays
/// there for the next moves.
const MAX_MOVES_AHEAD: f64 = 10.0;

/// The most nodes worth visiting when no clock runs.
const MAX_NODES: f64 = 2e9;

/// Less time than this goes to the search alone.
const MIN_TIME: Duration = Duration::from_millis(2);

/// Nodes that solving a position with this many seeds in the houses is expected to take.
pub(crate) fn expected_nodes(rules: Rules, seeds: u32) -> f64 {
    let count = positions(rules.houses(), seeds).map_or(f64::INFINITY, |count| count as f64);
    let tables = if rules.houses() > MAX_TABLE_HOUSES { WITHOUT_TABLES } else { 1.0 };
    (REFERENCE_NODES * (count / REFERENCE_POSITIONS).powf(POWER) * tables).max(1e3)
}

/// How the time for a move is split between the search and the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeSplit {
    /// Time of the search before the solver begins.
    pub search: Duration,
    /// The solver stops when this much of the time is used; `None` when search and solver take turns.
    pub solve_until: Option<Duration>,
    /// How long the solver is expected to take.
    pub expected_solve: Duration,
}

impl TimeSplit {
    /// The split for a position that the solver is expected to solve with this many nodes; `None`
    /// when the search alone is better.
    pub(super) fn new(
        budget: Option<TimeBudget>,
        nodes: f64,
        nodes_per_second: f64,
    ) -> Option<TimeSplit> {
        let expected_solve = Duration::try_from_secs_f64(nodes / nodes_per_second).ok()?;
        let Some(TimeBudget { soft, hard }) = budget else {
            let search = Duration::from_millis(100);
            let split = TimeSplit { search, solve_until: None, expected_solve };
            return (nodes <= MAX_NODES).then_some(split);
        };
        if soft < MIN_TIME {
            return None;
        }
        if expected_solve <= hard {
            let search = (soft / 10).min(Duration::from_millis(200));
            Some(TimeSplit { search, solve_until: Some(hard), expected_solve })
        } else if expected_solve <= soft.mul_f64(MAX_MOVES_AHEAD) {
            // The search finds a move and a first guess. With a sixth of the time, and so two plies
            // more, it was not right more often, and the solver finished later.
            Some(TimeSplit { search: soft / 16, solve_until: Some(soft), expected_solve })
        } else {
            None
        }
    }
}

//! Whether the solver can be expected to finish, and how the time for a move is split.

use std::time::Duration;

use crate::board::Rules;
use crate::search::TimeBudget;
use crate::tablebase::MAX_TABLE_HOUSES;

/// Nodes that a position with [`REFERENCE_SEEDS`] seeds takes on boards of up to 6 houses a side: about the median
/// of random middle games. With other numbers of seeds they take as many more as there are positions.
const REFERENCE_NODES: f64 = 5e6;
const REFERENCE_SEEDS: u32 = 48;

/// How many times more nodes each house above 6 makes.
const FACTOR_OF_A_HOUSE: f64 = 6.0;

/// How many times more nodes boards take that have too many houses for tables.
const WITHOUT_TABLES: f64 = 30.0;

/// The part of the time of the search before the solver, if that is expected to need it all, and at least.
const MAX_SEARCH_SHARE: f64 = 0.33;
const MIN_SEARCH_SHARE: f64 = 0.05;

/// The part of the time at which a solver that is not done makes place for the search.
const SOLVER_END: f64 = 0.8;

/// The most nodes worth visiting when no clock runs.
const MAX_NODES: f64 = 2e9;

/// Less time than this goes to the search alone.
const MIN_TIME: Duration = Duration::from_millis(2);

/// Nodes that solving a position with this many seeds in the houses is expected to take.
pub fn expected_nodes(rules: Rules, seeds: u32) -> f64 {
    let houses = rules.houses();
    let tables = if houses > MAX_TABLE_HOUSES { WITHOUT_TABLES } else { 1.0 };
    let positions =
        |house: usize| (seeds as usize + house) as f64 / (REFERENCE_SEEDS as usize + house) as f64;
    let positions: f64 = (1..=2 * houses).map(positions).product();
    let factor = FACTOR_OF_A_HOUSE.powi(houses.saturating_sub(6) as i32);
    (REFERENCE_NODES * factor * positions * tables).max(1e3)
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
        // Half of the time that the solver is expected to take, so that little is lost either way.
        let search = (expected_solve / 2)
            .clamp(soft.mul_f64(MIN_SEARCH_SHARE), soft.mul_f64(MAX_SEARCH_SHARE));
        let solve_until = hard.mul_f64(SOLVER_END);
        let is_promising = search + expected_solve <= solve_until;
        is_promising.then_some(TimeSplit { search, solve_until: Some(solve_until), expected_solve })
    }
}

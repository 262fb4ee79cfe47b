//! What a search is given to do.

use super::limits::Limits;
use super::root::Root;
use super::settings::SearchOptions;
use super::time_manager::TimeManager;
use crate::board::RowTables;

/// A position to search, how, and how long.
pub(super) struct Assignment<'a, R: RowTables> {
    pub root: &'a Root<'a, R>,
    pub limits: &'a Limits,
    pub settings: &'a SearchOptions,
    /// The limits with the clock running.
    pub time: TimeManager,
}

impl<R: RowTables> Assignment<'_, R> {
    /// Whether no more than one move can be made and a clock runs: time is then worth more than
    /// knowing the value.
    pub(super) fn is_forced(&self) -> bool {
        self.root.moves.len() == 1 && self.limits.clock.is_some()
    }
}

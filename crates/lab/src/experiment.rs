//! What the experiments share: their interface, errors, size limits, parallel runs, search options and averages.

use std::num::NonZeroUsize;

use clap::Args;
use kalah_charts::Chart;
use serde::Serialize;
use statrs::statistics::{Data, OrderStatistics, Statistics};
use thiserror::Error;

use super::commands::screen::ScreenText;
use super::uniform_tree::MAX_WIDTH;
use kalah::board::BoardError;
use kalah::parallel;
use kalah::search::{
    DepthFirst, DepthFirstOptions, MAX_DEPTH, MoveOrdering, TableTooLarge, TableUse, TreeSearch,
};
use kalah::solve::SolveError;
use kalah::sys::{check_memory, processors};
use kalah::tablebase::TablebaseError;

/// An experiment of the laboratory. Its fields are its sizes and its random seed.
pub trait Experiment: Serialize {
    /// The name of its subcommand.
    const NAME: &'static str;
    /// A measurement.
    type Row: Serialize;
    /// What is computed from all measurements; `()` if there is nothing.
    type Summary: Serialize;

    /// Makes all measurements.
    ///
    /// # Errors
    /// When a size is invalid or too large, or memory is short.
    fn run(&self, context: &LabContext) -> Result<Vec<Self::Row>, LabError>;

    /// Computes the summary.
    fn summarize(&self, rows: &[Self::Row]) -> Self::Summary;

    /// Prints the results beside the published ones.
    fn print(&self, rows: &[Self::Row], summary: &Self::Summary, screen: &mut ScreenText);

    /// Draws the results.
    fn chart(&self, rows: &[Self::Row], summary: &Self::Summary) -> Chart;

    /// Compares the measurements with what is proven.
    ///
    /// # Errors
    /// When they contradict it.
    fn check(&self, _rows: &[Self::Row]) -> anyhow::Result<()> {
        Ok(())
    }
}

/// The arguments of an experiment, which for most are the experiment.
pub trait ExperimentOptions: Args {
    /// The experiment.
    type Experiment: Experiment;

    /// Computes the sizes of the experiment.
    ///
    /// # Errors
    /// When there is no such experiment.
    fn experiment(self) -> Result<Self::Experiment, LabError>;
}

impl<E: Experiment + Args> ExperimentOptions for E {
    type Experiment = E;

    fn experiment(self) -> Result<E, LabError> {
        Ok(self)
    }
}

/// Why an experiment has no results.
#[allow(missing_docs, reason = "the messages say it")]
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabError {
    #[error("{0}")]
    Sizes(String),
    #[error("{0}")]
    TooLarge(String),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
}

/// The largest expected number of nodes of one search.
const MAX_NODES: f64 = 1e10;

/// Refuses sizes with a message unless a condition holds.
pub(super) fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), LabError> {
    if holds { Ok(()) } else { Err(LabError::Sizes(message())) }
}

pub(super) fn check_width(width: u32) -> Result<(), LabError> {
    require((2..=MAX_WIDTH).contains(&width), || {
        format!("width {width}: a tree has between 2 and {MAX_WIDTH} moves at every position")
    })
}

pub(super) fn check_depth(depth: u32) -> Result<(), LabError> {
    require((1..=MAX_DEPTH).contains(&depth), || {
        format!("depth {depth}: experiments search between 1 and {MAX_DEPTH} plies")
    })
}

/// Refuses searches that would not end.
pub(super) fn check_duration(search: impl Fn() -> String, nodes: f64) -> Result<(), LabError> {
    require(nodes <= MAX_NODES, || {
        format!("{} takes about {nodes:.1e} nodes; the limit is {MAX_NODES:.0e}", search())
    })
}

/// How an experiment runs: its results do not depend on it.
pub struct LabContext<'a> {
    /// Threads that share the searches.
    pub threads: NonZeroUsize,
    /// Called after every finished task, on the thread that did it, with the number of tasks in all.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

/// All processors and no progress.
impl Default for LabContext<'_> {
    fn default() -> Self {
        LabContext { threads: processors(), progress: &|_| {} }
    }
}

impl LabContext<'_> {
    /// Refuses searches that would not end, and searches that run out of memory when every thread
    /// stores `bytes` for each node.
    pub(super) fn check_nodes(
        &self,
        search: impl Fn() -> String,
        nodes: f64,
        bytes: u64,
    ) -> Result<(), LabError> {
        check_duration(&search, nodes)?;
        self.check_memory(search, (nodes * bytes as f64) as u64)
    }

    /// Requires memory for a table of this size on every thread.
    pub(super) fn check_tables(&self, mebibytes: usize) -> Result<(), LabError> {
        const BYTES_PER_MIB: u64 = 1 << 20;
        let search = || format!("a table of {mebibytes} MiB for each thread");
        self.check_memory(search, (mebibytes as u64).saturating_mul(BYTES_PER_MIB))
    }

    fn check_memory(
        &self,
        search: impl Fn() -> String,
        bytes_a_thread: u64,
    ) -> Result<(), LabError> {
        let needed = bytes_a_thread.saturating_mul(self.threads.get() as u64);
        check_memory(needed).map_err(|available| {
            let [needed, available] = [needed, available].map(|bytes| bytes >> 20);
            let search = search();
            LabError::TooLarge(format!(
                "{search} takes up to {needed} MiB of memory; {available} MiB are available"
            ))
        })
    }

    /// Does the same work on every item, on all threads. The results are in the order of the items.
    pub(super) fn in_parallel<I: Sync, T: Send>(
        &self,
        items: &[I],
        work: impl Fn(&I) -> Result<T, LabError> + Sync,
    ) -> Result<Vec<T>, LabError> {
        parallel::try_map_with(
            self.threads,
            items.iter(),
            || (),
            |(), item| {
                let result = work(item)?;
                (self.progress)(items.len());
                Ok(result)
            },
        )
    }
}

/// A search as it was published: moves from left to right, and a table only for the MTD family, which
/// depends on one.
pub(super) fn published(search: DepthFirst) -> TreeSearch {
    let table = if matches!(search, DepthFirst::Mtd(_)) { TableUse::On } else { TableUse::Off };
    let ordering = MoveOrdering::Static;
    TreeSearch::new(search, DepthFirstOptions { table, ordering, ..DepthFirstOptions::default() })
}

/// The median; `None` without values.
pub(super) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().collect();
    if values.is_empty() { None } else { Some(Data::new(values).median()) }
}

/// The geometric mean of positive values; `None` without values.
pub(super) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().collect();
    if values.is_empty() { None } else { Some(values.geometric_mean()) }
}

/// The zero of an increasing function between 0 and 1, by bisection.
pub(super) fn root_of(function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = f64::midpoint(low, high);
        if function(middle) < 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

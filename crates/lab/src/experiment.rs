//! What the experiments share: errors, size limits, parallel runs, search options and averages.

use std::num::NonZeroUsize;
use std::thread;

use statrs::statistics::{Data, OrderStatistics, Statistics};
use thiserror::Error;

use super::uniform_tree::MAX_WIDTH;
use kalah::StopToken;
use kalah::board::BoardError;
use kalah::parallel;
use kalah::search::{
    DepthFirst, DepthFirstOptions, MAX_DEPTH, MoveOrdering, TableTooLarge, TableUse, TreeSearch,
};
use kalah::solve::SolveError;
use kalah::sys::check_memory;
use kalah::tablebase::TablebaseError;

/// Why an experiment has no results.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabError {
    /// The sizes of the experiment are invalid, too large or too small.
    #[error("{0}")]
    Sizes(String),
    /// A search needs more memory than there is.
    #[error(
        "{search} takes up to {} MiB of memory; {} MiB are available",
        .needed >> 20, .available >> 20
    )]
    TooLarge {
        /// The search.
        search: String,
        /// Bytes.
        needed: u64,
        /// Bytes.
        available: u64,
    },
    /// A tree is too large for a picture.
    #[error("a tree with {0} leaves is too large to draw: the limit is {MAX_LEAVES}")]
    TooLargeToDraw(f64),
    /// The board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A transposition table does not fit in memory.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// A position cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A tablebase cannot be built.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The experiment was stopped.
    #[error("interrupted")]
    Interrupted,
}

/// The largest expected number of nodes of one search.
const MAX_NODES: f64 = 1e10;

/// Maximum number of leaves in a picture.
pub(super) const MAX_LEAVES: u32 = 256;

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
    /// Ends the experiment early, with an error.
    pub stop: StopToken,
    /// Called after every finished task, on the thread that did it, with the number of tasks in all.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

/// All processors, no stop and no progress.
impl Default for LabContext<'_> {
    fn default() -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        LabContext { threads, stop: StopToken::new(), progress: &|_| {} }
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
        let too_large = |available| LabError::TooLarge { search: search(), needed, available };
        check_memory(needed).map_err(too_large)
    }

    /// Does the same work on every item, on all threads. The results are in the order of the items.
    /// Work that is stopped may return anything.
    pub(super) fn in_parallel<I: Sync, T: Send>(
        &self,
        items: &[I],
        work: impl Fn(&I) -> Result<T, LabError> + Sync,
    ) -> Result<Vec<T>, LabError> {
        let check = || if self.stop.is_stopped() { Err(LabError::Interrupted) } else { Ok(()) };
        parallel::try_map_with(
            self.threads,
            items.iter(),
            || (),
            |(), item| {
                check()?;
                let result = work(item)?;
                check()?;
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

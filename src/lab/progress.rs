//! Work on all processors, watched from outside.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::error::LabError;

/// How far an experiment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Pieces of work done.
    pub done: usize,
    /// Pieces of work there are.
    pub total: usize,
}

/// Hears of every piece of work that is done, on whatever thread did it, and says whether to go
/// on.
pub type Watch<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// Does the same work on every item, on as many threads as there are processors. The results are
/// in the order of the items and do not depend on the number of threads.
pub(super) fn in_parallel<I: Sync, T: Send>(
    items: &[I],
    watch: Watch,
    work: impl Fn(&I) -> Result<T, LabError> + Sync,
) -> Result<Vec<T>, LabError> {
    let done = AtomicUsize::new(0);
    let items = items.par_iter().with_max_len(1);
    let total = items.len();
    items
        .map(|item| {
            let result = work(item)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            match watch(Progress { done, total }) {
                ControlFlow::Continue(()) => Ok(result),
                ControlFlow::Break(()) => Err(LabError::Interrupted),
            }
        })
        .collect()
}

//! On how many threads tables are made.

use std::num::NonZeroUsize;

use rayon::ThreadPoolBuilder;

/// Does work on so many threads of its own; on those that there are, when these are not to be had.
pub(crate) fn on_threads<T: Send>(threads: NonZeroUsize, work: impl FnOnce() -> T + Send) -> T {
    match ThreadPoolBuilder::new().num_threads(threads.get()).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

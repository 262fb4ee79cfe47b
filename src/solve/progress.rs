//! What other threads can read of a solver at work.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

/// Counters that a solver updates while it works; any thread may read them.
#[derive(Debug)]
pub struct SolveProgress {
    nodes: AtomicU64,
    lower: AtomicI32,
    upper: AtomicI32,
}

impl SolveProgress {
    /// No nodes and no bounds yet.
    pub fn new() -> SolveProgress {
        SolveProgress {
            nodes: AtomicU64::new(0),
            lower: AtomicI32::new(i32::MIN),
            upper: AtomicI32::new(i32::MAX),
        }
    }

    /// Positions searched so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The proven bounds of the margin, in seeds, from the view of the player to move; `None` while
    /// the tables are being built.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        let (lower, upper) = (self.lower.load(Relaxed), self.upper.load(Relaxed));
        (lower != i32::MIN).then_some((lower, upper))
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn set_bounds(&self, lower: i32, upper: i32) {
        self.upper.store(upper, Relaxed);
        self.lower.store(lower, Relaxed);
    }
}

impl Default for SolveProgress {
    fn default() -> Self {
        SolveProgress::new()
    }
}

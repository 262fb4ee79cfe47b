//! What others can see of a solver at work, and how they end it.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Shared with a solver while it works.
#[derive(Debug)]
pub struct Progress {
    stopped: AtomicBool,
    deadline: Option<Instant>,
    nodes: AtomicU64,
    lower: AtomicI32,
    upper: AtomicI32,
}

impl Progress {
    /// For a solver that may take all the time it needs.
    pub fn new() -> Progress {
        Progress {
            stopped: AtomicBool::new(false),
            deadline: None,
            nodes: AtomicU64::new(0),
            lower: AtomicI32::new(i32::MIN),
            upper: AtomicI32::new(i32::MAX),
        }
    }

    /// For a solver that gives up after so much time from now.
    pub fn with_time(time: Duration) -> Progress {
        Progress { deadline: Instant::now().checked_add(time), ..Progress::new() }
    }

    /// Makes the solver give up within a few milliseconds. While it builds a tablebase each of its
    /// threads finishes a block first, which takes up to a tenth of a second with some 20 seeds and
    /// 6 houses; what is read from files is read to the end.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether the solver is to give up.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed) || self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// Positions visited so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The bounds of the margin that are proven so far, in seeds, from the view of the player to
    /// move; `None` before there are any.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        let (lower, upper) = (self.lower.load(Relaxed), self.upper.load(Relaxed));
        (lower != i32::MIN).then_some((lower, upper))
    }

    pub(super) fn visited(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn set_bounds(&self, lower: i32, upper: i32) {
        self.upper.store(upper, Relaxed);
        self.lower.store(lower, Relaxed);
    }
}

impl Default for Progress {
    fn default() -> Self {
        Progress::new()
    }
}

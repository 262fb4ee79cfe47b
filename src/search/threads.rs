//! What the threads of one search share: limits, node count, and the call to end.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::busy::Busy;
use super::limits::Deadline;
use super::report::Effort;

/// Nodes between two looks at the clock; well below a millisecond.
const POLL_INTERVAL: u64 = 1024;

/// The search was told to end before it had an answer.
#[derive(Debug)]
pub(super) struct Stopped;

/// What all threads of a search look at.
pub(super) struct Shared {
    deadline: Deadline,
    node_limit: u64,
    ended: AtomicBool,
    /// Where the threads are, when there are several.
    busy: Option<Busy>,
    /// Nodes of all threads, each as of its last poll.
    nodes: AtomicU64,
}

impl Shared {
    pub(super) fn new(deadline: Deadline, node_limit: Option<u64>, threads: usize) -> Shared {
        Shared {
            deadline,
            node_limit: node_limit.unwrap_or(u64::MAX),
            ended: AtomicBool::new(false),
            busy: (threads > 1).then(Busy::new),
            nodes: AtomicU64::new(0),
        }
    }

    pub(super) fn deadline(&self) -> &Deadline {
        &self.deadline
    }

    pub(super) fn busy(&self) -> Option<&Busy> {
        self.busy.as_ref()
    }

    /// The work done so far; `unpublished` nodes are known to the caller alone.
    pub(super) fn effort(&self, unpublished: u64, hashfull: u32) -> Effort {
        Effort {
            nodes: self.nodes.load(Relaxed) + unpublished,
            time: self.deadline.elapsed(),
            hashfull,
        }
    }

    /// Ends the search on all threads.
    pub(super) fn end(&self) {
        self.ended.store(true, Relaxed);
    }

    /// How many nodes a thread may visit before its first poll: enough for a first iteration,
    /// so that even a search stopped at once has seen every move.
    pub(super) fn first_poll(&self) -> u64 {
        self.node_limit.clamp(1, POLL_INTERVAL)
    }

    /// Counts nodes visited; tells after how many more to call again.
    pub(super) fn poll(&self, visited: u64) -> Result<u64, Stopped> {
        let nodes = self.nodes.fetch_add(visited, Relaxed) + visited;
        let left = self.node_limit.saturating_sub(nodes);
        if left == 0 || self.ended.load(Relaxed) || self.deadline.is_over() {
            return Err(Stopped);
        }
        Ok(left.min(POLL_INTERVAL))
    }
}

//! What the threads of one search share: limits, node count, and the call to end.

use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::busy::InFlightTable;
use super::counters::Counters;
use super::report::SearchStats;
use super::time_manager::TimeManager;
use crate::stop::StopToken;

/// Nodes between two looks at the clock; well below a millisecond.
const POLL_INTERVAL: u64 = 1024;

/// What is counted while a search goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub nodes: u64,
    pub tablebase_hits: u64,
}

impl Work {
    pub(super) fn of(counters: &Counters) -> Work {
        Work { nodes: counters.nodes, tablebase_hits: counters.tablebase_hits }
    }

    /// Positions visited by a search that looks nothing up.
    pub(super) fn of_nodes(nodes: u64) -> Work {
        Work { nodes, tablebase_hits: 0 }
    }
}

impl Sub for Work {
    type Output = Work;

    fn sub(self, other: Work) -> Work {
        Work {
            nodes: self.nodes - other.nodes,
            tablebase_hits: self.tablebase_hits - other.tablebase_hits,
        }
    }
}

/// The search was told to end before it had an answer.
#[derive(Debug)]
pub(super) struct Stopped;

/// What all threads of a search look at.
pub(super) struct Shared {
    time: TimeManager,
    /// Stopped with the search, or when one of the threads has finished it.
    stop: StopToken,
    node_limit: u64,
    /// Where the threads are, when there are several.
    busy: Option<InFlightTable>,
    /// Nodes of all threads, each as of its last poll.
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl Shared {
    pub(super) fn new(time: TimeManager, node_limit: Option<u64>, threads: usize) -> Shared {
        Shared {
            stop: time.token().child(),
            time,
            node_limit: node_limit.unwrap_or(u64::MAX),
            busy: (threads > 1).then(InFlightTable::new),
            nodes: AtomicU64::new(0),
            tablebase_hits: AtomicU64::new(0),
        }
    }

    pub(super) fn time(&self) -> &TimeManager {
        &self.time
    }

    pub(super) fn busy(&self) -> Option<&InFlightTable> {
        self.busy.as_ref()
    }

    /// The work done so far; what is `unpublished` is known to the caller alone.
    pub(super) fn stats(&self, unpublished: Work, hashfull: u32) -> SearchStats {
        SearchStats {
            nodes: self.nodes.load(Relaxed) + unpublished.nodes,
            tbhits: self.tablebase_hits.load(Relaxed) + unpublished.tablebase_hits,
            time: self.time.elapsed(),
            hashfull,
        }
    }

    /// Ends the search on all threads.
    pub(super) fn end(&self) {
        self.stop.stop();
    }

    /// How many nodes a thread may visit before its first poll: enough for a first iteration,
    /// so that even a search stopped at once has seen every move.
    pub(super) fn first_poll(&self) -> u64 {
        self.node_limit.clamp(1, POLL_INTERVAL)
    }

    /// Counts what was done; tells after how many more nodes to call again.
    pub(super) fn poll(&self, done: Work) -> Result<u64, Stopped> {
        let nodes = self.nodes.fetch_add(done.nodes, Relaxed) + done.nodes;
        self.tablebase_hits.fetch_add(done.tablebase_hits, Relaxed);
        let left = self.node_limit.saturating_sub(nodes);
        if left == 0 || self.stop.is_stopped() {
            return Err(Stopped);
        }
        Ok(left.min(POLL_INTERVAL))
    }
}

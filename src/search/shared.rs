//! State shared by the threads of one search: limits, node counts, and the positions that are being
//! searched.

use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::result::{Counters, SearchStats};
use super::time_manager::TimeManager;
use crate::stop::StopToken;

/// Nodes between two checks of the limits; well below a millisecond.
const POLL_INTERVAL: u64 = 1024;

/// The counters that are shared while a search runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeCount {
    pub nodes: u64,
    pub tablebase_hits: u64,
}

impl NodeCount {
    pub(super) fn of(counters: &Counters) -> NodeCount {
        NodeCount { nodes: counters.nodes, tablebase_hits: counters.tablebase_hits }
    }

    /// The count of a search without exact tables.
    pub(super) fn of_nodes(nodes: u64) -> NodeCount {
        NodeCount { nodes, tablebase_hits: 0 }
    }
}

impl Sub for NodeCount {
    type Output = NodeCount;

    fn sub(self, other: NodeCount) -> NodeCount {
        NodeCount {
            nodes: self.nodes - other.nodes,
            tablebase_hits: self.tablebase_hits - other.tablebase_hits,
        }
    }
}

/// The search was stopped before it had a result.
#[derive(Debug)]
pub(super) struct Stopped;

/// State shared by the threads of one search.
pub(super) struct SharedState {
    time: TimeManager,
    /// Stops with the search, or when the main thread has finished it.
    stop: StopToken,
    node_limit: u64,
    /// Present if there are several threads.
    in_flight: Option<InFlightTable>,
    /// Nodes of all threads, each as of its last poll.
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl SharedState {
    pub(super) fn new(time: TimeManager, node_limit: Option<u64>, threads: usize) -> SharedState {
        SharedState {
            stop: time.token().child(),
            time,
            node_limit: node_limit.unwrap_or(u64::MAX),
            in_flight: (threads > 1).then(InFlightTable::new),
            nodes: AtomicU64::new(0),
            tablebase_hits: AtomicU64::new(0),
        }
    }

    pub(super) fn time(&self) -> &TimeManager {
        &self.time
    }

    pub(super) fn in_flight(&self) -> Option<&InFlightTable> {
        self.in_flight.as_ref()
    }

    /// The work done so far, including the caller's `unpublished` nodes.
    pub(super) fn stats(&self, unpublished: NodeCount, hashfull: u32) -> SearchStats {
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

    /// The number of nodes before a thread's first poll: enough for a first iteration, so that even
    /// a search stopped at once has seen every move.
    pub(super) fn first_poll(&self) -> u64 {
        self.node_limit.clamp(1, POLL_INTERVAL)
    }

    /// Publishes new nodes and checks the limits. Returns the number of nodes before the next poll.
    pub(super) fn poll(&self, new: NodeCount) -> Result<u64, Stopped> {
        let nodes = self.nodes.fetch_add(new.nodes, Relaxed) + new.nodes;
        self.tablebase_hits.fetch_add(new.tablebase_hits, Relaxed);
        let left = self.node_limit.saturating_sub(nodes);
        if left == 0 || self.stop.is_stopped() {
            return Err(Stopped);
        }
        Ok(left.min(POLL_INTERVAL))
    }
}

const SLOTS: usize = 1 << 12;

/// The positions that are being searched, by key. A thread searches a move whose position is in the
/// table after its siblings, so that the threads spread over the tree: T. Kervinck's simplified form
/// of J.-C. Weill's ABDADA (ICCA Journal 19(1), 1996).
///
/// The table affects speed only, not correctness: keys share slots and overwrite one another.
pub(crate) struct InFlightTable(Box<[AtomicU64]>);

impl InFlightTable {
    pub(crate) fn new() -> InFlightTable {
        InFlightTable((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize % SLOTS]
    }

    pub(crate) fn contains(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    pub(crate) fn insert(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    pub(crate) fn remove(&self, key: u64) {
        self.slot(key).store(0, Relaxed);
    }
}

//! State shared by the threads of one search: limits, node counts, and the positions being searched.

use std::mem;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::limits::TimeManager;
use super::result::{Counters, SearchStats};
use crate::stop::StopToken;

/// Nodes between two checks of the limits; well below a millisecond.
pub(super) const NODES_BETWEEN_POLLS: u64 = 1024;

/// The same if a node may read and check 64 KiB of a file, which takes some 50 microseconds.
pub(super) const NODES_BETWEEN_FILE_POLLS: u64 = 32;

/// When one thread publishes its counters.
pub(super) struct Poller {
    /// The nodes and the tablebase hits that it has published.
    published: (u64, u64),
    interval: u64,
    /// The node count of the next poll.
    pub next: u64,
}

impl Poller {
    /// The first poll comes after a first iteration, so that even a search stopped at once has seen every move.
    pub(super) fn new(shared: &SharedState, interval: u64) -> Poller {
        let next = shared.node_limit.clamp(1, NODES_BETWEEN_POLLS);
        Poller { published: (0, 0), interval, next }
    }

    /// Publishes the counters and checks the limits.
    #[cold]
    pub(super) fn poll(
        &mut self,
        shared: &SharedState,
        counters: &Counters,
    ) -> Result<(), Stopped> {
        let Counters { nodes, tablebase_hits, .. } = *counters;
        let published = mem::replace(&mut self.published, (nodes, tablebase_hits));
        let new = nodes - published.0;
        let of_all = shared.nodes.fetch_add(new, Relaxed) + new;
        shared.tablebase_hits.fetch_add(tablebase_hits - published.1, Relaxed);
        let left = shared.node_limit.saturating_sub(of_all);
        if left == 0 || shared.stop.is_stopped() {
            return Err(Stopped);
        }
        self.next = nodes + left.min(self.interval);
        Ok(())
    }
}

/// The search was stopped before it had a result.
#[derive(Debug)]
pub(super) struct Stopped;

/// State shared by the threads of one search.
pub(super) struct SharedState {
    pub time: TimeManager,
    /// Stops with the search, or when the main thread has finished it.
    pub stop: StopToken,
    node_limit: u64,
    /// Present if there are several threads.
    pub in_flight: Option<InFlightTable>,
    /// Nodes of all threads, each as of its last poll.
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl SharedState {
    pub(super) fn new(time: TimeManager, node_limit: Option<u64>, threads: usize) -> SharedState {
        SharedState {
            stop: time.stop.child(),
            time,
            node_limit: node_limit.unwrap_or(u64::MAX),
            in_flight: (threads > 1).then(InFlightTable::new),
            nodes: AtomicU64::new(0),
            tablebase_hits: AtomicU64::new(0),
        }
    }

    /// The work published so far: a thread that reports it polls first.
    pub(super) fn stats(&self, hashfull: u32) -> SearchStats {
        SearchStats {
            nodes: self.nodes.load(Relaxed),
            tbhits: self.tablebase_hits.load(Relaxed),
            time: self.time.elapsed(),
            hashfull,
        }
    }
}

const SLOTS: usize = 1 << 12;

/// The positions that are being searched, by key. A thread searches a move whose position is in the
/// table after its siblings, so that the threads spread over the tree: T. Kervinck's simplified form
/// of J.-C. Weill's ABDADA (ICCA Journal 19(1), 1996).
///
/// The table affects speed only, not correctness: keys share slots and overwrite one another.
pub(super) struct InFlightTable(Box<[AtomicU64]>);

impl InFlightTable {
    pub(super) fn new() -> InFlightTable {
        InFlightTable((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize % SLOTS]
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    pub(super) fn insert(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    pub(super) fn remove(&self, key: u64) {
        self.slot(key).store(0, Relaxed);
    }
}

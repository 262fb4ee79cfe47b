//! Which positions other threads are working on.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SLOTS: usize = 1 << 12;

/// Positions under search, by key: threads that come second to one put it last among its
/// siblings, so that they spread over the tree. After T. Kervinck's simplified form of J.-C.
/// Weill's ABDADA (ICCA Journal 19(1), 1996).
///
/// It is a matter of luck, not of correctness: slots are shared by many keys and may be
/// overwritten.
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

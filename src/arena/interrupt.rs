//! How games under way are broken off.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::engine::lock;
use crate::search::StopHandle;

/// A search that an interrupt is to stop.
pub(super) type StopSlot = Arc<Mutex<Option<StopHandle>>>;

/// A wish, raised once and never taken back, that everything end.
///
/// Whoever waits for something else waits for its end, too; searches are stopped.
#[derive(Clone, Debug)]
pub struct Interrupt {
    /// Closed when the interrupt is raised, so that everybody hears it.
    raised: Receiver<Infallible>,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    /// Dropped when the interrupt is raised.
    sender: Option<Sender<Infallible>>,
    searches: Vec<StopSlot>,
}

impl Interrupt {
    /// An interrupt that nobody has raised yet.
    pub fn new() -> Interrupt {
        let (sender, raised) = bounded(0);
        let inner = Inner { sender: Some(sender), searches: Vec::new() };
        Interrupt { raised, inner: Arc::new(Mutex::new(inner)) }
    }

    /// Ends everything that listens, now and later.
    pub fn raise(&self) {
        let mut inner = lock(&self.inner);
        inner.sender = None;
        for search in &inner.searches {
            if let Some(handle) = &*lock(search) {
                handle.stop();
            }
        }
    }

    /// Whether it has been raised.
    pub fn is_raised(&self) -> bool {
        lock(&self.inner).sender.is_none()
    }

    /// Closed, and so ready to be received from, as soon as the interrupt is raised.
    pub(super) fn raised(&self) -> &Receiver<Infallible> {
        &self.raised
    }

    /// A place for searches that are to be stopped.
    pub(super) fn stop_slot(&self) -> StopSlot {
        let slot = StopSlot::default();
        let mut inner = lock(&self.inner);
        inner.searches.retain(|search| Arc::strong_count(search) > 1);
        inner.searches.push(Arc::clone(&slot));
        slot
    }

    /// Puts a search where an interrupt finds it, and stops it if there was one already.
    pub(super) fn guard(&self, slot: &StopSlot, handle: StopHandle) {
        *lock(slot) = Some(handle);
        if self.is_raised()
            && let Some(handle) = &*lock(slot)
        {
            handle.stop();
        }
    }
}

impl Default for Interrupt {
    fn default() -> Self {
        Interrupt::new()
    }
}

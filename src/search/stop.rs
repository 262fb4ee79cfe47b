//! How a running search is told to end.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};

#[derive(Debug)]
struct Signals {
    made: Instant,
    stopped: AtomicBool,
    ponderhit: OnceLock<Instant>,
}

/// The end of the line that the one who started a search holds.
///
/// A new pair is made for every search and signals are never taken back, so none can be lost: a
/// stop given before the search has begun ends it as soon as it does. Dropping the handle stops the
/// search, as nobody else could.
#[derive(Debug)]
pub struct StopHandle {
    signals: Arc<Signals>,
    wake: Sender<()>,
}

/// The end that the search looks at.
#[derive(Clone, Debug)]
pub struct StopToken {
    signals: Arc<Signals>,
    woken: Receiver<()>,
}

/// A handle and the token that obeys it. The time of the search they are for runs from now on.
pub fn stop_pair() -> (StopHandle, StopToken) {
    let made = Instant::now();
    let signals =
        Arc::new(Signals { made, stopped: AtomicBool::new(false), ponderhit: OnceLock::new() });
    let (wake, woken) = unbounded();
    (StopHandle { signals: Arc::clone(&signals), wake }, StopToken { signals, woken })
}

impl StopHandle {
    /// Ends the search.
    pub fn stop(&self) {
        self.signals.stopped.store(true, Relaxed);
        self.wake();
    }

    /// Tells a pondering search that its time begins to run.
    pub fn ponderhit(&self) {
        self.signals.ponderhit.get_or_init(Instant::now);
        self.wake();
    }

    fn wake(&self) {
        // A search that has ended hears nothing, and need not.
        let _ = self.wake.send(());
    }
}

impl Drop for StopHandle {
    fn drop(&mut self) {
        self.stop();
    }
}

impl StopToken {
    /// When the search was asked for.
    pub(crate) fn made(&self) -> Instant {
        self.signals.made
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.signals.stopped.load(Relaxed)
    }

    /// When the opponent played the move that is being pondered on.
    pub fn ponderhit(&self) -> Option<Instant> {
        self.signals.ponderhit.get().copied()
    }

    /// Hears whenever the handle was used. What is heard once is not heard again: look at the
    /// token.
    pub(crate) fn woken(&self) -> &Receiver<()> {
        &self.woken
    }

    /// Sleeps until the search is stopped, or pondering is over when `pondering`.
    pub(crate) fn wait(&self, pondering: bool) {
        while !(self.is_stopped() || pondering && self.ponderhit().is_some()) {
            if self.woken.recv().is_err() {
                return;
            }
        }
    }
}

//! Cancellation: the one way to stop any piece of work.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use crate::lock::lock;
use crate::sys::Instant;

/// How often a thread that sleeps asks what has to be polled.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A one-way stop signal with an optional deadline. Clones share the signal.
///
/// Every piece of work (a search, a proof, a build, a match) gets a fresh token, and a token is never
/// cleared, so a stop that comes before the work begins is not lost. Work polls
/// [`is_stopped`](Self::is_stopped); a thread that waits for something else selects on
/// [`signal`](Self::signal) as well. A part of the work that may be cancelled on its own gets a
/// [`child`](Self::child), which stops with its parent.
///
/// ```
/// use kalah::StopToken;
///
/// let matches = StopToken::new();
/// let game = matches.child();
/// matches.stop();
/// assert!(game.is_stopped());
/// ```
#[derive(Clone, Debug)]
pub struct StopToken {
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    stopped: AtomicBool,
    deadline: OnceLock<Instant>,
    /// Asked whether to stop, where no other thread can say so.
    poll: Option<fn() -> bool>,
    /// Its deadline holds for this token as well.
    parent: Option<Arc<State>>,
    links: Mutex<Links>,
    /// Disconnected by the stop, which wakes every thread that waits.
    signal: Receiver<Infallible>,
}

#[derive(Debug)]
struct Links {
    /// Dropped by the stop.
    connected: Option<Sender<Infallible>>,
    children: Vec<Weak<State>>,
}

impl State {
    fn new(parent: Option<Arc<State>>, poll: Option<fn() -> bool>) -> Arc<State> {
        let (sender, signal) = bounded(0);
        let links = Links { connected: Some(sender), children: Vec::new() };
        Arc::new(State {
            stopped: AtomicBool::new(false),
            deadline: OnceLock::new(),
            poll,
            parent,
            links: Mutex::new(links),
            signal,
        })
    }

    fn stop(&self) {
        let children = {
            let mut links = lock(&self.links);
            self.stopped.store(true, Relaxed);
            links.connected = None;
            std::mem::take(&mut links.children)
        };
        for child in children.iter().filter_map(Weak::upgrade) {
            child.stop();
        }
    }

    /// Asks what has to be polled, here and in the ancestors, and stops what it stops.
    fn poll(&self) {
        if self.poll.is_some_and(|poll| poll()) {
            self.stop();
        } else if let Some(parent) = &self.parent {
            parent.poll();
        }
    }

    fn has_poll(&self) -> bool {
        self.poll.is_some() || self.parent.as_ref().is_some_and(|parent| parent.has_poll())
    }

    /// The earliest deadline of this token and its ancestors.
    fn deadline(&self) -> Option<Instant> {
        let inherited = self.parent.as_ref().and_then(|parent| parent.deadline());
        self.deadline.get().copied().into_iter().chain(inherited).min()
    }
}

/// Stops a token if the thread panics while this lives, so that no other thread waits for it for ever.
pub(crate) struct StopOnPanic<'a>(pub &'a StopToken);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

impl StopToken {
    /// A token that has not been stopped and has no deadline.
    pub fn new() -> StopToken {
        StopToken { state: State::new(None, None) }
    }

    /// A token that also stops once `poll` returns true, for hosts where no other thread can stop the work.
    /// [`is_stopped`](Self::is_stopped) calls it, so it must be quick: searches ask every 1,024 nodes.
    pub fn with_poll(poll: fn() -> bool) -> StopToken {
        StopToken { state: State::new(None, Some(poll)) }
    }

    /// A token for part of the work: it stops when this one does, and can be stopped alone.
    #[must_use]
    pub fn child(&self) -> StopToken {
        let child = State::new(Some(Arc::clone(&self.state)), None);
        let mut links = lock(&self.state.links);
        links.children.retain(|child| child.strong_count() > 0);
        links.children.push(Arc::downgrade(&child));
        drop(links);
        if self.state.stopped.load(Relaxed) {
            child.stop();
        }
        StopToken { state: child }
    }

    /// A [`child`](Self::child) that counts as stopped `time` from now; one too far away is no deadline.
    #[must_use]
    pub fn child_with_timeout(&self, time: Duration) -> StopToken {
        let child = self.child();
        if let Some(deadline) = Instant::now().checked_add(time) {
            child.set_deadline(deadline);
        }
        child
    }

    /// Stops all work that polls this token or a child of it.
    pub fn stop(&self) {
        self.state.stop();
    }

    /// From this instant on the token counts as stopped. Only the first deadline counts.
    pub fn set_deadline(&self, deadline: Instant) {
        let _ = self.state.deadline.set(deadline);
    }

    /// Whether the work must end: [`stop`](Self::stop) was called, or the deadline has passed.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.state.poll();
        self.was_stopped() || self.state.deadline().is_some_and(|end| Instant::now() >= end)
    }

    /// Whether [`stop`](Self::stop) was called, whatever the deadline.
    #[inline]
    pub fn was_stopped(&self) -> bool {
        self.state.stopped.load(Relaxed)
    }

    /// Fails with this error if the work must end.
    ///
    /// # Errors
    /// Returns `stopped` if [`is_stopped`](Self::is_stopped).
    #[inline]
    pub fn check<E>(&self, stopped: E) -> Result<(), E> {
        if self.is_stopped() { Err(stopped) } else { Ok(()) }
    }

    /// Time left until the deadline; `None` when there is none.
    pub fn remaining(&self) -> Option<Duration> {
        let deadline = self.state.deadline()?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// A channel that is disconnected, and so ready to receive from, once [`stop`](Self::stop) was
    /// called. A deadline does not disconnect it: select on [`remaining`](Self::remaining) too.
    pub fn signal(&self) -> &Receiver<Infallible> {
        &self.state.signal
    }

    /// The time until [`is_stopped`](Self::is_stopped) may change without a signal; `None` if it cannot.
    pub(crate) fn poll_timeout(&self) -> Option<Duration> {
        let poll = self.state.has_poll().then_some(POLL_INTERVAL);
        self.remaining().into_iter().chain(poll).min()
    }

    /// Sleeps until [`is_stopped`](Self::is_stopped). A deadline that is set later is not noticed.
    pub fn wait(&self) {
        while !self.is_stopped() {
            let signal = match self.poll_timeout() {
                Some(time) => self.signal().recv_timeout(time),
                None => self.signal().recv().map_err(RecvTimeoutError::from),
            };
            if matches!(signal, Err(RecvTimeoutError::Disconnected)) {
                return;
            }
        }
    }
}

impl Default for StopToken {
    fn default() -> Self {
        StopToken::new()
    }
}

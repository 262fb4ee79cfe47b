//! Pondering: a search on the opponent's time, whose clock starts at the ponderhit.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crossbeam_channel::{after, never, select};

use crate::lock::lock;
use crate::stop::StopToken;
use crate::sys::Instant;

/// The signal that the opponent has played the move that a search ponders on: the clock of the
/// search starts then. Clones share the signal.
#[derive(Clone, Debug, Default)]
pub struct PonderHit(Arc<Pondering>);

#[derive(Debug, Default)]
struct Pondering {
    /// Stopped by the ponderhit.
    token: StopToken,
    clock: Mutex<SearchClock>,
}

#[derive(Debug)]
enum SearchClock {
    /// Not started; the tokens that stop some time after the start.
    Waiting(Vec<(StopToken, Duration)>),
    Started(Instant),
}

impl Default for SearchClock {
    fn default() -> Self {
        SearchClock::Waiting(Vec::new())
    }
}

impl PonderHit {
    /// A signal that has not been given.
    pub fn new() -> PonderHit {
        PonderHit::default()
    }

    /// Starts the clock of the search. Only the first call counts.
    pub fn signal(&self) {
        let mut clock = lock(&self.0.clock);
        if let SearchClock::Waiting(tokens) = &mut *clock {
            let start = Instant::now();
            for (token, time) in std::mem::take(tokens) {
                stop_after(&token, start, time);
            }
            *clock = SearchClock::Started(start);
        }
        self.0.token.stop();
    }

    /// When the signal was given.
    pub(crate) fn time(&self) -> Option<Instant> {
        match *lock(&self.0.clock) {
            SearchClock::Waiting(_) => None,
            SearchClock::Started(start) => Some(start),
        }
    }

    /// Gives a token the deadline `time` after the ponderhit.
    pub(super) fn stop_after(&self, token: &StopToken, time: Duration) {
        match &mut *lock(&self.0.clock) {
            SearchClock::Waiting(tokens) => tokens.push((token.clone(), time)),
            SearchClock::Started(start) => stop_after(token, *start, time),
        }
    }

    /// Sleeps until the ponderhit, or until `stop` is stopped.
    pub(super) fn wait(&self, stop: &StopToken) {
        while !self.0.token.was_stopped() && !stop.is_stopped() {
            let look = stop.time_to_look().map_or_else(never, after);
            select! {
                recv(self.0.token.signal()) -> _ => {}
                recv(stop.signal()) -> _ => {}
                recv(look) -> _ => {}
            }
        }
    }
}

impl PartialEq for PonderHit {
    /// Whether both are clones of the same signal.
    fn eq(&self, other: &PonderHit) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for PonderHit {}

/// Gives a token the deadline `time` after `start`; one too far away for the clock is none.
pub(super) fn stop_after(token: &StopToken, start: Instant, time: Duration) {
    if let Some(deadline) = start.checked_add(time) {
        token.set_deadline(deadline);
    }
}

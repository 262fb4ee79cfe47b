//! The time of one search: its token with the hard limit, and the soft limit.

use std::time::{Duration, Instant};

use super::limits::{Limits, TimeBudget};
use super::ponder_hit::{PonderHit, stop_after};
use crate::stop::StopToken;

/// The clock of one search, or of a part of it.
#[derive(Clone, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    budget: Option<TimeBudget>,
    ponder: Option<PonderHit>,
    /// The token of the search's caller.
    caller: StopToken,
    /// A child of it, with the hard limit as its deadline.
    stop: StopToken,
}

impl TimeManager {
    /// The clock runs from now on, or from the ponderhit. `seeds` are those in the houses, and
    /// `overhead` is the delay of the answer on its way to the clock.
    pub(crate) fn new(
        limits: &Limits,
        seeds: u32,
        overhead: Duration,
        stop: &StopToken,
    ) -> TimeManager {
        let mut time = TimeManager {
            start: Instant::now(),
            budget: limits.budget(seeds, overhead),
            ponder: limits.ponder.clone(),
            caller: stop.clone(),
            stop: stop.clone(),
        };
        if let Some(budget) = time.budget {
            time.stop = time.stop_after(budget.hard);
        }
        time
    }

    /// The time of a search that nothing ends.
    pub(crate) fn unlimited() -> TimeManager {
        TimeManager::new(&Limits::default(), 0, Duration::ZERO, &StopToken::new())
    }

    /// A part of the search that ends after `time`, or with the search.
    pub(crate) fn part(&self, time: Duration) -> TimeManager {
        TimeManager { stop: self.stop.child_with_timeout(time), ..self.clone() }
    }

    /// The soft and the hard limit, when the clock or the time of the move sets them.
    pub(crate) fn budget(&self) -> Option<TimeBudget> {
        self.budget
    }

    /// The token that stops at the hard limit.
    pub(crate) fn token(&self) -> &StopToken {
        &self.stop
    }

    /// A child of the token that stops once `time` of the search's clock is used.
    pub(crate) fn stop_after(&self, time: Duration) -> StopToken {
        let token = self.stop.child();
        match &self.ponder {
            Some(ponder) => ponder.stop_after(&token, time),
            None => stop_after(&token, self.start, time),
        }
        token
    }

    /// Whether the search must end now.
    pub(crate) fn past_hard_limit(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Whether a new iteration is no longer worth its time.
    pub(crate) fn past_soft_limit(&self) -> bool {
        let used = || match &self.ponder {
            Some(ponder) => ponder.time().map(|start| start.elapsed()),
            None => Some(self.elapsed()),
        };
        let is_past = |budget: TimeBudget| used().is_some_and(|used| used >= budget.soft);
        self.past_hard_limit() || self.budget.is_some_and(is_past)
    }

    /// Time since the search began, pondering included.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Sleeps while the search may not answer yet: an infinite search until the stop, one that
    /// ponders until the ponderhit or the stop.
    pub(crate) fn wait_to_answer(&self, limits: &Limits) {
        if limits.infinite {
            self.caller.wait();
        } else if let Some(ponder) = &self.ponder {
            ponder.wait(&self.caller);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_a_pondering_search_starts_at_the_ponderhit() {
        let ponder_hit = PonderHit::new();
        let movetime = Some(Duration::ZERO);
        let ponder = Some(ponder_hit.clone());
        let limits = Limits { movetime, ponder, ..Limits::default() };
        let stop = StopToken::new();
        let time = TimeManager::new(&limits, 48, Duration::ZERO, &stop);
        let part = time.stop_after(Duration::ZERO);
        assert!(!time.past_soft_limit() && !time.past_hard_limit() && !part.is_stopped());
        ponder_hit.signal();
        assert!(time.past_soft_limit() && time.past_hard_limit() && part.is_stopped());
        assert!(time.stop_after(Duration::ZERO).is_stopped());
        assert!(!time.stop_after(Duration::MAX).was_stopped() && !stop.is_stopped());
        time.wait_to_answer(&limits);
    }

    #[test]
    fn a_part_ends_before_the_search() {
        let limits = Limits { movetime: Some(Duration::from_hours(1)), ..Limits::default() };
        let stop = StopToken::new();
        let time = TimeManager::new(&limits, 48, Duration::ZERO, &stop);
        assert!(time.part(Duration::ZERO).past_hard_limit() && !time.past_soft_limit());
        let part = time.part(Duration::MAX);
        assert!(!part.past_soft_limit());
        stop.stop();
        assert!(part.past_soft_limit() && part.past_hard_limit());
    }
}

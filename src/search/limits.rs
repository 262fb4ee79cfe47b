//! The limits of a search, and the clock that keeps them: a token with the hard limit, and the soft limit. When the
//! search ponders, on the opponent's time, the clock starts at the ponderhit.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use crossbeam_channel::{after, never, select};

use crate::board::Move;
use crate::lock::lock;
use crate::stop::StopToken;
use crate::sys::Instant;

/// The limits of a search; the first one reached ends it. Without limits it runs until the value is
/// proven, the search is stopped, or it reaches [`MAX_DEPTH`](super::MAX_DEPTH).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Greatest depth of iterative deepening, in plies; 0 counts as 1. Only for depth-first searches.
    pub depth: Option<u32>,
    /// Number of positions visited by all threads; each but one may visit up to 1,024 more. Every position of a
    /// random game counts, and such a game is always finished, so the limit can be exceeded by its length.
    pub nodes: Option<u64>,
    /// Number of random games, and of descents that end in a solved position. Only for Monte Carlo searches.
    pub iterations: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<Clock>,
    /// Whether to return only when stopped.
    pub infinite: bool,
    /// The search ponders: its clock starts, and it may return, only after this ponderhit.
    pub ponder: Option<PonderHit>,
    /// The moves to search; all if empty.
    pub searchmoves: Vec<Move>,
}

/// A player's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// No new iteration starts after this time.
    pub soft: Duration,
    /// The search ends after this time.
    pub hard: Duration,
}

impl Limits {
    /// The time for a move with `seeds` seeds in the houses; `None` if no limit is a time.
    fn budget(&self, seeds: u32, overhead: Duration) -> Option<TimeBudget> {
        let by_clock = self.clock.map(|clock| clock.budget(seeds, overhead));
        let by_move = self.movetime.map(|time| TimeBudget { soft: time, hard: time });
        match (by_clock, by_move) {
            (Some(a), Some(b)) => {
                Some(TimeBudget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
            }
            (a, b) => a.or(b),
        }
    }
}

impl Clock {
    /// The time for a move with `seeds` seeds in play, less `overhead` for the transmission of the answer.
    fn budget(&self, seeds: u32, overhead: Duration) -> TimeBudget {
        // Games last about as many plies as there are seeds in play, half of them the player's own.
        let moves_left = (seeds / 2).clamp(6, 30);
        let moves = self.moves_to_go.unwrap_or(moves_left).clamp(1, moves_left);
        // The increment is added after the move, so only the time on the clock is safe.
        let safe = self.remaining.saturating_sub(overhead);
        // Only part of the increment, so that the clock can grow.
        let increment = self.increment.saturating_sub(overhead) / 4 * 3;
        let share = (safe / moves).saturating_add(increment);
        // The limit for a position that takes a multiple of the share.
        let max = if moves == 1 { safe / 10 * 9 } else { safe / 3 };
        // An iteration takes about twice as long as all before it, so one that starts after 6/10 of
        // the share would usually end too late. One that starts in time may take several shares.
        let (soft, hard) = (share / 10 * 6, share.saturating_mul(5) / 2);
        TimeBudget { soft: soft.min(max), hard: hard.min(max) }
    }
}

/// The clock of one search, or of a part of it.
#[derive(Clone, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    /// The soft and the hard limit, when the clock or the time of the move sets them.
    pub(crate) budget: Option<TimeBudget>,
    ponder: Option<PonderHit>,
    /// The token of the search's caller.
    caller: StopToken,
    /// A child of it, with the hard limit as its deadline.
    pub(crate) stop: StopToken,
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

    /// Sleeps until the search may answer: infinite at the stop, pondering at the ponderhit or the stop.
    pub(crate) fn wait_to_answer(&self, limits: &Limits) {
        if limits.infinite {
            self.caller.wait();
        } else if let Some(ponder) = &self.ponder {
            ponder.wait(&self.caller);
        }
    }
}

/// The signal that the opponent has played the expected move and the clock starts. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct PonderHit(Arc<Pondering>);

#[derive(Debug, Default)]
struct Pondering {
    /// Stopped by the ponderhit.
    token: StopToken,
    time: OnceLock<Instant>,
    /// Tokens that stop some time after it.
    waiting: Mutex<Vec<(StopToken, Duration)>>,
}

impl PonderHit {
    /// A signal that has not been given.
    pub fn new() -> PonderHit {
        PonderHit::default()
    }

    /// Starts the clock of the search. Only the first call counts.
    pub fn signal(&self) {
        let mut waiting = lock(&self.0.waiting);
        let start = *self.0.time.get_or_init(Instant::now);
        for (token, time) in waiting.drain(..) {
            stop_after(&token, start, time);
        }
        self.0.token.stop();
    }

    /// When the signal was given.
    pub(crate) fn time(&self) -> Option<Instant> {
        self.0.time.get().copied()
    }

    /// Gives a token the deadline `time` after the ponderhit.
    fn stop_after(&self, token: &StopToken, time: Duration) {
        let mut waiting = lock(&self.0.waiting);
        match self.time() {
            None => waiting.push((token.clone(), time)),
            Some(start) => stop_after(token, start, time),
        }
    }

    /// Sleeps until the ponderhit, or until `stop` is stopped.
    fn wait(&self, stop: &StopToken) {
        while !self.0.token.was_stopped() && !stop.is_stopped() {
            let look = stop.poll_timeout().map_or_else(never, after);
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
fn stop_after(token: &StopToken, start: Instant, time: Duration) {
    if let Some(deadline) = start.checked_add(time) {
        token.set_deadline(deadline);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_never_exceeds_the_clock() {
        let times = [0, 1, 5, 10, 20, 100, 1_000, 5_000, 60_000, u64::MAX];
        for remaining in times.map(Duration::from_millis) {
            for increment in times.map(Duration::from_millis) {
                for moves_to_go in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let clock = Clock { remaining, increment, moves_to_go };
                    for seeds in [1, 48, 1023] {
                        for overhead in [0, 10, 5_000].map(Duration::from_millis) {
                            let budget = clock.budget(seeds, overhead);
                            assert!(budget.soft <= budget.hard);
                            assert!(budget.hard <= clock.remaining.saturating_sub(overhead));
                        }
                    }
                }
            }
        }
    }

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

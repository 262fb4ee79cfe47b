//! How long to think about a move: the server does not say when it stops.

use std::time::Duration;

/// Answers in time after which a little more time is tried again.
const PATIENCE: u32 = 20;

/// No search is shorter.
const MIN_BUDGET: Duration = Duration::from_millis(1);

/// Learns from early stops how long the server waits.
///
/// A stop right after a ping is the server's time limit, since the server pings whoever has missed it. Any
/// other stop before the answer may only mean that a game was given up: it counts when the next request
/// ends so, too.
#[derive(Clone, Debug)]
pub struct ThinkingTime {
    /// What the user has asked for.
    max_time: Duration,
    /// What is kept in reserve for the way of a move to the server.
    margin: Duration,
    /// How long the server waits, as far as is known.
    limit: Option<Duration>,
    /// The time of a stop that may mean nothing.
    doubtful: Option<Duration>,
    /// Answers in time since the limit was learned or eased.
    in_time: u32,
    /// What the server has said about the time of the next move.
    announced: Option<Duration>,
}

impl ThinkingTime {
    /// Nothing is known of the server. `margin` is kept in reserve for the way of a move to it.
    pub fn new(max_time: Duration, margin: Duration) -> ThinkingTime {
        ThinkingTime { max_time, margin, limit: None, doubtful: None, in_time: 0, announced: None }
    }

    /// The time from the arrival of a request to its answer.
    pub fn budget(&self) -> Duration {
        let limits = [self.limit, self.announced].into_iter().flatten();
        let limits = limits.map(|limit| limit.saturating_sub(self.margin_of(limit)));
        limits.chain([self.max_time]).min().unwrap_or(self.max_time).max(MIN_BUDGET)
    }

    /// What is kept in reserve of a limit: never more than half of it.
    fn margin_of(&self, limit: Duration) -> Duration {
        self.margin.min(limit / 2)
    }

    /// What is kept in reserve for the way of a move.
    pub fn margin(&self) -> Duration {
        self.limit.map_or(self.margin, |limit| self.margin_of(limit))
    }

    /// A message needs this long to the server and back.
    pub fn saw_round_trip(&mut self, time: Duration) {
        self.margin = self.margin.max(time);
    }

    /// The server has said how long the next move may take.
    pub fn announce(&mut self, time: Option<Duration>) {
        self.announced = time;
    }

    /// A request was answered before the server stopped it.
    pub fn answered(&mut self) {
        self.doubtful = None;
        let Some(limit) = self.limit else { return };
        self.in_time += 1;
        if self.in_time >= PATIENCE {
            self.in_time = 0;
            let eased = limit + limit / 10;
            self.limit = (eased < self.max_time + self.margin).then_some(eased);
        }
    }

    /// The server has stopped a request, unanswered, after this time. Returns whether the limit has changed.
    pub fn stopped(&mut self, after: Duration, was_pinged: bool) -> bool {
        let is_certain = was_pinged || self.doubtful.take().is_some();
        if !is_certain {
            self.doubtful = Some(after);
            return false;
        }
        let before = self.budget();
        self.limit = Some(self.limit.map_or(after, |limit| limit.min(after)));
        self.in_time = 0;
        self.budget() < before
    }
}

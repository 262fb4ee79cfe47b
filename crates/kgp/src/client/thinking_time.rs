//! How long to think about a move: the server does not say when it stops.

use std::time::Duration;

/// Answers in time after which a little more time is tried again.
const PATIENCE: u32 = 20;

/// No search is shorter.
const LEAST: Duration = Duration::from_millis(1);

/// Learns from early stops how long the server waits.
///
/// A stop right after a ping is the server's time limit, since the server pings whoever has missed it. Any
/// other stop before the answer may only mean that a game was given up: it counts when the next request
/// ends so, too.
#[derive(Clone, Debug)]
pub(super) struct ThinkingTime {
    /// What the user has asked for.
    wanted: Duration,
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
    pub(super) fn new(wanted: Duration, margin: Duration) -> ThinkingTime {
        ThinkingTime { wanted, margin, limit: None, doubtful: None, in_time: 0, announced: None }
    }

    /// The time from the arrival of a request to its answer.
    pub(super) fn budget(&self) -> Duration {
        let limits = [self.limit, self.announced].into_iter().flatten();
        let limits = limits.map(|limit| limit.saturating_sub(self.margin_of(limit)));
        limits.chain([self.wanted]).min().unwrap_or(self.wanted).max(LEAST)
    }

    /// What is kept in reserve of a limit: never more than half of it.
    fn margin_of(&self, limit: Duration) -> Duration {
        self.margin.min(limit / 2)
    }

    /// What is kept in reserve for the way of a move.
    pub(super) fn margin(&self) -> Duration {
        self.limit.map_or(self.margin, |limit| self.margin_of(limit))
    }

    /// A message needs this long to the server and back.
    pub(super) fn saw_round_trip(&mut self, time: Duration) {
        self.margin = self.margin.max(time);
    }

    /// The server has said how long the next move may take.
    pub(super) fn announce(&mut self, time: Option<Duration>) {
        self.announced = time;
    }

    /// A request was answered before the server stopped it.
    pub(super) fn answered(&mut self) {
        self.doubtful = None;
        let Some(limit) = self.limit else { return };
        self.in_time += 1;
        if self.in_time >= PATIENCE {
            self.in_time = 0;
            let eased = limit + limit / 10;
            self.limit = (eased < self.wanted + self.margin).then_some(eased);
        }
    }

    /// The server has stopped a request this long after it came, before it was answered. Returns whether
    /// the time limit has changed.
    pub(super) fn stopped(&mut self, after: Duration, was_pinged: bool) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn the_limit_of_the_server_is_learned() {
        let mut time = ThinkingTime::new(ms(4500), ms(100));
        assert_eq!(time.budget(), ms(4500));
        assert!(time.stopped(ms(2003), true));
        assert_eq!(time.budget(), ms(1903));
        // A stop that comes later changes nothing.
        assert!(!time.stopped(ms(2003), true));
        assert_eq!(time.budget(), ms(1903));
    }

    #[test]
    fn a_game_that_was_given_up_is_no_limit() {
        let mut time = ThinkingTime::new(ms(4500), ms(100));
        assert!(!time.stopped(ms(3), false));
        time.answered();
        assert!(!time.stopped(ms(3), false));
        assert_eq!(time.budget(), ms(4500));
        assert!(time.stopped(ms(1000), false));
        assert_eq!(time.budget(), ms(900));
    }

    #[test]
    fn a_limit_is_eased_after_many_answers() {
        let mut time = ThinkingTime::new(ms(1000), ms(100));
        time.stopped(ms(600), true);
        for _ in 0..PATIENCE {
            assert_eq!(time.budget(), ms(500));
            time.answered();
        }
        assert_eq!(time.budget(), ms(560));
        for _ in 0..100 * PATIENCE {
            time.answered();
        }
        assert_eq!(time.budget(), ms(1000));
    }

    #[test]
    fn the_reserve_is_at_most_half() {
        let mut time = ThinkingTime::new(ms(1000), ms(100));
        time.saw_round_trip(ms(300));
        time.announce(Some(ms(20)));
        assert_eq!(time.budget(), ms(10));
        time.announce(Some(Duration::ZERO));
        assert_eq!(time.budget(), LEAST);
        time.announce(None);
        time.stopped(ms(900), true);
        assert_eq!(time.budget(), ms(600));
    }
}

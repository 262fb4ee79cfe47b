//! The limits of a search.

use std::time::Duration;

use super::ponder_hit::PonderHit;
use crate::board::Move;

/// The limits of a search; the first one reached ends it. Without limits it runs until the value is
/// proven, the search is stopped, or it reaches [`MAX_DEPTH`](super::MAX_DEPTH).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Greatest depth of iterative deepening, in plies; 0 counts as 1. Only for depth-first searches.
    pub depth: Option<u32>,
    /// Number of positions visited by all threads. Every position of a random game counts, and such
    /// a game is always finished, so the limit can be exceeded by its length.
    pub nodes: Option<u64>,
    /// Number of iterations: random games, and descents that end in a solved position without one.
    /// Only for Monte Carlo searches.
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

/// The time limits of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// No new iteration starts after this time.
    pub soft: Duration,
    /// The search ends after this time.
    pub hard: Duration,
}

impl Limits {
    /// The time for a move with `seeds` seeds in the houses; `None` if no limit is a time.
    pub(super) fn budget(&self, seeds: u32, overhead: Duration) -> Option<TimeBudget> {
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
    /// The time for a move with `seeds` seeds in play, with `overhead` reserved for the transmission
    /// of the answer.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_never_exceeds_the_clock() {
        for remaining in [0, 1, 5, 20, 100, 1_000, 60_000, u64::MAX] {
            for increment in [0, 1, 100, 60_000, u64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    for seeds in [1, 48, 1023] {
                        for overhead in [0, 10, 5_000] {
                            let clock = Clock {
                                remaining: Duration::from_millis(remaining),
                                increment: Duration::from_millis(increment),
                                moves_to_go,
                            };
                            let overhead = Duration::from_millis(overhead);
                            let budget = clock.budget(seeds, overhead);
                            assert!(budget.soft <= budget.hard);
                            assert!(budget.hard <= clock.remaining.saturating_sub(overhead));
                        }
                    }
                }
            }
        }
    }
}

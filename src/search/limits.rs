//! How long a search may go on.

use std::time::Duration;

use super::ponder_hit::PonderHit;
use crate::board::House;

/// What ends a search; the first limit reached does. With none it goes on until it is proven,
/// stopped, or at its greatest depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Greatest depth of iterative deepening, in plies; at least 1 is searched. Other searches
    /// know none.
    pub depth: Option<u32>,
    /// Positions visited, all threads together. In a random game every position counts; such a
    /// game is played to its end, so the limit can be passed by its length.
    pub nodes: Option<u64>,
    /// Iterations of a Monte Carlo search: random games, and descents that found their result
    /// without one. Other searches know none.
    pub iterations: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<Clock>,
    /// Answer only when stopped.
    pub infinite: bool,
    /// The opponent is still thinking: time does not count, and nothing is answered, before the
    /// ponderhit.
    pub ponder: Option<PonderHit>,
    /// Moves to choose from; all when empty.
    pub searchmoves: Vec<House>,
}

/// A player's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; the rest of the game when `None`.
    pub moves_to_go: Option<u32>,
}

/// The time given to one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// No new iteration is begun after this.
    pub soft: Duration,
    /// The search ends here.
    pub hard: Duration,
}

impl Limits {
    /// The time for a move with `seeds` seeds in the houses; `None` when no limit is about time.
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
    /// What to spend on a move with `seeds` seeds in play, keeping `overhead` for the way of the
    /// answer to whoever holds the clock.
    fn budget(&self, seeds: u32, overhead: Duration) -> TimeBudget {
        // A move takes at least a seed out of play or brings one nearer to its store; games end
        // after about as many plies as there are seeds, half of them one's own.
        let moves_left = (seeds / 2).clamp(6, 30);
        let moves = self.moves_to_go.unwrap_or(moves_left).clamp(1, moves_left);
        // The increment of this move arrives after it: only what stands on the clock is safe.
        let safe = self.remaining.saturating_sub(overhead);
        // Part of it, so that not every move eats all it is given.
        let increment = self.increment.saturating_sub(overhead) / 4 * 3;
        let share = (safe / moves).saturating_add(increment);
        // However little the share says of what a hard position may take, the clock says more.
        let most = if moves == 1 { safe / 10 * 9 } else { safe / 3 };
        // An iteration takes about twice the time of all before it: one begun after 6/10 of the
        // share would mostly end too late. One begun in time may take a few shares.
        let (soft, hard) = (share / 10 * 6, share.saturating_mul(5) / 2);
        TimeBudget { soft: soft.min(most), hard: hard.min(most) }
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

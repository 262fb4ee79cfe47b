//! What is known of a gain.

use crate::board::Next;

/// A gain lies between these, both included. Both have the parity of the seeds in the houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub lower: i32,
    pub upper: i32,
}

impl Bounds {
    /// What holds of every position with so many seeds in the houses.
    #[inline]
    pub(super) fn of_seeds(seeds: u32) -> Bounds {
        Bounds { lower: -(seeds as i32), upper: seeds as i32 }
    }

    #[inline]
    pub(super) fn exactly(gain: i32) -> Bounds {
        Bounds { lower: gain, upper: gain }
    }

    /// Whether they tell if the gain reaches the target.
    #[inline]
    pub(super) fn settle(self, target: i32) -> bool {
        self.lower >= target || self.upper < target
    }

    #[inline]
    pub(super) fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// What both say together.
    #[inline]
    pub(super) fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The same from before a move that won so many seeds, from the view of the player who made it.
    #[inline]
    pub(super) fn before(self, won: i32, next: Next) -> Bounds {
        match next {
            Next::Other => Bounds { lower: won - self.upper, upper: won - self.lower },
            Next::Again | Next::Over => Bounds { lower: won + self.lower, upper: won + self.upper },
        }
    }
}

/// The gain after a move that won so many seeds, from the view of the player who moves then, when
/// this is the gain before it.
#[inline]
pub(super) fn gain_after(gain: i32, won: i32, next: Next) -> i32 {
    match next {
        Next::Other => won - gain,
        Next::Again | Next::Over => gain - won,
    }
}

/// The target of the position after a move that won so many seeds: whether the gain before the
/// move reaches `target` is told by whether the gain after it reaches this. After a move that
/// passes the turn the answer is the contrary one.
#[inline]
pub(super) fn target_after(target: i32, won: i32, next: Next) -> i32 {
    // Gains of one position are two apart.
    let contrary = if next == Next::Other { 2 } else { 0 };
    gain_after(target, won, next) + contrary
}

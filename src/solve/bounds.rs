//! Bounds of a gain, and how a move carries them from one position to the other.

use crate::board::Next;

/// A closed interval that contains a gain. Both ends have the parity of the seeds in the houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GainBounds {
    pub lower: i32,
    pub upper: i32,
}

impl GainBounds {
    /// The bounds of every position with this number of seeds in the houses.
    #[inline]
    pub(super) fn of_seeds(seeds: u32) -> GainBounds {
        GainBounds { lower: -(seeds as i32), upper: seeds as i32 }
    }

    /// Those bounds of a position with this number of seeds in the houses that follow from any two
    /// numbers; `None` if no gain lies between them.
    pub(super) fn from_untrusted(lower: i32, upper: i32, seeds: u32) -> Option<GainBounds> {
        let possible = GainBounds::of_seeds(seeds);
        let GainBounds { lower, upper } = GainBounds { lower, upper }.intersection(possible);
        // Gains have the parity of the seeds.
        let lower = lower.checked_add((lower ^ possible.upper) & 1)?;
        let upper = upper.checked_sub((upper ^ possible.upper) & 1)?;
        (lower <= upper).then_some(GainBounds { lower, upper })
    }

    #[inline]
    pub(super) fn exact(gain: i32) -> GainBounds {
        GainBounds { lower: gain, upper: gain }
    }

    /// Whether they decide if the gain reaches the target.
    #[inline]
    pub(super) fn decide(self, target: i32) -> bool {
        self.lower >= target || self.upper < target
    }

    #[inline]
    pub(super) fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    #[inline]
    pub(super) fn intersection(self, other: GainBounds) -> GainBounds {
        GainBounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// Bounds of the gain by a move that won `won` seeds, from the view of the player who made it.
    /// `self` are the bounds after that move.
    #[inline]
    pub(super) fn before_move(self, won: i32, next: Next) -> GainBounds {
        let GainBounds { lower, upper } = self;
        match next {
            Next::Other => GainBounds { lower: won - upper, upper: won - lower },
            Next::Again | Next::Over => GainBounds { lower: won + lower, upper: won + upper },
        }
    }
}

/// The gain that remains after a move that won `won` seeds, from the view of the player who moves
/// next. `gain` is the gain before the move.
#[inline]
pub(super) fn gain_after(gain: i32, won: i32, next: Next) -> i32 {
    match next {
        Next::Other => won - gain,
        Next::Again | Next::Over => gain - won,
    }
}

/// The target to test after a move that won `won` seeds. If the turn passes, the gain before the
/// move reaches `target` exactly if the gain after it does not reach this one.
#[inline]
pub(super) fn target_after(target: i32, won: i32, next: Next) -> i32 {
    // Gains of one position are two apart.
    let negation = if next == Next::Other { 2 } else { 0 };
    gain_after(target, won, next) + negation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untrusted_bounds_become_those_of_a_gain() {
        let numbers = || (-9..=9).chain([i32::MIN, i32::MAX]);
        for seeds in 0..8 {
            let gains = || (-(seeds as i32)..=seeds as i32).step_by(2);
            for (lower, upper) in numbers().flat_map(|lower| numbers().map(move |it| (lower, it))) {
                let mut within = gains().filter(|gain| (lower..=upper).contains(gain));
                let bounds = GainBounds::from_untrusted(lower, upper, seeds);
                let lowest = within.next();
                assert_eq!(bounds.map(|it| it.lower), lowest);
                assert_eq!(bounds.map(|it| it.upper), within.last().or(lowest));
            }
        }
    }
}

//! Moves made.

use crate::board::Next;

/// A move made.
#[derive(Clone, Copy, Debug)]
pub struct Transition<P> {
    /// The position reached, seen from the player who moves next.
    pub position: P,
    /// What the player who moved gains by the step itself.
    pub gain: i32,
    /// Who moves next. When the game is over the step has gained all there is to gain.
    pub next: Next,
}

impl<P> Transition<P> {
    /// The gain of the player who moved from before the step on, when this is the gain of the
    /// player to move after it.
    #[inline]
    pub(super) fn before(&self, after: i32) -> i32 {
        match self.next {
            Next::Again | Next::Over => self.gain + after,
            Next::Other => self.gain - after,
        }
    }
}

//! Positions that need no search.

use crate::board::Position;
use crate::tablebase::Tablebase;

/// Where the exact gains of positions with few seeds are looked up.
pub(super) trait Leaves<R>: Sync {
    /// Positions with more seeds in the houses are not there.
    fn seeds(&self) -> Option<u32>;
    /// Where the gain of a position stands, which is there; it is asked for soon.
    fn prefetched(&self, position: &Position<R>) -> u64;
    /// The gain that stands there.
    fn gain(&self, place: u64) -> i32;
}

impl Leaves<u64> for &Tablebase {
    #[inline]
    fn seeds(&self) -> Option<u32> {
        Some(Tablebase::seeds(self))
    }

    #[inline]
    fn prefetched(&self, position: &Position<u64>) -> u64 {
        let place = self.place(position);
        self.prefetch(place);
        place as u64
    }

    #[inline]
    fn gain(&self, place: u64) -> i32 {
        self.gain_at(place as usize)
    }
}

/// No tables.
pub(super) struct NoLeaves;

impl<R> Leaves<R> for NoLeaves {
    #[inline]
    fn seeds(&self) -> Option<u32> {
        None
    }

    #[inline]
    fn prefetched(&self, _: &Position<R>) -> u64 {
        0
    }

    #[inline]
    fn gain(&self, _: u64) -> i32 {
        0
    }
}

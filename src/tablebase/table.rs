//! A table in memory.

use std::num::NonZeroUsize;

use super::error::TablebaseError;
use super::index::{Blocks, Ranks};
use super::workspace::{BuildOutcome, TablebaseBuild};
use crate::board::{Position, Row, Rules};
use crate::sys::prefetch;

/// Gains are kept with this added.
pub(super) const ZERO: u8 = 128;

/// The exact gain of every position with at most so many seeds in the houses.
#[derive(Clone, Debug)]
pub struct Tablebase {
    rules: Rules,
    ranks: Ranks,
    blocks: Blocks,
    gains: Box<[u8]>,
}

impl Tablebase {
    /// From the gains in the order of the blocks.
    pub(super) fn new(rules: Rules, ranks: Ranks, blocks: Blocks, gains: Box<[u8]>) -> Tablebase {
        Tablebase { rules, ranks, blocks, gains }
    }

    /// Works the gains of all positions out that have at most `seeds` seeds in the houses, on
    /// `threads` threads. While it is built it takes [`memory_to_build`](super::memory_to_build) bytes, then one a position; see
    /// [`positions`](super::positions).
    ///
    /// # Errors
    /// When there are more than 8 houses a side or 100 seeds, or not enough memory.
    pub fn build(
        rules: Rules,
        seeds: u32,
        threads: NonZeroUsize,
    ) -> Result<Tablebase, TablebaseError> {
        let mut build = TablebaseBuild::new(rules, seeds)?;
        loop {
            match build.resume(threads, &|| true) {
                BuildOutcome::Complete(table) => return Ok(table),
                BuildOutcome::Paused(rest) => build = rest,
            }
        }
    }

    /// The rules of the positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The most seeds in the houses of a position.
    pub fn seeds(&self) -> u32 {
        self.blocks.seeds()
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.gains.len()
    }

    /// The gain of the player to move, in seeds; `None` when the position has too many seeds.
    #[inline]
    pub fn gain(&self, position: &Position<u64>) -> Option<i32> {
        let fits = position.own_seeds() + position.opponent_seeds() <= self.seeds();
        fits.then(|| self.gain_at(self.place(position)))
    }

    /// All gains, as they are kept.
    #[cfg(test)]
    pub(super) fn gains(&self) -> &[u8] {
        &self.gains
    }

    /// Where the gain of a position stands that has no more seeds than there are in the table.
    #[inline]
    pub(crate) fn place(&self, position: &Position<u64>) -> usize {
        let (own, opponent) = (position.own_row(), position.opponent_row());
        let (a, b) = (own.total(), opponent.total());
        let place = self.ranks.rank(own) * self.ranks.count(b) + self.ranks.rank(opponent);
        self.blocks.start(a, b) + place
    }

    /// Starts loading what [`Tablebase::gain_at`] of this place will read.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        if let Some(gain) = self.gains.get(place) {
            prefetch(gain);
        }
    }

    /// The gain that stands at a place.
    #[inline]
    pub(crate) fn gain_at(&self, place: usize) -> i32 {
        i32::from(self.gains[place]) - i32::from(ZERO)
    }
}

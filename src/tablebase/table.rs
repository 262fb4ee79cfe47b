//! A table in memory.

use std::ops::ControlFlow;

use super::build::Builder;
use super::error::TablebaseError;
use super::index::{Blocks, Ranks, positions};
use super::size::{check_size, memory_to_build};
use crate::board::{Position, Row, Rules, Sowings};
use crate::hints::{available_memory, prefetch, use_huge_pages};

/// Gains are kept with this added.
pub(super) const ZERO: u8 = 128;

/// Bytes that every machine has.
const ALWAYS_FITS: u64 = 64 << 20;

/// The exact gain of every position with at most so many seeds in the houses.
#[derive(Clone, Debug)]
pub struct Tablebase {
    rules: Rules,
    ranks: Ranks,
    blocks: Blocks,
    gains: Box<[u8]>,
}

/// What a table is built in.
pub(super) struct Workspace {
    pub(super) ranks: Ranks,
    pub(super) blocks: Blocks,
    /// Gains of the player to move, with [`ZERO`] added.
    pub(super) f: Box<[u8]>,
    /// The same positions but for the largest layer, with the rows of the players exchanged.
    pub(super) g: Box<[u8]>,
}

impl Workspace {
    /// Memory to build the positions with at most so many seeds in, all zero.
    pub(super) fn to_build(rules: Rules, seeds: u32) -> Result<Workspace, TablebaseError> {
        let houses = rules.houses();
        let needed = memory_to_build(houses, seeds);
        let mut space = Workspace::new(houses, seeds, needed)?;
        // Nothing is looked up in the largest layer while a table is built.
        space.g = zeroed(houses, seeds, space.blocks.start_of_layer(seeds))?;
        Ok(space)
    }

    /// Memory for a table that is only read in, all zero.
    pub(super) fn to_load(rules: Rules, seeds: u32) -> Result<Workspace, TablebaseError> {
        let houses = rules.houses();
        Workspace::new(houses, seeds, positions(houses, seeds))
    }

    fn new(houses: usize, seeds: u32, needed: Option<u64>) -> Result<Workspace, TablebaseError> {
        check_size(houses, seeds)?;
        let needed = needed.ok_or(TablebaseError::Memory { houses, seeds })?;
        if needed > ALWAYS_FITS
            && let Some(available) = available_memory()
            && needed > available
        {
            return Err(TablebaseError::MemoryLeft { houses, seeds, needed, available });
        }
        let ranks = Ranks::new(houses);
        let blocks = Blocks::new(&ranks, seeds);
        let f = zeroed(houses, seeds, blocks.start_of_layer(seeds + 1))?;
        Ok(Workspace { ranks, blocks, f, g: Box::default() })
    }

    /// The table, when all is done.
    pub(super) fn into_table(self, rules: Rules) -> Tablebase {
        Tablebase { rules, ranks: self.ranks, blocks: self.blocks, gains: self.f }
    }
}

fn zeroed(houses: usize, seeds: u32, size: usize) -> Result<Box<[u8]>, TablebaseError> {
    let memory = bytemuck::allocation::try_zeroed_slice_box(size);
    let memory = memory.map_err(|()| TablebaseError::Memory { houses, seeds })?;
    use_huge_pages(&memory);
    Ok(memory)
}

impl Tablebase {
    /// Works the gains of all positions out that have at most `seeds` seeds in the houses, on all
    /// processors. While it is built it takes [`memory_to_build`] bytes, then one a position; see
    /// [`positions`].
    ///
    /// # Errors
    /// When there are more than 8 houses a side or 100 seeds, or not enough memory.
    pub fn build(rules: Rules, seeds: u32) -> Result<Tablebase, TablebaseError> {
        let table = Tablebase::build_while(rules, seeds, &|| true)?;
        table.ok_or(TablebaseError::Memory { houses: rules.houses(), seeds })
    }

    /// The same as long as it is wanted; `None` when it was not wanted any more.
    pub(crate) fn build_while(
        rules: Rules,
        seeds: u32,
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Tablebase>, TablebaseError> {
        let sowings = Sowings::of(rules).ok_or(TablebaseError::Houses(rules.houses()))?;
        let mut space = Workspace::to_build(rules, seeds)?;
        let Workspace { ranks, blocks, f, g } = &mut space;
        let builder = Builder::new(sowings, ranks, blocks);
        for total in 0..=seeds {
            let go_on =
                || if is_wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            if builder.build_layer(total, f, g, &|_| go_on()).is_break() {
                return Ok(None);
            }
        }
        Ok(Some(space.into_table(rules)))
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

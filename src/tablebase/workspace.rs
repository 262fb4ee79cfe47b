//! Where tables are built, and how that is broken off and gone on with.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::error::TablebaseError;
use super::generator::Builder;
use super::index::{Blocks, Ranks, positions};
use super::size::{check_size, memory_to_build};
use super::table::Tablebase;
use crate::board::{Rules, Sowings};
use crate::sys::{available_memory, use_huge_pages};

/// Bytes that every machine has.
const ALWAYS_FITS: u64 = 64 << 20;

/// What a table is built in.
pub(super) struct Workspace {
    pub(super) ranks: Ranks,
    pub(super) blocks: Blocks,
    /// Gains of the player to move, with [`super::table::ZERO`] added.
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
        Tablebase::new(rules, self.ranks, self.blocks, self.f)
    }
}

/// A table that is being built, now and then.
pub(crate) struct TablebaseBuild {
    rules: Rules,
    sowings: &'static Sowings<u64>,
    space: Workspace,
    /// Seeds of the layer at work.
    layer: u32,
    /// Positions done.
    done: u64,
}

impl TablebaseBuild {
    /// Makes room, and does nothing yet.
    pub(crate) fn new(rules: Rules, seeds: u32) -> Result<TablebaseBuild, TablebaseError> {
        let sowings = Sowings::of(rules).ok_or(TablebaseError::Houses(rules.houses()))?;
        let space = Workspace::to_build(rules, seeds)?;
        Ok(TablebaseBuild { rules, sowings, space, layer: 0, done: 0 })
    }

    /// Goes on as long as it is wanted, on this many threads.
    pub(crate) fn resume(
        mut self,
        threads: NonZeroUsize,
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> BuildOutcome {
        let Workspace { ranks, blocks, f, g } = &mut self.space;
        let builder = Builder::new(self.sowings, ranks, blocks, threads);
        let done = AtomicU64::new(self.done);
        let watch = |positions| {
            done.fetch_add(positions, Relaxed);
            if is_wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        while self.layer <= blocks.seeds() {
            if builder.build_layer(self.layer, f, g, &watch).is_break() {
                break;
            }
            self.layer += 1;
        }
        drop(builder);
        self.done = done.into_inner();
        if self.left() == 0 {
            BuildOutcome::Complete(self.space.into_table(self.rules))
        } else {
            BuildOutcome::Paused(self)
        }
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    /// The most seeds in the houses of a position.
    pub(crate) fn seeds(&self) -> u32 {
        self.space.blocks.seeds()
    }

    /// Positions that are done at a time, at most.
    pub(crate) fn largest_step(&self) -> u64 {
        let Workspace { ranks, .. } = &self.space;
        let seeds = self.seeds();
        2 * ranks.count(seeds / 2) as u64 * ranks.count(seeds.div_ceil(2)) as u64
    }

    /// Positions that were done.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Positions that are still to be done.
    pub(crate) fn left(&self) -> u64 {
        self.space.f.len() as u64 - self.done
    }
}

/// What became of a build.
pub(crate) enum BuildOutcome {
    Complete(Tablebase),
    /// It can be gone on with.
    Paused(TablebaseBuild),
}

fn zeroed(houses: usize, seeds: u32, size: usize) -> Result<Box<[u8]>, TablebaseError> {
    let memory = bytemuck::allocation::try_zeroed_slice_box(size);
    let memory = memory.map_err(|()| TablebaseError::Memory { houses, seeds })?;
    use_huge_pages(&memory);
    Ok(memory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Capture;

    #[test]
    fn what_was_broken_off_is_gone_on_with() -> Result<(), Box<dyn std::error::Error>> {
        const SEEDS: u32 = 9;
        let rules = Rules::new(5, Capture::Standard)?;
        let mut build = TablebaseBuild::new(rules, SEEDS)?;
        let mut parts = 1;
        let table = loop {
            let before = build.done();
            match build.resume(NonZeroUsize::MIN, &|| false) {
                BuildOutcome::Complete(table) => break table,
                BuildOutcome::Paused(rest) => build = rest,
            }
            assert!(before < build.done());
            parts += 1;
        };
        // More parts than layers: these were broken off, too.
        assert!(parts > 2 * SEEDS, "{parts} parts");
        assert_eq!(table.gains(), Tablebase::build(rules, SEEDS, NonZeroUsize::MIN)?.gains());
        Ok(())
    }
}

//! A table in memory.

use super::build::build;
use super::error::TablebaseError;
use super::index::{Blocks, MAX_TABLE_SEEDS, Ranks, positions};
use crate::board::{Position, Row, Rules, Sowings};
use crate::hints::use_huge_pages;

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
    /// Works the gains of all positions out that have at most `seeds` seeds in the houses, on all
    /// processors. While it is built it takes less than two bytes a position, then one; see
    /// [`positions`].
    ///
    /// # Errors
    /// When there are more than 8 houses a side or 100 seeds, or not enough memory. Memory that a
    /// system has promised and does not have is not noticed.
    pub fn build(rules: Rules, seeds: u32) -> Result<Tablebase, TablebaseError> {
        let houses = rules.houses();
        let sowings = Sowings::of(rules).ok_or(TablebaseError::Houses(houses))?;
        if seeds > MAX_TABLE_SEEDS {
            return Err(TablebaseError::Seeds(seeds));
        }
        let memory = TablebaseError::Memory { houses, seeds };
        let size = positions(houses, seeds).and_then(|size| usize::try_from(size).ok());
        let size = size.ok_or_else(|| memory.clone())?;
        let zeroed =
            |size| bytemuck::allocation::try_zeroed_slice_box(size).map_err(|()| memory.clone());
        let mut gains = zeroed(size)?;
        let ranks = Ranks::new(houses);
        let blocks = Blocks::new(&ranks, seeds);
        let mut turned = zeroed(blocks.start_of_layer(seeds))?;
        use_huge_pages(&gains);
        use_huge_pages(&turned);
        build(sowings, &ranks, &blocks, &mut gains, &mut turned);
        Ok(Tablebase { rules, ranks, blocks, gains })
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
        let (own, opponent) = (position.own_row(), position.opponent_row());
        let (a, b) = (own.total(), opponent.total());
        if a + b > self.seeds() {
            return None;
        }
        let place = self.ranks.rank(own) * self.ranks.count(b) + self.ranks.rank(opponent);
        let gain = self.gains[self.blocks.start(a, b) + place];
        Some(i32::from(gain) - i32::from(ZERO))
    }
}

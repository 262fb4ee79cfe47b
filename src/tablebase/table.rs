//! Tablebases in memory: probed, built with pauses if need be, and what a gain is by the moves of a position.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::error::TablebaseError;
use super::generator::Generator;
use super::index::{
    GAIN_BIAS, MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, PositionIndex, memory_to_build, positions, zeroed,
};
use crate::board::{Board, Move, Next, Position, Rules, Sowings};
use crate::stop::StopToken;
use crate::sys::{Instant, check_memory, prefetch};

/// The exact gains of all positions up to a number of seeds in the houses, in memory.
///
/// [`Tablebase::build`] computes one, [`TablebaseFiles::load`](super::TablebaseFiles::load) reads
/// one from files. It takes one byte for each position.
#[derive(Clone, Debug)]
pub struct Tablebase {
    rules: Rules,
    index: PositionIndex,
    /// In the order of the index, with [`GAIN_BIAS`] added.
    gains: Box<[u8]>,
}

impl Tablebase {
    /// The rules of the positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The maximum number of seeds in the houses of a position.
    pub fn seeds(&self) -> u32 {
        self.index.seeds()
    }

    /// The number of positions, which is also the size in bytes.
    pub fn positions(&self) -> usize {
        self.gains.len()
    }

    /// The gain of the player to move, in seeds; `None` for other rules or too many seeds in the houses.
    pub fn gain(&self, board: &Board) -> Option<i32> {
        let position = board.position().narrow().filter(|_| board.rules() == self.rules)?;
        self.gain_of_position(&position)
    }

    /// The gain of the player to move, in seeds, under the table's rules; `None` with too many seeds.
    #[inline]
    pub fn gain_of_position(&self, position: &Position<u64>) -> Option<i32> {
        (position.seeds() <= self.seeds()).then(|| self.gain_at(self.index_of(position)))
    }

    /// The place of a position, which has no more seeds than the table.
    #[inline]
    pub(crate) fn index_of(&self, position: &Position<u64>) -> usize {
        self.index.index_of(position)
    }

    /// The gain of the position with these rows, which has no more seeds than the table.
    #[inline]
    pub(crate) fn gain_of_rows(&self, own: u64, opponent: u64) -> i32 {
        self.gain_at(self.index.index_of_rows(own, opponent))
    }

    /// Prefetches what [`Tablebase::gain_at`] reads for this place.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        if let Some(gain) = self.gains.get(place) {
            prefetch(gain);
        }
    }

    /// The gain of the position with this place.
    #[inline]
    pub(crate) fn gain_at(&self, place: usize) -> i32 {
        i32::from(self.gains[place]) - i32::from(GAIN_BIAS)
    }
}

/// Returns the gain by each move of a board, in seeds from the view of the player to move, given the
/// gains of the boards after the moves. Returns no moves if the game is over.
///
/// # Errors
/// Returns the first error of `gain`.
pub fn gains_of_moves<E>(
    board: &Board,
    mut gain: impl FnMut(&Board) -> Result<i32, E>,
) -> Result<Vec<(Move, i32)>, E> {
    let gain_of_move = |(mv, after): (Move, Board)| {
        let margin = match after.result_for(mv.side) {
            Some(margin) => margin,
            None if after.side() == mv.side => after.store_difference() + gain(&after)?,
            None => -after.store_difference() - gain(&after)?,
        };
        Ok((mv, margin - board.store_difference()))
    };
    board.successors().map(gain_of_move).collect()
}

/// Returns the gain of a position, given the gains of the positions after its moves.
pub(super) fn gain_by_moves<E>(
    sowings: &Sowings<u64>,
    position: &Position<u64>,
    mut gain: impl FnMut(&Position<u64>) -> Result<i32, E>,
) -> Result<i32, E> {
    if position.is_over() {
        return Ok(position.final_gain());
    }
    position.moves().try_fold(i32::MIN, |best, house| {
        let played = position.play(sowings, house);
        Ok(best.max(match played.next {
            Next::Over => played.won(),
            Next::Again => played.won() + gain(&played.position)?,
            Next::Other => played.won() - gain(&played.position)?,
        }))
    })
}

/// The memory that a table is built in.
pub(super) struct Workspace {
    pub(super) index: PositionIndex,
    /// Gains of the player to move, with [`super::index::GAIN_BIAS`] added.
    pub(super) f: Box<[u8]>,
    /// All layers but the largest, transposed; see [`super::generator`].
    pub(super) g: Box<[u8]>,
}

impl Workspace {
    /// Zeroed memory to build the positions with at most `seeds` seeds.
    pub(super) fn to_build(rules: Rules, seeds: u32) -> Result<Workspace, TablebaseError> {
        let houses = rules.houses();
        let needed = memory_to_build(houses, seeds);
        let mut space = Workspace::new(houses, seeds, needed)?;
        // No move leads into the largest layer from another.
        let size = space.index.start_of_layer(seeds);
        space.g = zeroed(size).ok_or(TablebaseError::MemoryRefused { houses, seeds, size })?;
        Ok(space)
    }

    /// Zeroed memory for a table that is read from files.
    pub(super) fn to_load(rules: Rules, seeds: u32) -> Result<Workspace, TablebaseError> {
        let houses = rules.houses();
        Workspace::new(houses, seeds, positions(houses, seeds))
    }

    fn new(houses: usize, seeds: u32, needed: Option<u64>) -> Result<Workspace, TablebaseError> {
        check_size(houses, seeds)?;
        let needed = needed.ok_or(TablebaseError::TooLarge { houses, seeds })?;
        let short =
            |available| TablebaseError::NotEnoughMemory { houses, seeds, needed, available };
        check_memory(needed).map_err(short)?;
        let index = PositionIndex::new(houses, seeds);
        let size = index.len();
        let f = zeroed(size).ok_or(TablebaseError::MemoryRefused { houses, seeds, size })?;
        Ok(Workspace { index, f, g: Box::default() })
    }

    pub(super) fn into_table(self, rules: Rules) -> Tablebase {
        Tablebase { rules, index: self.index, gains: self.f }
    }
}

/// Refuses tables that fit no machine.
pub(super) fn check_size(houses: usize, seeds: u32) -> Result<(), TablebaseError> {
    if houses > MAX_TABLE_HOUSES {
        return Err(TablebaseError::Houses(houses));
    }
    if seeds > MAX_TABLE_SEEDS {
        return Err(TablebaseError::Seeds(seeds));
    }
    let size = positions(houses, seeds).and_then(|size| isize::try_from(size).ok());
    size.map(|_| ()).ok_or(TablebaseError::TooLarge { houses, seeds })
}

impl Tablebase {
    /// Computes the gains of all positions that have at most `seeds` seeds in the houses, on up to
    /// `threads` threads. Building takes [`memory_to_build`] bytes, the table [`positions`].
    ///
    /// # Errors
    /// Returns an error if there are more than 8 houses a side or 100 seeds, or not enough memory.
    pub fn build(
        rules: Rules,
        seeds: u32,
        threads: NonZeroUsize,
    ) -> Result<Tablebase, TablebaseError> {
        Tablebase::build_until(rules, seeds, threads, &StopToken::new())
    }

    /// The same, with [`TablebaseError::Stopped`] if it was stopped first.
    ///
    /// # Errors
    /// As [`Tablebase::build`], and when `stop` was stopped.
    pub fn build_until(
        rules: Rules,
        seeds: u32,
        threads: NonZeroUsize,
        stop: &StopToken,
    ) -> Result<Tablebase, TablebaseError> {
        let mut build = TablebaseBuild::new(rules, seeds)?;
        build.resume(threads, stop)?;
        Ok(build.into_table())
    }
}

/// A build that can be paused and resumed.
pub(crate) struct TablebaseBuild {
    sowings: &'static Sowings<u64>,
    space: Workspace,
    /// Seeds of the first layer that is not complete.
    layer: u32,
    /// Positions computed.
    pub(crate) done: u64,
    /// The time that the last part of them took, without what is prepared for all.
    pub(crate) time: Duration,
}

impl TablebaseBuild {
    /// Allocates the memory and computes nothing yet.
    pub(crate) fn new(rules: Rules, seeds: u32) -> Result<TablebaseBuild, TablebaseError> {
        let sowings = Sowings::from_rules(rules).ok_or(TablebaseError::Houses(rules.houses()))?;
        let space = Workspace::to_build(rules, seeds)?;
        Ok(TablebaseBuild { sowings, space, layer: 0, done: 0, time: Duration::ZERO })
    }

    /// Computes gains until the table is complete. When `stop` is stopped first it fails, with some progress in any
    /// case, and can be resumed.
    pub(crate) fn resume(
        &mut self,
        threads: NonZeroUsize,
        stop: &StopToken,
    ) -> Result<(), TablebaseError> {
        let Workspace { index, f, g } = &mut self.space;
        let generator = Generator::new(self.sowings, index, threads);
        let done = AtomicU64::new(self.done);
        let count = |positions| {
            done.fetch_add(positions, Relaxed);
        };
        let start = Instant::now();
        let built = (self.layer..=index.seeds()).try_for_each(|layer| {
            self.layer = layer;
            generator.build_layer(layer, f, g, stop, &count)
        });
        self.time = start.elapsed();
        self.done = done.into_inner();
        if self.left() == 0 { Ok(()) } else { built }
    }

    /// The table, when it is complete.
    pub(crate) fn into_table(self) -> Tablebase {
        self.space.into_table(self.sowings.rules())
    }

    pub(crate) fn rules(&self) -> Rules {
        self.sowings.rules()
    }

    /// The maximum number of seeds in the houses of a position.
    pub(crate) fn seeds(&self) -> u32 {
        self.space.index.seeds()
    }

    /// The maximum number of positions that a thread computes before it looks at the stop token.
    pub(crate) fn largest_step(&self) -> u64 {
        let ranks = &self.space.index.ranks;
        let seeds = self.seeds();
        2 * ranks.count(seeds / 2) as u64 * ranks.count(seeds.div_ceil(2)) as u64
    }

    /// Positions still to be computed.
    pub(crate) fn left(&self) -> u64 {
        self.space.f.len() as u64 - self.done
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::super::index::IS_MEMORY_SHORT;
    use super::*;
    use crate::board::Capture;

    #[test]
    fn a_paused_build_is_resumed() {
        const SEEDS: u32 = 9;
        let rules = Rules::new(5, Capture::Standard).unwrap();
        let stop = StopToken::new();
        stop.stop();
        let mut build = TablebaseBuild::new(rules, SEEDS).unwrap();
        let mut parts = 1;
        loop {
            let before = build.done;
            if build.resume(NonZeroUsize::MIN, &stop).is_ok() {
                break;
            }
            assert!(before < build.done);
            parts += 1;
        }
        let table = build.into_table();
        // More parts than layers: pauses within a layer were tested, too.
        assert!(parts > 2 * SEEDS, "{parts} parts");
        assert_eq!(table.gains, Tablebase::build(rules, SEEDS, NonZeroUsize::MIN).unwrap().gains);
    }

    #[test]
    fn a_build_without_memory_ends() {
        let mut build = TablebaseBuild::new(Rules::new(5, Capture::Standard).unwrap(), 9).unwrap();
        IS_MEMORY_SHORT.set(true);
        let result = build.resume(NonZeroUsize::MIN, &StopToken::new());
        IS_MEMORY_SHORT.set(false);
        assert!(matches!(result, Err(TablebaseError::MemoryRefused { .. })));
    }
}

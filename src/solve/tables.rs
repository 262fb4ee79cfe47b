//! The tables of a solver: how large they should be, and how they are made.

use std::sync::Arc;

use super::bounds::BoundsTable;
use super::checkpoint::Checkpoint;
use super::expected_work::WorkEstimator;
use super::keys::{max_solvable_seeds, too_many_seeds};
use super::ordering::MoveScores;
use super::request::{SolveError, SolveProgress, SolverResources};
use super::workers::{EndgameProbe, SearchLimits, SolveContext, WorkerGroup};
use crate::board::{RowTables, Rules, Sowing, Sowings};
use crate::stop::StopToken;
use crate::tablebase::{
    MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, Tablebase, TablebaseBuild, TablebaseError, TablebaseFiles,
    memory_to_build, positions, seeds_within,
};

const BYTES_PER_MIB: usize = 1 << 20;

/// Positions of the game for each position in the optimal tablebase, whose last seed costs about
/// what it saves: on 6 houses with 36, 48 and 60 seeds in all, those of 13, 18 and 24 seeds. To build
/// takes some 3 to 6 ns a position, to search 150 to 200 ns.
const POSITIONS_PER_ENDGAME: u64 = 12_000;

/// The same under relay sowing: a position of the table takes five times as long, a search visits far fewer.
const POSITIONS_PER_ENDGAME_OF_RELAYS: u64 = 600_000;

/// Minimum size of that table, 12 seeds on 6 houses: it is built in less than a tenth of a second, and makes the
/// search of small boards three times as fast.
const MIN_ENDGAMES_OF_RELAYS: u64 = 3_000_000;

/// Bytes of the table of bounds for each position in that tablebase.
const BYTES_OF_BOUNDS_PER_ENDGAME_OF_RELAYS: usize = 8;

/// Positions of the tablebase for each position searched so far, up to which a larger tablebase pays
/// for boards to come. With half as many, 160 middle games took 84 million positions instead of 74,
/// and a tenth more time; without a larger one 167 million, and nearly twice the time.
const ENDGAMES_PER_SEARCHED_POSITION: u64 = 32;

/// All moves together take several times as long to solve as the best.
pub(super) const COST_OF_ALL_MOVES: usize = 4;

/// The seeds of the optimal tablebase: the largest one that does not take longer to build than it
/// saves, for `times` positions with `seeds` seeds in the houses.
pub(crate) fn optimal_table_seeds(rules: Rules, seeds: u32, times: u64) -> u32 {
    let count = positions(rules.houses(), seeds).unwrap_or(u64::MAX);
    let count = count.saturating_mul(times);
    let endgames = match rules.sowing() {
        Sowing::Single => count / POSITIONS_PER_ENDGAME,
        Sowing::Relay => (count / POSITIONS_PER_ENDGAME_OF_RELAYS).max(MIN_ENDGAMES_OF_RELAYS),
    };
    seeds_within(rules.houses(), endgames).min(seeds)
}

/// The seeds of the tablebase that is amortised if as many positions as so far are searched again.
fn amortised_table_seeds(rules: Rules, searched: u64) -> u32 {
    seeds_within(rules.houses(), searched.saturating_mul(ENDGAMES_PER_SEARCHED_POSITION))
}

/// The seeds of the largest tablebase that can be built in `bytes` bytes and leaves a quarter of them
/// for other tables; `None` if there are no tablebases for the rules.
fn largest_table_seeds(rules: Rules, bytes: u64) -> Option<u32> {
    let houses = rules.houses();
    let fits = |&seeds: &u32| {
        memory_to_build(houses, seeds).is_some_and(|needed| needed <= bytes)
            && positions(houses, seeds).is_some_and(|size| size <= bytes / 4 * 3)
    };
    let seeds = (0..=MAX_TABLE_SEEDS).take_while(fits).last().unwrap_or(0);
    (houses <= MAX_TABLE_HOUSES).then_some(seeds)
}

/// The optimal size in bytes of the table of bounds for a position with `seeds` seeds: a smaller one
/// makes the search repeat work, a larger one takes longer to get from the system than it saves. Most
/// positions are searched next to the tablebase, so it should be about as large.
fn optimal_bounds_bytes(rules: Rules, seeds: u32) -> usize {
    let endgame_seeds = optimal_table_seeds(rules, seeds, 1);
    let count = positions(rules.houses(), endgame_seeds).unwrap_or(u64::MAX);
    let bytes = match rules.sowing() {
        Sowing::Single => 1,
        Sowing::Relay => BYTES_OF_BOUNDS_PER_ENDGAME_OF_RELAYS,
    };
    usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(bytes)
}

/// Positions of one depth-first search, after which its leaf is expanded.
const JOB_NODES: u64 = 2000;

/// Most tests are decided after these rounds of the first thread.
const SINGLE_THREADED_ROUNDS: usize = 8;

/// The proof-number DAG takes at most this part of the memory.
const PART_FOR_DAG: usize = 8;

/// With its edges and its part of the map of tests.
const BYTES_PER_DAG_NODE: usize = 160;

const MIN_DAG_NODES: usize = 1 << 12;

/// All tables of a solver, for the rules of one board at a time.
#[derive(Default)]
pub(super) struct SolverTables {
    pub resources: SolverResources,
    pub rules: Rules,
    pub tablebase: Option<Arc<Tablebase>>,
    /// A tablebase whose build was stopped.
    pub unfinished: Option<TablebaseBuild>,
    /// Whether the user has set the tablebase: then none is built.
    pub is_fixed: bool,
    pub files: Option<TablebaseFiles>,
    pub bounds: Option<BoundsTable>,
    pub checkpoint: Option<Checkpoint>,
    /// Positions searched under these rules.
    pub searched: u64,
}

impl SolverTables {
    /// Drops all tables if they are for other rules.
    pub(super) fn set_rules(&mut self, rules: Rules) {
        if rules != self.rules {
            let SolverTables { resources, files, .. } = std::mem::take(self);
            *self = SolverTables { resources, rules, files, ..SolverTables::default() };
        }
    }

    pub(super) fn out_of_memory(&self) -> SolveError {
        SolveError::OutOfMemory(self.resources.mebibytes)
    }

    /// Makes the optimal tables, or the largest that fit, for `times` positions with `seeds` seeds.
    pub(super) fn prepare(
        &mut self,
        rules: Rules,
        seeds: u32,
        times: usize,
        stop: &StopToken,
    ) -> Result<(), SolveError> {
        if seeds > max_solvable_seeds(rules) {
            return Err(too_many_seeds(rules, seeds));
        }
        self.set_rules(rules);
        let bytes = self.resources.mebibytes.saturating_mul(BYTES_PER_MIB);
        if self.is_fixed {
            return self.make_bounds(bytes);
        }
        let Some(largest) = largest_table_seeds(rules, bytes as u64) else {
            return self.make_bounds(bytes);
        };
        let optimal = optimal_table_seeds(rules, seeds, times as u64);
        let min_seeds = optimal.min(largest).max(self.amortised_seeds(bytes));
        if self.tablebase.as_ref().is_none_or(|tablebase| tablebase.seeds() < min_seeds) {
            // Frees the memory of the old one first.
            self.tablebase = None;
            self.tablebase = Some(Arc::new(self.make_tablebase(min_seeds, stop)?));
        }
        let tablebase = self.tablebase.as_ref().map_or(0, |tablebase| tablebase.positions());
        let left = (bytes - bytes / PART_FOR_DAG).saturating_sub(tablebase);
        self.make_bounds(optimal_bounds_bytes(rules, seeds).saturating_mul(times).min(left))
    }

    /// The seeds of the amortised tablebase; 0 if it is hardly larger than the present one.
    fn amortised_seeds(&self, bytes: usize) -> u32 {
        let left = bytes.saturating_sub(self.bounds.as_ref().map_or(0, BoundsTable::bytes));
        let largest = largest_table_seeds(self.rules, left as u64).unwrap_or(0);
        let amortised = amortised_table_seeds(self.rules, self.searched).min(largest);
        let present = self.tablebase.as_ref().map_or(0, |tablebase| tablebase.seeds());
        if present + 2 <= amortised { amortised } else { 0 }
    }

    /// Loads or builds a tablebase. A build that was stopped is resumed.
    fn make_tablebase(&mut self, seeds: u32, stop: &StopToken) -> Result<Tablebase, SolveError> {
        let threads = self.resources.threads;
        let unfinished = self.unfinished.take().filter(|build| build.seeds() == seeds);
        let has_table =
            |files: &&TablebaseFiles| files.rules() == self.rules && files.seeds() >= seeds;
        if let Some(files) = self.files.as_ref().filter(has_table) {
            return Ok(files.load_until(seeds, threads, stop)?);
        }
        let mut build = unfinished.map_or_else(|| TablebaseBuild::new(self.rules, seeds), Ok)?;
        if let Err(error) = build.resume(threads, stop) {
            self.unfinished = matches!(error, TablebaseError::Stopped).then_some(build);
            return Err(error.into());
        }
        Ok(build.into_table())
    }

    /// What all searches of a board with `seeds` seeds share.
    pub(super) fn context<'a, R: RowTables, K, E: EndgameProbe<R>>(
        &'a self,
        sowings: &'a Sowings<R>,
        seeds: u32,
        keys: &'a K,
        endgames: &'a E,
    ) -> Result<SolveContext<'a, R, K, E>, SolveError> {
        Ok(SolveContext {
            sowings,
            keys,
            endgames,
            table: self.bounds.as_ref().ok_or_else(|| self.out_of_memory())?,
            move_scores: MoveScores::new(self.rules, endgames.max_seeds()),
            work: WorkEstimator::new(self.rules, seeds, endgames.max_seeds()),
            checkpoint: self.checkpoint.as_ref(),
        })
    }

    /// The threads that work on a board.
    pub(super) fn workers<'a, R, K, E>(
        &self,
        context: &'a SolveContext<'a, R, K, E>,
        stop: &'a StopToken,
        progress: &'a SolveProgress,
    ) -> WorkerGroup<'a, R, K, E> {
        let bytes = self.resources.mebibytes.saturating_mul(BYTES_PER_MIB);
        let limits = SearchLimits {
            max_nodes: u64::MAX,
            job_nodes: JOB_NODES,
            dag_nodes: (bytes / PART_FOR_DAG / BYTES_PER_DAG_NODE).max(MIN_DAG_NODES),
            single_threaded_rounds: SINGLE_THREADED_ROUNDS,
        };
        WorkerGroup { context, limits, threads: self.resources.threads, stop, progress }
    }

    fn make_bounds(&mut self, bytes: usize) -> Result<(), SolveError> {
        // To replace a table by one only somewhat larger does not pay.
        if self.bounds.as_ref().is_none_or(|bounds| bounds.bytes() < bytes / 8) {
            let mut bounds = BoundsTable::new(bytes).ok_or_else(|| self.out_of_memory())?;
            if let Some(smaller) = &self.bounds {
                bounds.copy_from(smaller);
            }
            self.bounds = Some(bounds);
        }
        if let (Some(checkpoint), Some(bounds)) = (&mut self.checkpoint, &self.bounds) {
            checkpoint.restore(bounds);
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;
    use crate::board::Capture;

    #[test]
    fn sizes_are_those_that_were_measured() {
        let rules = Rules::new(6, Capture::Standard).unwrap();
        for (seeds, optimal, mebibytes) in [(36, 13, 4), (48, 18, 64), (60, 24, 1024)] {
            assert_eq!(optimal_table_seeds(rules, seeds, 1), optimal);
            let entries = optimal_bounds_bytes(rules, seeds) / size_of::<u64>();
            assert_eq!(1 << entries.ilog2(), (mebibytes << 20) / size_of::<u64>());
        }
        assert_eq!(amortised_table_seeds(rules, 0), 0);
        assert_eq!(amortised_table_seeds(rules, 8_600_000), 20);
        assert_eq!(amortised_table_seeds(rules, u64::MAX), MAX_TABLE_SEEDS);
        assert_eq!(largest_table_seeds(rules, 8 << 30), Some(27));
        assert_eq!(largest_table_seeds(rules, 1 << 30), Some(22));
        assert_eq!(largest_table_seeds(Rules::new(9, Capture::Standard).unwrap(), 1 << 30), None);
    }
}

//! Tables of exact gains for the search and the solver, built when they are first needed.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use log::{debug, warn};

use super::options::EngineOptions;
use crate::board::{Board, Rules, Sowing};
use crate::printable::with_causes;
use crate::search::{ExactTables, SearchObserver, SearchReport};
use crate::solve::optimal_table_seeds;
use crate::stop::StopToken;
use crate::sys::Instant;
use crate::tablebase::{
    MAX_TABLE_HOUSES, Tablebase, TablebaseBuild, TablebaseError, TablebaseFiles, no_tables,
    seeds_within,
};

/// The most positions of the small table of every search: 11 seeds on 6 houses a side, built in some 10 ms.
const SMALL_POSITIONS: u64 = 2_000_000;

/// The most positions of the large table: 20 seeds on 6 houses a side, which take 392 MiB to build.
const LARGE_POSITIONS: u64 = 256 << 20;

/// Positions built in a second, before any speed was measured. A browser optimises code only after it has run.
const DEFAULT_POSITIONS_PER_SECOND: f64 = if cfg!(target_family = "wasm") { 1e7 } else { 3e8 };

/// The same under relay sowing, where few moves are played for whole rows.
const DEFAULT_RELAY_POSITIONS_PER_SECOND: f64 = DEFAULT_POSITIONS_PER_SECOND / 10.0;

/// What takes less time shows only a lower bound of the speed.
const MIN_MEASURED_TIME: Duration = Duration::from_millis(20);

/// The part of the time for a move that building the small table may take.
const SMALL_SHARE: f64 = 0.15;

/// The parts of the solver's time, available and expected, that building the large table may take.
const LARGE_SHARE: f64 = 0.4;
const LARGE_SHARE_OF_EXPECTED: f64 = 0.5;

/// How large the small table may be.
#[derive(Clone, Copy, Debug)]
pub(super) enum TableBudget {
    /// The same size every time, for a search that has the same result every time.
    Reproducible,
    /// What can be built in a part of the time for the move; `None` when no clock runs.
    Time(Option<Duration>),
}

/// The tables of an engine, of the rules for which they were last needed.
#[derive(Default)]
pub(super) struct EngineTables {
    small: Option<Arc<Tablebase>>,
    /// Built for the solver.
    large: Option<Arc<Tablebase>>,
    /// The next large table, partly built.
    build: Option<TablebaseBuild>,
    /// Files as last opened, with their directory.
    files: Option<(PathBuf, Rules, Option<Arc<TablebaseFiles>>)>,
    /// Why there are none of them, until the next search says so.
    no_files: Option<String>,
    /// Tables of the last search.
    last: Option<Arc<ExactTables>>,
    /// Positions built in a second, as last measured, and under which rules.
    positions_per_second: Option<(Rules, f64)>,
}

impl EngineTables {
    /// The tables that a search may look up: one in memory and, if the option names a directory, files.
    pub(super) fn for_search(
        &mut self,
        rules: Rules,
        budget: TableBudget,
        options: &EngineOptions,
        observer: SearchObserver<'_>,
    ) -> Option<Arc<ExactTables>> {
        if rules.houses() > MAX_TABLE_HOUSES {
            return None;
        }
        let files = options.tablebase.as_deref();
        let files = files.and_then(|directory| self.files(directory, rules, observer));
        let max_positions = match budget {
            TableBudget::Reproducible | TableBudget::Time(None) => SMALL_POSITIONS,
            TableBudget::Time(Some(time)) => {
                self.positions_in(rules, time.mul_f64(SMALL_SHARE)).min(SMALL_POSITIONS)
            }
        };
        let seeds = seeds_within(rules.houses(), max_positions);
        let existing = self.largest(rules, |table| match budget {
            TableBudget::Reproducible => table.seeds() == seeds,
            TableBudget::Time(_) => table.seeds() >= seeds,
        });
        if existing.is_none() {
            self.small = self.build_small(rules, seeds, options.search.threads);
        }
        let table = existing.or_else(|| self.small.clone())?;
        // Tables that have reported a damaged file do not report it again.
        let last = self.last.take().filter(|last| last.is_of(&table, files.as_ref()));
        let tables = last.unwrap_or_else(|| Arc::new(ExactTables::new(table, files)));
        self.last = Some(Arc::clone(&tables));
        Some(tables)
    }

    /// The table in memory for a solver that has this time and is expected to take `expected`. The rest is built at
    /// the next move: of the first moves of 94 openings of Kalah(6,4), at 1 s, 1 was wrong instead of 3.
    pub(super) fn for_solver(
        &mut self,
        board: &Board,
        time: Duration,
        expected: Duration,
        threads: NonZeroUsize,
        stop: &StopToken,
    ) -> Option<Arc<Tablebase>> {
        let rules = board.rules();
        if rules.houses() > MAX_TABLE_HOUSES {
            return None;
        }
        let share = expected.mul_f64(LARGE_SHARE_OF_EXPECTED);
        let max_positions = self.positions_in(rules, share.min(time.mul_f64(LARGE_SHARE)));
        let optimal = optimal_table_seeds(rules, board.seeds_in_play(), 1);
        let seeds = seeds_within(rules.houses(), max_positions.min(LARGE_POSITIONS)).min(optimal);
        // One seed more is hardly worth the time.
        if let Some(table) = self.largest(rules, |table| table.seeds() + 2 > seeds) {
            // One that was begun with more time may be resumed.
            self.build.take_if(|build| build.rules() != rules || build.seeds() < table.seeds() + 2);
        } else {
            let can_resume = |build: &mut TablebaseBuild| {
                build.rules() == rules && build.seeds() >= seeds && build.left() <= max_positions
            };
            let paused = self.build.take_if(can_resume);
            let build = paused.map_or_else(|| TablebaseBuild::new(rules, seeds), Ok);
            if let Ok(build) = build.inspect_err(warn_no_tables) {
                self.build_large(build, threads, stop);
            }
        }
        self.largest(rules, |_| true)
    }

    /// The table in memory with the most seeds that has these rules and fits.
    fn largest(&self, rules: Rules, fits: impl Fn(&Tablebase) -> bool) -> Option<Arc<Tablebase>> {
        let tables = self.small.iter().chain(&self.large);
        let tables = tables.filter(|table| table.rules() == rules && fits(table));
        tables.max_by_key(|table| table.seeds()).map(Arc::clone)
    }

    /// Positions that can be built in a time.
    fn positions_in(&self, rules: Rules, time: Duration) -> u64 {
        (time.as_secs_f64() * self.speed(rules)).max(1_000.0) as u64
    }

    /// Positions that are built in a second under these rules, as far as it is known.
    fn speed(&self, rules: Rules) -> f64 {
        match (self.positions_per_second, rules.sowing()) {
            (Some((measured, speed)), _) if measured == rules => speed,
            (_, Sowing::Single) => DEFAULT_POSITIONS_PER_SECOND,
            (_, Sowing::Relay) => DEFAULT_RELAY_POSITIONS_PER_SECOND,
        }
    }

    fn build_small(
        &mut self,
        rules: Rules,
        seeds: u32,
        threads: NonZeroUsize,
    ) -> Option<Arc<Tablebase>> {
        let start = Instant::now();
        let table = Tablebase::build(rules, seeds, threads).inspect_err(warn_no_tables).ok()?;
        self.measure(rules, table.positions() as u64, start.elapsed());
        Some(Arc::new(table))
    }

    /// Builds the large table, or a part of it until the token stops.
    fn build_large(&mut self, mut build: TablebaseBuild, threads: NonZeroUsize, stop: &StopToken) {
        let (before, rules) = (build.done, build.rules());
        // A step that has begun is finished, and memory may be slower now than when measured.
        let longest_step =
            Duration::from_secs_f64(1.5 * build.largest_step() as f64 / self.speed(rules));
        let time = stop.remaining().unwrap_or(Duration::MAX).saturating_sub(longest_step);
        let result = build.resume(threads, &stop.child_with_timeout(time));
        self.measure(rules, build.done - before, build.time);
        match result {
            Ok(()) => self.large = Some(Arc::new(build.into_table())),
            Err(TablebaseError::Stopped) => self.build = Some(build),
            Err(error) => warn_no_tables(&error),
        }
    }

    fn measure(&mut self, rules: Rules, positions: u64, time: Duration) {
        debug!("{positions} positions of tables in {time:?}");
        let speed = positions as f64 / time.max(MIN_MEASURED_TIME).as_secs_f64();
        if time >= MIN_MEASURED_TIME || speed > self.speed(rules) {
            self.positions_per_second = Some((rules, speed));
        }
    }

    /// The tables in the directory, which is read again when it or the rules change.
    fn files(
        &mut self,
        directory: &Path,
        rules: Rules,
        observer: SearchObserver<'_>,
    ) -> Option<Arc<TablebaseFiles>> {
        let is_open =
            |(last, last_rules, _): &(PathBuf, Rules, _)| last == directory && *last_rules == rules;
        if !self.files.as_ref().is_some_and(is_open)
            && let Err(error) = self.open_files(directory, rules)
        {
            self.no_files = Some(with_causes(&error));
            self.files = Some((directory.to_owned(), rules, None));
        }
        if let Some(reason) = self.no_files.take() {
            observer(SearchReport::Note(&format!("no tables in files: {reason}")));
        }
        self.files.as_ref().and_then(|(_, _, files)| files.clone())
    }

    /// Opens the tables in a directory for boards of these rules. An error leaves those that were open.
    pub(super) fn open_files(
        &mut self,
        directory: &Path,
        rules: Rules,
    ) -> Result<(), TablebaseError> {
        let files = TablebaseFiles::open(directory, rules)?.map(Arc::new);
        self.no_files = files.is_none().then(|| no_tables(directory, rules));
        self.files = Some((directory.to_owned(), rules, files));
        Ok(())
    }
}

fn warn_no_tables(error: &TablebaseError) {
    warn!("{}; thinking without tables", with_causes(error));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;

    #[test]
    fn slower_tables_are_smaller() {
        let [single, relay] = Sowing::ALL.map(|sowing| Rules::new(6, sowing).unwrap());
        // The seeds of the small table that `movetime 20` leaves time for.
        let seeds = |tables: &EngineTables, rules| {
            let time = Duration::from_millis(20).mul_f64(SMALL_SHARE);
            seeds_within(6, tables.positions_in(rules, time))
        };
        let mut tables = EngineTables::default();
        let [of_single, of_relay] = [single, relay].map(|rules| seeds(&tables, rules));
        assert!(of_relay < of_single);
        // A speed is that of the rules under which it was measured.
        tables.positions_per_second = Some((single, 1e6));
        assert!(seeds(&tables, single) < of_relay);
        assert_eq!(seeds(&tables, relay), of_relay);
    }

    #[test]
    fn a_build_that_is_stopped_at_once_says_nothing_about_the_speed() {
        let board = Board::start(Rules::default(), 4).unwrap();
        let mut tables = EngineTables::default();
        let stop = StopToken::new();
        stop.stop();
        let (time, threads) = (Duration::from_secs(20), NonZeroUsize::MIN);
        assert!(tables.for_solver(&board, time, time, threads, &stop).is_none());
        assert!(tables.build.is_some() && tables.positions_per_second.is_none());
    }

    #[test]
    fn one_slow_build_does_not_keep_all_later_tables_small() {
        let mut tables = EngineTables::default();
        let rules = Rules::default();
        tables.positions_per_second = Some((rules, 10.0));
        tables.build_small(rules, 5, NonZeroUsize::MIN).unwrap();
        assert!(tables.speed(rules) > 1000.0);
    }
}

//! Tables of exact gains, built when they are first needed.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use log::{debug, warn};

use super::preferences::EngineOptions;
use crate::board::{Board, Rules};
use crate::search::{ExactTables, Observer};
use crate::solve::optimal_table_seeds;
use crate::stop::StopToken;
use crate::tablebase::{
    BuildOutcome, MAX_TABLE_HOUSES, Tablebase, TablebaseBuild, TablebaseError, TablebaseFiles,
    seeds_within,
};

/// Most positions of the table that is always there: 11 seeds on the board of 6 houses a side, built
/// in some 10 ms.
const SMALL: u64 = 2_000_000;

/// Positions a second and processor, before any were built.
const RATE: f64 = 3e8;

/// Fewer positions than this tell nothing of the rate.
const MEASURABLE: u64 = 5_000_000;

/// The part of the time for a move that may go into the small table, and into one for a solver that is
/// to finish in the rest.
const SHARE: f64 = 0.15;
const SHARE_FOR_SOLVER: f64 = 0.4;

/// The part of the time that the solver is expected to take.
const SHARE_OF_EXPECTED: f64 = 0.5;

/// Most positions of a larger table: 20 seeds on the board of 6 houses a side, which take 392 MiB to
/// build.
const LARGE: u64 = 256 << 20;

/// What a table is needed for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Need {
    /// A search that is to be the same every time.
    Same,
    /// One that has so much time; `None` when it has all there is.
    Within(Option<Duration>),
}

/// Tables for the rules at hand.
#[derive(Default)]
pub(super) struct Tables {
    small: Option<Arc<Tablebase>>,
    /// One made for the solver.
    large: Option<Arc<Tablebase>>,
    /// The next of these.
    build: Option<TablebaseBuild>,
    /// Files as they were last looked for.
    files: Option<(PathBuf, Rules, Option<Arc<TablebaseFiles>>)>,
    /// What the last search was given.
    joined: Option<Arc<ExactTables>>,
    /// Positions built in a second, as last measured.
    rate: Option<f64>,
}

fn without_tables(error: &TablebaseError) {
    warn!("{}; thinking without tables", error.with_causes());
}

impl Tables {
    /// What a search may look up.
    pub(super) fn for_search(
        &mut self,
        rules: Rules,
        need: Need,
        preferences: &EngineOptions,
        observer: &mut dyn Observer,
    ) -> Option<Arc<ExactTables>> {
        if rules.houses() > MAX_TABLE_HOUSES {
            return None;
        }
        let files = preferences.tablebase.as_deref();
        let files = files.and_then(|directory| self.files(directory, rules, observer));
        let most = match need {
            Need::Same | Need::Within(None) => SMALL,
            Need::Within(Some(time)) => self.positions_in(time.mul_f64(SHARE)).min(SMALL),
        };
        let seeds = seeds_within(rules.houses(), most);
        let kept = self.small.iter().chain(&self.large).filter(|table| match need {
            Need::Same => table.seeds() == seeds,
            Need::Within(_) => table.seeds() >= seeds,
        });
        let kept = kept.filter(|table| table.rules() == rules).max_by_key(|table| table.seeds());
        let table = if let Some(table) = kept {
            Arc::clone(table)
        } else {
            self.small = self.small(rules, seeds, preferences.search.threads);
            Arc::clone(self.small.as_ref()?)
        };
        // The same as before has told already what files are damaged.
        let joined = self.joined.take().filter(|joined| joined.is_of(&table, files.as_ref()));
        let joined = joined.unwrap_or_else(|| Arc::new(ExactTables::new(table, files)));
        self.joined = Some(Arc::clone(&joined));
        Some(joined)
    }

    /// The table in memory for a solver that has so much time for a position, or all there is, and is
    /// expected to take some.
    ///
    /// When it takes more than one move, so may the table.
    pub(super) fn for_solver(
        &mut self,
        board: &Board,
        time: Option<Duration>,
        expected: Duration,
        threads: NonZeroUsize,
        end: &StopToken,
    ) -> Option<Arc<Tablebase>> {
        let rules = board.rules();
        if rules.houses() > MAX_TABLE_HOUSES {
            return None;
        }
        let finishes_now = time.is_some_and(|time| expected <= time);
        let most = match time {
            Some(time) if finishes_now => {
                let share = expected.mul_f64(SHARE_OF_EXPECTED);
                self.positions_in(share.min(time.mul_f64(SHARE_FOR_SOLVER)))
            }
            Some(time) => self.positions_in(time),
            None => LARGE,
        };
        // It serves the moves after this one, too, and other games.
        let times = if finishes_now { 1 } else { 2 };
        let pays = optimal_table_seeds(rules, board.seeds_in_play(), times);
        let seeds = seeds_within(rules.houses(), most.min(LARGE)).min(pays);
        // A seed more is hardly worth the time.
        let is_worthwhile = |table: Arc<Tablebase>| table.seeds() + 2 <= seeds;
        if self.kept(rules).is_none_or(is_worthwhile) {
            let goes_on = |build: &mut TablebaseBuild| {
                let fits = !finishes_now || build.left() <= most;
                build.rules() == rules && build.seeds() >= seeds && fits
            };
            let begun =
                self.build.take_if(goes_on).map_or_else(|| TablebaseBuild::new(rules, seeds), Ok);
            self.go_on(begun, threads, end);
        } else {
            self.build = None;
        }
        self.kept(rules)
    }

    /// The largest table there is.
    pub(super) fn kept(&self, rules: Rules) -> Option<Arc<Tablebase>> {
        let kept = self.small.iter().chain(&self.large).filter(|table| table.rules() == rules);
        kept.max_by_key(|table| table.seeds()).map(Arc::clone)
    }

    /// Positions that can be built in a time.
    fn positions_in(&self, time: Duration) -> u64 {
        (time.as_secs_f64() * self.rate()).max(1_000.0) as u64
    }

    /// Positions built in a second.
    fn rate(&self) -> f64 {
        self.rate.unwrap_or(RATE)
    }

    fn small(&mut self, rules: Rules, seeds: u32, threads: NonZeroUsize) -> Option<Arc<Tablebase>> {
        let begun = Instant::now();
        let table = Tablebase::build(rules, seeds, threads);
        let table = table.inspect_err(without_tables).ok()?;
        self.built(table.positions() as u64, begun);
        Some(Arc::new(table))
    }

    /// Goes on with a table for the solver, and is back in time.
    fn go_on(
        &mut self,
        build: Result<TablebaseBuild, TablebaseError>,
        threads: NonZeroUsize,
        end: &StopToken,
    ) {
        let Ok(build) = build.inspect_err(without_tables) else { return };
        let (begun, before) = (Instant::now(), build.done());
        let all = before + build.left();
        // What is begun is finished, and memory may be slow where it was fast.
        let step = 1.5 * build.largest_step() as f64 / self.rate();
        let step = Duration::from_secs_f64(step);
        let in_time = end.remaining().map(|left| end.child_with_timeout(left.saturating_sub(step)));
        let done = match build.resume(threads, in_time.as_ref().unwrap_or(end)) {
            BuildOutcome::Complete(table) => {
                self.large = Some(Arc::new(table));
                all
            }
            BuildOutcome::Paused(build) => self.build.insert(build).done(),
        };
        self.built(done - before, begun);
    }

    /// Takes note of how fast so many positions were built.
    fn built(&mut self, positions: u64, begun: Instant) {
        let time = begun.elapsed();
        debug!("{positions} positions of tables in {time:?}");
        if positions >= MEASURABLE {
            self.rate = Some(positions as f64 / time.as_secs_f64());
        }
    }

    fn files(
        &mut self,
        directory: &Path,
        rules: Rules,
        observer: &mut dyn Observer,
    ) -> Option<Arc<TablebaseFiles>> {
        if let Some((known, of_rules, files)) = &self.files
            && known == directory
            && *of_rules == rules
        {
            return files.clone();
        }
        let files = match TablebaseFiles::open(directory, rules) {
            Ok(files) => files.map(Arc::new),
            Err(error) => {
                observer.note(&format!("no tables in files: {}", error.with_causes()));
                None
            }
        };
        self.files = Some((directory.to_owned(), rules, files.clone()));
        files
    }
}

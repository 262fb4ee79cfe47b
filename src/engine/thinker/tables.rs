//! Tables of exact gains, built when they are first needed.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use log::{debug, warn};

use super::preferences::Preferences;
use crate::board::{Board, Rules};
use crate::search::{Deadline, ExactTables, Observer};
use crate::solve::paying_seeds;
use crate::tablebase::{
    Files, MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, Tablebase, on_threads, positions,
};

/// Most positions of the table that is always there: 11 seeds on the board of 6 houses a side, built
/// in some 10 ms.
const SMALL: u64 = 2_000_000;

/// Positions a second and processor, before any were built.
const RATE: f64 = 3e8;

/// Fewer positions than this tell nothing of the rate.
const MEASURABLE: u64 = 1_000_000;

/// The part of the time for a move that may go into the small table, and into one for the solver.
/// Tables serve to the end of the game and longer.
const SHARE: f64 = 0.15;
const SHARE_FOR_SOLVER: f64 = 0.4;

/// The part of the time that the solver is expected to take.
const SHARE_OF_EXPECTED: f64 = 0.5;

/// Most bytes of a larger table, while it is built.
const MOST_BYTES: u64 = 512 << 20;

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
    /// Files as they were last looked for.
    files: Option<(PathBuf, Rules, Option<Arc<Files>>)>,
    /// What the last search was given.
    joined: Option<Arc<ExactTables>>,
    /// Positions built in a second, as last measured.
    rate: Option<f64>,
}

/// The seeds of the largest table with at most so many positions.
fn seeds_for(rules: Rules, most: u64) -> u32 {
    let fits = |&seeds: &u32| positions(rules.houses(), seeds).is_some_and(|count| count <= most);
    (0..=MAX_TABLE_SEEDS).take_while(fits).last().unwrap_or(0)
}

impl Tables {
    /// What a search may look up.
    pub(super) fn for_search(
        &mut self,
        rules: Rules,
        need: Need,
        preferences: &Preferences,
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
        let seeds = seeds_for(rules, most);
        let kept = self.small.iter().chain(&self.large).filter(|table| match need {
            Need::Same => table.seeds() == seeds,
            Need::Within(_) => table.seeds() >= seeds,
        });
        let kept = kept.filter(|table| table.rules() == rules).max_by_key(|table| table.seeds());
        let table = if let Some(table) = kept {
            Arc::clone(table)
        } else {
            self.small = self.build(rules, seeds, preferences.search.threads, &|| true);
            Arc::clone(self.small.as_ref()?)
        };
        // The same as before has told already what files are damaged.
        let joined = self.joined.take().filter(|joined| joined.is_of(&table, files.as_ref()));
        let joined = joined.unwrap_or_else(|| Arc::new(ExactTables::new(table, files)));
        self.joined = Some(Arc::clone(&joined));
        Some(joined)
    }

    /// The table in memory for a solver that has so much time for a position; with all the time there
    /// is, the one that pays.
    pub(super) fn for_solver(
        &mut self,
        board: &Board,
        time: Option<Duration>,
        expected: Duration,
        threads: NonZeroUsize,
        end: &Deadline,
    ) -> Option<Arc<Tablebase>> {
        let rules = board.rules();
        if rules.houses() > MAX_TABLE_HOUSES {
            return None;
        }
        let share = expected.mul_f64(SHARE_OF_EXPECTED);
        let share = time.map_or(share, |time| share.min(time.mul_f64(SHARE_FOR_SOLVER)));
        let most = self.positions_in(share).min(MOST_BYTES / 2);
        let pays = paying_seeds(rules, board.seeds_in_play(), 1);
        let seeds = seeds_for(rules, most).min(pays);
        let kept = self.kept(rules);
        // A seed more is hardly worth the time.
        if kept.as_ref().is_some_and(|table| table.seeds() + 2 > seeds) {
            return kept;
        }
        let table = self.build(rules, seeds, threads, &|| !end.is_over())?;
        self.large = Some(Arc::clone(&table));
        Some(table)
    }

    /// The largest table there is.
    pub(super) fn kept(&self, rules: Rules) -> Option<Arc<Tablebase>> {
        let kept = self.small.iter().chain(&self.large).filter(|table| table.rules() == rules);
        kept.max_by_key(|table| table.seeds()).map(Arc::clone)
    }

    /// Positions that can be built in a time.
    fn positions_in(&self, time: Duration) -> u64 {
        (time.as_secs_f64() * self.rate.unwrap_or(RATE)).max(1_000.0) as u64
    }

    /// `None` when it is not wanted any more, or not to be had.
    fn build(
        &mut self,
        rules: Rules,
        seeds: u32,
        threads: NonZeroUsize,
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> Option<Arc<Tablebase>> {
        let begun = Instant::now();
        let build = || Tablebase::build_while(rules, seeds, is_wanted);
        let table = on_threads(threads, build);
        let table = match table {
            Ok(table) => table?,
            Err(error) => {
                warn!("{error}; thinking without tables");
                return None;
            }
        };
        debug!("{seeds} seeds in {:?}", begun.elapsed());
        if table.positions() as u64 >= MEASURABLE {
            self.rate = Some(table.positions() as f64 / begun.elapsed().as_secs_f64());
        }
        Some(Arc::new(table))
    }

    fn files(
        &mut self,
        directory: &Path,
        rules: Rules,
        observer: &mut dyn Observer,
    ) -> Option<Arc<Files>> {
        if let Some((known, of_rules, files)) = &self.files
            && known == directory
            && *of_rules == rules
        {
            return files.clone();
        }
        let files = match Files::open(directory, rules) {
            Ok(files) => files.map(Arc::new),
            Err(error) => {
                observer.note(&format!("no tables in files: {error}"));
                None
            }
        };
        self.files = Some((directory.to_owned(), rules, files.clone()));
        files
    }
}

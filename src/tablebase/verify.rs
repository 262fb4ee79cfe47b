//! Verifies files: their checksums, and each gain by the gains of the positions after the moves.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::error::{TablebaseError, TablebaseFileError};
use super::index::MAX_TABLE_SEEDS;
use super::layer::LayerFile;
use super::table::gain_by_moves;
use super::table_files::{TablebaseFiles, check_directory};
use crate::board::{Board, Position, Rules, Sowings};
use crate::lock::{lock, unlocked};
use crate::parallel;
use crate::stop::StopToken;

/// Which gains are verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// All.
    All,
    /// Random samples of each layer; all gains of layers that have no more.
    Samples {
        /// The number of samples.
        per_layer: u64,
        /// The seed of the random numbers.
        seed: u64,
    },
}

impl Coverage {
    /// The number of gains to verify of a layer with this number of entries.
    fn gains(self, entries: u64) -> u64 {
        match self {
            Coverage::All => entries,
            Coverage::Samples { per_layer, .. } => per_layer.min(entries),
        }
    }
}

/// The progress of a verification. Checksums are verified first and not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyProgress {
    /// Seeds in the houses of the current layer.
    pub layer: u32,
    /// Gains verified.
    pub done: u64,
    /// Gains to verify in total; 0 while checksums are verified.
    pub total: u64,
}

/// The result of a verification.
#[derive(Debug, Default)]
pub struct VerifyReport {
    /// The layers found, by their seeds.
    pub layers: Vec<u32>,
    /// The number of gains verified.
    pub gains: u64,
    /// Layers whose gains were not verified because a smaller layer is bad or missing.
    pub unverified: Vec<u32>,
    /// The first problem of each bad file, and each layer that is missing below another.
    pub errors: Vec<TablebaseError>,
}

/// Verifies all files for these rules, on up to `threads` threads: the checksums, and the gains that `coverage`
/// selects against those after the moves. `progress` is called on these threads.
///
/// # Errors
/// Returns an error if there are more than 8 houses a side, if the directory cannot be read, or if
/// it is stopped. Bad files are listed in the report.
pub fn verify(
    directory: &Path,
    rules: Rules,
    coverage: Coverage,
    threads: NonZeroUsize,
    stop: &StopToken,
    progress: &(dyn Fn(VerifyProgress) + Sync),
) -> Result<VerifyReport, TablebaseError> {
    let sowings = Sowings::from_rules(rules).ok_or(TablebaseError::Houses(rules.houses()))?;
    check_directory(directory)?;
    let mut report = VerifyReport::default();
    let mut good = Vec::new();
    let mut missing = Vec::new();
    for seeds in 0..=MAX_TABLE_SEEDS {
        let layer = LayerFile::find(directory, rules, seeds);
        if matches!(layer, Ok(None)) {
            missing.push(seeds);
            continue;
        }
        // The layers up to this one are there, or are holes.
        report.errors.extend(
            missing.drain(..).map(|seeds| TablebaseError::MissingLayer {
                directory: directory.to_owned(),
                seeds,
            }),
        );
        report.layers.push(seeds);
        progress(VerifyProgress { layer: seeds, done: 0, total: 0 });
        let verified = layer.and_then(|layer| {
            layer.iter().try_for_each(|layer| layer.verify(threads, stop))?;
            Ok(layer)
        });
        match verified {
            Ok(Some(layer)) if good.len() == seeds as usize => good.push(layer),
            Ok(_) => report.unverified.push(seeds),
            Err(TablebaseError::Stopped) => return Err(TablebaseError::Stopped),
            Err(error) => report.errors.push(error),
        }
    }
    if let Some(files) = TablebaseFiles::from_layers(directory, rules, good) {
        let rows = (0..=files.seeds()).map(|seeds| files.index.ranks.rows(seeds)).collect();
        let total = files.layers.iter().map(|layer| coverage.gains(layer.header.entries)).sum();
        let (files, done) = (&files, AtomicU64::new(0));
        let verifier =
            Verifier { files, sowings, coverage, threads, stop, progress, rows, done, total };
        verifier.run(&mut report)?;
    }
    Ok(report)
}

struct Verifier<'a> {
    files: &'a TablebaseFiles,
    sowings: &'a Sowings<u64>,
    coverage: Coverage,
    threads: NonZeroUsize,
    stop: &'a StopToken,
    progress: &'a (dyn Fn(VerifyProgress) + Sync),
    /// By seeds, then by rank.
    rows: Vec<Vec<u64>>,
    done: AtomicU64,
    total: u64,
}

struct WrongGain {
    entry: u64,
    position: Position<u64>,
    found: i32,
    expected: i32,
}

impl Verifier<'_> {
    fn run(&self, report: &mut VerifyReport) -> Result<(), TablebaseError> {
        let rules = self.files.rules;
        for (layer, seeds) in self.files.layers.iter().zip(0..) {
            match self.verify_layer(seeds, layer.header.entries) {
                Ok((_, None)) => {}
                Ok((wrong, Some(first))) => {
                    report.errors.push(layer.error(TablebaseFileError::Gains {
                        wrong,
                        position: Board::from_position(rules, &first.position).fen(),
                        found: first.found,
                        expected: first.expected,
                    }));
                }
                Err(TablebaseError::Stopped) => return Err(TablebaseError::Stopped),
                // A gain that cannot be: it is reached from all larger layers.
                Err(error) => {
                    report.errors.push(error);
                    report.unverified.extend(seeds + 1..=self.files.seeds());
                    break;
                }
            }
        }
        report.gains = self.done.load(Relaxed);
        Ok(())
    }

    /// The number of wrong gains of a layer, and the first.
    fn verify_layer(
        &self,
        seeds: u32,
        entries: u64,
    ) -> Result<(u64, Option<WrongGain>), TablebaseError> {
        /// Gains verified between two reports of progress.
        const BATCH: u64 = 1 << 13;
        let count = self.coverage.gains(entries);
        let samples: Vec<u64> = match self.coverage {
            Coverage::Samples { seed, .. } if count < entries => {
                let mut random = fastrand::Rng::with_seed(seed ^ u64::from(seeds) << 56);
                (0..count).map(|_| random.u64(..entries)).collect()
            }
            _ => Vec::new(),
        };
        let all_wrong = Mutex::new((0, None::<WrongGain>));
        parallel::try_for_each(self.threads, 0..count.div_ceil(BATCH), |batch| {
            let batch = batch * BATCH..count.min((batch + 1) * BATCH);
            let size = batch.end - batch.start;
            for i in batch {
                let entry = samples.get(i as usize).copied().unwrap_or(i);
                if let Some(wrong) = self.verify_entry(seeds, entry)? {
                    let (count, first) = &mut *lock(&all_wrong);
                    *count += 1;
                    if first.as_ref().is_none_or(|first| entry < first.entry) {
                        *first = Some(wrong);
                    }
                }
            }
            let done = self.done.fetch_add(size, Relaxed) + size;
            (self.progress)(VerifyProgress { layer: seeds, done, total: self.total });
            self.stop.check(TablebaseError::Stopped)
        })?;
        Ok(unlocked(all_wrong))
    }

    fn verify_entry(&self, seeds: u32, entry: u64) -> Result<Option<WrongGain>, TablebaseError> {
        let layer = &self.files.layers[seeds as usize];
        let position = self.position(seeds, entry as usize);
        let position = position.ok_or_else(|| layer.error(TablebaseFileError::Entry(entry)))?;
        let gain = |position: &Position<u64>| {
            self.files.gain_of_position(position)?.ok_or_else(|| TablebaseError::MissingLayer {
                directory: self.files.directory.clone(),
                seeds: position.seeds(),
            })
        };
        let found = gain(&position)?;
        let expected = gain_by_moves(self.sowings, &position, gain)?;
        Ok((found != expected).then_some(WrongGain { entry, position, found, expected }))
    }

    /// The position of an entry of a layer.
    fn position(&self, seeds: u32, entry: usize) -> Option<Position<u64>> {
        let index = &self.files.index;
        let place = entry + index.start_of_layer(seeds);
        let own = (0..=seeds).rev().find(|&own| index.block(own, seeds - own) <= place)?;
        let place = place - index.block(own, seeds - own);
        let columns = index.ranks.count(seeds - own);
        let row = self.rows[own as usize].get(place / columns)?;
        let other = self.rows[(seeds - own) as usize].get(place % columns)?;
        Some(Position::from_rows(*row, *other))
    }
}

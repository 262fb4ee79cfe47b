//! Whether files are right: each gain by the gains of the positions that its moves lead to.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::fault::FileFault;
use super::layer::Layer;
use super::{TablebaseFiles, check_directory, open_layer};
use crate::board::{Board, MAX_HOUSES, Position, Row, Rules, Side, Sowings};
use crate::parallel;
use crate::tablebase::definition::gain_by_moves;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS};

/// How many gains are worked out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// All.
    All,
    /// So many of each layer, which follow from the seed; all of layers that have no more.
    Samples {
        /// How many.
        of_layer: u64,
        /// The seed of the random numbers.
        seed: u64,
    },
}

/// How far a verification has come. Checksums come first, and are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyProgress {
    /// Seeds in the houses of the positions at hand.
    pub layer: u32,
    /// Gains worked out.
    pub done: u64,
    /// Gains to be worked out.
    pub total: u64,
}

/// Hears of progress, on whatever thread made it, and says whether to go on.
pub type VerifyWatch<'a> = &'a (dyn Fn(VerifyProgress) -> ControlFlow<()> + Sync);

/// What a verification has found.
#[derive(Debug)]
pub struct Verified {
    /// Layers that are there, by seeds. All of their checksums were checked.
    pub layers: Vec<u32>,
    /// Gains that were worked out again.
    pub gains: u64,
    /// Layers whose gains could not be, for some with fewer seeds are damaged or not there.
    pub beyond: Vec<u32>,
    /// Files that are wrong, each with what was found first.
    pub faults: Vec<TablebaseError>,
}

/// Checks all files for these rules: the checksums, and the gains, or some of them, against those
/// of the positions that moves lead to.
///
/// # Errors
/// When there are more than 8 houses a side, the directory cannot be read, or `watch` breaks off.
pub fn verify(
    directory: &Path,
    rules: Rules,
    amount: Amount,
    threads: NonZeroUsize,
    watch: VerifyWatch,
) -> Result<Verified, TablebaseError> {
    let houses = rules.houses();
    let sowings = Sowings::of(rules).filter(|_| houses <= MAX_TABLE_HOUSES);
    let sowings = sowings.ok_or(TablebaseError::Houses(houses))?;
    check_directory(directory)?;
    let mut found =
        Verified { layers: Vec::new(), gains: 0, beyond: Vec::new(), faults: Vec::new() };
    let mut good = Vec::new();
    for seeds in 0..=MAX_TABLE_SEEDS {
        let opened = open_layer(directory, rules, seeds);
        if matches!(opened, Ok(None)) {
            continue;
        }
        found.layers.push(seeds);
        let progress = VerifyProgress { layer: seeds, done: 0, total: 0 };
        match opened.and_then(|layer| {
            layer.map(|layer| checked(layer, threads, progress, watch)).transpose()
        }) {
            Ok(Some(layer)) if good.len() == seeds as usize => good.push(layer),
            Ok(_) => found.beyond.push(seeds),
            Err(TablebaseError::Interrupted) => return Err(TablebaseError::Interrupted),
            Err(fault) => found.faults.push(fault),
        }
    }
    if let Some(files) = TablebaseFiles::of_layers(directory, rules, good) {
        Verifier::new(&files, sowings, amount, threads, watch).run(&mut found)?;
    }
    Ok(found)
}

/// A layer with all its checksums right.
fn checked(
    layer: Layer,
    threads: NonZeroUsize,
    progress: VerifyProgress,
    watch: VerifyWatch,
) -> Result<Layer, TablebaseError> {
    /// Blocks between two looks at the watch.
    const BATCH: usize = 4096;
    parallel::try_for_each(threads, 0..layer.blocks(), |block| {
        if block % BATCH == 0 && watch(progress).is_break() {
            return Err(TablebaseError::Interrupted);
        }
        layer.check(block)
    })?;
    Ok(layer)
}

struct Verifier<'a> {
    files: &'a TablebaseFiles,
    sowings: &'a Sowings<u64>,
    amount: Amount,
    threads: NonZeroUsize,
    watch: VerifyWatch<'a>,
    /// By seeds, then by rank.
    rows: Vec<Vec<u64>>,
    done: AtomicU64,
    total: u64,
}

/// Gains of a layer that are wrong.
#[derive(Default)]
struct Wrong {
    count: u64,
    first: Option<WrongGain>,
}

struct WrongGain {
    entry: u64,
    position: Position<u64>,
    found: i32,
    expected: i32,
}

impl Wrong {
    fn and(self, other: Wrong) -> Wrong {
        let firsts = [self.first, other.first].into_iter().flatten();
        Wrong { count: self.count + other.count, first: firsts.min_by_key(|wrong| wrong.entry) }
    }
}

impl<'a> Verifier<'a> {
    fn new(
        files: &'a TablebaseFiles,
        sowings: &'a Sowings<u64>,
        amount: Amount,
        threads: NonZeroUsize,
        watch: VerifyWatch<'a>,
    ) -> Verifier<'a> {
        let rows = (0..=files.seeds()).map(|seeds| files.ranks.rows(seeds)).collect();
        let total = files.layers.iter().map(|layer| amount.of(layer.header().entries)).sum();
        Verifier { files, sowings, amount, threads, watch, rows, done: AtomicU64::new(0), total }
    }

    fn run(&self, found: &mut Verified) -> Result<(), TablebaseError> {
        for (layer, seeds) in self.files.layers.iter().zip(0..) {
            match self.layer(seeds, layer.header().entries) {
                Ok(Wrong { first: None, .. }) => {}
                Ok(Wrong { first: Some(first), count }) => {
                    found.faults.push(layer.fault(FileFault::Gains {
                        wrong: count,
                        position: self.fen(&first.position),
                        found: first.found,
                        expected: first.expected,
                    }));
                }
                Err(TablebaseError::Interrupted) => return Err(TablebaseError::Interrupted),
                Err(fault) => found.faults.push(fault),
            }
        }
        found.gains = self.done.load(Relaxed);
        Ok(())
    }

    /// Works out the gains of a layer, all or samples.
    fn layer(&self, seeds: u32, entries: u64) -> Result<Wrong, TablebaseError> {
        /// Gains that are worked out at a time.
        const BATCH: u64 = 1 << 13;
        let each = |first: u64, count: u64, entry: &(dyn Fn(u64) -> u64 + Sync)| {
            let mut wrong = Wrong::default();
            for i in first..first + count {
                wrong = wrong.and(self.entry(seeds, entry(i))?);
            }
            let done = self.done.fetch_add(count, Relaxed) + count;
            match (self.watch)(VerifyProgress { layer: seeds, done, total: self.total }) {
                ControlFlow::Continue(()) => Ok(wrong),
                ControlFlow::Break(()) => Err(TablebaseError::Interrupted),
            }
        };
        let count = self.amount.of(entries);
        let samples: Vec<u64> = match self.amount {
            Amount::Samples { seed, .. } if count < entries => {
                let mut random = fastrand::Rng::with_seed(seed ^ u64::from(seeds) << 56);
                (0..count).map(|_| random.u64(..entries)).collect()
            }
            _ => Vec::new(),
        };
        let entry = |i: u64| samples.get(i as usize).copied().unwrap_or(i);
        let wrong = Mutex::new(Wrong::default());
        parallel::try_for_each(self.threads, 0..count.div_ceil(BATCH), |batch| {
            let more = each(batch * BATCH, BATCH.min(count - batch * BATCH), &entry)?;
            let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
            *wrong = std::mem::take(&mut *wrong).and(more);
            Ok(())
        })?;
        Ok(wrong.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Works out the gain of an entry.
    fn entry(&self, seeds: u32, entry: u64) -> Result<Wrong, TablebaseError> {
        let layer = &self.files.layers[seeds as usize];
        let position = self.position(seeds, entry as usize);
        let position = position.ok_or_else(|| layer.fault(FileFault::Entry(entry)))?;
        let missing = |seeds| {
            let directory = self.files.directory.clone();
            TablebaseError::NoLayer { directory, seeds }
        };
        let gain = |position: &Position<u64>| {
            let seeds = position.own_seeds() + position.opponent_seeds();
            self.files.gain(position)?.ok_or_else(|| missing(seeds))
        };
        let found = gain(&position)?;
        let expected = gain_by_moves(self.sowings, &position, gain)?;
        Ok(if found == expected {
            Wrong::default()
        } else {
            Wrong { count: 1, first: Some(WrongGain { entry, position, found, expected }) }
        })
    }

    /// The position that an entry of a layer is for.
    fn position(&self, seeds: u32, entry: usize) -> Option<Position<u64>> {
        let TablebaseFiles { ranks, blocks, .. } = self.files;
        let place = entry + blocks.start_of_layer(seeds);
        let own = (0..=seeds).rev().find(|&own| blocks.start(own, seeds - own) <= place)?;
        let place = place - blocks.start(own, seeds - own);
        let columns = ranks.count(seeds - own);
        let row = self.rows[own as usize].get(place / columns)?;
        let other = self.rows[(seeds - own) as usize].get(place % columns)?;
        let houses = self.files.rules.houses();
        let (row, other) = (counts(*row), counts(*other));
        Position::new(self.sowings, &row[..houses], &other[..houses])
    }

    /// A position for people to read.
    fn fen(&self, position: &Position<u64>) -> String {
        let rows = [counts(position.own_row()), counts(position.opponent_row())];
        let houses = self.files.rules.houses();
        let rows = [&rows[0][..houses], &rows[1][..houses]];
        let board = Board::new(self.files.rules, rows, [0, 0], Side::South);
        board.map_or_else(|_| format!("{rows:?}"), |board| board.fen())
    }
}

impl Amount {
    /// How many of so many.
    fn of(self, entries: u64) -> u64 {
        match self {
            Amount::All => entries,
            Amount::Samples { of_layer, .. } => of_layer.min(entries),
        }
    }
}

/// The seeds in each house of a row.
fn counts(row: u64) -> [u16; MAX_HOUSES] {
    let mut counts = [0; MAX_HOUSES];
    for house in row.occupied() {
        counts[house] = row.seeds(house) as u16;
    }
    counts
}

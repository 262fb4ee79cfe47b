//! Trains learned evaluations by self-play, from nothing but the rules.
//!
//! [`TrainingConfig::run`] goes through generations. In each, games of self-play give [`Sample`]s:
//! positions with the gain that a search found and the gain that the game ended with. A network of
//! floating-point numbers is fitted to them and quantised to a [`Network`], with which the next
//! generation plays. Training is deterministic: the same configuration makes the same network.

mod float_network;
mod learning_curves;
mod samples;
mod self_play;
mod trainer;

use std::fs::{self, File};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::atomic_file::{remove_strays, replace_file};
use crate::board::{Board, BoardError, Capture, Rules};
use crate::search::{
    ExactTables, Network, NetworkError, NetworkFileError, Searcher, TableTooLarge, splitmix64,
};
use crate::stop::StopToken;
use crate::tablebase::{MAX_TABLE_HOUSES, Tablebase, TablebaseError, seeds_within};
use crate::{parallel, regular_file};
use samples::write_samples;
use self_play::SelfPlay;
use trainer::Trainer;

pub use learning_curves::LearningCurve;
pub use samples::{Sample, read_samples};
pub use trainer::MeanErrors;

/// Games whose samples share a file. Games of a finished file are not played again.
const GAMES_PER_FILE: u64 = 256;

/// Most bytes of the file of settings or of a learning curve, and of a file of samples.
const MAX_COURSE_BYTES: u64 = 1 << 20;
const MAX_PART_BYTES: u64 = 1 << 30;

/// Transposition table of each search, in MiB.
const HASH: usize = 4;

/// Maximum number of positions in the endgame table.
const TABLE_POSITIONS: u64 = 4_000_000;

/// The settings of a training run. Equal settings make equal networks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingConfig {
    /// Houses a side.
    pub houses: usize,
    /// `standard` or `empty`.
    pub capture: String,
    /// Seeds in each house at the start of games.
    pub seeds: Vec<u16>,
    /// Minimum number of positions in each generation.
    pub positions: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// Number of networks to train, one after the other. The games of the first generation use the
    /// plain evaluation.
    pub generations: u32,
    /// Random seed.
    pub seed: u64,
}

/// Progress of a training run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingProgress {
    /// The generation, from 1.
    pub generation: u32,
    /// Positions of self-play so far, or epochs of fitting a network.
    pub done: u64,
    /// Minimum number of positions in the generation, or epochs in all.
    pub total: u64,
    /// Errors of the network's estimates after an epoch; `None` after a game of self-play.
    pub errors: Option<MeanErrors>,
}

/// Why a training run gave no network.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// A setting is invalid.
    #[error("{0}")]
    Config(String),
    /// Games cannot start from such a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The transposition table of a search does not fit in memory.
    #[error(transparent)]
    Search(#[from] TableTooLarge),
    /// The endgame table cannot be built.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The weights cannot be quantised.
    #[error(transparent)]
    Quantisation(#[from] NetworkError),
    /// The folder holds a run with other settings.
    #[error(
        "'{}' holds a training run with other settings; choose another folder or remove it",
        .0.display()
    )]
    OtherRun(PathBuf),
    /// A file of the run cannot be read or written.
    #[error("'{}': {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file of samples or errors is damaged.
    #[error("'{}': {reason}; remove the file to make it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A network of an earlier generation cannot be read.
    #[error("'{}': {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: NetworkFileError,
    },
    /// Self-play gave no samples.
    #[error("no positions to learn from: games on this board are too short")]
    NoSamples,
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
}

/// What a run needs besides its settings.
struct TrainingContext<'a> {
    folder: &'a Path,
    threads: NonZeroUsize,
    stop: &'a StopToken,
    progress: &'a (dyn Fn(TrainingProgress) + Sync),
}

impl TrainingConfig {
    fn rules(&self) -> Result<Rules, TrainingError> {
        let capture: Result<Capture, _> = self.capture.parse();
        let capture = capture.map_err(|error| TrainingError::Config(error.to_string()))?;
        Ok(Rules::new(self.houses, capture).map_err(BoardError::from)?)
    }

    /// Trains a network for each generation and returns the last one. Samples and networks are
    /// written to `folder`; a run that was stopped resumes from there.
    ///
    /// # Errors
    /// When a setting is invalid, memory is short, `folder` belongs to another run, a file cannot be
    /// read or written, the games yield no samples, or `stop` was stopped.
    pub fn run(
        &self,
        folder: &Path,
        threads: NonZeroUsize,
        stop: &StopToken,
        progress: &(dyn Fn(TrainingProgress) + Sync),
    ) -> Result<Network, TrainingError> {
        let context = TrainingContext { folder, threads, stop, progress };
        let rules = self.rules()?;
        let starts = self.seeds.iter().map(|&seeds| Board::start(rules, seeds));
        let starts = starts.collect::<Result<Vec<_>, _>>()?;
        if starts.is_empty() || self.generations == 0 {
            let message = "training needs at least one number of seeds and one generation";
            return Err(TrainingError::Config(message.to_owned()));
        }
        self.claim(folder)?;
        let tables = endgame_tables(rules, threads)?;
        let mut play = SelfPlay { starts, nodes: self.nodes, seed: 0, network: None, tables };
        // A network is fitted to the games of the generation before as well.
        let mut previous: Vec<Sample> = Vec::new();
        let network_file = |generation| folder.join(format!("generation-{generation}.knn"));
        for generation in 1..=self.generations {
            play.seed = splitmix64(self.seed ^ splitmix64(u64::from(generation)));
            let file = network_file(generation);
            let network = match Network::read(&file) {
                Ok(network) if network.rules() == rules => {
                    if generation < self.generations && !network_file(generation + 1).exists() {
                        previous = self.samples(generation, &play, &context)?;
                    }
                    network
                }
                Ok(_) => return Err(TrainingError::OtherRun(folder.to_owned())),
                Err(_) if !file.exists() => {
                    let samples = self.samples(generation, &play, &context)?;
                    let network =
                        self.fit(generation, &[&previous[..], &samples].concat(), &context)?;
                    write_file(&file, |output| output.write_all(&network.to_bytes()))?;
                    previous = samples;
                    network
                }
                Err(source) => return Err(TrainingError::Network { path: file, source }),
            };
            play.network = Some(Arc::new(network));
        }
        play.network.as_deref().cloned().ok_or(TrainingError::NoSamples)
    }

    /// Writes the settings to a new folder; in an existing one, requires that they are equal.
    fn claim(&self, folder: &Path) -> Result<(), TrainingError> {
        let path = folder.join("course.json");
        let file_error = |source| TrainingError::File { path: path.clone(), source };
        fs::create_dir_all(folder).map_err(file_error)?;
        remove_strays(folder);
        match regular_file::read(&path, MAX_COURSE_BYTES) {
            Ok(bytes) if serde_json::from_slice::<Self>(&bytes).is_ok_and(|run| run == *self) => {
                Ok(())
            }
            Ok(_) => Err(TrainingError::OtherRun(folder.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_file(&path, |output| Ok(serde_json::to_writer_pretty(output, self)?))
            }
            Err(error) => Err(file_error(error)),
        }
    }

    /// The samples of a generation. Reads the files that exist and plays games for the others.
    fn samples(
        &self,
        generation: u32,
        play: &SelfPlay,
        context: &TrainingContext,
    ) -> Result<Vec<Sample>, TrainingError> {
        let mut samples: Vec<Sample> = Vec::new();
        let done = AtomicU64::new(0);
        let report = |new: usize| {
            let done = done.fetch_add(new as u64, Relaxed) + new as u64;
            let total = self.positions;
            (context.progress)(TrainingProgress { generation, done, total, errors: None });
        };
        for part in 0.. {
            if samples.len() as u64 >= self.positions {
                break;
            }
            let path = context.folder.join(format!("generation-{generation}-{part:03}.csv"));
            let of_part = match regular_file::read(&path, MAX_PART_BYTES) {
                Ok(bytes) => {
                    let read = self.read_part(&bytes);
                    let read = read.map_err(|reason| TrainingError::Damaged { path, reason })?;
                    report(read.len());
                    read
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let games = part * GAMES_PER_FILE..(part + 1) * GAMES_PER_FILE;
                    let played = play_games(play, games, context, &report)?;
                    write_file(&path, |output| Ok(write_samples(output, &played)?))?;
                    played
                }
                Err(source) => return Err(TrainingError::File { path, source }),
            };
            if of_part.is_empty() {
                return Err(TrainingError::NoSamples);
            }
            samples.extend(of_part);
        }
        Ok(samples)
    }

    /// Reads a file of samples. The error says what is wrong with it.
    fn read_part(&self, bytes: &[u8]) -> Result<Vec<Sample>, String> {
        let samples = read_samples(bytes).map_err(|error| error.to_string())?;
        match samples.iter().find(|sample| sample.seeds(self.houses).is_none()) {
            Some(other) => Err(format!("'{}' is not a position of this board", other.houses)),
            None => Ok(samples),
        }
    }

    fn fit(
        &self,
        generation: u32,
        samples: &[Sample],
        context: &TrainingContext,
    ) -> Result<Network, TrainingError> {
        let trainer = Trainer::new(self.houses, samples, splitmix64(self.seed));
        let mut trainer = trainer.ok_or(TrainingError::NoSamples)?;
        let total = Trainer::EPOCHS;
        let mut curve = LearningCurve { generation, errors: Vec::new() };
        for done in 1..=total {
            if context.stop.is_stopped() {
                return Err(TrainingError::Interrupted);
            }
            let errors = trainer.run_epoch();
            curve.errors.push(errors);
            let errors = Some(errors);
            (context.progress)(TrainingProgress { generation, done, total, errors });
        }
        write_file(&curve_file(context.folder, generation), |output| curve.write(output))?;
        Ok(trainer.finish().quantised(self.rules()?)?)
    }
}

/// The file of the learning curve of a generation.
fn curve_file(folder: &Path, generation: u32) -> PathBuf {
    folder.join(format!("generation-{generation}-errors.csv"))
}

/// The learning curves in the folder of a training run, of generation 1 and on.
///
/// # Errors
/// When a file cannot be read or is damaged.
pub fn read_learning_curves(folder: &Path) -> Result<Vec<LearningCurve>, TrainingError> {
    let mut curves = Vec::new();
    for generation in 1.. {
        let path = curve_file(folder, generation);
        let bytes = match regular_file::read(&path, MAX_COURSE_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(source) => return Err(TrainingError::File { path, source }),
        };
        let curve = LearningCurve::read(generation, &bytes);
        let damaged =
            |error: csv::Error| TrainingError::Damaged { path, reason: error.to_string() };
        curves.push(curve.map_err(damaged)?);
    }
    Ok(curves)
}

/// Plays games on several threads and returns their samples in the order of the games.
fn play_games(
    play: &SelfPlay,
    games: Range<u64>,
    context: &TrainingContext,
    report: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Sample>, TrainingError> {
    let play_game = |searcher: &mut Result<Searcher, TableTooLarge>, number: u64| {
        let searcher = searcher.as_mut().map_err(|error| error.clone())?;
        let samples = play.game(number, searcher, context.stop);
        if context.stop.is_stopped() {
            return Err(TrainingError::Interrupted);
        }
        report(samples.len());
        Ok(samples)
    };
    Ok(parallel::try_map_with(context.threads, games, || Searcher::new(HASH), play_game)?.concat())
}

/// The table of exact values where games end; `None` for boards too wide for one. Training fails if
/// there is no memory for it, since games without a table would give another network.
fn endgame_tables(
    rules: Rules,
    threads: NonZeroUsize,
) -> Result<Option<Arc<ExactTables>>, TrainingError> {
    if rules.houses() > MAX_TABLE_HOUSES {
        return Ok(None);
    }
    let seeds = seeds_within(rules.houses(), TABLE_POSITIONS);
    let table = Tablebase::build(rules, seeds, threads)?;
    Ok(Some(Arc::new(ExactTables::new(Arc::new(table), None))))
}

fn write_file(
    path: &Path,
    contents: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), TrainingError> {
    replace_file(path, contents)
        .map_err(|source| TrainingError::File { path: path.to_owned(), source })
}

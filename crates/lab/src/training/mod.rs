//! Trains learned evaluations by self-play, from nothing but the rules.
//!
//! [`TrainingConfig::run`] goes through generations. In each, games of self-play give [`Sample`]s:
//! positions with the gain that a search found and the gain that the game ended with. A network of
//! floating-point numbers is fitted to them and quantised to a [`Network`], with which the next
//! generation plays. Training is deterministic: the same configuration makes the same network,
//! whether this machine plays all games or others play the jobs of a [`TrainingRun`].

mod float_network;
mod folder;
mod run;
mod samples;
mod self_play;
mod trainer;

use std::error::Error;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::{Deserialize, Serialize};

use kalah::StopToken;
use kalah::board::{Board, BoardError, Capture, RuleSet, Rules, Sowing, splitmix64};
use kalah::search::{
    BLOCK_NEURONS, MAX_NEURONS, Network, NetworkError, TableTooLarge, blocks_of_neurons,
};
use kalah::tablebase::TablebaseError;
use kalah_command::options::{houses, number, seeds};
use run::JOBS_PER_PART;

pub use folder::{LearningCurve, read_learning_curves};
pub use run::{TrainingJob, TrainingProgress, TrainingRun};
pub use samples::{Sample, read_samples, write_samples};
pub use self_play::SelfPlayer;
pub use trainer::MeanErrors;

/// Why a training run gave no network.
#[allow(missing_docs, reason = "the messages say it")]
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    #[error("{0}")]
    Config(String),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Search(#[from] TableTooLarge),
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    #[error(transparent)]
    Quantisation(#[from] NetworkError),
    #[error(
        "'{}' holds a training run with other settings; choose another folder or remove it",
        .0.display()
    )]
    OtherRun(PathBuf),
    #[error("another process trains in '{}'", .0.display())]
    InUse(PathBuf),
    #[error("'{}' is damaged", path.display())]
    Settings { path: PathBuf, source: serde_json::Error },
    #[error("'{}'", path.display())]
    File { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    #[error("'{}': {reason}; remove the file to make it again", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("job {job}: {reason}")]
    OtherSamples { job: u64, reason: String },
    #[error("no positions to learn from: games on this board are too short")]
    NoSamples,
    #[error("interrupted")]
    Interrupted,
}

/// The settings of a training run. Equal settings make equal networks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Args)]
pub struct TrainingConfig {
    /// Houses a side, 1 to 12.
    #[arg(long, value_name = "H", default_value_t = 6, value_parser = houses())]
    pub houses: usize,
    /// Capture rule: standard, or empty (captures also when the opposite house is empty).
    #[arg(long, value_name = "RULE", default_value = Capture::Standard.name(),
          value_parser = PossibleValuesParser::new(Capture::ALL.map(Capture::name)))]
    pub capture: String,
    /// Way of sowing: single, or relay (a sowing that ends in a house with seeds goes on with them; no
    /// captures).
    #[serde(default = "single")]
    #[arg(long, value_name = "WAY", default_value = Sowing::Single.name(),
          value_parser = PossibleValuesParser::new(Sowing::ALL.map(Sowing::name)))]
    pub sowing: String,
    /// Seeds in each house at the start of games.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "3,4,5,6,7",
          value_parser = seeds())]
    pub seeds: Vec<u16>,
    /// Minimum number of positions in each generation.
    #[arg(long, value_name = "N", default_value_t = 250_000,
          value_parser = number::<u64>(1..))]
    pub positions: u64,
    /// Nodes of each search.
    #[arg(long, value_name = "N", default_value_t = 3_000,
          value_parser = number::<u64>(1..))]
    pub nodes: u64,
    /// Number of networks to train, one after the other. The games of the first generation use the
    /// plain evaluation.
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = number::<u32>(1..), help = "Generations")]
    pub generations: u32,
    /// Neurons of the last network, [`BLOCK_NEURONS`] to [`MAX_NEURONS`] in steps of [`BLOCK_NEURONS`].
    /// The networks before it, which only play games, have [`BLOCK_NEURONS`].
    #[serde(default = "default_neurons")]
    #[arg(long, value_name = "N", default_value_t = BLOCK_NEURONS,
          help = "Neurons of the last network, 32 to 128 in steps of 32: more estimate better and take longer",
          value_parser = number::<usize>(..))]
    pub neurons: usize,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    pub seed: u64,
}

/// For the folders of runs from before there was a choice, as the next.
fn default_neurons() -> usize {
    BLOCK_NEURONS
}

fn single() -> String {
    Sowing::Single.to_string()
}

impl TrainingConfig {
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
        let mut run = TrainingRun::new(self, folder)?;
        let player = SelfPlayer::with_threads(self, threads)?;
        while let Some(generation) = run.generation() {
            let done = AtomicU64::new(0);
            let report = |new: u64| {
                let done = done.fetch_add(new, Relaxed) + new;
                let total = self.positions;
                progress(TrainingProgress { generation, done, total, errors: None });
            };
            report(run.positions());
            while !run.is_played() {
                let jobs = run.next_jobs(JOBS_PER_PART)?;
                run.report(player.play_jobs(&jobs, run.network(), threads, stop, &report)?)?;
            }
            run.fit(stop, progress)?;
        }
        run.network().map(|network| (**network).clone()).ok_or(TrainingError::NoSamples)
    }

    pub(crate) fn rules(&self) -> Result<Rules, TrainingError> {
        let capture: Result<Capture, _> = self.capture.parse();
        let capture = capture.map_err(|error| TrainingError::Config(error.to_string()))?;
        let sowing: Result<Sowing, _> = self.sowing.parse();
        let sowing = sowing.map_err(|error| TrainingError::Config(error.to_string()))?;
        let rule_set = RuleSet::new(capture, sowing);
        Ok(Rules::new(self.houses, rule_set).map_err(BoardError::from)?)
    }

    /// The boards that games start from, in rotation; at least one.
    fn starts(&self) -> Result<Vec<Board>, TrainingError> {
        let rules = self.rules()?;
        let starts = self.seeds.iter().map(|&seeds| Board::start(rules, seeds));
        let starts = starts.collect::<Result<Vec<_>, _>>()?;
        if starts.is_empty() || self.generations == 0 {
            let message = "training needs at least one number of seeds and one generation";
            return Err(TrainingError::Config(message.to_owned()));
        }
        if blocks_of_neurons(self.neurons).is_none() {
            return Err(TrainingError::Config(format!(
                "neurons must be {BLOCK_NEURONS} to {MAX_NEURONS}, in steps of {BLOCK_NEURONS}"
            )));
        }
        Ok(starts)
    }

    /// Checks that samples are of positions of these games.
    ///
    /// # Errors
    /// Says which position is of another board.
    fn check_samples(&self, samples: &[Sample]) -> Result<(), String> {
        let most_seeds =
            self.seeds.iter().max().map_or(0, |&seeds| 2 * self.houses * usize::from(seeds));
        let is_ours = |sample: &Sample| {
            let seeds = sample.seeds(self.houses);
            seeds.is_some_and(|seeds| {
                seeds.into_iter().map(usize::from).sum::<usize>() <= most_seeds
            })
        };
        match samples.iter().find(|sample| !is_ours(sample)) {
            Some(other) => Err(format!("'{}' is not a position of this board", other.houses)),
            None => Ok(()),
        }
    }

    /// The blocks of neurons of a generation's network.
    fn blocks_of(&self, generation: u32) -> usize {
        if generation == self.generations { self.neurons / BLOCK_NEURONS } else { 1 }
    }

    fn seed_of(&self, generation: u32) -> u64 {
        splitmix64(self.seed ^ splitmix64(u64::from(generation)))
    }
}

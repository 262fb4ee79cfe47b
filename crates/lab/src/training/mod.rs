//! Trains learned evaluations by self-play, from nothing but the rules.
//!
//! [`TrainingConfig::run`] goes through generations. In each, games of self-play give [`Sample`]s:
//! positions with the gain that a search found and the gain that the game ended with. A network of
//! floating-point numbers is fitted to them and quantised to a [`Network`], with which the next
//! generation plays. Training is deterministic: the same configuration makes the same network,
//! whether this machine plays all games or others play the jobs of a [`TrainingRun`].

mod config;
mod error;
mod float_network;
mod folder;
mod run;
mod samples;
mod self_play;
mod trainer;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kalah::StopToken;
use kalah::parallel;
use kalah::search::{Network, Searcher, TableTooLarge};
use run::{GAMES_PER_JOB, JOBS_PER_PART};
use self_play::{HASH, SelfPlay};

pub use config::TrainingConfig;
pub use error::TrainingError;
pub use folder::{LearningCurve, read_learning_curves};
pub use run::{TrainingJob, TrainingProgress, TrainingRun};
pub use samples::{Sample, read_samples, write_samples};
pub use self_play::SelfPlayer;
pub use trainer::MeanErrors;

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
        let mut play = SelfPlay::new(self, threads)?;
        while let Some(generation) = run.generation() {
            play.seed = self.seed_of(generation);
            play.network = run.network().cloned();
            let done = AtomicU64::new(0);
            let report = |new: u64| {
                let done = done.fetch_add(new, Relaxed) + new;
                let total = self.positions;
                progress(TrainingProgress { generation, done, total, errors: None });
            };
            report(run.positions());
            while !run.is_played() {
                let jobs = run.next_jobs(JOBS_PER_PART)?;
                run.report(play_jobs(&play, &jobs, threads, stop, &report)?)?;
            }
            run.fit(stop, progress)?;
        }
        run.network().map(|network| (**network).clone()).ok_or(TrainingError::NoSamples)
    }
}

/// Plays the games of jobs on several threads.
fn play_jobs(
    play: &SelfPlay,
    jobs: &[TrainingJob],
    threads: NonZeroUsize,
    stop: &StopToken,
    report: &(dyn Fn(u64) + Sync),
) -> Result<Vec<(TrainingJob, Vec<Sample>)>, TrainingError> {
    let play_game = |searcher: &mut Result<Searcher, TableTooLarge>, game| {
        let searcher = searcher.as_mut().map_err(|error| error.clone())?;
        let samples = play.game(game, searcher, stop);
        if stop.is_stopped() {
            return Err(TrainingError::Interrupted);
        }
        report(samples.len() as u64);
        Ok(samples)
    };
    let games = jobs.iter().copied().flat_map(TrainingJob::games);
    let played = parallel::try_map_with(threads, games, || Searcher::new(HASH), play_game)?;
    let by_job = played.chunks(GAMES_PER_JOB as usize).map(<[_]>::concat);
    Ok(jobs.iter().copied().zip(by_job).collect())
}

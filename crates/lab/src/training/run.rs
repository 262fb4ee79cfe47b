//! A training run: its generations and their jobs, which others play.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::folder::{GenerationFile, LearningCurve, TrainingFolder};
use super::samples::Sample;
use super::trainer::{MeanErrors, Trainer};
use super::{TrainingConfig, TrainingError};
use kalah::StopToken;
use kalah::board::splitmix64;
use kalah::search::Network;

/// Games of a job: a second or two of searches with the usual number of nodes.
pub(super) const GAMES_PER_JOB: u64 = 16;

/// Jobs whose samples share a file in the end. Until then each has one of its own.
pub(super) const JOBS_PER_PART: usize = 16;

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

/// Games of self-play, for a [`SelfPlayer`](super::SelfPlayer) anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingJob {
    /// The generation that the games belong to, from 1.
    pub generation: u32,
    /// The number of the job within the generation, from 0.
    pub number: u64,
}

impl TrainingJob {
    /// The greatest number of a job: those of its games are of 64 bits.
    pub const MAX_NUMBER: u64 = u64::MAX / GAMES_PER_JOB - 1;

    /// The numbers of its games, which determine them. Its own is at most [`TrainingJob::MAX_NUMBER`].
    pub fn games(self) -> Range<u64> {
        let first = self.number * GAMES_PER_JOB;
        first..first + GAMES_PER_JOB
    }
}

#[derive(Debug)]
enum JobState {
    Waiting,
    Running,
    Done(Vec<Sample>),
}

impl JobState {
    fn samples(&self) -> Option<&[Sample]> {
        match self {
            JobState::Done(samples) => Some(samples),
            JobState::Waiting | JobState::Running => None,
        }
    }
}

/// A training run whose games are played by others, here or elsewhere. What it takes is kept in a
/// folder; a run in the same folder continues from there.
///
/// ```
/// # use kalah_lab::training::{SelfPlayer, TrainingConfig, TrainingRun};
/// # use kalah::StopToken;
/// # let folder = tempfile::tempdir()?;
/// # let config = TrainingConfig {
/// #     houses: 4, capture: "standard".to_owned(), sowing: "single".to_owned(), seeds: vec![4], positions: 100, nodes: 20,
/// #     generations: 1, neurons: 32, seed: 1,
/// # };
/// let mut run = TrainingRun::new(&config, folder.path())?;
/// let player = SelfPlayer::new(&config)?;
/// while run.generation().is_some() {
///     while !run.is_played() {
///         for job in run.next_jobs(4)? {
///             let samples = player.play(job, run.network(), &StopToken::new())?;
///             run.report([(job, samples)])?;
///         }
///     }
///     run.fit(&StopToken::new(), &|_| {})?;
/// }
/// assert!(run.network().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TrainingRun {
    config: TrainingConfig,
    folder: TrainingFolder,
    /// From 1; more than there are if the run is finished.
    generation: u32,
    /// That of the generation before.
    network: Option<Arc<Network>>,
    /// The samples of the generation before, to which a network is fitted as well.
    previous: Vec<Sample>,
    /// The jobs of the parts so far. The first of a part that was read whole has all samples of the part.
    jobs: Vec<JobState>,
}

impl TrainingRun {
    /// A run in a folder, which is made if it does not exist.
    ///
    /// # Errors
    /// When a setting is invalid, `folder` belongs to another run, or a file cannot be read or written.
    pub fn new(config: &TrainingConfig, folder: &Path) -> Result<TrainingRun, TrainingError> {
        config.starts()?;
        // Relay sowing has no captures, whatever the rule.
        let capture = config.rules()?.capture().to_string();
        let config = TrainingConfig { capture, ..config.clone() };
        let mut run = TrainingRun {
            folder: TrainingFolder::open(folder, &config)?,
            config,
            generation: 1,
            network: None,
            previous: Vec::new(),
            jobs: Vec::new(),
        };
        run.begin_generation()?;
        Ok(run)
    }

    /// The generation that games are played for, from 1; `None` if all networks are trained.
    pub fn generation(&self) -> Option<u32> {
        (self.generation <= self.config.generations).then_some(self.generation)
    }

    /// The network of the generation before, with which games are played; `None` for the plain
    /// evaluation. In the end, the last network.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// The positions of the generation so far.
    pub fn positions(&self) -> u64 {
        self.done().map(|samples| samples.len() as u64).sum()
    }

    /// Whether the generation has enough positions, so that its network can be fitted.
    pub fn is_played(&self) -> bool {
        self.jobs_needed().is_some()
    }

    /// Hands out jobs of this generation, at most `count`. There may be fewer, or none, as long as
    /// others are running.
    ///
    /// # Errors
    /// When a file of samples cannot be read.
    pub fn next_jobs(&mut self, count: usize) -> Result<Vec<TrainingJob>, TrainingError> {
        let mut handed_out = Vec::new();
        while handed_out.len() < count && self.generation().is_some() && !self.is_played() {
            for (state, number) in self.jobs.iter_mut().zip(0..) {
                if handed_out.len() < count && matches!(state, JobState::Waiting) {
                    *state = JobState::Running;
                    handed_out.push(TrainingJob { generation: self.generation, number });
                }
            }
            if self.expected_positions() >= self.config.positions as f64 {
                break;
            }
            self.open_part()?;
        }
        Ok(handed_out)
    }

    /// Takes the samples of jobs and keeps them in the folder. What is known already, or not of this
    /// generation, is left out.
    ///
    /// # Errors
    /// When samples are of other boards, and nothing is taken; when a file cannot be written, or games yield
    /// no samples.
    pub fn report(
        &mut self,
        results: impl IntoIterator<Item = (TrainingJob, Vec<Sample>)>,
    ) -> Result<(), TrainingError> {
        let results: Vec<_> = results.into_iter().collect();
        for (job, samples) in &results {
            let other = |reason| TrainingError::OtherSamples { job: job.number, reason };
            self.config.check_samples(samples).map_err(other)?;
        }
        let mut new = Vec::new();
        for (job, samples) in results {
            if let Some(state) = self.state_of(job)
                && !matches!(state, JobState::Done(_))
            {
                *state = JobState::Done(samples);
                new.push(job.number as usize);
            }
        }
        new.sort_unstable();
        let mut by_part = new.chunk_by(|a, b| a / JOBS_PER_PART == b / JOBS_PER_PART);
        by_part.try_for_each(|jobs| self.keep(jobs[0] / JOBS_PER_PART, jobs))
    }

    /// Gives up a job whose player was lost, so that it is handed out again.
    pub fn abandon(&mut self, job: TrainingJob) {
        if let Some(state @ JobState::Running) = self.state_of(job) {
            *state = JobState::Waiting;
        }
    }

    /// Fits the network of this generation to its samples and those of the generation before, and goes
    /// on to the next one. A network that the folder has is taken from there.
    ///
    /// # Errors
    /// When the generation has not enough positions, a file cannot be read or written, or `stop` was
    /// stopped.
    pub fn fit(
        &mut self,
        stop: &StopToken,
        progress: &(dyn Fn(TrainingProgress) + Sync),
    ) -> Result<(), TrainingError> {
        let jobs = self.jobs_needed().ok_or(TrainingError::NoSamples)?;
        if !self.folder.has(self.generation, GenerationFile::Network) {
            let samples = [&self.previous[..], &self.samples(jobs)].concat();
            let network = self.fit_to(&samples, stop, progress)?;
            self.folder.write_network(self.generation, &network)?;
        }
        self.take_network(jobs)
    }

    /// Goes on to the next generation with the network that the folder has.
    fn take_network(&mut self, jobs: usize) -> Result<(), TrainingError> {
        self.folder.remove_jobs(self.generation, None);
        self.network = Some(Arc::new(self.folder.read_network(self.generation)?));
        self.previous = self.samples(jobs);
        self.generation += 1;
        self.begin_generation()
    }

    /// Begins with the first generation, from the present one, whose samples are needed.
    fn begin_generation(&mut self) -> Result<(), TrainingError> {
        self.jobs.clear();
        while let Some(generation) = self.generation() {
            let has_network = |number| self.folder.has(number, GenerationFile::Network);
            let is_last = generation == self.config.generations;
            // A network is fitted to the samples of the generation before, too.
            if !has_network(generation) || !(is_last || has_network(generation + 1)) {
                break;
            }
            self.network = Some(Arc::new(self.folder.read_network(generation)?));
            self.previous.clear();
            self.generation += 1;
        }
        while self.generation().is_some() && !self.is_played() {
            self.open_part()?;
            if self.done().count() < self.jobs.len() {
                break;
            }
        }
        match self.jobs_needed() {
            Some(jobs) if self.folder.has(self.generation, GenerationFile::Network) => {
                self.take_network(jobs)
            }
            _ => Ok(()),
        }
    }

    /// Adds the jobs of the next part, with what the folder has of them.
    fn open_part(&mut self) -> Result<(), TrainingError> {
        let part = self.jobs.len() / JOBS_PER_PART;
        if let Some(samples) = self.read(GenerationFile::Part(part))? {
            if samples.is_empty() {
                return Err(TrainingError::NoSamples);
            }
            self.jobs.push(JobState::Done(samples));
            self.jobs.resize_with((part + 1) * JOBS_PER_PART, || JobState::Done(Vec::new()));
            return Ok(());
        }
        let state = |place| {
            let samples = self.read(GenerationFile::Job(part, place))?;
            Ok(samples.map_or(JobState::Waiting, JobState::Done))
        };
        let states = (0..JOBS_PER_PART).map(state).collect::<Result<Vec<_>, TrainingError>>()?;
        self.jobs.extend(states);
        // All its jobs may be there if the last run was killed.
        self.keep(part, &[])
    }

    /// The samples of a file of this generation, if it is there.
    fn read(&self, file: GenerationFile) -> Result<Option<Vec<Sample>>, TrainingError> {
        self.folder.read(self.generation, file, &self.config)
    }

    fn state_of(&mut self, job: TrainingJob) -> Option<&mut JobState> {
        let is_current = job.generation == self.generation;
        self.jobs.get_mut(job.number as usize).filter(|_| is_current)
    }

    /// The samples of each job that is done.
    fn done(&self) -> impl Iterator<Item = &[Sample]> {
        self.jobs.iter().filter_map(JobState::samples)
    }

    /// The number of jobs in the first parts that have enough positions, if all these jobs are done.
    fn jobs_needed(&self) -> Option<usize> {
        let mut positions = 0;
        for (part, states) in (1..).zip(self.jobs.chunks(JOBS_PER_PART)) {
            for state in states {
                positions += state.samples()?.len() as u64;
            }
            if positions >= self.config.positions {
                return Some(part * JOBS_PER_PART);
            }
        }
        None
    }

    /// The positions that there will be once all jobs are done.
    fn expected_positions(&self) -> f64 {
        let (positions, jobs) = (self.positions() as f64, self.done().count());
        // Before the first games have ended: about two positions for a ply, one ply for two seeds.
        let guess =
            || GAMES_PER_JOB as f64 * f64::from(self.config.seeds[0]) * self.config.houses as f64;
        let of_job = if jobs == 0 { guess() } else { positions / jobs as f64 };
        positions + of_job * (self.jobs.len() - jobs) as f64
    }

    /// The samples of the first jobs.
    fn samples(&self, jobs: usize) -> Vec<Sample> {
        self.done().take(jobs).collect::<Vec<_>>().concat()
    }

    /// Writes a part if all its jobs are done, otherwise those of its jobs that are new.
    fn keep(&self, part: usize, new: &[usize]) -> Result<(), TrainingError> {
        let first = part * JOBS_PER_PART;
        let states = self.jobs[first..].iter().take(JOBS_PER_PART);
        let done: Vec<_> = states.map_while(JobState::samples).collect();
        if done.len() < JOBS_PER_PART {
            return new.iter().try_for_each(|&job| {
                let file = GenerationFile::Job(part, job - first);
                let samples = self.jobs[job].samples().unwrap_or_default();
                self.folder.write(self.generation, file, samples)
            });
        }
        let samples = done.concat();
        self.folder.write(self.generation, GenerationFile::Part(part), &samples)?;
        self.folder.remove_jobs(self.generation, Some(part));
        if samples.is_empty() { Err(TrainingError::NoSamples) } else { Ok(()) }
    }

    fn fit_to(
        &self,
        samples: &[Sample],
        stop: &StopToken,
        progress: &(dyn Fn(TrainingProgress) + Sync),
    ) -> Result<Network, TrainingError> {
        let (config, generation, total) = (&self.config, self.generation, Trainer::EPOCHS);
        let blocks = config.blocks_of(generation);
        let trainer = Trainer::new(config.houses, blocks, samples, splitmix64(config.seed));
        let mut trainer = trainer.ok_or(TrainingError::NoSamples)?;
        let mut curve = LearningCurve { generation, errors: Vec::new() };
        for done in 1..=total {
            if stop.is_stopped() {
                return Err(TrainingError::Interrupted);
            }
            let errors = trainer.run_epoch();
            curve.errors.push(errors);
            progress(TrainingProgress { generation, done, total, errors: Some(errors) });
        }
        self.folder.write_curve(&curve)?;
        Ok(trainer.finish().quantised(config.rules()?)?)
    }
}

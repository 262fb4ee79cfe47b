//! A training run: its generations and their jobs, which others play.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::config::TrainingConfig;
use super::error::TrainingError;
use super::folder::{GenerationFile, LearningCurve, TrainingFolder};
use super::samples::Sample;
use super::trainer::{MeanErrors, Trainer};
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
    /// The numbers of its games, which determine them.
    pub fn games(self) -> Range<u64> {
        let first = self.number * GAMES_PER_JOB;
        first..first + GAMES_PER_JOB
    }

    /// Its part, and its place there.
    fn place(self) -> (usize, usize) {
        let number = self.number as usize;
        (number / JOBS_PER_PART, number % JOBS_PER_PART)
    }
}

/// Some consecutive games of a generation.
#[derive(Debug)]
enum Part {
    /// The samples of all games, in their order.
    Whole(Vec<Sample>),
    /// Its jobs.
    Open(Vec<JobState>),
}

#[derive(Debug)]
enum JobState {
    Waiting,
    Running,
    Done(Vec<Sample>),
}

/// A training run whose games are played by others, here or elsewhere. What it takes is kept in a
/// folder; a run in the same folder continues from there.
///
/// ```
/// # use kalah_lab::training::{SelfPlayer, TrainingConfig, TrainingRun};
/// # use kalah::StopToken;
/// # let folder = tempfile::tempdir()?;
/// # let config = TrainingConfig {
/// #     houses: 4, capture: "standard".to_owned(), seeds: vec![4], positions: 100, nodes: 20,
/// #     generations: 1, neurons: 32, seed: 1,
/// # };
/// let mut run = TrainingRun::new(&config, folder.path())?;
/// let mut player = SelfPlayer::new(&config)?;
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
    parts: Vec<Part>,
}

impl TrainingRun {
    /// A run in a folder, which is made if it does not exist.
    ///
    /// # Errors
    /// When a setting is invalid, `folder` belongs to another run, or a file cannot be read or written.
    pub fn new(config: &TrainingConfig, folder: &Path) -> Result<TrainingRun, TrainingError> {
        config.starts()?;
        let mut run = TrainingRun {
            config: config.clone(),
            folder: TrainingFolder::open(folder, config)?,
            generation: 1,
            network: None,
            previous: Vec::new(),
            parts: Vec::new(),
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
        self.parts.iter().map(|part| part.positions().0).sum()
    }

    /// Whether the generation has enough positions, so that its network can be fitted.
    pub fn is_played(&self) -> bool {
        self.parts_needed().is_some()
    }

    /// Hands out jobs of this generation, at most `count`. There may be fewer, or none, as long as
    /// others are running.
    ///
    /// # Errors
    /// When a file of samples cannot be read.
    pub fn next_jobs(&mut self, count: usize) -> Result<Vec<TrainingJob>, TrainingError> {
        let (mut jobs, mut from) = (Vec::new(), 0);
        while jobs.len() < count && self.generation().is_some() && !self.is_played() {
            for (part, number) in self.parts[from..].iter_mut().zip(from as u64..) {
                let Part::Open(states) = part else { continue };
                for (state, place) in states.iter_mut().zip(0..) {
                    if jobs.len() < count && matches!(state, JobState::Waiting) {
                        *state = JobState::Running;
                        let number = number * JOBS_PER_PART as u64 + place;
                        jobs.push(TrainingJob { generation: self.generation, number });
                    }
                }
            }
            from = self.parts.len();
            if self.expected_positions() >= self.config.positions as f64 {
                break;
            }
            self.open_part()?;
        }
        Ok(jobs)
    }

    /// Takes the samples of jobs and keeps them in the folder. What is known already, or not of this
    /// generation, is left out.
    ///
    /// # Errors
    /// When a file cannot be written, or games yield no samples.
    pub fn report(
        &mut self,
        results: impl IntoIterator<Item = (TrainingJob, Vec<Sample>)>,
    ) -> Result<(), TrainingError> {
        let mut new: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (job, samples) in results {
            if let Some(state) = self.state_of(job)
                && !matches!(state, JobState::Done(_))
            {
                *state = JobState::Done(samples);
                let (part, place) = job.place();
                new.entry(part).or_default().push(place);
            }
        }
        new.iter().try_for_each(|(&part, places)| self.keep(part, places))
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
        let parts = self.parts_needed().ok_or(TrainingError::NoSamples)?;
        if !self.folder.has(self.generation, GenerationFile::Network) {
            let samples = [&self.previous[..], &self.samples(parts)].concat();
            let network = self.fit_to(&samples, stop, progress)?;
            self.folder.write_network(self.generation, &network)?;
        }
        self.take_network(parts)
    }

    /// Goes on to the next generation with the network that the folder has.
    fn take_network(&mut self, parts: usize) -> Result<(), TrainingError> {
        self.folder.remove_jobs(self.generation, None);
        self.network = Some(Arc::new(self.folder.read_network(self.generation)?));
        self.previous = self.samples(parts);
        self.generation += 1;
        self.begin_generation()
    }

    /// Begins with the first generation, from the present one, whose samples are needed.
    fn begin_generation(&mut self) -> Result<(), TrainingError> {
        self.parts.clear();
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
            if let Some(Part::Open(_)) = self.parts.last() {
                break;
            }
        }
        match self.parts_needed() {
            Some(parts) if self.folder.has(self.generation, GenerationFile::Network) => {
                self.take_network(parts)
            }
            _ => Ok(()),
        }
    }

    /// Adds the next part, with what the folder has of it.
    fn open_part(&mut self) -> Result<(), TrainingError> {
        let number = self.parts.len();
        if let Some(samples) = self.folder.read(self.generation, GenerationFile::Part(number))? {
            if samples.is_empty() {
                return Err(TrainingError::NoSamples);
            }
            self.parts.push(Part::Whole(samples));
            return Ok(());
        }
        let mut states = Vec::new();
        for place in 0..JOBS_PER_PART {
            let file = GenerationFile::Job(number, place);
            let samples = self.folder.read(self.generation, file)?;
            states.push(samples.map_or(JobState::Waiting, JobState::Done));
        }
        self.parts.push(Part::Open(states));
        // All its jobs may be there if the last run was killed.
        self.keep(number, &[])
    }

    fn state_of(&mut self, job: TrainingJob) -> Option<&mut JobState> {
        let (part, place) = job.place();
        match self.parts.get_mut(part)? {
            Part::Open(states) if job.generation == self.generation => states.get_mut(place),
            _ => None,
        }
    }

    /// The number of parts that have enough positions, if that many are whole.
    fn parts_needed(&self) -> Option<usize> {
        let mut positions = 0;
        let enough = self.parts.iter().position(|part| match part {
            Part::Whole(samples) => {
                positions += samples.len() as u64;
                positions >= self.config.positions
            }
            // None of the parts after it counts.
            Part::Open(_) => true,
        });
        enough.filter(|&last| matches!(self.parts[last], Part::Whole(_))).map(|last| last + 1)
    }

    /// The positions that the parts will have once they are whole.
    fn expected_positions(&self) -> f64 {
        let mut done = (0, 0);
        for part in &self.parts {
            let (positions, jobs) = part.positions();
            done = (done.0 + positions, done.1 + jobs);
        }
        let (positions, jobs) = done;
        // Before the first games have ended: about two positions for a ply, one ply for two seeds.
        let guess =
            || GAMES_PER_JOB as f64 * f64::from(self.config.seeds[0]) * self.config.houses as f64;
        let of_job = if jobs == 0 { guess() } else { positions as f64 / jobs as f64 };
        positions as f64 + of_job * (self.parts.len() * JOBS_PER_PART - jobs) as f64
    }

    /// The samples of the first parts.
    fn samples(&self, parts: usize) -> Vec<Sample> {
        let whole = self.parts[..parts].iter().filter_map(|part| match part {
            Part::Whole(samples) => Some(&samples[..]),
            Part::Open(_) => None,
        });
        whole.collect::<Vec<_>>().concat()
    }

    /// Writes a part if it is whole now, otherwise those of its jobs that are new.
    fn keep(&mut self, part: usize, new: &[usize]) -> Result<(), TrainingError> {
        let Part::Open(states) = &self.parts[part] else { return Ok(()) };
        let done: Vec<_> = states.iter().map_while(JobState::samples).collect();
        if done.len() < states.len() {
            let new = new.iter().filter_map(|&place| Some((place, states[place].samples()?)));
            return new.into_iter().try_for_each(|(place, samples)| {
                self.folder.write(self.generation, GenerationFile::Job(part, place), samples)
            });
        }
        let samples = done.concat();
        self.folder.write(self.generation, GenerationFile::Part(part), &samples)?;
        self.folder.remove_jobs(self.generation, Some(part));
        if samples.is_empty() {
            return Err(TrainingError::NoSamples);
        }
        self.parts[part] = Part::Whole(samples);
        Ok(())
    }

    fn fit_to(
        &self,
        samples: &[Sample],
        stop: &StopToken,
        progress: &(dyn Fn(TrainingProgress) + Sync),
    ) -> Result<Network, TrainingError> {
        let TrainingRun { config, generation, .. } = self;
        let blocks = config.blocks_of(*generation);
        let trainer = Trainer::new(config.houses, blocks, samples, splitmix64(config.seed));
        let mut trainer = trainer.ok_or(TrainingError::NoSamples)?;
        let (generation, total) = (*generation, Trainer::EPOCHS);
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

impl JobState {
    fn samples(&self) -> Option<&[Sample]> {
        match self {
            JobState::Done(samples) => Some(samples),
            JobState::Waiting | JobState::Running => None,
        }
    }
}

impl Part {
    /// The positions so far, and the jobs that gave them.
    fn positions(&self) -> (u64, usize) {
        match self {
            Part::Whole(samples) => (samples.len() as u64, JOBS_PER_PART),
            Part::Open(states) => {
                let done = states.iter().filter_map(JobState::samples);
                done.fold((0, 0), |(positions, jobs), samples| {
                    (positions + samples.len() as u64, jobs + 1)
                })
            }
        }
    }
}

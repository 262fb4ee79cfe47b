//! From the rules to a network.

use std::fs::{self, File};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

use super::error::TrainingError;
use super::learner::{Errors, Learner};
use super::samples::{Sample, read_samples, write_samples};
use super::self_play::SelfPlay;
use crate::atomic_file::write_whole;
use crate::board::{Board, Capture, Rules};
use crate::parallel;
use crate::search::{ExactTables, Network, Searcher, splitmix64};
use crate::tablebase::{MAX_TABLE_HOUSES, Tablebase, seeds_within};

/// Games that are kept together: as soon as they are played they need not be played again.
const GAMES: u64 = 256;

/// Memory of each search, in MiB.
const HASH: usize = 4;

/// Most positions of the table that games end in.
const TABLE: u64 = 4_000_000;

/// What is to be learned, and how. The same course makes the same network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Houses a side.
    pub houses: usize,
    /// `standard` or `empty`.
    pub capture: String,
    /// Seeds in each house at the starts of games.
    pub seeds: Vec<u16>,
    /// Positions of each generation, or a few more.
    pub positions: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// Times that a network is fitted to games; those of the first are played with the plain
    /// evaluation.
    pub generations: u32,
    /// What all chance is drawn from.
    pub seed: u64,
}

/// How far a course has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CourseProgress {
    /// Games are played.
    Positions {
        /// The generation, from 1.
        generation: u32,
        /// Positions there are.
        done: u64,
        /// Positions there are going to be, or a few more.
        total: u64,
    },
    /// A network is fitted.
    Learning {
        /// The generation, from 1.
        generation: u32,
        /// Times that all positions were gone through.
        passes: usize,
        /// Times that they are going to be.
        total: usize,
        /// How far estimates are off.
        errors: Errors,
    },
}

/// Hears how far a course has come.
pub type CourseWatch<'a> = &'a (dyn Fn(CourseProgress) + Sync);

impl Course {
    /// The rules of its games.
    ///
    /// # Errors
    /// When there are none such.
    pub fn rules(&self) -> Result<Rules, TrainingError> {
        let capture: Capture =
            self.capture.parse().map_err(|error| TrainingError::Course(format!("{error}")))?;
        Rules::new(self.houses, capture).map_err(|error| TrainingError::Course(format!("{error}")))
    }

    /// Goes through the course, or on with it: all it does is kept in `folder`. The network of the
    /// last generation is what comes out.
    ///
    /// # Errors
    /// When the course cannot be gone through, its folder is that of another or cannot be used, and
    /// when `is_wanted` no longer holds.
    pub fn run(
        &self,
        folder: &Path,
        threads: NonZeroUsize,
        is_wanted: &(dyn Fn() -> bool + Sync),
        watch: CourseWatch,
    ) -> Result<Network, TrainingError> {
        let rules = self.rules()?;
        let starts = self.seeds.iter().map(|&seeds| Board::start(rules, seeds));
        let starts = starts.collect::<Result<Vec<_>, _>>()?;
        if starts.is_empty() || self.generations == 0 {
            let nothing = "a course needs seeds to start with, and a generation".to_owned();
            return Err(TrainingError::Course(nothing));
        }
        self.claim(folder)?;
        let tables = tables(rules, threads)?;
        let mut play = SelfPlay { starts, nodes: self.nodes, seed: 0, network: None, tables };
        let samples_of = |play: &SelfPlay, generation: u32| {
            let seed = splitmix64(self.seed ^ splitmix64(u64::from(generation)));
            let play = SelfPlay { seed, ..play.clone() };
            self.samples(folder, generation, &play, threads, is_wanted, watch)
        };
        // A generation learns from the games of the one before, too.
        let mut before: Vec<Sample> = Vec::new();
        let network_file = |generation| folder.join(format!("generation-{generation}.knn"));
        for generation in 1..=self.generations {
            let file = network_file(generation);
            let network = match Network::read(&file) {
                Ok(network) if network.rules() == rules => {
                    if generation < self.generations && !network_file(generation + 1).exists() {
                        before = samples_of(&play, generation)?;
                    }
                    network
                }
                Ok(_) => return Err(TrainingError::OtherCourse(folder.to_owned())),
                Err(_) if !file.exists() => {
                    let samples = samples_of(&play, generation)?;
                    let of_both = [before.as_slice(), &samples].concat();
                    let network = self.learn(generation, &of_both, is_wanted, watch)?;
                    write_file(&file, |to| to.write_all(&network.to_bytes()))?;
                    before = samples;
                    network
                }
                Err(source) => return Err(TrainingError::Network { path: file, source }),
            };
            play.network = Some(Arc::new(network));
        }
        let network = play.network.as_deref().cloned();
        network.ok_or(TrainingError::Nothing)
    }

    /// Makes the folder that of this course, or makes sure that it is.
    fn claim(&self, folder: &Path) -> Result<(), TrainingError> {
        let path = folder.join("course.json");
        let in_file = |source| TrainingError::File { path: path.clone(), source };
        fs::create_dir_all(folder).map_err(in_file)?;
        match fs::read(&path) {
            Ok(bytes) if serde_json::from_slice::<Course>(&bytes).is_ok_and(|it| it == *self) => {
                Ok(())
            }
            Ok(_) => Err(TrainingError::OtherCourse(folder.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_file(&path, |to| Ok(serde_json::to_writer_pretty(to, self)?))
            }
            Err(error) => Err(in_file(error)),
        }
    }

    /// The positions of a generation, those that were kept among them.
    fn samples(
        &self,
        folder: &Path,
        generation: u32,
        play: &SelfPlay,
        threads: NonZeroUsize,
        is_wanted: &(dyn Fn() -> bool + Sync),
        watch: CourseWatch,
    ) -> Result<Vec<Sample>, TrainingError> {
        let mut samples: Vec<Sample> = Vec::new();
        for part in 0.. {
            if samples.len() as u64 >= self.positions {
                break;
            }
            let path = folder.join(format!("generation-{generation}-{part:03}.csv"));
            let done = AtomicU64::new(samples.len() as u64);
            let total = self.positions;
            let tell = |more: usize| {
                let done = done.fetch_add(more as u64, Relaxed) + more as u64;
                watch(CourseProgress::Positions { generation, done, total });
            };
            let of_part = match File::open(&path) {
                Ok(file) => {
                    let damaged = |error: csv::Error| TrainingError::Damaged {
                        path: path.clone(),
                        reason: error.to_string(),
                    };
                    let kept = read_samples(file).map_err(damaged)?;
                    tell(kept.len());
                    kept
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let games = part * GAMES..(part + 1) * GAMES;
                    let played = play_all(play, games, threads, is_wanted, &tell)?;
                    write_file(&path, |to| Ok(write_samples(to, &played)?))?;
                    played
                }
                Err(source) => return Err(TrainingError::File { path, source }),
            };
            if of_part.is_empty() {
                return Err(TrainingError::Nothing);
            }
            samples.extend(of_part);
        }
        Ok(samples)
    }

    fn learn(
        &self,
        generation: u32,
        samples: &[Sample],
        is_wanted: &(dyn Fn() -> bool + Sync),
        watch: CourseWatch,
    ) -> Result<Network, TrainingError> {
        let mut learner = Learner::new(self.houses, samples, splitmix64(self.seed))?;
        let total = Learner::passes();
        for passes in 1..=total {
            if !is_wanted() {
                return Err(TrainingError::Interrupted);
            }
            let errors = learner.pass();
            watch(CourseProgress::Learning { generation, passes, total, errors });
        }
        let network = learner.finish().quantised(self.rules()?);
        network.map_err(|error| TrainingError::Course(format!("{error}")))
    }
}

/// Plays games on several threads; their positions in the order of the games.
fn play_all(
    play: &SelfPlay,
    games: std::ops::Range<u64>,
    threads: NonZeroUsize,
    is_wanted: &(dyn Fn() -> bool + Sync),
    tell: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Sample>, TrainingError> {
    let searcher =
        || Searcher::new(HASH).map_err(|error| TrainingError::Course(format!("{error}")));
    let of_game = |searcher: &mut Result<Searcher, TrainingError>, number: u64| {
        if !is_wanted() {
            return Err(TrainingError::Interrupted);
        }
        let searcher = match searcher {
            Ok(searcher) => searcher,
            Err(error) => return Err(TrainingError::Course(error.to_string())),
        };
        let samples = play.game(number, searcher);
        tell(samples.len());
        Ok(samples)
    };
    Ok(parallel::try_map_with(threads, games, searcher, of_game)?.concat())
}

/// A table in which games end, where there are tables. Games without it would be others: it is there, or
/// there is no course.
fn tables(rules: Rules, threads: NonZeroUsize) -> Result<Option<Arc<ExactTables>>, TrainingError> {
    if rules.houses() > MAX_TABLE_HOUSES {
        return Ok(None);
    }
    let seeds = seeds_within(rules.houses(), TABLE);
    let table = Tablebase::build(rules, seeds, threads)
        .map_err(|error| TrainingError::Course(format!("{error}")))?;
    Ok(Some(Arc::new(ExactTables::new(Arc::new(table), None))))
}

/// Writes a file of the course.
fn write_file(
    path: &Path,
    contents: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), TrainingError> {
    write_whole(path, contents)
        .map_err(|source| TrainingError::File { path: path.to_owned(), source })
}

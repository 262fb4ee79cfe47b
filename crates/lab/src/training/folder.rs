//! The folder of a training run: its settings, samples, learning curves and networks.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::samples::{Sample, read_samples, write_samples};
use super::trainer::MeanErrors;
use super::{TrainingConfig, TrainingError};
use kalah::atomic_file::{remove_strays, replace_file};
use kalah::board::Rules;
use kalah::file_lock::NameLock;
use kalah::regular_file;
use kalah::search::Network;

/// The errors of the network of one generation, epoch by epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct LearningCurve {
    /// The generation, from 1.
    pub generation: u32,
    /// The errors after each epoch, from the first.
    pub errors: Vec<MeanErrors>,
}

/// Most bytes of the file of settings or of a learning curve, and of a file of samples.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
const MAX_PART_BYTES: u64 = 1 << 30;

#[derive(Clone, Copy)]
pub(super) enum GenerationFile {
    Network,
    Curve,
    Part(usize),
    /// The samples of a job: the number of its part, and its place there.
    Job(usize, usize),
}

impl GenerationFile {
    fn path(self, folder: &Path, generation: u32) -> PathBuf {
        folder.join(match self {
            GenerationFile::Network => format!("generation-{generation}.knn"),
            GenerationFile::Curve => format!("generation-{generation}-errors.csv"),
            GenerationFile::Part(part) => format!("generation-{generation}-{part:03}.csv"),
            GenerationFile::Job(part, place) => {
                format!("generation-{generation}-{part:03}-{place:02}.csv")
            }
        })
    }
}

#[derive(Debug)]
pub(super) struct TrainingFolder {
    path: PathBuf,
    rules: Rules,
    _lock: NameLock,
}

impl TrainingFolder {
    /// Locks a folder. Writes the settings to a new one; in an existing one, requires that they are equal.
    pub(super) fn open(
        path: &Path,
        config: &TrainingConfig,
    ) -> Result<TrainingFolder, TrainingError> {
        let rules = config.rules()?;
        let file = path.join("course.json");
        fs::create_dir_all(path).map_err(cannot(&file))?;
        let lock = NameLock::new(&file).map_err(cannot(&file))?;
        let lock = lock.ok_or_else(|| TrainingError::InUse(path.to_owned()))?;
        let folder = TrainingFolder { path: path.to_owned(), rules, _lock: lock };
        remove_strays(path);
        let Some(bytes) = read_file(&file, MAX_CONFIG_BYTES)? else {
            write_file(&file, |output| Ok(serde_json::to_writer_pretty(output, config)?))?;
            return Ok(folder);
        };
        match serde_json::from_slice::<TrainingConfig>(&bytes) {
            Ok(other) if other == *config => Ok(folder),
            Ok(_) => Err(TrainingError::OtherRun(folder.path)),
            Err(source) => Err(TrainingError::Settings { path: file, source }),
        }
    }

    pub(super) fn has(&self, generation: u32, file: GenerationFile) -> bool {
        file.path(&self.path, generation).exists()
    }

    pub(super) fn read_network(&self, generation: u32) -> Result<Network, TrainingError> {
        let path = GenerationFile::Network.path(&self.path, generation);
        match Network::read(&path) {
            Ok(network) if network.rules() == self.rules => Ok(network),
            Ok(_) => Err(TrainingError::OtherRun(self.path.clone())),
            Err(error) => Err(cannot(&path)(error)),
        }
    }

    pub(super) fn write_network(
        &self,
        generation: u32,
        network: &Network,
    ) -> Result<(), TrainingError> {
        let path = GenerationFile::Network.path(&self.path, generation);
        write_file(&path, |output| output.write_all(&network.to_bytes()))
    }

    pub(super) fn write_curve(&self, curve: &LearningCurve) -> Result<(), TrainingError> {
        let path = GenerationFile::Curve.path(&self.path, curve.generation);
        write_file(&path, |output| {
            let mut rows = csv::Writer::from_writer(output);
            rows.write_record(["epoch", "training", "validation"])?;
            for (&MeanErrors { training, validation }, epoch) in curve.errors.iter().zip(1_u32..) {
                rows.serialize((epoch, training, validation))?;
            }
            rows.flush()
        })
    }

    pub(super) fn read(
        &self,
        generation: u32,
        file: GenerationFile,
        config: &TrainingConfig,
    ) -> Result<Option<Vec<Sample>>, TrainingError> {
        let path = file.path(&self.path, generation);
        let Some(bytes) = read_file(&path, MAX_PART_BYTES)? else { return Ok(None) };
        let samples = read_samples(&bytes[..]).map_err(|error| error.to_string());
        let checked = samples.and_then(|samples| {
            config.check_samples(&samples)?;
            Ok(Some(samples))
        });
        checked.map_err(|reason| TrainingError::Damaged { path, reason })
    }

    pub(super) fn write(
        &self,
        generation: u32,
        file: GenerationFile,
        samples: &[Sample],
    ) -> Result<(), TrainingError> {
        write_file(&file.path(&self.path, generation), |output| Ok(write_samples(output, samples)?))
    }

    /// Removes the samples of the jobs of a part, or of all. A file that stays does no harm.
    pub(super) fn remove_jobs(&self, generation: u32, part: Option<usize>) {
        let part = part.map_or(String::new(), |part| format!("{part:03}-"));
        let prefix = format!("generation-{generation}-{part}");
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            // Only the names of jobs have four parts.
            let is_job = |name: &str| name.starts_with(&prefix) && name.split('-').count() == 4;
            if name.to_str().is_some_and(is_job) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// The learning curves in the folder of a training run, of generation 1 and on.
///
/// # Errors
/// When a file cannot be read or is damaged.
pub fn read_learning_curves(folder: &Path) -> Result<Vec<LearningCurve>, TrainingError> {
    let mut curves = Vec::new();
    for generation in 1.. {
        let path = GenerationFile::Curve.path(folder, generation);
        let Some(bytes) = read_file(&path, MAX_CONFIG_BYTES)? else { break };
        let errors: Result<_, csv::Error> =
            csv::Reader::from_reader(&bytes[..]).into_deserialize().collect();
        let damaged =
            |error: csv::Error| TrainingError::Damaged { path, reason: error.to_string() };
        curves.push(LearningCurve { generation, errors: errors.map_err(damaged)? });
    }
    Ok(curves)
}

fn cannot<E: Into<Box<dyn Error + Send + Sync>>>(path: &Path) -> impl FnOnce(E) -> TrainingError {
    move |error| TrainingError::File { path: path.to_owned(), source: error.into() }
}

fn read_file(path: &Path, max_bytes: u64) -> Result<Option<Vec<u8>>, TrainingError> {
    match regular_file::read(path, max_bytes) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot(path)(error)),
    }
}

fn write_file(
    path: &Path,
    contents: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), TrainingError> {
    replace_file(path, contents).map_err(cannot(path))
}

//! What a dataset was made with, in its file `dataset.json`, and the names of its files.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kalah::board::{Board, Capture, RuleSet, Rules, Sowing};
use kalah::regular_file;
use kalah_command::new_file::NewFile;
use serde::{Deserialize, Serialize};

/// Determines all bytes of the shards, together with the number of positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// The version of the program.
    pub kalah: String,
    /// Houses a side.
    pub houses: usize,
    /// Seeds in each house at the start of a game.
    pub seeds: u16,
    pub capture: String,
    pub sowing: String,
    /// The random seed.
    pub seed: u64,
    /// Rows of each file but the last.
    pub shard: usize,
    /// Positions with at most so many seeds were read in a tablebase.
    pub table_seeds: u32,
}

/// The content of `dataset.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Dataset {
    format: String,
    /// The positions asked for.
    pub positions: usize,
    pub settings: Settings,
}

const FORMAT: &str = "kalah-dataset-1";

/// The folder of the shards, which has nothing else: tools read a folder of Parquet as one table.
pub(crate) const DATA: &str = "data";

/// Far more than `dataset.json` has.
const MAX_BYTES: u64 = 1 << 16;

impl Settings {
    pub(crate) fn start(&self) -> anyhow::Result<Board> {
        let (capture, sowing): (Capture, Sowing) = (self.capture.parse()?, self.sowing.parse()?);
        let rules = Rules::new(self.houses, RuleSet::new(capture, sowing))?;
        Ok(Board::start(rules, self.seeds)?)
    }
}

impl Dataset {
    pub(crate) fn new(positions: usize, settings: Settings) -> Dataset {
        Dataset { format: FORMAT.to_owned(), positions, settings }
    }

    /// Reads the settings of a dataset; `None` if the directory is empty or does not exist.
    pub(crate) fn open(directory: &Path) -> anyhow::Result<Option<Dataset>> {
        if let Some(dataset) = Dataset::read(directory)? {
            return Ok(Some(dataset));
        }
        let name = || format!("'{}'", directory.display());
        match directory.read_dir().map(|mut entries| entries.next().is_none()) {
            Ok(true) => Ok(None),
            Ok(false) => bail!("{} has other files than a dataset", name()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(name),
        }
    }

    /// The same; `None` also if there are only other files.
    pub(crate) fn read(directory: &Path) -> anyhow::Result<Option<Dataset>> {
        let path = settings_path(directory);
        let bytes = match regular_file::read(&path, MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes.with_context(|| format!("'{}'", path.display()))?,
        };
        let not_settings = || format!("'{}' is not the file of a dataset", path.display());
        let dataset: Dataset = serde_json::from_slice(&bytes).with_context(not_settings)?;
        if dataset.format != FORMAT || dataset.settings.shard == 0 {
            bail!("{}: its format is not {FORMAT}", not_settings());
        }
        dataset.settings.start().with_context(not_settings)?;
        Ok(Some(dataset))
    }

    pub(crate) fn write(&self, directory: &Path) -> anyhow::Result<()> {
        let json = serde_json::to_string_pretty(self)? + "\n";
        NewFile::create(&settings_path(directory))?.write_bytes(json)
    }
}

pub(crate) fn settings_path(directory: &Path) -> PathBuf {
    directory.join("dataset.json")
}

pub(crate) fn shard_path(directory: &Path, number: usize) -> PathBuf {
    directory.join(DATA).join(format!("positions-{number:05}.parquet"))
}

//! The file of `--config`: players, conditions and files of a match or a tournament, in TOML.
//!
//! It has the words of the command line. Where an option takes words of `key=value`, the file has a table.

use std::env;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::statistics::{RatingModel, Sprt};
use crate::{
    MAX_PROVEN_SEEDS, OpeningSettings, PartialPlayerSettings, ResignRule, Shard, TournamentFormat,
};
use anyhow::{Context, anyhow};
use kalah::board::Capture;
use kalah::regular_file;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Far more than a file of settings has.
const MAX_BYTES: u64 = 1 << 24;

/// What a file may set: the options of the same names.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ConfigFile {
    pub format: Option<TournamentFormat>,
    pub ratings: Option<RatingModel>,
    pub engine: Vec<PartialPlayerSettings>,
    pub each: Option<PartialPlayerSettings>,
    pub games: Option<u64>,
    pub openings: Option<OpeningSettings>,
    pub houses: Option<usize>,
    pub seeds: Option<u16>,
    #[serde(deserialize_with = "parsed")]
    pub capture: Option<Capture>,
    pub seed: Option<u64>,
    pub concurrency: Option<NonZeroUsize>,
    pub affinity: bool,
    pub resign: Option<ResignRule>,
    #[serde(deserialize_with = "seeds_to_adjudicate")]
    pub adjudicate: Option<u32>,
    pub record: Option<PathBuf>,
    pub report: Option<PathBuf>,
    #[serde(deserialize_with = "parsed")]
    pub shard: Option<Shard>,
    pub sprt: Option<Sprt>,
}

impl ConfigFile {
    /// Reads a file, and goes to its folder, so that the paths in it begin there.
    ///
    /// # Errors
    /// When the file cannot be read, or says something that is not known; the message names the line.
    pub(super) fn read(path: &Path) -> anyhow::Result<ConfigFile> {
        let place = || format!("'{}'", path.display());
        let bytes = regular_file::read(path, MAX_BYTES).with_context(place)?;
        let text = String::from_utf8(bytes).with_context(place)?;
        let file = toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map(|before| 1 + before.matches('\n').count());
            let line = line.map_or(String::new(), |line| format!("line {line}: "));
            anyhow!("{line}{}", error.message()).context(place())
        })?;
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            env::set_current_dir(folder).with_context(|| format!("'{}'", folder.display()))?;
        }
        Ok(file)
    }
}

fn seeds_to_adjudicate<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u32>, D::Error> {
    let seeds = u32::deserialize(deserializer)?;
    if (1..=MAX_PROVEN_SEEDS).contains(&seeds) {
        return Ok(Some(seeds));
    }
    Err(D::Error::custom(format!("'adjudicate' takes 1 to {MAX_PROVEN_SEEDS} seeds, not {seeds}")))
}

fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(D::Error::custom)
}

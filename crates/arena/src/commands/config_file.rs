//! The file of `--config`, in TOML: the words of the command line, with tables in place of `key=value`.

use std::env;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::{MAX_PROVEN_SEEDS, Shard};
use anyhow::{Context, anyhow};
use kalah::board::{Capture, MAX_HOUSES, MAX_SEEDS, Sowing};
use kalah::text_file;
use kalah_command::options::number;
use kalah_games::without_names_of_types;
use kalah_records::statistics::{RatingModel, Sprt};
use kalah_records::{OpeningSettings, PartialPlayerSettings, ResignRule, TournamentFormat};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Value;

/// Far more than a file of settings has.
const MAX_BYTES: u64 = 1 << 24;

/// What the errors have about whole numbers that TOML does not have, such as: u64 value was too large;
/// invalid type: integer `9…9` as i128.
const OUT_OF_RANGE: [&str; 4] =
    [" value was too ", "` as i128", "` as u128", "integer number overflowed"];

/// What a file may set: the options of the same names.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ConfigFile {
    pub format: Option<TournamentFormat>,
    pub ratings: Option<RatingModel>,
    pub engine: Vec<PartialPlayerSettings>,
    pub each: Option<PartialPlayerSettings>,
    #[serde(deserialize_with = "whole::<_, _, 0, { u64::MAX }>")]
    pub games: Option<u64>,
    pub openings: Option<OpeningSettings>,
    #[serde(deserialize_with = "whole::<_, _, 1, { MAX_HOUSES as u64 }>")]
    pub houses: Option<usize>,
    #[serde(deserialize_with = "whole::<_, _, 1, { MAX_SEEDS as u64 / 2 }>")]
    pub seeds: Option<u16>,
    #[serde(deserialize_with = "parsed")]
    pub capture: Option<Capture>,
    #[serde(deserialize_with = "parsed")]
    pub sowing: Option<Sowing>,
    #[serde(deserialize_with = "whole::<_, _, 0, { u64::MAX }>")]
    pub seed: Option<u64>,
    #[serde(deserialize_with = "whole::<_, _, 1, { u64::MAX }>")]
    pub concurrency: Option<NonZeroUsize>,
    pub affinity: bool,
    pub resign: Option<ResignRule>,
    #[serde(deserialize_with = "whole::<_, _, 1, { MAX_PROVEN_SEEDS as u64 }>")]
    pub adjudicate: Option<u32>,
    pub record: Option<PathBuf>,
    pub report: Option<PathBuf>,
    #[serde(deserialize_with = "parsed")]
    pub shard: Option<Shard>,
    pub sprt: Option<Sprt>,
}

impl ConfigFile {
    /// Reads a file, and goes to its folder, so that the paths in it begin there.
    pub(super) fn read(path: &Path) -> anyhow::Result<ConfigFile> {
        let place = || text_file::name(path);
        let text = text_file::read(path, MAX_BYTES).with_context(place)?;
        let file = toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map(|before| 1 + before.matches('\n').count());
            let line = line.map_or(String::new(), |line| format!("line {line}: "));
            let message = match error.message() {
                text if OUT_OF_RANGE.iter().any(|words| text.contains(words)) => {
                    "expected a whole number from -2^63 to 2^63 - 1, as TOML has them".to_owned()
                }
                text => without_names_of_types(text),
            };
            anyhow!("{line}{message}").context(place())
        })?;
        // A pipe is in no folder.
        let folder = path.parent().filter(|_| path.is_file());
        if let Some(folder) = folder.filter(|folder| !folder.as_os_str().is_empty()) {
            env::set_current_dir(folder).with_context(|| format!("'{}'", folder.display()))?;
        }
        Ok(file)
    }
}

/// Reads a whole number from `MIN` to `MAX`, as the command line does.
fn whole<'de, D: Deserializer<'de>, T: FromStr, const MIN: u64, const MAX: u64>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text = match Value::deserialize(deserializer)? {
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::String(text) => format!("'{text}'"),
        other => format!("a value of type {}", other.type_str()),
    };
    let number = number::<T>(MIN..=MAX)(&text);
    number.map(Some).map_err(|expected| D::Error::custom(format!("{expected}, not {text}")))
}

fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(D::Error::custom)
}

//! The settings of an opening book, and their text form.

use std::fmt;

use serde::Deserialize;
use strum::{Display, EnumString};

use crate::{KeyValues, SettingsError};
use kalah::search::MAX_DEPTH;

/// Which positions games begin from, and in which order.
///
/// The text form, also used in files, is `key=value` words, quoted as in a shell where needed.
///
/// ```
/// use kalah_records::OpeningSettings;
///
/// let settings: OpeningSettings = "plies=6 margin=2".parse()?;
/// assert_eq!(settings.to_string(), "plies=6 order=random margin=2 depth=10");
/// assert_eq!(OpeningSettings::default().to_string(), "plies=4 order=random");
/// # Ok::<(), kalah_records::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "KeyValues")]
pub struct OpeningSettings {
    /// The source of the positions.
    pub source: OpeningSource,
    /// Their order; random positions are in the order in which they are drawn.
    pub order: OpeningOrder,
    /// Which of them are used; all if `None`.
    pub filter: Option<MarginFilter>,
}

/// The source of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// All positions of unfinished games after a number of plies from the start: `plies=`.
    Plies(u32),
    /// Positions of unfinished games after a number of random plies from the start: `random=`.
    Random(u32),
    /// The positions of a file, or those after its moves: `file=`.
    File {
        /// The file.
        path: String,
        /// Plies of each game before the opening; all if `None`: `plies=`.
        plies: Option<u32>,
    },
    /// The known fair starts, draws with best play, of a game from its usual start: `fair`.
    Fair,
}

/// The order of the openings of a list: `order=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum OpeningOrder {
    /// A random order that depends on the seed.
    #[default]
    Random,
    /// The order of the file, or of the moves that lead to the positions, `A` first.
    Sequential,
}

/// Keeps balanced positions: `margin=` and `depth=`. A version with another evaluation may keep
/// other positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginFilter {
    /// The largest expected margin of either side, in seeds.
    pub margin: u32,
    /// Depth of the searches in plies, from 1 to [`MAX_DEPTH`].
    pub depth: u32,
}

impl MarginFilter {
    const DEFAULT_DEPTH: u32 = 10;

    fn take(words: &mut KeyValues) -> Result<Option<MarginFilter>, SettingsError> {
        let margin = words.value("margin", "a number of seeds")?;
        let plies = format!("1 to {MAX_DEPTH} plies");
        let depth = words.value_if("depth", &plies, |depth| (1..=MAX_DEPTH).contains(depth))?;
        if margin.is_none() && depth.is_some() {
            let why = "'depth' is the depth of the searches for 'margin', which is not given";
            return Err(SettingsError::new(why));
        }
        let depth = depth.unwrap_or(MarginFilter::DEFAULT_DEPTH);
        Ok(margin.map(|margin| MarginFilter { margin, depth }))
    }
}

impl Default for OpeningSettings {
    /// All positions after 4 plies, in random order.
    fn default() -> Self {
        let (source, order) = (OpeningSource::Plies(4), OpeningOrder::Random);
        OpeningSettings { source, order, filter: None }
    }
}

impl TryFrom<KeyValues> for OpeningSettings {
    type Error = SettingsError;

    fn try_from(mut words: KeyValues) -> Result<OpeningSettings, SettingsError> {
        let plies = words.value("plies", "a number of plies")?;
        let random = words.value("random", "a number of plies")?;
        let path = words.value_if("file", "a path", |path: &String| !path.is_empty())?;
        let is_fair = words.switch("fair")?.unwrap_or(false);
        let order: Option<OpeningOrder> = words.value("order", "random or sequential")?;
        let filter = MarginFilter::take(&mut words)?;
        words.finish()?;

        let source = match (plies, random, path) {
            (None, None, None) if is_fair => Ok(OpeningSource::Fair),
            _ if is_fair => Err("'fair' does not go with 'plies', 'random' and 'file'"),
            (Some(plies), None, None) => Ok(OpeningSource::Plies(plies)),
            (plies, None, Some(path)) => Ok(OpeningSource::File { path, plies }),
            (None, Some(_), None) if order.is_some() => Err(
                "'order' does not go with 'random', whose openings are in the order in which they are drawn",
            ),
            (None, Some(plies), None) => Ok(OpeningSource::Random(plies)),
            _ => Err(
                "openings need plies=K, random=K, file=PATH or fair, of which only file goes with plies",
            ),
        };
        let source = source.map_err(SettingsError::new)?;
        Ok(OpeningSettings { source, order: order.unwrap_or_default(), filter })
    }
}

impl fmt::Display for OpeningSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.order;
        match &self.source {
            OpeningSource::Plies(plies) => write!(f, "plies={plies} order={order}"),
            OpeningSource::Random(plies) => write!(f, "random={plies}"),
            OpeningSource::Fair => write!(f, "fair order={order}"),
            OpeningSource::File { path, plies } => {
                write!(f, "file={}", shell_words::quote(path))?;
                plies.map_or(Ok(()), |plies| write!(f, " plies={plies}"))?;
                write!(f, " order={order}")
            }
        }?;
        match self.filter {
            None => Ok(()),
            Some(MarginFilter { margin, depth }) => write!(f, " margin={margin} depth={depth}"),
        }
    }
}

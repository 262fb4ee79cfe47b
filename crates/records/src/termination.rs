//! Why games end.

use std::fmt;
use std::str::FromStr;

use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Serialize};

use crate::{KeyValues, SettingsError};

/// Why a game ended.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::Display,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Termination {
    /// A side had no seeds left.
    #[serde(rename = "played out")]
    #[strum(to_string = "played out")]
    PlayedOut,
    /// A player resigned.
    Resigned,
    /// The referee proved the margin.
    Adjudicated,
    /// A player lost by a fault.
    #[serde(untagged)]
    #[strum(transparent)]
    Fault(FaultKind),
}

/// The kinds of faults.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::Display,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum FaultKind {
    /// The clock ran out.
    #[serde(rename = "time forfeit")]
    #[strum(to_string = "time forfeit")]
    TimeForfeit,
    /// An illegal move, or no move.
    #[serde(rename = "illegal move")]
    #[strum(to_string = "illegal move")]
    IllegalMove,
    /// The program ended, or closed its output.
    Crashed,
    /// The program did not reply within its deadline; it had no clock.
    Stalled,
}

impl FromStr for Termination {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Termination, SettingsError> {
        let text: StrDeserializer<'_, serde::de::value::Error> = text.into_deserializer();
        Termination::deserialize(text).map_err(|_| {
            SettingsError::new(
                "expected one of: played out, resigned, adjudicated, time forfeit, illegal move, \
                 crashed, stalled",
            )
        })
    }
}

/// When a player resigns: as text `movecount=3 score=400`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(!try_from))]
#[serde(try_from = "KeyValues")]
pub struct ResignRule {
    /// The number of own moves in a row whose score must be this bad.
    pub movecount: u32,
    /// The expected loss, in hundredths of a seed.
    pub score: i32,
    /// Whether the opponent's scores must agree.
    pub twosided: bool,
}

impl TryFrom<KeyValues> for ResignRule {
    type Error = SettingsError;

    fn try_from(mut words: KeyValues) -> Result<ResignRule, SettingsError> {
        let movecount = words.value_if("movecount", "at least 1 move", |&moves| moves > 0)?;
        let score =
            words.value_if("score", "at least 1 hundredth of a seed", |&score| score > 0)?;
        let twosided = words.switch("twosided")?.unwrap_or(false);
        words.finish()?;
        match (movecount, score) {
            (Some(movecount), Some(score)) => Ok(ResignRule { movecount, score, twosided }),
            _ => Err(SettingsError::new("resignation needs 'movecount' and 'score'")),
        }
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "movecount={} score={}", self.movecount, self.score)?;
        if self.twosided { f.write_str(" twosided=true") } else { Ok(()) }
    }
}

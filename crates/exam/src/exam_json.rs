//! The results of an exam, as `kalah exam --json` prints them.

use serde::Serialize;

use crate::anchors::Anchor;
use crate::{Answer, GameResults, PositionResults};

/// The results of an exam.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ExamJson {
    /// The player.
    pub player: Examinee,
    /// The positions.
    pub set: SetJson,
    /// The results in the positions.
    pub positions: PositionResults,
    /// The games, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<GameResults>,
    /// Results of other players in the same positions, from the one that gives most away on.
    pub anchors: Vec<Anchor>,
    /// All answers, in the order in which the positions were asked.
    pub answers: Vec<Answer>,
    /// The time of the exam, in seconds.
    pub seconds: f64,
}

/// Who is examined.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Examinee {
    /// The name.
    pub name: String,
    /// The name of its engine; empty if it gives none.
    pub id: String,
    /// Its settings, in words of `kalah match`.
    pub settings: String,
    /// Its limits, in the same words.
    pub limits: String,
}

/// A set of positions.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SetJson {
    /// The version. Results of other versions cannot be compared.
    pub version: u32,
    /// The checksum of the positions, in hexadecimal digits.
    pub checksum: String,
    /// All positions of the set.
    pub positions: usize,
    /// Positions that were to be asked.
    pub chosen: usize,
}

#[cfg(test)]
mod tests {
    use kalah_command::schemas::check;

    #[test]
    fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
        check::<super::ExamJson>("exam", "kalah exam --json")
    }
}

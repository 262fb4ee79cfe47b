//! Players whose results are known, to compare with.

use anyhow::Context;
use kalah_records::PlayerSettings;
use kalah_records::statistics::Estimate;
use serde::{Deserialize, Serialize};

use crate::{GameResults, PositionResults, PositionSet};

/// Made by `kalah exam --anchor`, as docs/manual/exam.md says.
const BUILT_IN: &str = include_str!("anchors.jsonl");

/// The results of a player that was examined before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Anchor {
    /// The name.
    pub name: String,
    /// The settings of the player, in words of `kalah match`.
    pub settings: String,
    /// The checksum of the positions.
    pub positions: String,
    /// Seeds given away a move.
    pub regret: f64,
    /// The share of best moves, 0 to 1.
    pub best: f64,
    /// The rating, if games were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    /// Half the width of the 95 % interval of the rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_error: Option<f64>,
    /// Games played.
    #[serde(default)]
    pub games: u64,
}

pub(crate) fn checksum(set: &PositionSet) -> String {
    format!("{:016x}", set.checksum())
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

impl Anchor {
    /// The results of a player as an anchor for others.
    pub(crate) fn new(
        player: &PlayerSettings,
        set: &PositionSet,
        positions: &PositionResults,
        games: Option<&GameResults>,
    ) -> Anchor {
        let error = |Estimate { low, high, .. }: Estimate| ((high - low) / 2.0).round();
        Anchor {
            name: player.name.clone(),
            settings: player.to_string(),
            positions: checksum(set),
            regret: rounded(positions.total.regret.value, 3),
            best: rounded(positions.total.best.value, 4),
            rating: games.map(|games| games.rating.value.round()),
            rating_error: games.map(|games| error(games.rating)),
            games: games.map_or(0, |games| games.games),
        }
    }

    /// The known results in these positions, from the one that gives most away on.
    pub(crate) fn known(set: &PositionSet) -> anyhow::Result<Vec<Anchor>> {
        let positions = checksum(set);
        let mut anchors = read(BUILT_IN)?;
        anchors.retain(|anchor| anchor.positions == positions);
        anchors.sort_by(|a, b| b.regret.total_cmp(&a.regret));
        Ok(anchors)
    }
}

/// Reads anchors, a line of JSON each.
pub(crate) fn read(text: &str) -> anyhow::Result<Vec<Anchor>> {
    let lines = text.lines().zip(1..);
    lines
        .map(|(line, number)| {
            serde_json::from_str(line).with_context(|| format!("line {number} is no anchor"))
        })
        .collect()
}

/// The lines of a file of anchors with one more, in place of an earlier one of its name.
pub(crate) fn with_anchor(mut anchors: Vec<Anchor>, anchor: Anchor) -> anyhow::Result<String> {
    anchors.retain(|other| other.name != anchor.name);
    anchors.push(anchor);
    let lines = anchors.iter().map(|anchor| Ok(serde_json::to_string(anchor)? + "\n"));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_anchors_are_of_the_built_in_set() -> anyhow::Result<()> {
        let set = PositionSet::built_in()?;
        assert_eq!(Anchor::known(&set)?.len(), BUILT_IN.lines().count());
        Ok(())
    }

    #[test]
    fn an_anchor_takes_the_place_of_an_earlier_one() -> anyhow::Result<()> {
        let anchor = |name: &str, regret| Anchor {
            name: name.to_owned(),
            settings: String::new(),
            positions: String::new(),
            regret,
            best: 0.5,
            rating: None,
            rating_error: None,
            games: 0,
        };
        let text = with_anchor(Vec::new(), anchor("a", 1.0))?;
        let text = with_anchor(read(&text)?, anchor("b", 2.0))?;
        let text = with_anchor(read(&text)?, anchor("a", 3.0))?;
        assert_eq!(read(&text)?, [anchor("b", 2.0), anchor("a", 3.0)]);
        assert!(read("{}").is_err());
        Ok(())
    }
}

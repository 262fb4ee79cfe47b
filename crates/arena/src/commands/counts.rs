//! The figures of a match of which only the counts are known.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::Serialize;

use super::standings_json::TestJson;
use super::standings_text::{estimate, percent};
use crate::SettingsError;
use crate::statistics::{Pentanomial, Sprt, Strength, Wdl};
use kalah_command::output::JsonOutput;

/// The results of a match, from the view of the first player.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counts {
    /// Games, each of which counts alone.
    Games(Wdl),
    /// Pairs of games from the same opening.
    Pairs(Pentanomial),
}

impl FromStr for Counts {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Counts, SettingsError> {
        let counts: Result<Vec<u32>, _> =
            text.split(',').map(|count| count.trim().parse()).collect();
        match counts.as_deref() {
            Ok(&[wins, draws, losses]) => {
                let [wins, draws, losses] = [wins, draws, losses].map(u64::from);
                Ok(Counts::Games(Wdl { wins, draws, losses }))
            }
            Ok(&[none, half, one, more, two]) => {
                Ok(Counts::Pairs(Pentanomial([none, half, one, more, two].map(u64::from))))
            }
            _ => Err(SettingsError::new(
                "expected games WON,DRAWN,LOST, or pairs with 0, 1/2, 1, 3/2 and 2 points, as in \
                 70,103,2151,105,90",
            )),
        }
    }
}

/// The figures of a match by its counts. Infinite Elo differences are `null`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CountsJson {
    /// The number of games.
    games: u64,
    /// Points a game, 0 to 1; 1/2 without games.
    score: f64,
    #[serde(flatten)]
    strength: Strength,
    /// The state of the test; null without one.
    sequential_test: Option<TestJson>,
}

impl JsonOutput for CountsJson {
    const FORMAT: &'static str = "kalah-counts";
}

impl CountsJson {
    pub(super) fn new(counts: Counts, sprt: Option<&Sprt>) -> CountsJson {
        match counts {
            Counts::Games(games) => CountsJson {
                games: games.games(),
                score: games.score(),
                strength: games.strength(),
                sequential_test: sprt
                    .map(|sprt| TestJson::new(sprt, sprt.llr_of_games(&games), games.games())),
            },
            Counts::Pairs(pairs) => CountsJson {
                games: 2 * pairs.pairs(),
                score: pairs.score(),
                strength: pairs.strength(),
                sequential_test: sprt
                    .map(|sprt| TestJson::new(sprt, sprt.llr(&pairs), pairs.pairs())),
            },
        }
    }
}

impl Display for CountsJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CountsJson { games, score, strength, sequential_test } = self;
        let Strength { elo, normalized_elo, likelihood_of_superiority } = strength;
        writeln!(f, "score       {} of {games} games", percent(*score))?;
        writeln!(f, "Elo         {}", estimate(elo))?;
        writeln!(f, "nElo        {}", estimate(normalized_elo))?;
        write!(f, "superior    {}", percent(*likelihood_of_superiority))?;
        let Some(test) = sequential_test else { return Ok(()) };
        let unit = if test.pairs == *games { "games" } else { "pairs" };
        write!(f, "\nLLR         {}", test.text(unit))
    }
}

//! Standings of matches and tournaments as JSON.

use crate::statistics::{Estimate, Hypothesis, Pentanomial, RatingModel, Sprt, Wdl};
use crate::{SequentialTest, Standings};
use serde::Serialize;

use super::standings_text::RatedPlayers;
use kalah_command::output::JsonOutput;

/// The standings after the games played so far. Infinite Elo differences are `null`.
#[derive(Serialize)]
pub struct StandingsJson {
    games: usize,
    /// From best to worst.
    players: Vec<RankedPlayer>,
    /// Whether the results alone determine the ratings.
    ratings_determined: bool,
    /// Of every two players who met.
    encounters: Vec<EncounterJson>,
    sequential_test: Option<TestJson>,
}

#[derive(Serialize)]
struct RankedPlayer {
    name: String,
    games: u64,
    #[serde(flatten)]
    results: Wdl,
    /// `null` without games.
    score: Option<f64>,
    margin: Option<f64>,
    rating: Estimate,
    faults: u64,
}

#[derive(Serialize)]
struct EncounterJson {
    players: [String; 2],
    games: u64,
    #[serde(flatten)]
    results: Wdl,
    pairs: Pentanomial,
    elo: Estimate,
    normalized_elo: Estimate,
    likelihood_of_superiority: f64,
}

#[derive(Serialize)]
struct TestJson {
    #[serde(flatten)]
    sprt: Sprt,
    llr: f64,
    bounds: [f64; 2],
    pairs: u64,
    /// `H0` or `H1`, `null` if undecided.
    accepted: Option<&'static str>,
}

impl JsonOutput for StandingsJson {
    const FORMAT: &'static str = "kalah-standing";
}

impl StandingsJson {
    /// The standings with ratings of this model.
    pub fn new(
        standings: &Standings,
        test: Option<&SequentialTest>,
        model: RatingModel,
    ) -> StandingsJson {
        let ratings = RatedPlayers::new(standings, model);
        let ranking = standings.ranking();
        let player = |&player: &usize| {
            let results = standings.total(player);
            RankedPlayer {
                name: standings.players[player].clone(),
                games: results.games(),
                results,
                score: (results.games() > 0).then(|| results.score()),
                margin: standings.mean_margin(player),
                rating: ratings.players[player],
                faults: standings.faults(player),
            }
        };
        let all = 0..standings.players.len();
        let pairs = all.clone().flat_map(|one| (one + 1..all.end).map(move |other| (one, other)));
        let met = pairs.filter(|&(one, other)| standings.results(one, other).games() > 0);
        StandingsJson {
            games: standings.games().len(),
            players: ranking.iter().map(player).collect(),
            ratings_determined: ratings.note.is_none(),
            encounters: met.map(|(one, other)| encounter(standings, one, other)).collect(),
            sequential_test: test.map(test_json),
        }
    }
}

fn encounter(standings: &Standings, one: usize, other: usize) -> EncounterJson {
    let (results, pairs) = (standings.results(one, other), standings.pairs(one, other));
    EncounterJson {
        players: [one, other].map(|player| standings.players[player].clone()),
        games: results.games(),
        results,
        pairs,
        elo: pairs.elo(),
        normalized_elo: pairs.normalized_elo(),
        likelihood_of_superiority: pairs.likelihood_of_superiority(),
    }
}

fn test_json(test: &SequentialTest) -> TestJson {
    let (low, high) = test.sprt().bounds();
    TestJson {
        sprt: test.sprt().clone(),
        llr: test.llr(),
        bounds: [low, high],
        pairs: test.results().pairs(),
        accepted: test.verdict().map(|verdict| match verdict {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        }),
    }
}

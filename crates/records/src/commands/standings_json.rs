//! Standings of matches and tournaments as JSON, and the ratings of all forms of standings.

use crate::statistics::{
    Anchor, Encounter, Estimate, Hypothesis, Pentanomial, RatingModel, Sprt, Strength, Wdl,
};
use crate::{SequentialTest, Standings};
use kalah_command::table::plain_zero;
use serde::Serialize;

/// The note about ratings that depend on the prior.
pub const UNDETERMINED: &str = "The results alone do not determine all ratings: each player \
    counts half a game more, drawn against a player of rating 0.";

/// Ratings of more players would take minutes.
const MAX_RATED: usize = 500;

const TOO_MANY: &str = "There are no ratings of more than 500 players.";

const DAVIDSON_UNDETERMINED: &str = "The results alone do not determine all ratings: those of some players depend \
    on the prior, of mean 0 and standard deviation 350 Elo.";

/// The ratings of all players in one model.
pub struct RatedPlayers {
    /// In the order of the players; empty if these are too many.
    pub players: Vec<Estimate>,
    /// Set if the results alone do not determine the ratings, or if there are none.
    pub note: Option<&'static str>,
}

impl RatedPlayers {
    /// Rates the players of standings.
    pub fn new(standings: &Standings, model: RatingModel, anchor: Option<Anchor>) -> RatedPlayers {
        if standings.players.len() > MAX_RATED {
            return RatedPlayers { players: Vec::new(), note: Some(TOO_MANY) };
        }
        let (players, determined, note) = match model {
            RatingModel::MaximumLikelihood => {
                let ratings = standings.ratings(anchor);
                (ratings.players, ratings.determined, UNDETERMINED)
            }
            RatingModel::Davidson => {
                let ratings = standings.davidson_ratings(anchor);
                (ratings.players, ratings.determined, DAVIDSON_UNDETERMINED)
            }
        };
        RatedPlayers { players, note: (!determined).then_some(note) }
    }
}

/// The standings after the games played so far. Infinite Elo differences are `null`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StandingsJson {
    /// The number of games.
    games: usize,
    /// From best to worst.
    players: Vec<RankedPlayer>,
    /// Whether the results alone determine the ratings; if not, each player is given half a game, drawn
    /// against a player of rating 0.
    ratings_determined: bool,
    /// The results of every two players who met, from the view of the first.
    encounters: Vec<EncounterJson>,
    /// The state of the test; null without one.
    sequential_test: Option<TestJson>,
}

/// A player of the standings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RankedPlayer {
    /// The name of the player.
    name: String,
    /// The number of games.
    games: u64,
    #[serde(flatten)]
    results: Wdl,
    /// Points a game, 0 to 1; null without games.
    score: Option<f64>,
    /// The mean margin in seeds; null if no game has one.
    margin: Option<f64>,
    /// Elo from complete pairs, about a mean of 0, unless one is the anchor; null with more than 500 players.
    rating: Option<Estimate>,
    /// Games lost by faults.
    faults: u64,
}

/// The games of two players.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EncounterJson {
    /// The names of the two.
    players: [String; 2],
    /// The number of games.
    games: u64,
    #[serde(flatten)]
    results: Wdl,
    pairs: Pentanomial,
    #[serde(flatten)]
    strength: Strength,
}

/// The state of a sequential test.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TestJson {
    #[serde(flatten)]
    sprt: Sprt,
    /// The log-likelihood ratio of H1 to H0, a natural logarithm.
    llr: f64,
    /// The ratios at or below which H0 and at or above which H1 is accepted.
    bounds: [f64; 2],
    /// Pairs that have counted, or games that count alone.
    pub(super) pairs: u64,
    /// The accepted hypothesis; null while the test is undecided.
    accepted: Option<Hypothesis>,
}

impl StandingsJson {
    /// The standings with ratings of this model.
    pub fn new(standings: &Standings, model: RatingModel, anchor: Option<Anchor>) -> StandingsJson {
        let ratings = RatedPlayers::new(standings, model, anchor);
        let ranking = standings.ranking();
        let player = |&player: &usize| {
            let results = standings.total(player);
            RankedPlayer {
                name: standings.players[player].clone(),
                games: results.games(),
                results,
                score: (results.games() > 0).then(|| results.score()),
                margin: standings.mean_margin(player),
                rating: ratings.players.get(player).copied(),
                faults: standings.faults(player),
            }
        };
        let met = standings.encounters().into_iter();
        StandingsJson {
            games: standings.games().len(),
            players: ranking.iter().map(player).collect(),
            ratings_determined: ratings.note.is_none(),
            encounters: met.map(|met| encounter(standings, &met)).collect(),
            sequential_test: standings.test().map(TestJson::from),
        }
    }
}

fn encounter(
    standings: &Standings,
    &Encounter { players: [one, other], results }: &Encounter<Wdl>,
) -> EncounterJson {
    let pairs = standings.pairs(one, other);
    EncounterJson {
        players: [one, other].map(|player| standings.players[player].clone()),
        games: results.games(),
        results,
        pairs,
        strength: pairs.strength(),
    }
}

impl From<&SequentialTest> for TestJson {
    fn from(test: &SequentialTest) -> TestJson {
        TestJson::new(&test.sprt, test.llr(), test.results.pairs())
    }
}

impl TestJson {
    pub(super) fn new(sprt: &Sprt, llr: f64, pairs: u64) -> TestJson {
        let (low, high) = sprt.bounds();
        let (sprt, accepted) = (sprt.clone(), sprt.verdict_at(llr));
        TestJson { sprt, llr, bounds: [low, high], pairs, accepted }
    }

    /// The state for people; `unit` is what has counted.
    pub(super) fn text(&self, unit: &str) -> String {
        let TestJson { sprt, llr, bounds: [low, high], pairs, accepted } = self;
        let verdict = match accepted {
            Some(Hypothesis::H0) => "H0 accepted",
            Some(Hypothesis::H1) => "H1 accepted",
            None => "undecided",
        };
        let llr = plain_zero(*llr, 2);
        format!("{llr:.2} of [{low:.2}, {high:.2}] after {pairs} {unit}: {verdict}; {sprt}")
    }
}

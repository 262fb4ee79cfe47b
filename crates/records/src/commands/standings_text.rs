//! Standings of matches and tournaments as text: figures, ranking and crosstable.

use std::fmt;

use super::standings_json::{RatedPlayers, TestJson};
use crate::Standings;
use crate::statistics::{Anchor, Estimate, RatingModel, Strength, Wdl};
use kalah::printable::{counted, printable};

use kalah_command::table::{MISSING, flexible_table, plain_zero};

/// A cross table of more players, with a cell for every two, would be too long to write.
const MAX_CROSSTABLE: usize = 500;

/// A table. All columns after the first `names` are numbers.
pub(super) struct Columns {
    pub header: Vec<String>,
    pub names: usize,
    pub rows: Vec<Vec<String>>,
}

/// A figure of a match: its name in the terminal, its name in a report, and its value.
pub(super) type Figure = ([&'static str; 2], String);

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        flexible_table(self.header.clone(), self.names, self.rows.clone()).fmt(f)
    }
}

/// The standings of a match or tournament, and the state of its test.
pub(super) fn standings_text(
    standings: &Standings,
    model: RatingModel,
    anchor: Option<Anchor>,
) -> String {
    let mut lines = Vec::new();
    if standings.players.len() == 2 && anchor.is_none() {
        lines.push(match_title(standings));
    } else {
        let ratings = RatedPlayers::new(standings, model, anchor);
        lines.push(ranking(standings, Some(&ratings)).to_string());
        lines.extend(ratings.note.map(str::to_owned));
        let players = standings.players.len();
        let crosstable = if players <= MAX_CROSSTABLE {
            crosstable(standings).to_string()
        } else {
            format!("The table of {players} players against each other is left out.")
        };
        lines.extend([String::new(), crosstable]);
    }
    let figures = figures(standings).into_iter();
    lines.extend(figures.map(|([name, _], value)| format!("{name:<12}{value}")));
    lines.join("\n")
}

pub(super) fn match_title(standings: &Standings) -> String {
    let names = &standings.players;
    let games = counted(standings.results(0, 1).games(), "game");
    let title = format!("{} against {}, {games}", names[0], names[1]);
    printable(&title).into_owned()
}

/// The figures of a match, and the state of a test.
pub(super) fn figures(standings: &Standings) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut figure = |names, value| figures.push((names, value));
    if standings.players.len() == 2 {
        let (results, pairs) = (standings.results(0, 1), standings.pairs(0, 1));
        let Wdl { wins, draws, losses } = results;
        let score = if results.games() == 0 { "-".to_owned() } else { percent(results.score()) };
        let score = format!("{score}  +{wins} ={draws} -{losses}");
        let Strength { elo, normalized_elo, likelihood_of_superiority } = pairs.strength();
        figure(["score", "score, games won, drawn and lost"], score);
        let pentanomial = format!("{:?} with 0, 1/2, 1, 3/2 and 2 points", pairs.0);
        figure(["pairs", "pairs of games"], pentanomial);
        figure(["Elo", "Elo difference, 95 % interval"], estimate(&elo));
        figure(["nElo", "normalised Elo, 95 % interval"], estimate(&normalized_elo));
        figure(["superior", "likelihood of superiority"], percent(likelihood_of_superiority));
        figure(["margin", "mean margin in seeds"], margin(standings.mean_margin(0)));
        for (player, name) in standings.players.iter().enumerate() {
            let faults = standings.faults(player);
            if faults > 0 {
                let games = counted(faults, "game");
                figure(["faults"; 2], format!("{} lost {games} by faults", printable(name)));
            }
        }
    }
    if let Some(test) = standings.test() {
        let text = TestJson::from(test).text("pairs");
        figure(["LLR", "sequential test, log-likelihood ratio"], text);
    }
    figures
}

pub(super) fn ranking(standings: &Standings, ratings: Option<&RatedPlayers>) -> Columns {
    let header = [
        "", "player", "games", "won", "drawn", "lost", "score", "margin", "rating", "95 %",
        "faults",
    ];
    let rows = standings.ranking().into_iter().enumerate().map(|(place, player)| {
        let total = standings.total(player);
        let rating = ratings.and_then(|ratings| ratings.players.get(player));
        let [rating, interval] = rating.map_or([MISSING, MISSING].map(str::to_owned), |rating| {
            [elo(rating.value), interval(rating)]
        });
        vec![
            (place + 1).to_string(),
            standings.players[player].clone(),
            total.games().to_string(),
            total.wins.to_string(),
            total.draws.to_string(),
            total.losses.to_string(),
            percent(total.score()),
            margin(standings.mean_margin(player)),
            rating,
            interval,
            standings.faults(player).to_string(),
        ]
    });
    Columns { header: header.map(str::to_owned).to_vec(), names: 2, rows: rows.collect() }
}

pub(super) fn crosstable(standings: &Standings) -> Columns {
    let ranking = standings.ranking();
    let header = [String::new(), "points".to_owned()].into_iter();
    let header = header.chain((1..=ranking.len()).map(|place| place.to_string())).collect();
    let rows = ranking.iter().enumerate().map(|(place, &player)| {
        let cells = ranking.iter().map(|&opponent| {
            let result = standings.results(player, opponent);
            match result.games() {
                0 => "-".to_owned(),
                games => format!("{}/{games}", points(&result)),
            }
        });
        let name = format!("{} {}", place + 1, standings.players[player]);
        [name, points(&standings.total(player))].into_iter().chain(cells).collect()
    });
    Columns { header, names: 1, rows: rows.collect() }
}

/// The points of a player, with half a point for a draw.
fn points(result: &Wdl) -> String {
    (result.wins as f64 + 0.5 * result.draws as f64).to_string()
}

/// A share of 1 in per cent, as in `52.5 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A mean margin in seeds, with its sign.
pub fn margin(mean: Option<f64>) -> String {
    mean.map_or("-".to_owned(), |mean| format!("{:+.2}", plain_zero(mean, 2)))
}

/// An Elo difference, possibly infinite.
pub(super) fn elo(value: f64) -> String {
    format!("{:+.1}", plain_zero(value, 1))
}

pub(super) fn interval(estimate: &Estimate) -> String {
    format!("[{}, {}]", elo(estimate.low), elo(estimate.high))
}

pub fn estimate(estimate: &Estimate) -> String {
    format!("{} {}", elo(estimate.value), interval(estimate))
}

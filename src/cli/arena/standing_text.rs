//! How a tournament stands, in words and tables.

use std::fmt::Write as _;

use kalah::arena::statistics::{Estimate, Hypothesis, Wdl};
use kalah::arena::{SequentialTest, Standing};

use super::super::table::flexible_table;

/// All there is to say of a standing.
pub(super) fn standing_text(standing: &Standing, test: Option<&SequentialTest>) -> String {
    let mut all = if standing.players.len() == 2 {
        match_text(standing)
    } else {
        format!("{}\n\n{}", ranking(standing), cross_table(standing))
    };
    if let Some(test) = test {
        let _ = write!(all, "\n{}", test_text(test));
    }
    all
}

fn match_text(standing: &Standing) -> String {
    let names = &standing.players;
    let Wdl { wins, draws, losses } = standing.results(0, 1);
    let (results, pairs) = (standing.results(0, 1), standing.pairs(0, 1));
    let mut text = format!("{} against {}, {} games\n", names[0], names[1], results.games());
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12}{value}");
    };
    line("score", format!("{}  +{wins} ={draws} -{losses}", percent(results.score())));
    line("pairs", format!("{:?} with 0, 1/2, 1, 3/2 and 2 points", pairs.0));
    line("Elo", estimate(&pairs.elo()));
    line("nElo", estimate(&pairs.normalized_elo()));
    line("superior", percent(pairs.likelihood_of_superiority()));
    line("margin", margin(standing.mean_margin(0)));
    for (player, name) in names.iter().enumerate().filter(|&(p, _)| standing.faults(p) > 0) {
        line("faults", format!("{name} lost {} games by faults", standing.faults(player)));
    }
    text.truncate(text.trim_end().len());
    text
}

fn ranking(standing: &Standing) -> String {
    let ratings = standing.ratings();
    let header = [
        "", "player", "games", "won", "drawn", "lost", "score", "margin", "rating", "95 %",
        "faults",
    ];
    let rows = standing.ranking().into_iter().enumerate().map(|(place, player)| {
        let total = standing.total(player);
        let rating = &ratings.players[player];
        vec![
            (place + 1).to_string(),
            standing.players[player].clone(),
            total.games().to_string(),
            total.wins.to_string(),
            total.draws.to_string(),
            total.losses.to_string(),
            percent(total.score()),
            margin(standing.mean_margin(player)),
            elo(rating.value),
            interval(rating),
            standing.faults(player).to_string(),
        ]
    });
    let mut text = flexible_table(header.map(str::to_owned).to_vec(), 2, rows).to_string();
    if !ratings.determined {
        text.push_str(
            "\nThe results alone do not determine all ratings: each player counts half a game more, \
             drawn against a player of rating 0.",
        );
    }
    text
}

fn cross_table(standing: &Standing) -> String {
    let ranking = standing.ranking();
    let header = [String::new(), "points".to_owned()].into_iter();
    let header = header.chain((1..=ranking.len()).map(|place| place.to_string())).collect();
    let rows = ranking.iter().enumerate().map(|(place, &player)| {
        let cells = ranking.iter().map(move |&opponent| {
            let result = standing.results(player, opponent);
            match result.games() {
                0 => "-".to_owned(),
                games => format!("{}/{games}", points(&result)),
            }
        });
        let name = format!("{} {}", place + 1, standing.players[player]);
        [name, points(&standing.total(player))].into_iter().chain(cells)
    });
    flexible_table(header, 1, rows).to_string()
}

fn test_text(test: &SequentialTest) -> String {
    let (low, high) = test.sprt().bounds();
    let pairs = test.results().pairs();
    let verdict = match test.verdict() {
        Some(Hypothesis::H0) => "H0 accepted",
        Some(Hypothesis::H1) => "H1 accepted",
        None => "undecided",
    };
    let llr = test.llr();
    format!(
        "LLR         {llr:.2} of [{low:.2}, {high:.2}] after {pairs} pairs: {verdict}; {}",
        test.sprt()
    )
}

/// Points, a draw counting half.
fn points(result: &Wdl) -> String {
    (result.wins as f64 + 0.5 * result.draws as f64).to_string()
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn margin(mean: Option<f64>) -> String {
    mean.map_or("-".to_owned(), |mean| format!("{mean:+.2}"))
}

/// An Elo difference, which may be infinite.
pub(super) fn elo(value: f64) -> String {
    format!("{value:+.1}")
}

fn interval(estimate: &Estimate) -> String {
    format!("[{}, {}]", elo(estimate.low), elo(estimate.high))
}

pub(super) fn estimate(estimate: &Estimate) -> String {
    format!("{} {}", elo(estimate.value), interval(estimate))
}

//! The tables of a report.

use super::games_log::{LoggedGame, OpeningSummary, Usage};
use super::standings_html::standings_table;
use super::standings_text::{RatedPlayers, margin, percent};
use crate::Standings;
use crate::statistics::RatingModel;
use maud::{Markup, html};

use kalah_charts::page::table;
use kalah_command::table::grouped;

/// Openings that are listed.
const MAX_OPENINGS: usize = 40;

/// The two-sided 95 % quantile of the normal distribution.
const Z_95: f64 = 1.96;

/// The players by rank: results, maximum likelihood ratings with a picture of their intervals, and
/// ratings in Davidson's model.
pub(super) fn ratings(standings: &Standings) -> Markup {
    let likely = RatedPlayers::new(standings, RatingModel::MaximumLikelihood);
    let davidson = standings.davidson_ratings();
    let draws = percent(davidson.draw_rate);
    html! {
        (standings_table(standings, Some(&likely), Some(&davidson)))
        @if let Some(note) = likely.note { p.note { (note) } }
        p.note {
            "Ratings are in Elo, about a mean of 0: by maximum likelihood, and in Davidson's model with a prior, in which "
            "equal players draw " (draws) " of their games. Bars are the 95 % intervals of the maximum likelihood ratings."
        }
    }
}

pub(super) fn endings(standings: &Standings) -> Markup {
    let total = standings.games().len() as f64;
    let rows = standings.reasons().into_iter().map(|(reason, games)| {
        vec![reason.to_string(), games.to_string(), percent(games as f64 / total)]
    });
    let header = ["", "games", "share"];
    table("", &header, 1, rows)
}

pub(super) fn faults(standings: &Standings) -> Markup {
    let players = standings.players.iter().enumerate();
    let rows: Vec<Vec<String>> = players
        .flat_map(|(player, name)| {
            let kinds = standings.fault_kinds(player).into_iter();
            kinds.map(|(kind, games)| vec![name.clone(), kind.to_string(), games.to_string()])
        })
        .collect();
    let header = ["player", "fault", "games lost"];
    html! {
        @if rows.is_empty() {
            p.note { "No game was lost by a fault." }
        } @else {
            (table("", &header, 2, rows))
        }
    }
}

/// The most played openings from the view of South.
pub(super) fn openings(openings: &[OpeningSummary]) -> Markup {
    let rows = openings.iter().take(MAX_OPENINGS).map(|opening| {
        let OpeningSummary { board, results: [wins, draws, losses], margins } = *opening;
        let games = wins + draws + losses;
        let score = (wins as f64 + 0.5 * draws as f64) / games as f64;
        let (low, high) = wilson(score, games as f64);
        vec![
            board.to_owned(),
            games.to_string(),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            percent(score),
            format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high),
            margin((margins.1 > 0).then(|| margins.0 as f64 / margins.1 as f64)),
        ]
    });
    let header =
        ["opening", "games", "South won", "drawn", "North won", "South's score", "95 %", "margin"];
    let more = openings.len().saturating_sub(MAX_OPENINGS);
    html! {
        (table("", &header, 1, rows))
        @if more > 0 {
            p.note { "The " (MAX_OPENINGS) " most played openings; " (grouped(more as u64)) " others are left out." }
        }
    }
}

/// The 95 % interval of a score in independent games (E. Wilson, *Probable Inference, the Law of
/// Succession, and Statistical Inference*, 1927). Draws make it wider than need be.
fn wilson(score: f64, games: f64) -> (f64, f64) {
    let z = Z_95 * Z_95 / games;
    let middle = score + z / 2.0;
    let half = (z * (score * (1.0 - score) + z / 4.0)).sqrt();
    ((middle - half) / (1.0 + z), (middle + half) / (1.0 + z))
}

/// What each player used for its moves.
pub(super) fn time_use(players: &[String], games: &[LoggedGame]) -> Markup {
    let uses = || games.iter().flat_map(|game| game.summary.players.into_iter().zip(&game.usage));
    let mut usage = vec![Usage::default(); players.len()];
    for (player, used) in uses() {
        usage[player].merge(used);
    }
    // Moves of a game depend on each other, those of different games do not: the interval is that of a
    // quotient of two sums over games.
    let mut squares = vec![(0.0, 0.0); players.len()];
    for (player, used) in uses() {
        let expected = usage[player].mean_time().unwrap_or(0.0) * used.moves as f64;
        squares[player].0 += (used.time - expected).powi(2);
        squares[player].1 += 1.0;
    }
    let error = |player: usize| {
        let (squares, games) = squares[player];
        let variance: f64 = squares * games / (games - 1.0);
        1.96 * variance.sqrt() / usage[player].moves as f64
    };
    let number = |value: Option<f64>, digits: usize| {
        value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
    };
    let rows = players.iter().zip(&usage).enumerate().filter(|(_, (_, usage))| usage.moves > 0);
    let rows = rows.map(|(player, (name, usage))| {
        vec![
            name.clone(),
            grouped(usage.moves),
            number(usage.mean_time(), 1),
            number(Some(error(player)).filter(|error| error.is_finite()), 1),
            number(Some(usage.longest), 1),
            number(Some(usage.time / 1000.0), 1),
            number(usage.mean_depth(), 1),
            usage.mean_nodes().map_or("–".to_owned(), |nodes| grouped(nodes.round() as u64)),
        ]
    });
    let header = [
        "player",
        "moves",
        "ms a move",
        "± 95 %",
        "longest, ms",
        "all moves, s",
        "mean depth",
        "mean nodes",
    ];
    table("", &header, 1, rows)
}

//! The tables of a report.

use crate::Standings;
use crate::statistics::{Estimate, RatingModel};
use maud::{Markup, html};

use super::games_log::{LoggedGame, OpeningSummary, Usage};
use super::standings_text::{Columns, RatedPlayers, crosstable, elo, interval, percent, ranking};
use kalah_command::table::grouped;

/// The cross table of more players would have more cells than anybody reads.
const MAX_CROSSTABLE: usize = 40;

/// Openings that are listed.
const MAX_OPENINGS: usize = 40;

/// The two-sided 95 % quantile of the normal distribution.
const Z_95: f64 = 1.96;

/// The size of the picture of an interval, in its own units.
const INTERVAL: (f64, f64) = (160.0, 16.0);

/// The players by rank: results, maximum likelihood ratings with a picture of their intervals, and
/// ratings in Davidson's model.
pub(super) fn ratings(standings: &Standings) -> Markup {
    let likely = RatedPlayers::new(standings, RatingModel::MaximumLikelihood);
    let davidson = standings.davidson_ratings();
    let Columns { mut header, names, mut rows } = ranking(standings, &likely);
    header.extend(["Davidson", "95 %"].map(str::to_owned));
    let order = standings.ranking();
    for (row, &player) in rows.iter_mut().zip(&order) {
        let rating = &davidson.players[player];
        row.extend([elo(rating.value), interval(rating)]);
    }
    let range = range(&likely.players);
    let draws = percent(davidson.draw_rate);
    html! {
        (table(Columns { header, names, rows }))
        @if let Some(note) = likely.note { p { (note) } }
        p {
            "Ratings are in Elo, about a mean of 0: by maximum likelihood, and in Davidson's model with a prior, in which "
            "equal players draw " (draws) " of their games. Bars are the 95 % intervals of the maximum likelihood ratings."
        }
        div.ratings role="img" aria-label="Ratings with 95 % intervals" {
            @for &player in &order {
                @let rating = &likely.players[player];
                span.name { (standings.players[player]) }
                (picture(rating, range))
                span.number { (elo(rating.value)) }
            }
            span {}
            span.axis { span { (elo(range.0)) } span { (elo(range.1)) } }
            span.number { "Elo" }
        }
    }
}

/// The range of a picture of ratings: all ratings, and intervals as long as they do not dwarf them.
fn range(ratings: &[Estimate]) -> (f64, f64) {
    const MAX_BEYOND: f64 = 200.0;

    let values = || ratings.iter().map(|rating| rating.value);
    let (min, max) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let low = ratings.iter().map(|rating| rating.low).fold(min, f64::min).max(min - MAX_BEYOND);
    let high = ratings.iter().map(|rating| rating.high).fold(max, f64::max).min(max + MAX_BEYOND);
    if low < high { (low, high) } else { (low - 1.0, high + 1.0) }
}

fn picture(rating: &Estimate, (low, high): (f64, f64)) -> Markup {
    let (width, height) = INTERVAL;
    let x = |elo: f64| {
        let share = (elo.clamp(low, high) - low) / (high - low);
        format!("{:.1}", 4.0 + share * (width - 8.0))
    };
    html! {
        svg.interval viewBox=(format!("0 0 {width} {height}")) aria-hidden="true" {
            line.zero x1=(x(0.0)) x2=(x(0.0)) y1="0" y2=(height) {}
            line x1=(x(rating.low)) x2=(x(rating.high)) y1="8" y2="8" {}
            circle cx=(x(rating.value)) cy="8" r="3.5" {}
        }
    }
}

/// The cross table, with the 95 % interval of each score where there is space.
pub(super) fn points_between(standings: &Standings) -> Markup {
    let players = standings.players.len();
    if players > MAX_CROSSTABLE {
        return html! {
            p {
                "The table of " (players) " players against each other is left out. The list of games below "
                "shows those of any two."
            }
        };
    }
    let Columns { header, rows, .. } = crosstable(standings);
    let order = standings.ranking();
    let score = |row: usize, column: usize| {
        let pairs = standings.pairs(order[row], order[column]);
        (pairs.pairs() > 0).then(|| {
            let Estimate { low, high, .. } = pairs.score_estimate();
            format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high)
        })
    };
    html! {
        div.wide {
            table.cross {
                thead { tr { @for (column, cell) in header.iter().enumerate() {
                    th class=[(column > 0).then_some("number")] { (cell) }
                } } }
                tbody {
                    @for (place, row) in rows.iter().enumerate() {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                @if column < 2 {
                                    td class=[(column > 0).then_some("number")] { (cell) }
                                } @else {
                                    td.number {
                                        span { (cell) }
                                        @if let Some(score) = score(place, column - 2) { small { (score) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        p { "Points of the player on the left and games; below, the 95 % interval of the score." }
    }
}

pub(super) fn endings(standings: &Standings) -> Markup {
    let total = standings.games().len() as f64;
    let rows = standings.reasons().into_iter().map(|(reason, games)| {
        vec![reason.to_string(), games.to_string(), percent(games as f64 / total)]
    });
    let header = ["", "games", "share"].map(str::to_owned).to_vec();
    table(Columns { header, names: 1, rows: rows.collect() })
}

pub(super) fn faults(standings: &Standings) -> Markup {
    let players = standings.players.iter().enumerate();
    let rows: Vec<Vec<String>> = players
        .flat_map(|(player, name)| {
            let kinds = standings.fault_kinds(player).into_iter();
            kinds.map(|(kind, games)| vec![name.clone(), kind.to_string(), games.to_string()])
        })
        .collect();
    let header = ["player", "fault", "games lost"].map(str::to_owned).to_vec();
    html! {
        @if rows.is_empty() {
            p { "No game was lost by a fault." }
        } @else {
            (table(Columns { header, names: 2, rows }))
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
        let margin = (margins.1 > 0).then(|| margins.0 as f64 / margins.1 as f64);
        vec![
            board.to_owned(),
            games.to_string(),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            percent(score),
            format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high),
            super::standings_text::margin(margin),
        ]
    });
    let header =
        ["opening", "games", "South won", "drawn", "North won", "South's score", "95 %", "margin"];
    let header = header.map(str::to_owned).to_vec();
    let more = openings.len().saturating_sub(MAX_OPENINGS);
    html! {
        (table(Columns { header, names: 1, rows: rows.collect() }))
        @if more > 0 {
            p { "The " (MAX_OPENINGS) " most played openings; " (grouped(more as u64)) " others are left out." }
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
    let uses = || games.iter().flat_map(|game| game.players.into_iter().zip(&game.usage));
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
    let header = header.map(str::to_owned).to_vec();
    table(Columns { header, names: 1, rows: rows.collect() })
}

fn table(Columns { header, names, rows }: Columns) -> Markup {
    let class = |column| (column >= names).then_some("number");
    html! {
        div.wide {
            table {
                thead {
                    tr {
                        @for (column, cell) in header.iter().enumerate() {
                            th class=[class(column)] { (cell) }
                        }
                    }
                }
                tbody {
                    @for row in &rows {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                td class=[class(column)] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

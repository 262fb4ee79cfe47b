//! Standings of tournaments as tables in HTML.

use super::standings_json::RatedPlayers;
use super::standings_text::{Columns, crosstable, elo, interval, ranking};
use crate::Standings;
use crate::statistics::{DavidsonRatings, Estimate};
use kalah_charts::page::table;
use maud::{Markup, html};

/// The cross table of more players would have more cells than anybody reads.
const MAX_CROSSTABLE: usize = 40;

/// Bars reach at least so many Elo from 0, and at most this much farther than the ratings.
const MIN_REACH: f64 = 100.0;
const MAX_BEYOND: f64 = 200.0;

/// The players by rank: results, and ratings with a bar for the interval of each.
pub fn standings_table(
    standings: &Standings,
    likely: Option<&RatedPlayers>,
    davidson: Option<&DavidsonRatings>,
) -> Markup {
    let Columns { mut header, names, rows } = ranking(standings, likely);
    let likely = likely.map_or(&[][..], |likely| &likely.players);
    let reach = reach(likely);
    if !likely.is_empty() {
        header.push(format!("±{reach:.0} Elo"));
    }
    if davidson.is_some() {
        header.extend(["Davidson", "95 %"].map(str::to_owned));
    }
    let rows = rows.into_iter().zip(standings.ranking()).map(|(row, player)| {
        let mut row: Vec<Markup> = row.iter().map(|cell| html! { (cell) }).collect();
        row.extend(likely.get(player).map(|rating| bar(rating, reach)));
        if let Some(rating) = davidson.map(|davidson| &davidson.players[player]) {
            row.extend([html! { (elo(rating.value)) }, html! { (interval(rating)) }]);
        }
        row
    });
    table("standings", &header, names, rows)
}

/// The end of the scale of the bars, which begins at the same distance below 0: all ratings lie on it, and
/// intervals as long as they do not dwarf them.
fn reach(ratings: &[Estimate]) -> f64 {
    let farthest = ratings.iter().map(|rating| rating.value.abs()).fold(0.0, f64::max);
    let ends = ratings.iter().flat_map(|rating| [rating.low, rating.high]).map(f64::abs);
    ends.fold(farthest, f64::max).min(farthest + MAX_BEYOND).max(MIN_REACH)
}

fn bar(rating: &Estimate, reach: f64) -> Markup {
    let place = |elo: f64| (50.0 + 50.0 * elo / reach).clamp(0.0, 100.0);
    let (low, high) = (place(rating.low), place(rating.high));
    html! {
        div.interval aria-hidden="true" {
            div.range style=(format!("left:{low:.1}%;width:{:.1}%", (high - low).max(0.5))) {}
            div.value style=(format!("left:{:.1}%", place(rating.value))) {}
        }
    }
}

/// The cross table, with the 95 % interval of each score.
pub fn cross_table(standings: &Standings) -> Markup {
    let players = standings.players.len();
    if players > MAX_CROSSTABLE {
        return html! {
            p.note { "The table of " (players) " players against each other is left out." }
        };
    }
    let Columns { header, names, rows } = crosstable(standings);
    let order = standings.ranking();
    let cell = |player: usize, column: usize, text: &str| {
        // After the name and the points.
        let opponent = column.checked_sub(2).and_then(|place| order.get(place));
        let pairs = opponent.map(|&opponent| standings.pairs(player, opponent));
        let score = pairs.filter(|pairs| pairs.pairs() > 0).map(|pairs| pairs.score_estimate());
        html! {
            @if let Some(Estimate { value, low, high }) = score {
                span.better[value > 0.5].worse[value < 0.5] { (text) }
                small { (format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high)) }
            } @else {
                (text)
            }
        }
    };
    let rows = rows.iter().zip(&order).map(|(row, &player)| {
        row.iter().enumerate().map(|(column, text)| cell(player, column, text)).collect()
    });
    html! {
        (table("cross", &header, names, rows))
        p.note { "Points of the player on the left and games; below, the 95 % interval of the score." }
    }
}

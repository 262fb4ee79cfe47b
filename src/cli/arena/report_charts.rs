//! The charts of a report.

use std::ops::RangeInclusive;

use kalah::arena::Standings;
use kalah::arena::statistics::{Estimate, Histogram};

use super::super::chart::{Panel, Series, SeriesStyle, short_name};

/// The maximum number of points of a history.
const MAX_CHECKPOINTS: u64 = 50;

/// The x axis of a history.
const PAIRS: &str = "pairs of games";

/// The number of colours: more lines could not be told apart.
const MAX_LINES: usize = 8;

/// The charts of a match or tournament, without those that have no data.
pub(super) fn charts(standings: &Standings) -> Vec<Panel> {
    let is_match = standings.players.len() == 2;
    let strength = if is_match { elo(standings) } else { ratings(standings) };
    let plies = standings.games().iter().map(|game| game.plies as i64);
    let margins = standings.games().iter().filter_map(|game| {
        game.margin_of(0).map(|margin| if is_match { margin } else { margin.abs() })
    });
    let margin = if is_match {
        format!("margin in seeds, from the view of {}", short_name(&standings.players[0]))
    } else {
        "margin in seeds, from the view of the winner".to_owned()
    };
    let plies = histogram("Lengths of games", "plies", Histogram::new(plies));
    let margins = histogram("Margins", &margin, Histogram::new(margins));
    [strength, plies, margins].into_iter().flatten().collect()
}

/// The Elo difference of two players over the course of the match; `None` if one of them has not
/// scored.
fn elo(standings: &Standings) -> Option<Panel> {
    let history = standings.history(MAX_CHECKPOINTS, |standings| standings.pairs(0, 1).elo());
    history.last().filter(|(_, elo)| elo.value.is_finite())?;
    let range = late_range(&history, |(_, elo)| vec![elo.value, elo.low, elo.high])?;
    let at = |pairs: u64, elo: f64| (pairs as f64, elo.clamp(*range.start(), *range.end()));
    let low = history.iter().map(|(pairs, elo)| at(*pairs, elo.low));
    let high = history.iter().rev().map(|(pairs, elo)| at(*pairs, elo.high));
    let values = history.iter().filter(|(_, elo)| range.contains(&elo.value));
    let values = values.map(|(pairs, elo)| at(*pairs, elo.value));
    let interval = Series::new("95 % interval", SeriesStyle::Area, low.chain(high));
    let series = [interval, Series::line("estimate", values)];
    let names = [0, 1].map(|player| short_name(&standings.players[player]));
    let label = format!("Elo of {} less {}", names[0], names[1]);
    Some(Panel::new("Elo difference over time", [PAIRS, &label], series))
}

/// The ratings of the best players over the course of the tournament.
fn ratings(standings: &Standings) -> Option<Panel> {
    let ranking = standings.ranking();
    let best = &ranking[..ranking.len().min(MAX_LINES)];
    let history = standings.history(MAX_CHECKPOINTS, |standings| standings.ratings().players);
    let values = |(_, ratings): &(u64, Vec<Estimate>)| {
        best.iter().map(|&player| ratings[player].value).collect()
    };
    let range = late_range(&history, values)?;
    let series = best.iter().map(|&player| {
        let points = history.iter().map(|(pairs, ratings)| (*pairs as f64, ratings[player].value));
        let points = points.filter(|(_, rating)| range.contains(rating));
        Series::line(short_name(&standings.players[player]), points)
    });
    let title = if best.len() < ranking.len() {
        format!("Ratings over time, the best {} players", best.len())
    } else {
        "Ratings over time".to_owned()
    };
    Some(Panel::new(title, [PAIRS, "rating in Elo"], series))
}

/// The range of the finite values after the first quarter of the points. The early values vary so
/// much that all later ones would look flat.
fn late_range<T>(history: &[T], values: impl Fn(&T) -> Vec<f64>) -> Option<RangeInclusive<f64>> {
    let later = history[history.len() / 4..].iter().flat_map(values);
    let finite: Vec<f64> = later.filter(|value| value.is_finite()).collect();
    let min = finite.iter().copied().reduce(f64::min)?;
    let max = finite.iter().copied().reduce(f64::max)?;
    Some(min..=max)
}

fn histogram(title: &str, label: &str, histogram: Histogram) -> Option<Panel> {
    let Histogram { width, bars } = histogram;
    let points = bars.into_iter().map(|(middle, count)| (middle as f64, count as f64));
    let series = Series::new(title, SeriesStyle::Bars(width as f64), points);
    (!series.points.is_empty()).then(|| Panel::new(title, [label, "games"], [series]))
}

//! The charts of a report.

use std::ops::RangeInclusive;

use kalah::arena::Standings;
use kalah::arena::statistics::{Estimate, Histogram};

use super::super::chart::{Axis, Panel, Scale, Series, SeriesStyle};

/// The maximum number of points of a history.
const MAX_CHECKPOINTS: u64 = 50;

/// The number of colours: more lines could not be told apart.
const MAX_LINES: usize = 8;

/// Longer names are cut: text in a chart is not wrapped.
const MAX_NAME_LENGTH: usize = 24;

/// The charts of a match or tournament, without those that have no data.
pub(super) fn charts(standing: &Standings) -> Vec<Panel> {
    let is_match = standing.players.len() == 2;
    let strength = if is_match { elo(standing) } else { ratings(standing) };
    let plies = standing.games().iter().map(|game| game.plies as i64);
    let margins = standing.games().iter().filter_map(|game| {
        game.margin_of(0).map(|margin| if is_match { margin } else { margin.abs() })
    });
    let margin = if is_match {
        format!("margin in seeds, from the view of {}", short_name(&standing.players[0]))
    } else {
        "margin in seeds, from the view of the winner".to_owned()
    };
    let plies = histogram("Lengths of games", "plies", Histogram::new(plies));
    let margins = histogram("Margins", &margin, Histogram::new(margins));
    [strength, plies, margins].into_iter().flatten().collect()
}

/// The Elo difference of two players over the course of the match; `None` if one of them has not
/// scored.
fn elo(standing: &Standings) -> Option<Panel> {
    let history = standing.history(MAX_CHECKPOINTS, |standing| standing.pairs(0, 1).elo());
    history.last().filter(|(_, elo)| elo.value.is_finite())?;
    let range = late_range(&history, |(_, elo)| vec![elo.value, elo.low, elo.high])?;
    let at = |pairs: u64, elo: f64| (pairs as f64, elo.clamp(*range.start(), *range.end()));
    let low = history.iter().map(|(pairs, elo)| at(*pairs, elo.low));
    let high = history.iter().rev().map(|(pairs, elo)| at(*pairs, elo.high));
    let values = history.iter().filter(|(_, elo)| range.contains(&elo.value));
    let values = values.map(|(pairs, elo)| at(*pairs, elo.value));
    let series = vec![
        Series {
            name: "95 % interval".to_owned(),
            style: SeriesStyle::Area,
            points: low.chain(high).collect(),
        },
        Series { name: "estimate".to_owned(), style: SeriesStyle::Line, points: values.collect() },
    ];
    let names = [0, 1].map(|player| short_name(&standing.players[player]));
    let label = format!("Elo of {} less {}", names[0], names[1]);
    Some(over_pairs("Elo difference over time", label, series))
}

/// The ratings of the best players over the course of the tournament.
fn ratings(standing: &Standings) -> Option<Panel> {
    let ranking = standing.ranking();
    let best = &ranking[..ranking.len().min(MAX_LINES)];
    let history = standing.history(MAX_CHECKPOINTS, |standing| standing.ratings().players);
    let values = |(_, ratings): &(u64, Vec<Estimate>)| {
        best.iter().map(|&player| ratings[player].value).collect()
    };
    let range = late_range(&history, values)?;
    let series = best.iter().map(|&player| Series {
        name: short_name(&standing.players[player]),
        style: SeriesStyle::Line,
        points: history
            .iter()
            .map(|(pairs, ratings)| (*pairs as f64, ratings[player].value))
            .filter(|(_, rating)| range.contains(rating))
            .collect(),
    });
    let title = if best.len() < ranking.len() {
        format!("Ratings over time, the best {} players", best.len())
    } else {
        "Ratings over time".to_owned()
    };
    Some(over_pairs(&title, "rating in Elo".to_owned(), series.collect()))
}

fn over_pairs(title: &str, label: String, series: Vec<Series>) -> Panel {
    Panel {
        title: title.to_owned(),
        x: Axis::new("pairs of games", Scale::Linear),
        y: Axis::new(label, Scale::Linear),
        series,
    }
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
    let points: Vec<_> =
        bars.into_iter().map(|(middle, count)| (middle as f64, count as f64)).collect();
    (!points.is_empty()).then(|| Panel {
        title: title.to_owned(),
        x: Axis::new(label, Scale::Linear),
        y: Axis::new("games", Scale::Linear),
        series: vec![Series {
            name: title.to_owned(),
            style: SeriesStyle::Bars(width as f64),
            points,
        }],
    })
}

/// A name, cut if it is long.
fn short_name(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME_LENGTH) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

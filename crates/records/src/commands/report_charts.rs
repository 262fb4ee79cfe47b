//! The charts of a report.

use std::ops::RangeInclusive;

use crate::statistics::{Estimate, Histogram};
use crate::{SequentialTest, Standings};

use kalah_charts::{COLOURS, Chart, Panel, Series, SeriesStyle, short_name};

/// The maximum number of points of a history.
const MAX_CHECKPOINTS: u64 = 50;

const PAIRS: &str = "pairs of games";

/// Ratings over time of more players take too long to compute.
const MAX_RATED: usize = 150;

/// The range of seeds in the chart of seeds by ply: this share of the games is below it, and above it.
const TAIL: f64 = 0.1;

/// The note about a chart that is left out.
pub(super) fn left_out_charts(standings: &Standings) -> Option<String> {
    let players = standings.players.len();
    let note = || format!("The ratings over time of more than {MAX_RATED} players are left out.");
    (players > MAX_RATED).then(note)
}

/// The charts that have data. `seeds` counts games by ply and by the seeds in the houses.
pub(super) fn charts(standings: &Standings, seeds: &[Vec<u64>]) -> Vec<Chart> {
    let is_match = standings.players.len() == 2;
    let strength = match standings.players.len() {
        2 => elo(standings),
        players if players <= MAX_RATED => ratings(standings),
        _ => None,
    };
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
    let test = standings.test().and_then(|test| llr(standings, test));
    [strength, test, plies, margins, seeds_by_ply(seeds)].into_iter().flatten().collect()
}

/// The Elo difference of two players over the course of the match; `None` if one of them has not scored.
fn elo(standings: &Standings) -> Option<Chart> {
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
    Some(chart("Elo difference over time", [PAIRS, &label], series))
}

/// The log-likelihood ratio of a sequential test over the course of the match, between its bounds.
fn llr(standings: &Standings, test: &SequentialTest) -> Option<Chart> {
    let end = test.results.pairs();
    let sprt = &test.sprt;
    let history = standings.history(MAX_CHECKPOINTS, |standings| sprt.llr(&standings.pairs(0, 1)));
    let history = history.into_iter().filter(|&(pairs, _)| pairs < end);
    let points = history.map(|(pairs, llr)| (pairs as f64, llr));
    let points = std::iter::once((0.0, 0.0)).chain(points).chain([(end as f64, test.llr())]);
    let (lower, upper) = sprt.bounds();
    let bound = |name: &str, llr: f64| {
        Series::new(name, SeriesStyle::Reference, [(0.0, llr), (end as f64, llr)])
    };
    let series = [
        Series::line("log-likelihood ratio", points),
        bound("at or above: H1 accepted", upper),
        bound("at or below: H0 accepted", lower),
    ];
    let title = "Sequential test over time";
    (end > 0).then(|| chart(title, [PAIRS, "log-likelihood ratio"], series))
}

/// The mean number of seeds in the houses, and the range of most games, by ply.
fn seeds_by_ply(seeds: &[Vec<u64>]) -> Option<Chart> {
    let quantile = |counts: &[u64], share: f64| {
        let needed = share * counts.iter().sum::<u64>() as f64;
        let sums = counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        sums.take_while(|&sum| sum as f64 <= needed).count() as f64
    };
    let mean = |counts: &[u64]| {
        let seeds = (0_u64..).zip(counts).map(|(seeds, count)| seeds * count).sum::<u64>();
        seeds as f64 / counts.iter().sum::<u64>().max(1) as f64
    };
    let plies = || (0_u32..).map(f64::from).zip(seeds);
    let low = plies().map(|(ply, counts)| (ply, quantile(counts, TAIL)));
    let high = seeds.iter().enumerate().rev();
    let high = high.map(|(ply, counts)| (ply as f64, quantile(counts, 1.0 - TAIL)));
    let range = Series::new("80 % of the games", SeriesStyle::Area, low.chain(high));
    let means =
        Series::new("mean", SeriesStyle::Line, plies().map(|(ply, counts)| (ply, mean(counts))));
    let labels = ["ply, of the games that last as long", "seeds in the houses"];
    (seeds.len() > 1).then(|| chart("Seeds by ply", labels, [range, means]))
}

/// The ratings of the best players over the course of the tournament.
fn ratings(standings: &Standings) -> Option<Chart> {
    let ranking = standings.ranking();
    // With more lines than colours they could not be told apart.
    let best = &ranking[..ranking.len().min(COLOURS.len())];
    let history = standings.history(MAX_CHECKPOINTS, |standings| standings.ratings(None).players);
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
    Some(chart(&title, [PAIRS, "rating in Elo"], series))
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

fn chart(title: &str, labels: [&str; 2], series: impl IntoIterator<Item = Series>) -> Chart {
    Chart::new(title, [Panel::new("", labels, series)])
}

fn histogram(title: &str, label: &str, histogram: Histogram) -> Option<Chart> {
    let Histogram { width, bars } = histogram;
    let points = bars.into_iter().map(|(middle, count)| (middle as f64, count as f64));
    let series = Series::new(title, SeriesStyle::Bars(width as f64), points);
    (!series.points.is_empty()).then(|| chart(title, [label, "games"], [series]))
}

//! Draws a panel: its axes, and its series between them.

use maud::{Markup, html};

use super::drawing::{INK, Place, fitting_text, text};
use super::look::{Look, own_names, with_looks};
use super::scale::{LABEL, Scale};
use super::{Panel, Point, Series, SeriesStyle};

/// Sizes in pixels.
const TITLE_HEIGHT: i32 = 26;
const TITLE: i32 = 15;
const ROW: i32 = 22;
const TICK_HEIGHT: i32 = 34;
const TICK: i32 = 5;
const NAME: i32 = 14;
const GAP: i32 = 6;

/// Above the axes, for the name of y; above the first row, which has no such name; below the axes, for labels
/// and name of x; and to the right of them.
const ABOVE: i32 = 26;
const ABOVE_ROWS: i32 = 6;
const BELOW: i32 = 46;
const RIGHT: i32 = 16;

/// Between the ends of the horizontal axis and the outermost marks.
const EDGE: i32 = 5;

/// The distance of points of different series that have the same x, if they have intervals.
const SHIFT: i32 = 6;

/// Half the width of the strokes at the ends of an interval.
const CAP: i32 = 3;

/// Part of the space between two bars.
const BAR: f64 = 0.45;

/// A line has at most this many marks: more would cover it.
const MAX_MARKS: usize = 16;

/// Opacities of the lines of the grid at ticks with a label, and without.
const GRID: f64 = 0.16;
const MINOR_GRID: f64 = 0.07;

/// A panel with its scales and the place of its axes. The axis of y is vertical, unless the panel has rows.
pub(crate) struct PlacedPanel<'p> {
    panel: &'p Panel,
    pub series: Vec<(&'p Series, Look)>,
    /// Series with intervals are moved apart along x, each look by [`SHIFT`]: their intervals would cover
    /// each other.
    shifted: Vec<Look>,
    horizontal: Scale,
    vertical: Scale,
    width: i32,
    /// Of the axes.
    left: i32,
    top: i32,
    bottom: i32,
}

impl<'p> PlacedPanel<'p> {
    /// A panel of this width with axes of this height, unless it has rows. `names` are those of the series of
    /// all panels. Panels that show the same quantity of the same series have the same scale of y.
    pub(crate) fn new(
        panel: &'p Panel,
        all: &[Panel],
        names: &[&str],
        (width, plot): (i32, i32),
    ) -> PlacedPanel<'p> {
        let Panel { x, y, rows, .. } = panel;
        let own = own_names([panel]);
        let is_alike = |other: &&Panel| {
            (&other.y.name, other.y.is_logarithmic) == (&y.name, y.is_logarithmic)
                && own_names([*other]).iter().any(|name| own.contains(name))
        };
        let alike = all.iter().filter(is_alike).chain([panel]);
        let ys: Vec<f64> = alike.flat_map(|panel| &panel.series).flat_map(Series::ys).collect();
        let (horizontal, vertical) = if rows.is_empty() {
            let xs: Vec<f64> = panel.series.iter().flat_map(Series::xs).collect();
            let has_bars = panel.series.iter().any(Series::is_bars);
            let vertical = Scale::new(&ys, y, has_bars, (plot / TICK_HEIGHT) as usize);
            (Scale::horizontal(&xs, x, width), vertical)
        } else {
            // The names of the rows take up to half the width.
            let names = rows.iter().map(|name| fitting_text(name, LABEL, width / 2));
            (Scale::horizontal(&ys, y, width / 2), Scale::from_rows(names))
        };
        let series = with_looks(&panel.series, names);
        let mut shifted = Vec::new();
        // A row has one point.
        for &(one, look) in series.iter().filter(|_| rows.is_empty()) {
            if one.has_intervals() && !shifted.contains(&look) {
                shifted.push(look);
            }
        }
        let left = vertical.widest_label() + TICK + GAP;
        let top = if panel.title.is_empty() { 0 } else { TITLE_HEIGHT };
        let top = top + if rows.is_empty() { ABOVE } else { ABOVE_ROWS };
        let bottom = top + if rows.is_empty() { plot } else { ROW * rows.len() as i32 };
        PlacedPanel { panel, series, shifted, horizontal, vertical, width, left, top, bottom }
    }

    pub(crate) fn height(&self) -> i32 {
        self.bottom + BELOW
    }

    fn max_shift(&self) -> i32 {
        SHIFT * self.shifted.len().saturating_sub(1) as i32 / 2
    }

    fn has_rows(&self) -> bool {
        !self.panel.rows.is_empty()
    }

    /// Where a point lies, moved along the axis of x by a number of pixels.
    fn at(&self, (x, y): (f64, f64), by: i32) -> Place {
        if self.has_rows() {
            (self.across(self.horizontal.share(y)), self.up(self.vertical.share(x)) + by)
        } else {
            (self.across(self.horizontal.share(x)) + by, self.up(self.vertical.share(y)))
        }
    }

    fn across(&self, share: f64) -> i32 {
        let edge = EDGE + self.max_shift();
        let width = self.width - RIGHT - self.left - 2 * edge;
        self.left + edge + (share * f64::from(width)).round() as i32
    }

    fn up(&self, share: f64) -> i32 {
        self.bottom - (share * f64::from(self.bottom - self.top)).round() as i32
    }

    /// Draws it below and to the right of 0, 0.
    pub(crate) fn draw(&self) -> Markup {
        let &PlacedPanel { panel, width, left, top, bottom, .. } = self;
        let (right, has_rows) = (width - RIGHT, self.has_rows());
        let line = |(x1, y1): Place, (x2, y2): Place, opacity: f64| {
            html! { line x1=(x1) y1=(y1) x2=(x2) y2=(y2) stroke=(INK) opacity=(opacity) {} }
        };
        let grid = |label: &str| if label.is_empty() { MINOR_GRID } else { GRID };
        let middle = i32::midpoint(left, right);
        let name = if has_rows { &panel.y.name } else { &panel.x.name };
        let name = fitting_text(name, NAME, 2 * (width - middle));
        html! {
            (text(&fitting_text(&panel.title, TITLE, width), (width / 2, TITLE_HEIGHT / 2), (TITLE, "middle", INK)))
            @for (share, label) in self.horizontal.ticks() {
                @let x = self.across(share);
                (line((x, top), (x, bottom), grid(label)))
                @if !label.is_empty() {
                    (line((x, bottom), (x, bottom + TICK), 1.0))
                    (text(label, (x, bottom + TICK + GAP + LABEL / 3), (LABEL, "middle", INK)))
                }
            }
            @for (share, label) in self.vertical.ticks() {
                @let y = self.up(share);
                (line((left, y), (right, y), grid(label)))
                @if !label.is_empty() {
                    (line((left - TICK, y), (left, y), 1.0))
                    (text(label, (left - TICK - GAP / 2, y), (LABEL, "end", INK)))
                }
            }
            (line((left, bottom), (right, bottom), 1.0))
            (line((left, top), (left, bottom), 1.0))
            (text(&name, (middle, bottom + BELOW - 12), (NAME, "middle", INK)))
            @if !has_rows {
                (text(&fitting_text(&panel.y.name, NAME, width), (0, top - 14), (NAME, "start", INK)))
            }
            @for &(series, look) in &self.series { (self.series(series, look)) }
        }
    }

    fn series(&self, series: &Series, look: Look) -> Markup {
        let number = self.shifted.iter().position(|&other| other == look);
        let by = match series.style {
            SeriesStyle::Reference | SeriesStyle::Area => 0,
            _ => number.map_or(0, |number| SHIFT * number as i32 - self.max_shift()),
        };
        if let SeriesStyle::Bars(width) = series.style {
            let half = BAR * width;
            let corners = |&Point { x, y, .. }: &Point| {
                [(x - half, 0.0), (x - half, y), (x + half, y), (x + half, 0.0)]
            };
            let bars = series.points.iter().map(|point| corners(point).map(|at| self.at(at, by)));
            return html! { @for bar in bars { (look.shape(series.style, &bar, &[])) } };
        }
        let at = |point: &Point| self.at((point.x, point.y), by);
        let places: Vec<Place> = series.points.iter().map(at).collect();
        let step = match series.style {
            SeriesStyle::Published => 1,
            _ => places.len().div_ceil(MAX_MARKS).max(1),
        };
        let marks: Vec<Place> = places.iter().copied().step_by(step).collect();
        let stroke = |from: Place, to: Place| format!("M{} {}L{} {}", from.0, from.1, to.0, to.1);
        let interval = |x: f64, (low, high): (f64, f64)| {
            let cap = |y| stroke(self.at((x, y), by - CAP), self.at((x, y), by + CAP));
            stroke(self.at((x, low), by), self.at((x, high), by)) + &cap(low) + &cap(high)
        };
        let intervals = series.points.iter();
        let intervals = intervals.filter_map(|point| Some(interval(point.x, point.interval?)));
        html! {
            @for path in intervals { path d=(path) stroke=(look.colour()) {} }
            (look.shape(series.style, &places, &marks))
        }
    }
}

impl Series {
    pub(crate) fn has_intervals(&self) -> bool {
        self.points.iter().any(|point| point.interval.is_some())
    }

    fn is_bars(&self) -> bool {
        matches!(self.style, SeriesStyle::Bars(_))
    }

    /// The values of x that must lie within the axes.
    fn xs(&self) -> impl Iterator<Item = f64> {
        let half = if let SeriesStyle::Bars(width) = self.style { width / 2.0 } else { 0.0 };
        self.points.iter().flat_map(move |point| [point.x - half, point.x + half])
    }

    /// The values of y that must lie within the axes.
    fn ys(&self) -> impl Iterator<Item = f64> {
        self.points.iter().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [if self.is_bars() { 0.0 } else { low }, point.y, high]
        })
    }
}

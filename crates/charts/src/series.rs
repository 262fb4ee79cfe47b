//! How series are drawn between the axes.

use plotters::prelude::*;

use super::canvas::{Area, DrawingError};
use super::frame::Frame;
use super::legend::SHADE;
use super::look::{Look, draw_reference};
use super::{Panel, Point, Series, SeriesStyle};

/// A line has no more marks than this, or a few more: they would cover it.
const MAX_MARKS: usize = 16;

/// Half the width of the strokes at the ends of an interval, in pixels.
const CAP: i32 = 3;

/// Part of the space between two bars.
const BAR: f64 = 0.45;

/// The distance of points of different series that have the same x, if they have intervals, in pixels.
const SHIFT: i32 = 6;

impl Series {
    fn has_intervals(&self) -> bool {
        self.points.iter().any(|point| point.interval.is_some())
    }

    /// The values of x that must lie within the axes.
    pub(super) fn xs(&self) -> impl Iterator<Item = f64> {
        let half = if let SeriesStyle::Bars(width) = self.style { width / 2.0 } else { 0.0 };
        self.points.iter().flat_map(move |point| [point.x - half, point.x + half])
    }

    /// The values of y that must lie within the axes.
    pub(super) fn ys(&self) -> impl Iterator<Item = f64> {
        let has_base = matches!(self.style, SeriesStyle::Bars(_));
        self.points.iter().flat_map(move |point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [if has_base { 0.0 } else { low }, point.y, high]
        })
    }
}

/// How far series with intervals are moved along x: intervals at the same x would cover each other.
pub(super) struct Shifts {
    looks: Vec<Look>,
}

impl Shifts {
    pub(super) fn new(panel: &Panel, series: &[(&Series, Look)]) -> Shifts {
        let mut looks: Vec<Look> = Vec::new();
        for (one, look) in series {
            // A row has one point.
            if panel.rows.is_empty() && one.has_intervals() && !looks.contains(look) {
                looks.push(*look);
            }
        }
        Shifts { looks }
    }

    /// The greatest distance, in pixels.
    pub(super) fn max(&self) -> i32 {
        SHIFT * self.looks.len().saturating_sub(1) as i32 / 2
    }

    fn of(&self, look: Look) -> i32 {
        let number = self.looks.iter().position(|&other| other == look);
        number.map_or(0, |number| SHIFT * number as i32 - self.max())
    }
}

/// Draws series with their looks; areas first, so that they cover nothing, and published values last.
pub(super) fn draw_series(
    area: &Area<'_>,
    frame: &Frame<'_>,
    series: &[(&Series, Look)],
    shifts: &Shifts,
) -> Result<(), DrawingError> {
    let rank = |style: SeriesStyle| match style {
        SeriesStyle::Area => 0,
        SeriesStyle::Bars(_) | SeriesStyle::Reference => 1,
        SeriesStyle::Line | SeriesStyle::Marks => 2,
        SeriesStyle::Published => 3,
    };
    let mut ordered: Vec<&(&Series, Look)> = series.iter().collect();
    ordered.sort_by_key(|(series, _)| rank(series.style));
    for &&(series, look) in &ordered {
        let is_shifted = !matches!(series.style, SeriesStyle::Reference | SeriesStyle::Area);
        let by = if is_shifted { shifts.of(look) } else { 0 };
        let at = |point: &Point| frame.moved(frame.at(point.x, point.y), by);
        let places = || series.points.iter().map(at);
        let points = || series.points.iter();
        match series.style {
            SeriesStyle::Line | SeriesStyle::Marks => {
                if series.style == SeriesStyle::Line {
                    look.draw_line(area, places().collect())?;
                }
                for point in points() {
                    draw_interval(area, frame, point, look, by)?;
                }
                let step = points().len() / MAX_MARKS + 1;
                for place in places().step_by(step) {
                    look.draw_mark(area, place, false)?;
                }
            }
            SeriesStyle::Published => {
                places().try_for_each(|place| look.draw_mark(area, place, true))?;
            }
            SeriesStyle::Reference => draw_reference(area, places().collect())?,
            SeriesStyle::Area => {
                let shade = look.colour().mix(SHADE).filled();
                area.draw(&Polygon::new(places().collect::<Vec<_>>(), shade))?;
            }
            SeriesStyle::Bars(width) => {
                for &Point { x, y, .. } in points() {
                    let half = BAR * width;
                    let corners = [frame.at(x - half, 0.0), frame.at(x + half, y)];
                    area.draw(&Rectangle::new(corners, look.colour().filled()))?;
                }
            }
        }
    }
    Ok(())
}

fn draw_interval(
    area: &Area<'_>,
    frame: &Frame<'_>,
    point: &Point,
    look: Look,
    by: i32,
) -> Result<(), DrawingError> {
    let Some((low, high)) = point.interval else { return Ok(()) };
    let style = look.colour().stroke_width(1);
    let ends = [low, high].map(|end| frame.moved(frame.at(point.x, end), by));
    area.draw(&PathElement::new(ends, style))?;
    ends.into_iter().try_for_each(|end| area.draw(&PathElement::new(frame.cap(end, CAP), style)))
}

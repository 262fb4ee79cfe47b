//! Draws charts as SVG.

use std::ops::Range;

use kalah::printable::printable_lines;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::chart::{Chart, Panel, Series, SeriesStyle};

/// Why a chart cannot be drawn.
pub(super) type DrawingError<'a> =
    DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Sizes in pixels.
const PANEL: (u32, u32) = (640, 480);
/// A panel on its own, beside text.
const SINGLE_PANEL: (u32, u32) = (560, 440);
const PANELS_PER_ROW: usize = 3;
const TITLE: u32 = 40;

/// The height of a line of the legend, as a fraction of the panel.
const LEGEND: f64 = 0.055;

/// Colours that colour-blind readers can distinguish (M. Okabe and K. Ito, 2008).
pub(super) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
];

impl Chart {
    /// The chart as the text of an SVG file.
    pub(super) fn svg(&self) -> anyhow::Result<String> {
        svg(|text| self.draw(text))
    }

    fn draw<'a>(&self, svg: &'a mut String) -> Result<(), DrawingError<'a>> {
        let columns = self.panels.len().clamp(1, PANELS_PER_ROW);
        let rows = self.panels.len().div_ceil(columns).max(1);
        let size = (PANEL.0 * columns as u32, PANEL.1 * rows as u32 + TITLE);
        let area = SVGBackend::with_string(svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        let area = area.titled(&self.title, ("sans-serif", TITLE / 2))?;
        for (panel, area) in self.panels.iter().zip(area.split_evenly((rows, columns))) {
            panel.draw(&area)?;
        }
        area.present()
    }
}

impl Series {
    /// The points that must lie within the axes.
    fn extent(&self) -> impl Iterator<Item = (f64, f64)> {
        self.points.iter().flat_map(|&(x, y)| match self.style {
            SeriesStyle::Line | SeriesStyle::Area => [(x, y); 2],
            SeriesStyle::Bars(width) => [(x - width / 2.0, 0.0), (x + width / 2.0, y)],
        })
    }
}

impl Panel {
    /// This panel as the text of an SVG file of its own.
    pub(super) fn svg(&self) -> anyhow::Result<String> {
        svg(|text| {
            let area = SVGBackend::with_string(text, SINGLE_PANEL).into_drawing_area();
            area.fill(&WHITE)?;
            self.draw(&area)?;
            area.present()
        })
    }

    /// The ranges of the axes, with space around the points and for the legend above them.
    fn ranges(&self) -> (Range<f64>, Range<f64>) {
        let points = || self.series.iter().flat_map(Series::extent);
        let x = span(points().map(|(x, _)| x));
        let space = 0.03 * (x.end - x.start);
        let x = x.start - space..x.end + space;
        let y = points().map(|(_, y)| y);
        let y = if self.is_logarithmic {
            // A logarithmic axis has no zero.
            let y = self.with_margins(span(y.map(|y| y.max(0.1).ln())));
            y.start.exp()..y.end.exp()
        } else {
            self.with_margins(span(y))
        };
        (x, y)
    }

    fn with_margins(&self, y: Range<f64>) -> Range<f64> {
        let height = y.end - y.start;
        let legend = if self.has_legend() { LEGEND * self.series.len() as f64 } else { 0.0 };
        let has_bars =
            self.series.iter().any(|series| matches!(series.style, SeriesStyle::Bars(_)));
        let below = if has_bars { 0.0 } else { 0.05 };
        y.start - below * height..y.end + height * (0.05 + legend / (1.0 - legend).max(0.1))
    }

    /// A single series needs no legend: the axes describe it.
    fn has_legend(&self) -> bool {
        self.series.len() > 1
    }

    fn draw<'a>(&self, area: &Area<'a>) -> Result<(), DrawingError<'a>> {
        let (_, y) = self.ranges();
        if self.is_logarithmic {
            self.draw_with_y(area, y.log_scale())
        } else {
            self.draw_with_y(area, y)
        }
    }

    fn draw_with_y<'a, Y>(&self, area: &Area<'a>, y: Y) -> Result<(), DrawingError<'a>>
    where
        Y: AsRangedCoord<Value = f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let (x, _) = self.ranges();
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 16))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(x, y)?;
        let name =
            |x: &f64| if self.names.is_empty() { rounded(*x) } else { name_at(&self.names, *x) };
        let mut mesh = chart.configure_mesh();
        mesh.max_light_lines(0).x_desc(&self.x).y_desc(&self.y);
        mesh.x_label_formatter(&name).y_label_formatter(&|y| rounded(*y)).draw()?;
        let mut colours = COLOURS.into_iter().cycle().peekable();
        for series in &self.series {
            let colour = match series.style {
                SeriesStyle::Area => colours.peek().copied(),
                SeriesStyle::Line | SeriesStyle::Bars(_) => colours.next(),
            };
            let colour = colour.unwrap_or(BLACK);
            let (style, shade) = (colour.stroke_width(2), colour.mix(0.2));
            let points = series.points.iter().copied();
            let drawn = match series.style {
                SeriesStyle::Line => {
                    chart.draw_series(LineSeries::new(points, style).point_size(3))?
                }
                SeriesStyle::Area => {
                    chart.draw_series([Polygon::new(&series.points[..], shade)])?
                }
                SeriesStyle::Bars(width) => {
                    let half = 0.45 * width;
                    let bar = |(x, y)| [(x - half, 0.0), (x + half, y)];
                    chart.draw_series(points.map(|p| Rectangle::new(bar(p), colour.filled())))?
                }
            };
            let swatch = match series.style {
                SeriesStyle::Area => shade.stroke_width(10),
                SeriesStyle::Line | SeriesStyle::Bars(_) => style,
            };
            drawn
                .label(&series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], swatch));
        }
        if !self.has_legend() {
            return Ok(());
        }
        let mut legend = chart.configure_series_labels();
        legend.position(SeriesLabelPosition::UpperLeft).background_style(WHITE.mix(0.8)).draw()
    }
}

/// The text of an SVG file with this drawing.
pub(super) fn svg(
    draw: impl for<'a> FnOnce(&'a mut String) -> Result<(), DrawingError<'a>>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    // The error borrows the text, so it becomes text as well.
    draw(&mut svg).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(printable_lines(&svg).into_owned())
}

/// The range from the minimum to the maximum value, never empty.
fn span(values: impl Iterator<Item = f64>) -> Range<f64> {
    let none = f64::INFINITY..f64::NEG_INFINITY;
    let span = values.fold(none, |span, value| span.start.min(value)..span.end.max(value));
    if span.start < span.end {
        span
    } else if span.start.is_finite() {
        span.start - 0.5..span.end + 0.5
    } else {
        0.0..1.0
    }
}

/// A number on an axis, without digits from rounding errors.
fn rounded(value: f64) -> String {
    const DIGITS: f64 = 1e6;
    ((value * DIGITS).round() / DIGITS).to_string()
}

/// The name of a coordinate on a named axis; empty between two names.
fn name_at(names: &[String], x: f64) -> String {
    let index = x.round();
    let is_name = (x - index).abs() < 1e-6 && index >= 0.0;
    names.get(index as usize).filter(|_| is_name).cloned().unwrap_or_default()
}

//! Charts as SVG.

use std::ops::Range;

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

/// A picture of one panel or several.
pub(super) struct Chart {
    pub title: String,
    pub panels: Vec<Panel>,
}

/// Lines over one pair of axes.
pub(super) struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
}

/// What an axis measures.
pub(super) struct Axis {
    pub label: String,
    pub scale: Scale,
}

/// How values are laid out along an axis.
pub(super) enum Scale {
    Linear,
    /// Of the y axis only.
    Logarithmic,
    /// 0, 1, 2, … are names. Of the x axis only.
    Named(Vec<String>),
}

/// Points that belong together.
pub(super) struct Series {
    pub name: String,
    pub kind: Kind,
    pub points: Vec<(f64, f64)>,
}

/// How points are drawn.
pub(super) enum Kind {
    /// With a line through them.
    Line,
    /// As the outline of an area, in the colour of the series after it.
    Area,
    /// As bars of this width about them that stand on 0.
    Bars(f64),
}

/// Why there is no picture.
pub(super) type DrawingError<'a> =
    DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

/// Where a panel is drawn.
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

const PANEL: (u32, u32) = (640, 480);
/// A panel that stands alone, beside text.
const PANEL_ALONE: (u32, u32) = (560, 440);
const PANELS_A_ROW: usize = 3;
const TITLE: u32 = 40;

/// The part of a panel's height that a line of its legend takes.
const LEGEND: f64 = 0.055;

/// Colours that the colour-blind can tell apart (M. Okabe and K. Ito, 2008).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
];

impl Axis {
    pub(super) fn new(label: impl Into<String>, scale: Scale) -> Axis {
        Axis { label: label.into(), scale }
    }
}

impl Chart {
    /// The picture as the text of an SVG file.
    pub(super) fn svg(&self) -> anyhow::Result<String> {
        svg(|text| self.draw(text))
    }

    fn draw<'a>(&self, svg: &'a mut String) -> Result<(), DrawingError<'a>> {
        let columns = self.panels.len().clamp(1, PANELS_A_ROW);
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
    /// What has to be seen of it.
    fn extent(&self) -> impl Iterator<Item = (f64, f64)> {
        self.points.iter().flat_map(|&(x, y)| match self.kind {
            Kind::Line | Kind::Area => [(x, y); 2],
            Kind::Bars(width) => [(x - width / 2.0, 0.0), (x + width / 2.0, y)],
        })
    }
}

impl Panel {
    /// The panel alone as the text of an SVG file.
    pub(super) fn svg(&self) -> anyhow::Result<String> {
        svg(|text| {
            let area = SVGBackend::with_string(text, PANEL_ALONE).into_drawing_area();
            area.fill(&WHITE)?;
            self.draw(&area)?;
            area.present()
        })
    }

    /// The ranges of the axes, with some space around the points and room for the legend above.
    fn ranges(&self) -> (Range<f64>, Range<f64>) {
        let points = || self.series.iter().flat_map(Series::extent);
        let x = spanned(points().map(|(x, _)| x));
        let space = 0.03 * (x.end - x.start);
        let x = x.start - space..x.end + space;
        let y = points().map(|(_, y)| y);
        let y = match self.y.scale {
            // Zero is not on a logarithmic axis.
            Scale::Logarithmic => {
                let y = self.with_room(spanned(y.map(|y| y.max(0.1).ln())));
                y.start.exp()..y.end.exp()
            }
            Scale::Linear | Scale::Named(_) => self.with_room(spanned(y)),
        };
        (x, y)
    }

    fn with_room(&self, y: Range<f64>) -> Range<f64> {
        let height = y.end - y.start;
        let legend = if self.has_legend() { LEGEND * self.series.len() as f64 } else { 0.0 };
        // Bars stand on the axis.
        let has_bars = self.series.iter().any(|series| matches!(series.kind, Kind::Bars(_)));
        let below = if has_bars { 0.0 } else { 0.05 };
        y.start - below * height..y.end + height * (0.05 + legend / (1.0 - legend).max(0.1))
    }

    /// A line alone is explained by the axis.
    fn has_legend(&self) -> bool {
        self.series.len() > 1
    }

    fn draw<'a>(&self, area: &Area<'a>) -> Result<(), DrawingError<'a>> {
        let (_, y) = self.ranges();
        match self.y.scale {
            Scale::Logarithmic => self.draw_along(area, y.log_scale()),
            Scale::Linear | Scale::Named(_) => self.draw_along(area, y),
        }
    }

    fn draw_along<'a, Y>(&self, area: &Area<'a>, y: Y) -> Result<(), DrawingError<'a>>
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
        let name = |x: &f64| match &self.x.scale {
            Scale::Named(names) => name_at(names, *x),
            Scale::Linear | Scale::Logarithmic => readable(*x),
        };
        let mut mesh = chart.configure_mesh();
        mesh.max_light_lines(0).x_desc(&self.x.label).y_desc(&self.y.label);
        mesh.x_label_formatter(&name).y_label_formatter(&|y| readable(*y)).draw()?;
        let mut colours = COLOURS.into_iter().cycle().peekable();
        for series in &self.series {
            let colour = match series.kind {
                Kind::Area => colours.peek().copied(),
                Kind::Line | Kind::Bars(_) => colours.next(),
            };
            let colour = colour.unwrap_or(BLACK);
            let (style, shade) = (colour.stroke_width(2), colour.mix(0.2));
            let points = series.points.iter().copied();
            let drawn = match series.kind {
                Kind::Line => chart.draw_series(LineSeries::new(points, style).point_size(3))?,
                Kind::Area => chart.draw_series([Polygon::new(&series.points[..], shade)])?,
                Kind::Bars(width) => {
                    let half = 0.45 * width;
                    let bar = |(x, y)| [(x - half, 0.0), (x + half, y)];
                    chart.draw_series(points.map(|p| Rectangle::new(bar(p), colour.filled())))?
                }
            };
            let swatch = match series.kind {
                Kind::Area => shade.stroke_width(10),
                Kind::Line | Kind::Bars(_) => style,
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

/// The text that a drawing becomes.
fn svg(
    draw: impl for<'a> FnOnce(&'a mut String) -> Result<(), DrawingError<'a>>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    // The error borrows the text: it is told, not handed on.
    draw(&mut svg).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(svg)
}

/// From the least to the greatest value; never empty.
fn spanned(values: impl Iterator<Item = f64>) -> Range<f64> {
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

/// A number on an axis, without the digits that rounding leaves behind.
fn readable(value: f64) -> String {
    const DIGITS: f64 = 1e6;
    ((value * DIGITS).round() / DIGITS).to_string()
}

/// The name of a place on an axis of names; the places between have none.
fn name_at(names: &[String], x: f64) -> String {
    let place = x.round();
    let is_name = (x - place).abs() < 1e-6 && place >= 0.0;
    names.get(place as usize).filter(|_| is_name).cloned().unwrap_or_default()
}

//! [`Chart`]s of measurements as SVG, other pictures by their [`drawing`], and [`page`]s in HTML around them.

mod chart;
pub mod drawing;
mod look;
pub mod page;
mod panel;
mod scale;

use kalah_command::table::cut_text;

pub use look::COLOURS;

/// Longer names are cut: text in a chart is not wrapped.
const MAX_NAME_LENGTH: usize = 25;

/// One or more panels under a title.
pub struct Chart {
    /// Above the rest; may be empty.
    pub title: String,
    /// A line below the title; may be empty.
    pub note: String,
    /// From top to bottom.
    pub panels: Vec<Panel>,
}

/// Series over one pair of axes.
pub struct Panel {
    /// Above the rest; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The names of the values 0, 1, 2, … of x. If there are any, each is a row and y runs from left to
    /// right, so that long names are easy to read.
    pub rows: Vec<String>,
    /// Drawn in this order.
    pub series: Vec<Series>,
}

/// What an axis shows.
pub struct Axis {
    /// The quantity, with its unit.
    pub name: String,
    /// Whether its scale is logarithmic.
    pub is_logarithmic: bool,
}

/// A named sequence of points.
pub struct Series {
    /// In the legend.
    pub name: String,
    /// How it is drawn.
    pub style: SeriesStyle,
    /// In the order of x.
    pub points: Vec<Point>,
}

/// A point, perhaps with the 95 % interval of its y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Horizontal.
    pub x: f64,
    /// Vertical.
    pub y: f64,
    /// The ends; they may be infinite.
    pub interval: Option<(f64, f64)>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SeriesStyle {
    /// Marks that are connected by a line.
    Line,
    /// Marks alone.
    Marks,
    /// Values from elsewhere: hollow marks around those of the series before.
    Published,
    /// A value to compare with: a thin line without marks.
    Reference,
    /// The points are the outline of an area, in the colour of the next series.
    Area,
    /// Bars of this width, centred at the points and standing on 0.
    Bars(f64),
}

/// A name, cut if it is long.
pub fn short_name(name: &str) -> String {
    cut_text(name, MAX_NAME_LENGTH)
}

impl Chart {
    /// A chart without a note.
    pub fn new(title: &str, panels: impl IntoIterator<Item = Panel>) -> Chart {
        let panels = panels.into_iter().collect();
        Chart { title: title.to_owned(), note: String::new(), panels }
    }
}

impl Panel {
    /// A panel with linear axes.
    pub fn new(
        title: impl Into<String>,
        [x, y]: [&str; 2],
        series: impl IntoIterator<Item = Series>,
    ) -> Panel {
        let linear = |name: &str| Axis { name: name.to_owned(), is_logarithmic: false };
        let (title, series) = (title.into(), series.into_iter().collect());
        Panel { title, x: linear(x), y: linear(y), rows: Vec::new(), series }
    }

    /// The same with a logarithmic x axis.
    #[must_use]
    pub fn with_logarithmic_x(mut self) -> Panel {
        self.x.is_logarithmic = true;
        self
    }

    /// The same with a logarithmic y axis.
    #[must_use]
    pub fn with_logarithmic_y(mut self) -> Panel {
        self.y.is_logarithmic = true;
        self
    }
}

impl Series {
    /// A series.
    pub fn new<P: Into<Point>>(
        name: impl Into<String>,
        style: SeriesStyle,
        points: impl IntoIterator<Item = P>,
    ) -> Series {
        let points = points.into_iter().map(Into::into).collect();
        Series { name: name.into(), style, points }
    }

    /// A series drawn as a line.
    pub fn line<P: Into<Point>>(
        name: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Series {
        Series::new(name, SeriesStyle::Line, points)
    }
}

impl Point {
    /// A point with the interval of its y, if that is known.
    pub fn measured(x: f64, y: f64, interval: Option<impl Into<(f64, f64)>>) -> Point {
        Point { x, y, interval: interval.map(Into::into) }
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Point {
        Point { x, y, interval: None }
    }
}

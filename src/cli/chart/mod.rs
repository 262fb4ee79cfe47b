//! Charts: titles, axes and series. With the feature `charts`, [`svg`] draws them.

#[cfg(feature = "charts")]
pub(super) mod canvas;
#[cfg(feature = "charts")]
mod frame;
#[cfg(feature = "charts")]
mod legend;
#[cfg(feature = "charts")]
mod look;
#[cfg(feature = "charts")]
mod scale;
#[cfg(feature = "charts")]
mod series;
#[cfg(feature = "charts")]
mod svg;

use std::path::PathBuf;

use super::table::cut_text;

/// Longer names are cut: text in a chart is not wrapped.
const MAX_NAME_LENGTH: usize = 25;

/// One or more panels under a title.
pub(super) struct Chart {
    pub title: String,
    /// A line below the title; may be empty.
    pub note: String,
    pub panels: Vec<Panel>,
}

/// Series over one pair of axes.
pub(super) struct Panel {
    pub title: String,
    pub x: Quantity,
    pub y: Quantity,
    /// The names of the values 0, 1, 2, … of x. If there are any, each is a row and y runs from left to
    /// right, so that long names are easy to read.
    pub rows: Vec<String>,
    pub series: Vec<Series>,
}

/// What an axis shows.
pub(super) struct Quantity {
    /// Its name, with its unit.
    pub name: String,
    pub is_logarithmic: bool,
}

/// A named sequence of points.
pub(super) struct Series {
    pub name: String,
    pub style: SeriesStyle,
    pub points: Vec<Point>,
}

/// A point, perhaps with the 95 % interval of its y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
    /// The ends; they may be infinite.
    pub interval: Option<(f64, f64)>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SeriesStyle {
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
pub(super) fn short_name(name: &str) -> String {
    cut_text(name, MAX_NAME_LENGTH)
}

/// Reads the name of a file for a chart.
pub(super) fn svg_path(path: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(path),
        _ => Err("charts are written as SVG: the name must end in .svg".to_owned()),
    }
}

impl Chart {
    pub(super) fn new(title: &str, panels: impl IntoIterator<Item = Panel>) -> Chart {
        let panels = panels.into_iter().collect();
        Chart { title: title.to_owned(), note: String::new(), panels }
    }
}

impl Panel {
    /// A panel with linear axes.
    pub(super) fn new(
        title: impl Into<String>,
        [x, y]: [&str; 2],
        series: impl IntoIterator<Item = Series>,
    ) -> Panel {
        let linear = |name: &str| Quantity { name: name.to_owned(), is_logarithmic: false };
        let (title, series) = (title.into(), series.into_iter().collect());
        Panel { title, x: linear(x), y: linear(y), rows: Vec::new(), series }
    }

    /// The same with a logarithmic x axis.
    pub(super) fn with_logarithmic_x(mut self) -> Panel {
        self.x.is_logarithmic = true;
        self
    }

    /// The same with a logarithmic y axis.
    pub(super) fn with_logarithmic_y(mut self) -> Panel {
        self.y.is_logarithmic = true;
        self
    }
}

impl Series {
    pub(super) fn new<P: Into<Point>>(
        name: impl Into<String>,
        style: SeriesStyle,
        points: impl IntoIterator<Item = P>,
    ) -> Series {
        let points = points.into_iter().map(Into::into).collect();
        Series { name: name.into(), style, points }
    }

    /// A series drawn as a line.
    pub(super) fn line<P: Into<Point>>(
        name: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Series {
        Series::new(name, SeriesStyle::Line, points)
    }
}

impl Point {
    /// A point with the interval of its y, if that is known.
    pub(super) fn measured(x: f64, y: f64, interval: Option<(f64, f64)>) -> Point {
        Point { x, y, interval }
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Point {
        Point { x, y, interval: None }
    }
}

#[cfg(not(feature = "charts"))]
impl Chart {
    /// Fails, since this build draws no charts.
    #[allow(clippy::unused_self)]
    pub(super) fn svg(&self) -> anyhow::Result<String> {
        anyhow::bail!("this program was built without the feature 'charts'")
    }
}

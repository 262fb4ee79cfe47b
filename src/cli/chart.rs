//! Charts: titles, axes and series. With the feature `charts`, [`chart_svg`](super::chart_svg) draws
//! them.

use std::path::PathBuf;

/// Longer names are cut: text in a chart is not wrapped.
const MAX_NAME_LENGTH: usize = 24;

/// One or more panels under a title.
pub(super) struct Chart {
    pub title: String,
    pub panels: Vec<Panel>,
}

/// Series over one pair of axes.
pub(super) struct Panel {
    pub title: String,
    /// The quantity of the x axis.
    pub x: String,
    /// The names of the values 0, 1, 2, … of x; empty if it is a number.
    pub names: Vec<String>,
    /// The quantity of the y axis.
    pub y: String,
    /// Whether the y axis is logarithmic.
    pub is_logarithmic: bool,
    pub series: Vec<Series>,
}

/// A named sequence of points.
pub(super) struct Series {
    pub name: String,
    pub style: SeriesStyle,
    pub points: Vec<(f64, f64)>,
}

/// How a series is drawn.
pub(super) enum SeriesStyle {
    /// Points connected by a line.
    Line,
    /// The points are the outline of an area, in the colour of the next series.
    Area,
    /// Bars of this width, centred at the points and standing on 0.
    Bars(f64),
}

/// A name, cut if it is long.
pub(super) fn short_name(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME_LENGTH) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
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
        Chart { title: title.to_owned(), panels: panels.into_iter().collect() }
    }
}

impl Panel {
    /// A panel with linear axes.
    pub(super) fn new(
        title: impl Into<String>,
        [x, y]: [&str; 2],
        series: impl IntoIterator<Item = Series>,
    ) -> Panel {
        let (title, series) = (title.into(), series.into_iter().collect());
        let (x, y, names) = (x.to_owned(), y.to_owned(), Vec::new());
        Panel { title, x, names, y, is_logarithmic: false, series }
    }
}

impl Series {
    pub(super) fn new(
        name: impl Into<String>,
        style: SeriesStyle,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Series {
        Series { name: name.into(), style, points: points.into_iter().collect() }
    }

    /// A series drawn as a line.
    pub(super) fn line(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Series {
        Series::new(name, SeriesStyle::Line, points)
    }
}

#[cfg(not(feature = "charts"))]
impl Chart {
    /// Fails, since this build draws no charts.
    #[allow(clippy::unused_self)]
    pub(super) fn svg(&self) -> anyhow::Result<String> {
        no_charts()
    }
}

/// The error of builds that draw no charts.
#[cfg(not(feature = "charts"))]
pub(super) fn no_charts() -> anyhow::Result<String> {
    anyhow::bail!("this program was built without the feature 'charts'")
}

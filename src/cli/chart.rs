//! Charts: titles, axes and series. With the feature `charts`, [`chart_svg`](super::chart_svg) draws
//! them.

/// One or more panels under a title.
pub(super) struct Chart {
    pub title: String,
    pub panels: Vec<Panel>,
}

/// Series over one pair of axes.
pub(super) struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
}

/// An axis with the name of its quantity.
pub(super) struct Axis {
    pub label: String,
    pub scale: Scale,
}

/// The scale of an axis.
pub(super) enum Scale {
    Linear,
    /// For the y axis only.
    Logarithmic,
    /// Names for 0, 1, 2, …; for the x axis only.
    Named(Vec<String>),
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

impl Axis {
    pub(super) fn new(label: impl Into<String>, scale: Scale) -> Axis {
        Axis { label: label.into(), scale }
    }
}

impl Series {
    /// A series drawn as a line.
    pub(super) fn line(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Series {
        let points = points.into_iter().collect();
        Series { name: name.into(), style: SeriesStyle::Line, points }
    }
}

#[cfg(not(feature = "charts"))]
impl Chart {
    /// Fails, since this build draws no charts.
    pub(super) fn svg(&self) -> anyhow::Result<String> {
        anyhow::bail!("this program was built without the feature 'charts'")
    }
}

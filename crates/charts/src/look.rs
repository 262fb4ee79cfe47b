//! The looks of series: colours, marks and dashes, which can be told apart in grey print and by colour-blind
//! readers; and the legend above the axes, where it covers nothing: a sample of each series with its name.

use maud::{Markup, html};

use super::drawing::{INK, Place, fitting_text, text, text_width};
use super::{Panel, Series, SeriesStyle};

/// Colours that colour-blind readers can distinguish (M. Okabe and K. Ito, 2008), but grey in place of
/// yellow, which is invisible on white.
pub const COLOURS: [&str; 8] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", INK, "#7D7D7D"];

/// Lengths of the dashes of lines and of the gaps between them; the first is solid. The colours that share
/// one are not neighbours.
const DASHES: [&str; 4] = ["none", "9 4", "2 3", "12 3 2 3"];

/// The outlines of marks, for half a width of 1.
const MARKS: [&str; 8] = [
    "M-1 0A1 1 0 0 1 1 0A1 1 0 0 1-1 0Z",
    "M-.9-.9H.9V.9H-.9Z",
    "M-1.15 .9L0-1.2L1.15 .9Z",
    "M-1.25 0L0-1.25L1.25 0L0 1.25Z",
    "M-1.15-.9H1.15L0 1.2Z",
    "M0-1.5L.4-.55L1.43-.46L.65 .21L.88 1.21L0 .68L-.88 1.21L-.65 .21L-1.43-.46L-.4-.55Z",
    "M0-1.25L1.2-.3L.75 1.1H-.75L-1.2-.3Z",
    "M-1.2-.6H1.2V.6H-1.2Z",
];

/// Half the width of a mark, and of a hollow one around it, in pixels.
const FILLED: f64 = 4.5;
const HOLLOW: f64 = 7.5;

/// Sizes of the legend in pixels.
const SAMPLE: i32 = 40;
const GAP: i32 = 6;
const BETWEEN: i32 = 18;
const ROW: i32 = 21;
const BELOW: i32 = 6;
const TEXT: i32 = 14;

/// The look of a series: each number has its own colour and mark, until there are no more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look(usize);

impl Look {
    pub(crate) fn colour(self) -> &'static str {
        COLOURS[self.0 % COLOURS.len()]
    }

    /// The shape of a series of this style: `places` are the corners of an area or a bar, or those of a line
    /// with marks.
    pub(crate) fn shape(self, style: SeriesStyle, places: &[Place], marks: &[Place]) -> Markup {
        let colour = self.colour();
        let points: Vec<String> = places.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let points = points.join(" ");
        let dashes = DASHES[self.0 % DASHES.len()];
        html! {
            @match style {
                SeriesStyle::Line => {
                    polyline points=(points) fill="none" stroke=(colour) stroke-width="2" stroke-dasharray=(dashes) {}
                    @for &mark in marks { (self.mark(mark, FILLED, colour, "none")) }
                }
                SeriesStyle::Marks => { @for &mark in marks { (self.mark(mark, FILLED, colour, "none")) } }
                SeriesStyle::Published => { @for &mark in marks { (self.mark(mark, HOLLOW, "none", INK)) } }
                SeriesStyle::Reference => {
                    polyline points=(points) fill="none" stroke=(INK) stroke-dasharray="5 4" opacity="0.7" {}
                }
                SeriesStyle::Area => { polygon points=(points) fill=(colour) opacity="0.2" {} }
                SeriesStyle::Bars(_) => { polygon points=(points) fill=(colour) {} }
            }
        }
    }

    fn mark(self, (x, y): Place, size: f64, fill: &str, stroke: &str) -> Markup {
        // The colours begin again with other marks.
        let outline = MARKS[(self.0 + self.0 / COLOURS.len()) % MARKS.len()];
        let place = format!("translate({x} {y}) scale({size})");
        let width = format!("{:.2}", 1.0 / size);
        html! { path d=(outline) transform=(place) fill=(fill) stroke=(stroke) stroke-width=(width) {} }
    }
}

/// The names of the series of panels that have a look of their own. Series of the same name have the same.
pub(crate) fn own_names<'p>(panels: impl IntoIterator<Item = &'p Panel>) -> Vec<&'p str> {
    let mut names = Vec::new();
    for series in panels.into_iter().flat_map(|panel| &panel.series) {
        if series.has_own_look() && !names.contains(&series.name.as_str()) {
            names.push(&series.name);
        }
    }
    names
}

/// Series with their looks: published values have that of the series before them, areas that of the series
/// behind them.
pub(crate) fn with_looks<'p>(series: &'p [Series], names: &[&str]) -> Vec<(&'p Series, Look)> {
    let look = |(number, one): (usize, &'p Series)| {
        let owner = match one.style {
            SeriesStyle::Area => series[number..].iter().find(|one| one.has_own_look()),
            _ => series[..=number].iter().rfind(|one| one.has_own_look()),
        };
        let name = &owner.unwrap_or(one).name;
        (one, Look(names.iter().position(|other| other == name).unwrap_or_default()))
    };
    series.iter().enumerate().map(look).collect()
}

impl Series {
    /// Whether it does not borrow its look from another.
    fn has_own_look(&self) -> bool {
        matches!(self.style, SeriesStyle::Line | SeriesStyle::Marks | SeriesStyle::Bars(_))
    }
}

/// The legend of series, with its height. Those of the same name have one entry. A single series needs no
/// legend: the axes describe it.
pub(crate) fn legend<'s>(
    all: impl Iterator<Item = (&'s Series, Look)>,
    (left, top): Place,
    width: i32,
) -> (Markup, i32) {
    let mut series: Vec<(&Series, Look)> = Vec::new();
    for (one, look) in all {
        if series.iter().all(|(other, _)| other.name != one.name) {
            series.push((one, look));
        }
    }
    if series.len() < 2 {
        return (Markup::default(), 0);
    }
    let (mut x, mut y) = (left, top + ROW / 2);
    let entries = series.into_iter().map(|(series, look)| {
        let name = fitting_text(&series.name, TEXT, width - SAMPLE - GAP);
        let needed = SAMPLE + GAP + text_width(&name, TEXT);
        if x > left && x + needed > left + width {
            (x, y) = (left, y + ROW);
        }
        let entry = html! {
            (sample((x, y), series.style, look))
            (text(&name, (x + SAMPLE + GAP, y), (TEXT, "start", INK)))
        };
        x += needed + BETWEEN;
        entry
    });
    let drawn = html! { @for entry in entries { (entry) } };
    (drawn, y - ROW / 2 + ROW + BELOW - top)
}

fn sample((left, y): Place, style: SeriesStyle, look: Look) -> Markup {
    let (right, above, below) = (left + SAMPLE, y - ROW / 4, y + ROW / 4);
    match style {
        SeriesStyle::Area | SeriesStyle::Bars(_) => {
            let corners = [(left, above), (right, above), (right, below), (left, below)];
            look.shape(style, &corners, &[])
        }
        _ => look.shape(style, &[(left, y), (right, y)], &[(left + SAMPLE / 2, y)]),
    }
}

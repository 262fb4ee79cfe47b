//! The looks of series: colours, marks and dashes, which are told apart in grey print and by colour-blind
//! readers.

use plotters::prelude::*;

use super::canvas::{Area, DrawingError};
use super::{Panel, Series, SeriesStyle};

/// Colours that colour-blind readers can distinguish (M. Okabe and K. Ito, 2008), but grey in place of
/// yellow, which is invisible on white.
pub(super) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(125, 125, 125),
];

/// Lengths of the dashes of lines and of the gaps between them, in pixels; the first is solid. The colours that
/// share one are not neighbours.
const DASHES: [&str; 4] = ["none", "9 4", "2 3", "12 3 2 3"];

/// Lines of values to compare with.
const REFERENCE_OPACITY: f64 = 0.7;
const REFERENCE_DASHES: &str = "5 4";

/// The widths of lines in pixels.
const LINE: u32 = 2;
const THIN: u32 = 1;

/// Half the width of a mark, and of a hollow one around it.
const FILLED: f64 = 4.5;
const HOLLOW: f64 = 7.5;

/// The corners of all marks but the first, which is a circle, for half a width of 1.
const OUTLINES: [&[(f64, f64)]; 7] = [
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(-1.15, 0.9), (0.0, -1.2), (1.15, 0.9)],
    &[(-1.25, 0.0), (0.0, -1.25), (1.25, 0.0), (0.0, 1.25)],
    &[(-1.15, -0.9), (1.15, -0.9), (0.0, 1.2)],
    &[
        (0.0, -1.5),
        (0.4, -0.55),
        (1.43, -0.46),
        (0.65, 0.21),
        (0.88, 1.21),
        (0.0, 0.68),
        (-0.88, 1.21),
        (-0.65, 0.21),
        (-1.43, -0.46),
        (-0.4, -0.55),
    ],
    &[(0.0, -1.25), (1.2, -0.3), (0.75, 1.1), (-0.75, 1.1), (-1.2, -0.3)],
    &[(-1.2, -0.6), (1.2, -0.6), (1.2, 0.6), (-1.2, 0.6)],
];

/// The look of a series: each number has its own colour and mark, until there are no more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Look(usize);

impl Look {
    pub(super) fn colour(self) -> RGBColor {
        COLOURS[self.0 % COLOURS.len()]
    }

    /// A mark at a place in pixels: filled, or hollow and larger.
    pub(super) fn draw_mark(
        self,
        area: &Area<'_>,
        (x, y): (i32, i32),
        is_hollow: bool,
    ) -> Result<(), DrawingError> {
        let size = if is_hollow { HOLLOW } else { FILLED };
        let style = if is_hollow { BLACK.stroke_width(THIN) } else { self.colour().filled() };
        let Some(outline) = (self.0 % COLOURS.len()).checked_sub(1).map(|number| OUTLINES[number])
        else {
            return area.draw(&Circle::new((x, y), size.round() as i32, style));
        };
        let corner = |&(dx, dy): &(f64, f64)| {
            (x + (size * dx).round() as i32, y + (size * dy).round() as i32)
        };
        let mut corners: Vec<(i32, i32)> = outline.iter().map(corner).collect();
        if is_hollow {
            corners.extend(corners.first().copied());
            area.draw(&PathElement::new(corners, style))
        } else {
            area.draw(&Polygon::new(corners, style))
        }
    }

    /// A line through places in pixels.
    pub(super) fn draw_line(
        self,
        area: &Area<'_>,
        places: Vec<(i32, i32)>,
    ) -> Result<(), DrawingError> {
        area.draw(&PathElement::new(places, self.colour().stroke_width(LINE)))
    }
}

/// A line of values to compare with.
pub(super) fn draw_reference(area: &Area<'_>, places: Vec<(i32, i32)>) -> Result<(), DrawingError> {
    area.draw(&PathElement::new(places, BLACK.mix(REFERENCE_OPACITY).stroke_width(THIN)))
}

/// The same SVG with dashes in the lines of series, which plotters could only draw one by one.
pub(super) fn with_dashes(svg: &str) -> String {
    let stroke = |RGBColor(red, green, blue): RGBColor, width: u32| {
        format!("stroke=\"#{red:02X}{green:02X}{blue:02X}\" stroke-width=\"{width}\"")
    };
    let series =
        COLOURS.into_iter().map(|colour| stroke(colour, LINE)).zip(DASHES.into_iter().cycle());
    let reference = format!("opacity=\"{REFERENCE_OPACITY}\" {}", stroke(BLACK, THIN));
    series.chain([(reference, REFERENCE_DASHES)]).fold(svg.to_owned(), |svg, (stroke, dashes)| {
        svg.replace(&stroke, &format!("{stroke} stroke-dasharray=\"{dashes}\""))
    })
}

/// Which series have which look: series of the same name have the same.
#[derive(Clone, Default)]
pub(super) struct Looks {
    names: Vec<String>,
}

impl Looks {
    /// Looks for the series of panels.
    pub(super) fn new<'p>(panels: impl IntoIterator<Item = &'p Panel>) -> Looks {
        let mut names: Vec<String> = Vec::new();
        for series in panels.into_iter().flat_map(|panel| &panel.series) {
            if has_own_look(series) && !names.contains(&series.name) {
                names.push(series.name.clone());
            }
        }
        Looks { names }
    }

    /// Whether no two of them are alike.
    pub(super) fn are_distinct(&self) -> bool {
        self.names.len() <= COLOURS.len()
    }

    /// Series with their looks: published values have that of the series before them, areas that of the
    /// series behind them.
    pub(super) fn of<'s>(&self, series: &'s [Series]) -> Vec<(&'s Series, Look)> {
        let look = |series: &Series| {
            let number = self.names.iter().position(|name| *name == series.name);
            Look(number.unwrap_or_default())
        };
        let own = |(number, one): (usize, &'s Series)| {
            let owner = match one.style {
                SeriesStyle::Area => series[number..].iter().find(|one| has_own_look(one)),
                _ => series[..=number].iter().rfind(|one| has_own_look(one)),
            };
            (one, look(owner.unwrap_or(one)))
        };
        series.iter().enumerate().map(own).collect()
    }
}

/// Whether a series does not borrow its look from another.
pub(super) fn has_own_look(series: &Series) -> bool {
    matches!(series.style, SeriesStyle::Line | SeriesStyle::Marks | SeriesStyle::Bars(_))
}

//! The legend: a sample of each series with its name, above the axes, where it covers nothing.

use maud::{Markup, html};

use super::drawing::{INK, Place, fitting_text, text, text_width};
use super::look::Look;
use super::{Series, SeriesStyle};

/// Sizes in pixels.
const SAMPLE: i32 = 40;
const GAP: i32 = 6;
const BETWEEN: i32 = 18;
const ROW: i32 = 21;
const BELOW: i32 = 6;
const TEXT: i32 = 14;

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

//! The legend: a sample of each series with its name, above the axes, where it covers nothing.

use plotters::prelude::*;

use super::canvas::{Area, DrawingError, HPos, cut, draw_text, text_width};
use super::look::{Look, draw_reference, has_own_look};
use super::{Series, SeriesStyle};

/// Sizes in pixels.
const SAMPLE: i32 = 40;
const GAP: i32 = 6;
const BETWEEN: i32 = 18;
const ROW: i32 = 21;
const BELOW: i32 = 6;
const TEXT: i32 = 14;

/// The shade of an area.
pub(super) const SHADE: f64 = 0.2;

/// Entries in rows, as wide as the picture allows.
pub(super) struct Legend {
    rows: Vec<Vec<Entry>>,
}

struct Entry {
    left: i32,
    name: String,
    style: SeriesStyle,
    look: Look,
}

impl Legend {
    /// The legend of series, of which those of the same name have one entry. A single series needs none: the
    /// axes describe it.
    pub(super) fn new<'s>(
        series: impl IntoIterator<Item = (&'s Series, Look)>,
        width: i32,
    ) -> Legend {
        let mut entries: Vec<(&Series, Look)> = Vec::new();
        for (series, look) in series {
            if entries.iter().all(|(other, _)| other.name != series.name) {
                entries.push((series, look));
            }
        }
        entries.sort_by_key(|(series, _)| !has_own_look(series));
        let mut rows: Vec<Vec<Entry>> = Vec::new();
        let mut left = 0;
        for &(series, look) in entries.iter().filter(|_| entries.len() > 1) {
            let name = cut(&series.name, TEXT, width - SAMPLE - GAP);
            let needed = SAMPLE + GAP + text_width(&name, TEXT);
            let fits = left > 0 && left + needed <= width;
            left = if fits { left } else { 0 };
            let entry = Entry { left, name, style: series.style, look };
            match rows.last_mut().filter(|_| fits) {
                Some(row) => row.push(entry),
                None => rows.push(vec![entry]),
            }
            left += needed + BETWEEN;
        }
        Legend { rows }
    }

    pub(super) fn height(&self) -> i32 {
        if self.rows.is_empty() { 0 } else { ROW * self.rows.len() as i32 + BELOW }
    }

    /// Draws it at the top of an area.
    pub(super) fn draw(&self, area: &Area<'_>) -> Result<(), DrawingError> {
        for (row, entries) in (0..).zip(&self.rows) {
            let y = ROW * row + ROW / 2;
            for Entry { left, name, style, look } in entries {
                draw_sample(area, (*left, y), *style, *look)?;
                let place = (left + SAMPLE + GAP, y);
                draw_text(area, name, place, (TEXT, HPos::Left, BLACK))?;
            }
        }
        Ok(())
    }
}

fn draw_sample(
    area: &Area<'_>,
    (left, y): (i32, i32),
    style: SeriesStyle,
    look: Look,
) -> Result<(), DrawingError> {
    let (middle, right) = ((left + SAMPLE / 2, y), left + SAMPLE);
    let line = vec![(left, y), (right, y)];
    let corners = [(left, y - ROW / 4), (right, y + ROW / 4)];
    match style {
        SeriesStyle::Line => {
            look.draw_line(area, line)?;
            look.draw_mark(area, middle, false)
        }
        SeriesStyle::Marks => look.draw_mark(area, middle, false),
        SeriesStyle::Published => look.draw_mark(area, middle, true),
        SeriesStyle::Reference => draw_reference(area, line),
        SeriesStyle::Area => area.draw(&Rectangle::new(corners, look.colour().mix(SHADE).filled())),
        SeriesStyle::Bars(_) => area.draw(&Rectangle::new(corners, look.colour().filled())),
    }
}

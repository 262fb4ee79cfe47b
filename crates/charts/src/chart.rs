//! Lays out charts.

use maud::html;

use super::drawing::{INK, fitting_text, svg_file, text};
use super::look::{legend, own_names};
use super::panel::PlacedPanel;
use super::{Chart, Series};

/// Sizes in pixels. Pictures are narrow, so that telephones show them with letters that can be read.
const WIDTH: i32 = 560;
const MARGIN: i32 = 12;
const TITLE_HEIGHT: i32 = 30;
const TITLE: i32 = 18;
const NOTE_HEIGHT: i32 = 24;
const NOTE: i32 = 13;

/// Heights of the axes of a panel that is alone, one of several, and one of many.
const PLOT: i32 = 290;
const SMALL_PLOT: i32 = 240;
const SMALLEST_PLOT: i32 = 190;

/// More panels than this stand in two columns.
const MAX_IN_COLUMN: usize = 3;

const INTERVALS: &str = "Bars are 95 % intervals.";

impl Chart {
    /// The chart as the text of an SVG file.
    pub fn svg(&self) -> String {
        let inner = WIDTH - 2 * MARGIN;
        let (columns, size) = match self.panels.len() {
            0 | 1 => (1, (inner, PLOT)),
            panels if panels <= MAX_IN_COLUMN => (1, (inner, SMALL_PLOT)),
            _ => (2, ((inner - MARGIN) / 2, SMALLEST_PLOT)),
        };
        let names = own_names(&self.panels);
        let panels = self.panels.iter();
        let panels = panels.map(|panel| PlacedPanel::new(panel, &self.panels, &names, size));
        let panels: Vec<PlacedPanel<'_>> = panels.collect();

        let note = self.note();
        let mut top = MARGIN + TITLE_HEIGHT + if note.is_empty() { 0 } else { NOTE_HEIGHT };
        let series = panels.iter().flat_map(|panel| panel.series.iter().copied());
        let (legend, legend_height) = legend(series, (MARGIN, top), inner);
        top += legend_height;
        let mut drawn = Vec::new();
        for row in panels.chunks(columns) {
            for (panel, column) in row.iter().zip(0..) {
                let place = format!("translate({} {top})", MARGIN + column * (size.0 + MARGIN));
                drawn.push(html! { g transform=(place) { (panel.draw()) } });
            }
            top += row.iter().map(PlacedPanel::height).max().unwrap_or_default();
        }
        let line = |line: &str, size: i32, y: i32| {
            text(&fitting_text(line, size, inner), (WIDTH / 2, y), (size, "middle", INK))
        };
        let elements = html! {
            (line(&self.title, TITLE, MARGIN + TITLE_HEIGHT / 2))
            (line(&note, NOTE, MARGIN + TITLE_HEIGHT + NOTE_HEIGHT / 2))
            (legend)
            @for panel in drawn { (panel) }
        };
        svg_file(&self.title, (WIDTH, top + MARGIN), &elements)
    }

    /// The line below the title.
    fn note(&self) -> String {
        let mut series = self.panels.iter().flat_map(|panel| &panel.series);
        let has_intervals = series.any(Series::has_intervals);
        let parts = [self.note.as_str(), if has_intervals { INTERVALS } else { "" }];
        parts.join(" ").trim().to_owned()
    }
}

//! The axes of a panel: where points lie, grid, ticks and names.

use plotters::prelude::*;

use super::Panel;
use super::canvas::{Area, DrawingError, HPos, cut, draw_text, text_width};
use super::scale::AxisScale;

/// Sizes in pixels.
const TICK: i32 = 5;
const TICK_TEXT: i32 = 13;
const NAME_TEXT: i32 = 14;
const GAP: i32 = 6;
/// Distances of vertical ticks, and those of horizontal ones, of which the first that has space for the labels is
/// used.
pub(super) const TICK_WIDTHS: [i32; 4] = [42, 60, 80, 110];
pub(super) const TICK_HEIGHT: i32 = 34;

/// Above the axes, for the name of y, and below them, for labels and name of x.
const ABOVE: i32 = 26;
const BELOW: i32 = 46;
/// Above the first row.
const ABOVE_ROWS: i32 = 6;
const RIGHT: i32 = 16;

/// Opacities of lines.
const GRID: f64 = 0.16;
const MINOR_GRID: f64 = 0.07;
const AXIS: f64 = 1.0;

/// Axes with a place in an area. The axis of y is vertical, unless the panel has rows.
pub(super) struct Frame<'p> {
    panel: &'p Panel,
    /// Short enough to leave space for the axes.
    row_names: Vec<String>,
    x: AxisScale,
    y: AxisScale,
    left: i32,
    right: i32,
    space: i32,
    top: i32,
    bottom: i32,
}

impl<'p> Frame<'p> {
    /// The space beside axes of this panel, above and below.
    pub(super) fn height_around(panel: &Panel) -> i32 {
        if panel.rows.is_empty() { ABOVE + BELOW } else { ABOVE_ROWS + BELOW }
    }

    /// The width of the widest label of a scale, with the space beside it.
    pub(super) fn widest_label(scale: &AxisScale) -> i32 {
        let widths = scale.ticks.iter().map(|(_, label)| text_width(label, TICK_TEXT));
        widths.max().unwrap_or(0) + GAP
    }

    /// Axes that fill an area of this size below `top`. Points keep `space` from both ends of x.
    pub(super) fn new(
        panel: &'p Panel,
        [x, y]: [AxisScale; 2],
        (width, height): (i32, i32),
        [top, space]: [i32; 2],
    ) -> Frame<'p> {
        let has_rows = !panel.rows.is_empty();
        let row_names: Vec<String> =
            panel.rows.iter().map(|name| cut(name, TICK_TEXT, width / 2)).collect();
        let ticks = y.ticks.iter().map(|(_, label)| label);
        let labels: Vec<&String> =
            if has_rows { row_names.iter().collect() } else { ticks.collect() };
        let left = labels.iter().map(|label| text_width(label, TICK_TEXT)).max().unwrap_or(0);
        Frame {
            panel,
            row_names,
            x,
            y,
            left: left + TICK + GAP,
            right: width - RIGHT,
            space,
            top: top + if has_rows { ABOVE_ROWS } else { ABOVE },
            bottom: height - BELOW,
        }
    }

    fn has_rows(&self) -> bool {
        !self.panel.rows.is_empty()
    }

    /// Where a point lies.
    pub(super) fn at(&self, x: f64, y: f64) -> (i32, i32) {
        if self.has_rows() {
            (self.across(self.y.share(y)), self.up(self.x.share(-x)))
        } else {
            (self.across(self.x.share(x)), self.up(self.y.share(y)))
        }
    }

    /// Moves a place along the axis of x.
    pub(super) fn moved(&self, (across, down): (i32, i32), by: i32) -> (i32, i32) {
        if self.has_rows() { (across, down + by) } else { (across + by, down) }
    }

    /// The ends of a stroke across the direction of y, which ends an interval.
    pub(super) fn cap(&self, place: (i32, i32), half: i32) -> [(i32, i32); 2] {
        [self.moved(place, -half), self.moved(place, half)]
    }

    fn across(&self, share: f64) -> i32 {
        let width = self.right - self.left - 2 * self.space;
        self.left + self.space + (share * f64::from(width)).round() as i32
    }

    fn up(&self, share: f64) -> i32 {
        self.bottom - (share * f64::from(self.bottom - self.top)).round() as i32
    }

    /// Draws grid, ticks and names.
    pub(super) fn draw(&self, area: &Area<'_>) -> Result<(), DrawingError> {
        let line = |from: (i32, i32), to: (i32, i32), opacity: f64| {
            area.draw(&PathElement::new([from, to], BLACK.mix(opacity)))
        };
        let upright = |x: i32, opacity| line((x, self.top), (x, self.bottom), opacity);
        let level = |y: i32, opacity| line((self.left, y), (self.right, y), opacity);
        let has_rows = self.has_rows();
        let horizontal = if has_rows { &self.y } else { &self.x };
        let across = |place: f64| self.across(horizontal.share_of_place(place));
        let up = |place: f64| self.up(self.y.share_of_place(place));

        for &place in &horizontal.minor_ticks {
            upright(across(place), MINOR_GRID)?;
        }
        if !has_rows {
            for &place in &self.y.minor_ticks {
                level(up(place), MINOR_GRID)?;
            }
        }
        for (place, label) in &horizontal.ticks {
            let x = across(*place);
            upright(x, GRID)?;
            line((x, self.bottom), (x, self.bottom + TICK), AXIS)?;
            let below = (x, self.bottom + TICK + GAP + TICK_TEXT / 3);
            draw_text(area, label, below, (TICK_TEXT, HPos::Center, BLACK))?;
        }
        let ticks = self.y.ticks.iter().map(|(place, label)| (up(*place), label));
        let rows = (0_u32..).zip(&self.row_names);
        let rows = rows.map(|(row, name)| (self.at(f64::from(row), 1.0).1, name));
        let labels: Vec<(i32, &String)> = if has_rows { rows.collect() } else { ticks.collect() };
        for (y, label) in labels {
            level(y, GRID)?;
            line((self.left - TICK, y), (self.left, y), AXIS)?;
            let beside = (self.left - TICK - GAP / 2, y);
            draw_text(area, label, beside, (TICK_TEXT, HPos::Right, BLACK))?;
        }
        level(self.bottom, AXIS)?;
        upright(self.left, AXIS)?;

        let (middle, end) = (i32::midpoint(self.left, self.right), self.right + RIGHT);
        let below = (middle, self.bottom + BELOW - 12);
        let x = if has_rows { &self.panel.y.name } else { &self.panel.x.name };
        let x = cut(x, NAME_TEXT, 2 * middle.min(end - middle));
        draw_text(area, &x, below, (NAME_TEXT, HPos::Center, BLACK))?;
        if has_rows {
            return Ok(());
        }
        let above = (GAP / 2, self.top - 14);
        let y = cut(&self.panel.y.name, NAME_TEXT, end - above.0);
        draw_text(area, &y, above, (NAME_TEXT, HPos::Left, BLACK))
    }
}

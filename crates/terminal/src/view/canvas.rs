//! A screen to draw on, with the places that can be clicked.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};

use super::super::menu::ClickTarget;
use super::theme::{Ink, Theme};

/// A buffer, the theme, and what a click does where.
pub(super) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    pub(super) area: Rect,
    pub(super) theme: Theme,
    targets: Vec<(Rect, ClickTarget)>,
}

/// The places of a screen that can be clicked.
#[derive(Default)]
pub(crate) struct ClickTargets(Vec<(Rect, ClickTarget)>);

impl ClickTargets {
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<ClickTarget> {
        let place = Position::new(column, row);
        let found = self.0.iter().rev().find(|(area, _)| area.contains(place));
        found.map(|&(_, target)| target)
    }
}

impl<'a> Canvas<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, theme: Theme) -> Canvas<'a> {
        let area = buffer.area;
        Canvas { buffer, area, theme, targets: Vec::new() }
    }

    pub(super) fn targets(self) -> ClickTargets {
        ClickTargets(self.targets)
    }

    pub(super) fn on_click(&mut self, area: Rect, target: ClickTarget) {
        self.targets.push((area, target));
    }

    /// The columns that a text takes.
    pub(super) fn width(&self, text: &str) -> u16 {
        self.theme.text(text).chars().count() as u16
    }

    /// Writes a text, cut off at the right edge; returns the column after it.
    pub(super) fn text(&mut self, x: u16, y: u16, text: &str, ink: Ink) -> u16 {
        if x >= self.area.right() || y >= self.area.bottom() {
            return x;
        }
        let width = usize::from(self.area.right() - x);
        let (style, text) = (self.theme.style(ink), self.theme.text(text));
        self.buffer.set_stringn(x, y, text, width, style).0
    }

    /// Writes a text in the middle of a stretch of columns.
    pub(super) fn centered(&mut self, x: u16, y: u16, width: usize, text: &str, ink: Ink) {
        let margin = (width as u16).saturating_sub(self.width(text)) / 2;
        self.text(x + margin, y, text, ink);
    }

    /// Writes a text so that it ends at a column.
    pub(super) fn right_aligned(&mut self, end: u16, y: u16, text: &str, ink: Ink) {
        self.text(end.saturating_sub(self.width(text)), y, text, ink);
    }

    /// Writes words into lines, and returns the number of lines; those after the last are left out.
    pub(super) fn wrapped(&mut self, area: Rect, text: &str, ink: Ink) -> u16 {
        let text = self.theme.text(text);
        let lines = textwrap::wrap(&text, usize::from(area.width.max(1)));
        let shown = lines.len().min(usize::from(area.height));
        for (line, y) in lines.iter().zip(area.top()..area.bottom()) {
            self.text(area.x, y, line, ink);
        }
        shown as u16
    }
}

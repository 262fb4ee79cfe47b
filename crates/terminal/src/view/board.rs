//! The board on the screen.

use kalah::board::{Board, House, Move, Pit, Side};
use ratatui_core::layout::{Margin, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Text};
use ratatui_core::widgets::Widget;
use ratatui_crossterm::crossterm::event::KeyCode;

use super::{BAD, CHOSEN, FRAME, GOOD, KEY, MARKED, STRONG, View, frame, side_style};
use crate::advice::MoveValues;
use crate::animation::SowingPicture;
use crate::keys::ClickTarget;

/// Columns of a store with its frames.
const STORE: u16 = 8;

/// The most columns from one house to the next, and the most lines of a house.
const MAX_PITCH: u16 = 11;
const MAX_LINES: u16 = 5;

/// The size of a board on the screen. Neighbours share their frames.
#[derive(Clone, Copy)]
pub(super) struct BoardSize {
    houses: u16,
    /// Columns from one house to the next.
    pitch: u16,
    /// Lines of a house, one of them for the number.
    lines: u16,
    /// Whether values have lines of their own.
    pub(super) has_values: bool,
}

/// The columns that a house needs at least, with one frame.
fn min_pitch(board: &Board) -> u16 {
    if board.seeds() > 999 { 5 } else { 4 }
}

pub(super) fn min_width(board: &Board) -> u16 {
    min_pitch(board) * board.rules().houses() as u16 + 2 * STORE - 1
}

impl BoardSize {
    /// The largest board that fits this number of columns and lines.
    pub(super) fn fitting(board: &Board, width: u16, height: u16) -> BoardSize {
        let houses = board.rules().houses() as u16;
        let pitch = (width.saturating_sub(2 * STORE - 1) / houses).min(MAX_PITCH);
        let has_values = height >= 11;
        let around = if has_values { 7 } else { 5 };
        let lines = (height.saturating_sub(around) / 2).clamp(1, MAX_LINES);
        BoardSize { houses, pitch: pitch.max(min_pitch(board)), lines, has_values }
    }

    fn width(self) -> u16 {
        self.pitch * self.houses + 2 * STORE - 1
    }

    pub(super) fn height(self) -> u16 {
        5 + 2 * self.lines + 2 * u16::from(self.has_values)
    }

    fn inner(self) -> usize {
        usize::from(self.pitch) - 1
    }

    /// Seeds one by one, with spaces between them if they fit. Of more than fit, as many as fit, and a plus.
    fn seeds_by_line(self, seeds: u16) -> Vec<String> {
        let (seeds, lines) = (usize::from(seeds), usize::from(self.lines - 1));
        let room = if self.inner() > 4 { self.inner() - 2 } else { self.inner() };
        let spaced = room.div_ceil(2);
        let (a_line, space) = if seeds <= spaced * lines { (spaced, " ") } else { (room, "") };
        // Further lines begin where the first one does.
        let width = vec!["●"; seeds.min(a_line)].join(space).chars().count();
        let counts = (0..lines).map(|line| seeds.saturating_sub(line * a_line).min(a_line));
        let line = |count| format!("{:width$}", vec!["●"; count].join(space));
        let mut text: Vec<String> = counts.map(line).collect();
        if let Some(last) = text.last_mut().filter(|_| seeds > a_line * lines) {
            last.pop();
            last.push('+');
        }
        text
    }
}

fn centered<'a>(text: &str, width: usize, style: Style) -> Line<'a> {
    Line::styled(format!("{text:^width$}"), style)
}

/// The seeds of a pit; in brackets if it has just changed.
fn number<'a>(pit: Pit, picture: &SowingPicture, width: usize) -> Line<'a> {
    let seeds = picture.seeds(pit);
    let is_marked = picture.marked.contains(&pit);
    let number = if is_marked && width > 4 { format!("[{seeds}]") } else { seeds.to_string() };
    let style = match (is_marked, pit, seeds) {
        (true, ..) => MARKED,
        (false, Pit::House(_), 0) => FRAME,
        _ => STRONG,
    };
    centered(&number, width, style)
}

impl View<'_> {
    /// Draws the board in the middle of these lines.
    pub(super) fn draw_board(&mut self, size: BoardSize, picture: &SowingPicture, lines: Rect) {
        let values = u16::from(size.has_values);
        let x = lines.x + lines.width.saturating_sub(size.width()) / 2;
        let top = lines.y + values + 1;
        let middle = top + size.lines + 1;
        let bottom = middle + size.lines + 1;
        let lower = self.app.bottom();
        let stores = [(!lower, x), (lower, x + size.width() - STORE)];
        for (side, x) in stores {
            let area = Rect::new(x, top, STORE, bottom + 1 - top);
            frame().render(area, self.buffer);
            let name = centered(side.name(), usize::from(STORE) - 2, side_style(side));
            let number = number(Pit::Store(side), picture, usize::from(STORE) - 2);
            self.put(Rect::new(x + 1, middle - 1, STORE - 2, 2), Text::from(vec![name, number]));
        }
        for index in 0..usize::from(size.houses) {
            let Some(house) = House::new(index) else { continue };
            for side in Side::ALL {
                let mv = Move { side, house };
                let is_upper = side != lower;
                let column = if is_upper { size.houses - 1 - index as u16 } else { index as u16 };
                let x = x + STORE - 1 + column * size.pitch;
                let y = if is_upper { top } else { middle };
                let area = Rect::new(x, y, size.pitch + 1, size.lines + 2);
                self.draw_house(mv, size, picture, area);
                let inner = |y| Rect::new(x + 1, y, size.pitch - 1, 1);
                let label = inner(if is_upper { top - 1 } else { bottom + 1 });
                let value = inner(if is_upper { label.y - values } else { label.y + values });
                self.put(label, self.label(mv, size.inner()));
                if size.has_values {
                    self.put(value, self.value(mv, size.inner()));
                }
                if side == self.app.game.board.side() {
                    let key = ClickTarget::Key(KeyCode::Char(mv.letter()));
                    self.targets.extend([(area.inner(Margin::new(1, 1)), key), (label, key)]);
                }
            }
        }
    }

    fn draw_house(&mut self, mv: Move, size: BoardSize, picture: &SowingPicture, area: Rect) {
        let inner = size.inner();
        let seeds = size.seeds_by_line(picture.seeds(Pit::House(mv)));
        let seeds = seeds.iter().map(|seeds| centered(seeds, inner, side_style(mv.side)));
        // Numbers are at the outer edge, the first seeds next to them.
        let number = number(Pit::House(mv), picture, inner);
        let mut lines: Vec<Line> = std::iter::once(number).chain(seeds).collect();
        if mv.side == self.app.bottom() {
            lines.reverse();
        }
        let block = frame();
        self.put(block.inner(area), Text::from(lines));
        block.render(area, self.buffer);
    }

    /// The letter of a house, with the cursor on it or in brackets after its sowing.
    fn label<'a>(&self, mv: Move, width: usize) -> Line<'a> {
        let letter = mv.letter();
        let board = &self.app.game.board;
        if board.side() == mv.side && self.app.cursor == Some(mv.house.index()) {
            centered(&format!("▸{letter}◂"), width, CHOSEN)
        } else if self.app.game.moves().last() == Some(mv) {
            centered(&format!("({letter})"), width, STRONG)
        } else {
            let style = if self.app.is_open(mv) { KEY } else { Style::new() };
            centered(&letter.to_string(), width, style)
        }
    }

    /// The value of a move, as "+8✓" when proven.
    fn value<'a>(&self, mv: Move, width: usize) -> Line<'a> {
        let board = &self.app.game.board;
        let is_shown = self.app.has_values && board.side() == mv.side;
        let values = self.app.values.get(board).filter(|_| is_shown);
        let Some(value) = values.and_then(|values| values.value(mv)) else {
            return Line::default();
        };
        let best = values.and_then(MoveValues::best);
        let style = match value.seeds() {
            _ if best.is_some_and(|(best, _)| best == mv) => GOOD,
            seeds if seeds < 0 => BAD,
            _ => Style::new(),
        };
        let mark = if value.is_proven { "✓" } else { "" };
        centered(&format!("{}{mark}", value.signed()), width, style)
    }
}

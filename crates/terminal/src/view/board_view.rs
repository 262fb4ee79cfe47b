//! The board on the screen.

use kalah::board::{Board, House, Move, Pit, Side};
use ratatui_core::layout::Rect;
use ratatui_crossterm::crossterm::event::KeyCode;

use super::super::advice::MoveValues;
use super::super::animation::SowingPicture;
use super::super::app::App;
use super::super::menu::ClickTarget;
use super::canvas::Canvas;
use super::theme::Ink;

/// Columns of a store with one of its frames.
const STORE: u16 = 7;

/// The most columns from one house to the next.
const MAX_PITCH: u16 = 11;

/// The most lines of a house.
const MAX_LINES: u16 = 5;

/// The size of a board on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardLayout {
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
    let stores = Side::ALL.iter().map(|&side| u32::from(board.store(side))).sum::<u32>();
    if board.seeds_in_play() + stores > 999 { 5 } else { 4 }
}

impl BoardLayout {
    /// The least columns for a board.
    pub(super) fn min_width(board: &Board) -> u16 {
        min_pitch(board) * board.rules().houses() as u16 + 1 + 2 * STORE
    }

    /// The largest layout that fits this number of columns and lines.
    pub(super) fn fitting(board: &Board, width: u16, height: u16) -> BoardLayout {
        let houses = board.rules().houses() as u16;
        let pitch = (width.saturating_sub(1 + 2 * STORE) / houses).min(MAX_PITCH);
        let has_values = height >= 11;
        let frames = 5 + 2 * u16::from(has_values);
        let lines = (height.saturating_sub(frames) / 2).clamp(1, MAX_LINES);
        BoardLayout { houses, pitch: pitch.max(min_pitch(board)), lines, has_values }
    }

    pub(super) fn width(self) -> u16 {
        self.pitch * self.houses + 1 + 2 * STORE
    }

    pub(super) fn height(self) -> u16 {
        5 + 2 * self.lines + 2 * u16::from(self.has_values)
    }
}

/// A board that is being drawn.
pub(super) struct BoardView<'a, 'b> {
    pub(super) canvas: &'a mut Canvas<'b>,
    pub(super) app: &'a App,
    pub(super) picture: &'a SowingPicture,
    pub(super) layout: BoardLayout,
    /// The top left corner.
    pub(super) x: u16,
    pub(super) y: u16,
}

impl BoardView<'_, '_> {
    pub(super) fn draw(mut self) {
        let bottom = self.app.bottom();
        let values = u16::from(self.layout.has_values);
        let top_frame = self.y + values + 1;
        let middle_frame = top_frame + self.layout.lines + 1;
        let bottom_frame = middle_frame + self.layout.lines + 1;
        for (row, y) in [top_frame, middle_frame, bottom_frame].into_iter().enumerate() {
            self.draw_frame(row, y);
        }
        self.draw_walls(top_frame, bottom_frame);
        for column in 0..self.layout.houses {
            let place = usize::from(column);
            let opposite = usize::from(self.layout.houses) - 1 - place;
            if let (Some(house), Some(opposite)) = (House::new(place), House::new(opposite)) {
                let upper = Move { side: !bottom, house: opposite };
                let lower = Move { side: bottom, house };
                self.draw_house(upper, column, top_frame + 1);
                self.draw_house(lower, column, middle_frame + 1);
                let label = top_frame - 1;
                self.draw_label(upper, column, label, label - values);
                let label = bottom_frame + 1;
                self.draw_label(lower, column, label, label + values);
            }
        }
        let right = self.x + STORE + self.layout.pitch * self.layout.houses;
        self.draw_store(!bottom, self.x + 1, middle_frame);
        self.draw_store(bottom, right + 1, middle_frame);
    }

    /// The columns inside a house.
    fn inner(&self) -> usize {
        usize::from(self.layout.pitch) - 1
    }

    fn house_x(&self, column: u16) -> u16 {
        self.x + STORE + column * self.layout.pitch + 1
    }

    /// One of the three horizontal lines; the middle one does not cross the stores.
    fn draw_frame(&mut self, row: usize, y: u16) {
        let symbols = self.canvas.theme.symbols();
        let [left, middle, right] = symbols.crossings[row];
        let is_middle = row == 1;
        let filler = if is_middle { " " } else { symbols.horizontal };
        let store = filler.repeat(usize::from(STORE) - 1);
        let houses = vec![symbols.horizontal.repeat(self.inner()); usize::from(self.layout.houses)];
        let houses = houses.join(middle);
        let line = if is_middle {
            let vertical = symbols.vertical;
            format!("{vertical}{store}{left}{houses}{right}{store}{vertical}")
        } else {
            format!("{left}{store}{middle}{houses}{middle}{store}{right}")
        };
        self.canvas.text(self.x, y, &line, Ink::Faint);
    }

    fn draw_walls(&mut self, top: u16, bottom: u16) {
        let vertical = self.canvas.theme.symbols().vertical;
        let houses = (0..=self.layout.houses).map(|column| self.house_x(column) - 1);
        let ends = [self.x, self.x + self.layout.width() - 1];
        let middle = top + self.layout.lines + 1;
        for x in houses.chain(ends).collect::<Vec<_>>() {
            for y in (top + 1..bottom).filter(|&y| y != middle) {
                self.canvas.text(x, y, vertical, Ink::Faint);
            }
        }
    }

    fn draw_house(&mut self, mv: Move, column: u16, top: u16) {
        let seeds = self.picture.counts.houses[mv.side.index()][mv.house.index()];
        let is_marked = self.picture.marked.contains(&Pit::House(mv));
        let (x, inner) = (self.house_x(column), self.inner());
        let number = if is_marked && inner > 4 { format!("[{seeds}]") } else { seeds.to_string() };
        let ink = match (is_marked, seeds) {
            (true, _) => Ink::Marked,
            (false, 0) => Ink::Faint,
            _ => Ink::Strong,
        };
        // Numbers are at the outer edge, seeds towards the middle.
        let is_upper = mv.side != self.app.bottom();
        let dots = self.layout.lines - 1;
        let (number_y, dots_y) = if is_upper { (top, top + 1) } else { (top + dots, top) };
        if is_marked {
            self.canvas.text(x, number_y, &" ".repeat(inner), ink);
        }
        self.canvas.centered(x, number_y, inner, &number, ink);
        for (line, count) in self.seeds_by_line(seeds, dots).into_iter().enumerate() {
            // The first seeds are nearest to the number.
            let line = line as u16;
            let y = if is_upper { dots_y + line } else { dots_y + dots - 1 - line };
            self.canvas.centered(x, y, inner, &count, Ink::Seed);
        }
        if mv.side == self.app.game.board.side() {
            let area = Rect::new(x, top, inner as u16, self.layout.lines);
            self.canvas.on_click(area, ClickTarget::Key(KeyCode::Char(mv.letter())));
        }
    }

    /// Seeds one by one, with spaces between them if they fit. Of more than fit, as many as fit, and a plus.
    fn seeds_by_line(&self, seeds: u16, lines: u16) -> Vec<String> {
        let symbol = self.canvas.theme.symbols().seed;
        let (seeds, lines) = (usize::from(seeds), usize::from(lines));
        let room = if self.inner() > 4 { self.inner() - 2 } else { self.inner() };
        let spaced = room.div_ceil(2);
        let (a_line, space) = if seeds <= spaced * lines { (spaced, " ") } else { (room, "") };
        // Further lines begin where the first one does.
        let width = vec![symbol; seeds.min(a_line)].join(space).chars().count();
        let counts = (0..lines).map(|line| seeds.saturating_sub(line * a_line).min(a_line));
        let line = |count| format!("{:width$}", vec![symbol; count].join(space));
        let mut text: Vec<String> = counts.map(line).collect();
        if let Some(last) = text.last_mut().filter(|_| seeds > a_line * lines) {
            last.pop();
            last.push('+');
        }
        text
    }

    fn draw_label(&mut self, mv: Move, column: u16, y: u16, values_y: u16) {
        let (x, inner) = (self.house_x(column), self.inner());
        let (letter, board) = (mv.letter(), &self.app.game.board);
        let is_mover = board.side() == mv.side;
        if is_mover {
            let key = ClickTarget::Key(KeyCode::Char(letter));
            self.canvas.on_click(Rect::new(x, y, inner as u16, 1), key);
        }
        let has_cursor = is_mover && self.app.cursor == Some(mv.house.index());
        let symbols = self.canvas.theme.symbols();
        let [before, after] = symbols.chosen;
        if has_cursor {
            self.canvas.centered(x, y, inner, &format!("{before}{letter}{after}"), Ink::Cursor);
        } else if self.app.game.last_move() == Some(mv) {
            self.canvas.centered(x, y, inner, &format!("({letter})"), Ink::Strong);
        } else {
            let ink = if self.app.is_open(mv) { Ink::Key } else { Ink::Plain };
            self.canvas.centered(x, y, inner, &letter.to_string(), ink);
        }
        if is_mover
            && self.app.has_values
            && self.layout.has_values
            && let Some(values) = self.app.values.get(board)
            && let Some((text, ink)) = value_text(values, mv, board, symbols.proven)
        {
            self.canvas.centered(x, values_y, inner, &text, ink);
        }
    }

    fn draw_store(&mut self, side: Side, x: u16, middle: u16) {
        let seeds = self.picture.counts.stores[side.index()];
        let is_marked = self.picture.marked.contains(&Pit::Store(side));
        let inner = usize::from(STORE) - 1;
        let (name, ink) = match side {
            Side::South => ("South", Ink::South),
            Side::North => ("North", Ink::North),
        };
        self.canvas.centered(x, middle - 1, inner, name, ink);
        let number = if is_marked { format!("[{seeds}]") } else { seeds.to_string() };
        let ink = if is_marked { Ink::Marked } else { Ink::Strong };
        if is_marked {
            self.canvas.text(x, middle, &" ".repeat(inner), ink);
        }
        self.canvas.centered(x, middle, inner, &number, ink);
    }
}

/// The value of a move, as "+8✓" when proven, and its ink.
fn value_text(values: &MoveValues, mv: Move, board: &Board, proven: &str) -> Option<(String, Ink)> {
    let value = values.value(mv)?;
    let mark = if value.is_proven { proven } else { "" };
    let is_best = values.best(board).is_some_and(|(best, _)| best == mv);
    let ink = match value.seeds() {
        _ if is_best => Ink::Good,
        seeds if seeds < 0 => Ink::Bad,
        _ => Ink::Plain,
    };
    Some((format!("{}{mark}", value.signed()), ink))
}

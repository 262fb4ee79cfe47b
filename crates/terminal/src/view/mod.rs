//! The screen as a function of the state.

mod board;
mod game;

use std::time::Duration;

use kalah::board::Side;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Offset, Position, Rect};
use ratatui_core::style::{Color, Style};
use ratatui_core::symbols::merge::MergeStrategy;
use ratatui_core::text::{Line, Span, Text};
use ratatui_core::widgets::Widget;
use ratatui_crossterm::crossterm::event::KeyCode;
use ratatui_widgets::block::Block;
use ratatui_widgets::borders::BorderType;

use super::app::{App, Screen};
use super::keys::ClickTarget;
use super::settings::MENU_ROWS;

const MIN_WIDTH: u16 = 38;
const MIN_HEIGHT: u16 = 12;

/// From this number of lines on a screen shows more than the least.
const ROOMY: u16 = 18;

const STRONG: Style = Style::new().bold();
const TITLE: Style = Style::new().yellow().bold();
const KEY: Style = Style::new().cyan().bold();
const ALERT: Style = Style::new().light_magenta().bold();
const GOOD: Style = Style::new().light_blue().bold();
const BAD: Style = Style::new().light_red();
/// Frames and empty houses.
const FRAME: Style = Style::new().dim();
/// A pit that has just changed.
const MARKED: Style = Style::new().reversed().bold();
/// What Enter acts on.
const CHOSEN: Style = Style::new().reversed();

const RULES: [&str; 11] = [
    "You own the houses on your side and the store to the right of them. Whoever has more seeds in the \
     store at the end wins.",
    "",
    "Sow: choose one of your houses. Its seeds fall one by one, counter-clockwise, into your further \
     houses, your store, the other player's houses, and on to yours. The other player's store is left \
     out.",
    "Extra turn: if the last seed falls into your store, you move again.",
    "Capture: if the last seed falls into an empty house of yours, it goes to your store, with all seeds \
     of the house opposite. If that one is empty, nothing is captured (with the rule 'empty', the lone \
     seed is).",
    "Relay sowing, known as avalanche: if the last seed falls into a house with seeds, all of them are sown \
     on from there. There are no captures.",
    "End: when a player's houses are all empty, the other player keeps the seeds that are left, and the \
     game is over.",
    "",
    "Houses have letters, South's A, B, C, North's a, b, c, each from the player's left. (C) was sown \
     last. With values on, the number beside a house says by how many seeds its player wins (+) or \
     loses (-) who sows it now and then plays best; a tick means that it is proven.",
    "",
    "Keys: u takes back, t gives a hint, v shows values, s saves, n begins a new game, o changes players, x \
     resigns, q quits, Space moves or goes on at once, p pauses, + and - change the level, z turns the \
     board, w swaps sides where the menu allows it, arrows and Enter choose a house.",
];

/// How the screen is drawn. Colours are an addition: everything can be told by the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub(crate) has_colors: bool,
    pub(crate) is_ascii: bool,
}

impl Theme {
    /// Leaves out what the terminal does not show.
    fn apply(self, buffer: &mut Buffer) {
        for cell in &mut buffer.content {
            if !self.has_colors {
                cell.fg = Color::Reset;
            }
            if self.is_ascii && !cell.symbol().is_ascii() {
                let ascii = match cell.symbol() {
                    "─" => '-',
                    "│" => '|',
                    "╭" | "┬" | "╮" | "├" | "┼" | "┤" | "╰" | "┴" | "╯" => '+',
                    "●" => 'o',
                    "▶" | "▸" | "→" => '>',
                    "◂" | "←" => '<',
                    "✓" => '!',
                    _ => '?',
                };
                cell.set_char(ascii);
            }
        }
    }
}

/// Nearly everybody can tell blue and yellow apart.
fn side_style(side: Side) -> Style {
    match side {
        Side::South => Style::new().light_yellow().bold(),
        Side::North => Style::new().light_blue().bold(),
    }
}

/// A frame that merges with those beside it.
fn frame<'a>() -> Block<'a> {
    let frame = Block::bordered().border_type(BorderType::Rounded).border_style(FRAME);
    frame.merge_borders(MergeStrategy::Fuzzy)
}

pub(super) type ClickTargets = Vec<(Rect, ClickTarget)>;

pub(super) fn target_at(targets: &ClickTargets, column: u16, row: u16) -> Option<ClickTarget> {
    let place = Position::new(column, row);
    targets.iter().find(|(area, _)| area.contains(place)).map(|&(_, target)| target)
}

struct View<'a> {
    app: &'a App,
    now: Duration,
    buffer: &'a mut Buffer,
    targets: ClickTargets,
}

/// Draws the state; returns what clicks on it do.
pub(super) fn draw(app: &App, theme: Theme, buffer: &mut Buffer, now: Duration) -> ClickTargets {
    let area = buffer.area;
    let min_width = match app.screen {
        Screen::Board => MIN_WIDTH.max(board::min_width(&app.game.board)),
        _ => MIN_WIDTH,
    };
    let mut view = View { app, now, buffer, targets: Vec::new() };
    match app.screen {
        _ if area.width < min_width || area.height < MIN_HEIGHT => {
            let text = format!(
                "The terminal is too small: {}x{}, but {min_width}x{MIN_HEIGHT} are needed. \
                 Enlarge it, or press q to quit.",
                area.width, area.height
            );
            view.put(area, Text::from(wrapped(&text, area.width, Style::new())));
        }
        Screen::Menu => view.draw_menu(),
        Screen::Rules(line) => view.draw_rules(line),
        Screen::Board => view.draw_game(),
    }
    let targets = view.targets;
    theme.apply(buffer);
    targets
}

/// Takes lines from the top of an area. (A `Layout` would solve equations for each screen.)
fn cut(area: &mut Rect, height: u16) -> Rect {
    let top = Rect { height, ..*area };
    *area = Rect { y: area.y + height, height: area.height - height, ..*area };
    top
}

/// A text in lines of at most so many columns; an empty one is one line.
fn wrapped(text: &str, width: u16, style: Style) -> Vec<Line<'static>> {
    let lines = textwrap::wrap(text, usize::from(width.max(1)));
    lines.into_iter().map(|line| Line::styled(line.into_owned(), style)).collect()
}

impl View<'_> {
    fn put(&mut self, area: Rect, widget: impl Widget) {
        widget.render(area, self.buffer);
    }

    /// Draws the title and the keys; returns the lines between them.
    fn draw_frame(&mut self, title: &str, keys: &[(impl AsRef<str>, &str, KeyCode)]) -> Rect {
        let mut area = self.buffer.area.inner(Margin::new(1, 0));
        self.put(cut(&mut area, 1), Line::styled(title, TITLE));
        let lines = area.height - 1;
        let middle = cut(&mut area, lines);
        self.draw_keys(area, keys);
        middle
    }

    fn draw_rules(&mut self, first: usize) {
        let keys = [("Up, down", "more", KeyCode::Down), ("Other keys", "back", KeyCode::Esc)];
        let area = self.draw_frame("How Kalah is played", &keys);
        let mut lines = Vec::new();
        for paragraph in RULES {
            let from = lines.len();
            lines.extend(wrapped(paragraph, area.width.min(90), Style::new()));
            // The first word of a paragraph with a colon is its name.
            if let Some((name, text)) = lines[from].to_string().split_once(": ")
                && name.len() < 14
            {
                let name = Span::styled(format!("{name}: "), STRONG);
                lines[from] = Line::from(vec![name, text.to_owned().into()]);
            }
        }
        let first = first.min(lines.len().saturating_sub(usize::from(area.height)));
        self.put(area, Text::from(lines.split_off(first)));
    }

    fn draw_menu(&mut self) {
        let app = self.app;
        let keys = [
            ("←→", "change", KeyCode::Right),
            ("Enter", "ok", KeyCode::Enter),
            ("?", "rules", KeyCode::Char('?')),
            ("q", "quit", KeyCode::Char('q')),
        ];
        let mut area = self.draw_frame("Kalah", &keys);
        let is_roomy = area.height + 2 >= ROOMY;
        if is_roomy {
            let text = "Collect more seeds in your store than the other player.";
            self.put(area.offset(Offset::new(0, 1)), Line::from(text));
            let height = MENU_ROWS.len() as u16 + 4 + u16::from(app.has_game);
            let place = Rect { y: area.y + 3, height, width: area.width.min(66), ..area };
            let block = frame();
            area = block.inner(place).inner(Margin::new(1, 0));
            self.put(place, block);
        }
        let new_game = if app.has_game { "Start a new game" } else { "Start the game" };
        let back = app.has_game.then_some("Back to the game, with these players");
        let settings = MENU_ROWS.iter().map(|row| (row.name, Some((row.value)(&app.settings))));
        let actions = std::iter::once(new_game).chain(back).map(|name| (name, None));
        let mut y = area.y;
        // On a low screen the lines around the chosen one.
        let above = (app.menu_row + 1).saturating_sub(area.height.into());
        for (index, (name, value)) in settings.chain(actions).enumerate().skip(above) {
            if y >= area.bottom() {
                break;
            }
            let is_chosen = index == app.menu_row;
            let style = if is_chosen { CHOSEN } else { Style::new() };
            let [mark, before, after] =
                if is_chosen { ["▸ ", "◂", "▸"] } else { ["  ", " ", " "] };
            let mut line = Line::styled(mark, KEY);
            if let Some(value) = value {
                line.push_span(Span::raw(format!("{name:16}")));
                line.push_span(Span::styled(format!("{before} {value} {after}"), style));
            } else {
                line.push_span(Span::styled(name, style.bold()));
            }
            y += u16::from(is_roomy && index == MENU_ROWS.len());
            let place = Rect { y, height: 1, ..area };
            self.put(place, line);
            self.targets.push((place, ClickTarget::Row(index)));
            y += 1;
        }
        if is_roomy {
            let place = Rect { y: y + 1, height: 2, ..area };
            self.put(place, Text::from(wrapped(&app.notice, area.width, ALERT)));
        }
    }
}

#[cfg(test)]
mod tests {
    use kalah::protocol::EngineScore;
    use kalah::search::Bound;
    use ratatui_core::buffer::Cell;

    use super::*;
    use crate::advice::{EngineRole, ProcessReport};
    use crate::app::Effect;
    use crate::engines::EngineOrder;
    use crate::settings::tests::settings_of;

    /// The keys that do something, letters of houses most often.
    const KEYS: &str = "aaabbbcccdddeeefffgghhijklABCDEF123456789utvsnoxwzp+-?qy \n\t\u{1b}<>^_";

    fn key(c: char) -> KeyCode {
        match c {
            '\n' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '\u{1b}' => KeyCode::Esc,
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '^' => KeyCode::Up,
            '_' => KeyCode::Down,
            c => KeyCode::Char(c),
        }
    }

    /// What an engine could answer, most often a move.
    fn answer(effect: &Effect, random: &mut fastrand::Rng) -> Option<(EngineRole, ProcessReport)> {
        let Effect::Engine(role, EngineOrder::Think(question)) = effect else { return None };
        let id = question.id;
        let centiseeds = random.i32(-3000..3000);
        let score = EngineScore { centiseeds, bound: Bound::Exact, proven: random.bool() };
        let mut board = question.start;
        board.play_moves(&question.moves).ok()?;
        let moves: Vec<_> = board.moves().collect();
        let report = match random.choice(moves) {
            Some(best) if random.u8(..10) > 0 => {
                ProcessReport::Answer { id, best, score: random.bool().then_some(score) }
            }
            _ => ProcessReport::Failed { reason: "\u{1b}[2J it fell".to_owned() },
        };
        Some((*role, report))
    }

    fn random_app(houses: usize, random: &mut fastrand::Rng) -> anyhow::Result<App> {
        let north =
            if random.bool() { "human".to_owned() } else { format!("engine:{}", random.u8(..=20)) };
        let rest = "--clock 1:00 --swap --speed fast";
        let mut settings = settings_of(&format!("--houses {houses} --north {north} {rest}"))?;
        settings.seeds = random.u16(1..=settings.max_seeds());
        Ok(App::new(settings, None, None)?)
    }

    #[test]
    fn any_keys_at_any_size_leave_a_screen() -> anyhow::Result<()> {
        let mut random = fastrand::Rng::with_seed(3);
        let keys: Vec<char> = KEYS.chars().collect();
        let presses = if std::env::var_os("KALAH_DEEP").is_some() { 600 } else { 120 };
        for houses in 1..=12 {
            let mut app = random_app(houses, &mut random)?;
            let mut now = Duration::ZERO;
            for _ in 0..presses {
                now += Duration::from_millis(random.u64(..300));
                app.press(key(keys[random.usize(..keys.len())]), now);
                for effect in app.take_effects() {
                    if let Some((role, report)) = answer(&effect, &mut random) {
                        app.engine_said(role, report, now);
                    }
                }
                let area = Rect::new(0, 0, random.u16(1..130), random.u16(1..50));
                let theme = Theme { has_colors: random.bool(), is_ascii: random.bool() };
                let mut buffer = Buffer::empty(area);
                let targets = draw(&app, theme, &mut buffer, now);
                let cells: String = buffer.content.iter().map(Cell::symbol).collect();
                assert!(!cells.trim().is_empty());
                assert!(!theme.is_ascii || cells.is_ascii(), "{cells}");
                assert!(cells.chars().all(kalah::printable::is_printable));
                let (column, row) = (random.u16(..area.width), random.u16(..area.height));
                if let Some(target) = target_at(&targets, column, row) {
                    app.click(target, now);
                }
            }
        }
        Ok(())
    }
}

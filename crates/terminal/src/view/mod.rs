//! The screen as a function of the state.

mod board_view;
mod canvas;
mod game_screen;
mod theme;

use std::time::Duration;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_crossterm::crossterm::event::KeyCode;

use self::board_view::BoardLayout;
use self::canvas::Canvas;
use self::game_screen::draw_prompt;
use self::theme::Ink;
use super::app::{App, Screen};
use super::menu::{ClickTarget, Menu, MenuLine};

pub(super) use canvas::ClickTargets;
pub(super) use theme::Theme;

/// The least size of a screen.
const MIN_WIDTH: u16 = 38;
const MIN_HEIGHT: u16 = 12;

/// The column of the values.
const VALUES: u16 = 21;

/// The rules, a paragraph a line.
const RULES: [&str; 10] = [
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

/// Draws the state; returns what clicks on it do.
pub(super) fn draw(app: &App, theme: Theme, buffer: &mut Buffer, now: Duration) -> ClickTargets {
    let mut canvas = Canvas::new(buffer, theme);
    let board_width = match app.screen {
        Screen::Board => BoardLayout::min_width(&app.game.board),
        _ => 0,
    };
    let (width, height) = (canvas.area.width, canvas.area.height);
    let min_width = MIN_WIDTH.max(board_width);
    if width < min_width || height < MIN_HEIGHT {
        let text = format!(
            "The terminal is too small: {width}x{height}, but {min_width}x{MIN_HEIGHT} are needed. \
             Enlarge it, or press q to quit."
        );
        canvas.wrapped(canvas.area, &text, Ink::Plain);
        return canvas.targets();
    }
    match app.screen {
        Screen::Menu => draw_menu(&mut canvas, app),
        Screen::Rules(line) => draw_rules(&mut canvas, line),
        Screen::Board => game_screen::draw_game(&mut canvas, app, now),
    }
    canvas.targets()
}

fn draw_title(canvas: &mut Canvas, title: &str) {
    let area = canvas.area;
    canvas.text(area.x + 1, area.y, title, Ink::Title);
}

fn draw_rules(canvas: &mut Canvas, first: usize) {
    draw_title(canvas, "How Kalah is played");
    let area = canvas.area;
    let width = usize::from(area.width.saturating_sub(2)).min(90);
    let mut lines: Vec<(String, Ink)> = Vec::new();
    for paragraph in RULES {
        let ink = if paragraph.is_empty() { Ink::Faint } else { Ink::Plain };
        lines.extend(
            textwrap::wrap(paragraph, width).into_iter().map(|line| (line.into_owned(), ink)),
        );
    }
    let room = usize::from(area.height) - 2;
    let first = first.min(lines.len().saturating_sub(room));
    for ((line, ink), y) in lines.iter().skip(first).take(room).zip(area.y + 1..) {
        // The first word of a paragraph with a colon is its name.
        let name = line.split_once(": ").map(|(name, _)| name).filter(|name| name.len() < 14);
        canvas.text(area.x + 1, y, line, *ink);
        if let Some(name) = name {
            canvas.text(area.x + 1, y, name, Ink::Strong);
        }
    }
    let is_all = lines.len() <= room;
    let hint = if is_all { "Any key: back" } else { "Up, down: more    Other keys: back" };
    canvas.text(area.x + 1, area.bottom() - 1, hint, Ink::Key);
}

fn draw_menu(canvas: &mut Canvas, app: &App) {
    draw_title(canvas, "Kalah");
    let area = canvas.area;
    let is_roomy = area.height >= 18;
    if is_roomy {
        let text = "Collect more seeds in your store than the other player.";
        canvas.text(area.x + 1, area.y + 1, text, Ink::Plain);
    }
    let chosen = app.menu.chosen(app.has_game);
    let lines = Menu::lines(app.has_game);
    let [before, after] = canvas.theme.symbols().chosen;
    let x = area.x + 1;
    let mut y = area.y + if is_roomy { 3 } else { 1 };
    for line in lines {
        let is_chosen = line == chosen;
        let ink = if is_chosen { Ink::Cursor } else { Ink::Plain };
        let mark = if is_chosen { before } else { " " };
        y += u16::from(is_roomy && line == MenuLine::NewGame);
        canvas.text(x, y, mark, Ink::Key);
        match line {
            MenuLine::Setting(row) => {
                canvas.text(x + 2, y, row.name(), Ink::Plain);
                let value = app.settings.value(row);
                let value = if is_chosen { format!("{after} {value} {before}") } else { value };
                let indent = if is_chosen { 0 } else { 2 };
                canvas.text(area.x + VALUES - 2 + indent, y, &value, ink);
            }
            MenuLine::NewGame => {
                let text = if app.has_game { "Start a new game" } else { "Start the game" };
                canvas.text(x + 2, y, text, if is_chosen { ink } else { Ink::Strong });
            }
            MenuLine::Back => {
                let text = "Back to the game, with these players";
                canvas.text(x + 2, y, text, if is_chosen { ink } else { Ink::Strong });
            }
        }
        let row = Rect::new(area.x, y, area.width, 1);
        canvas.on_click(row, ClickTarget::Line(line));
        y += 1;
    }
    if is_roomy && !app.notice.is_empty() {
        let notice = Rect::new(x, y + 1, area.width - 2, 2);
        canvas.wrapped(notice, &app.notice, Ink::Alert);
    }
    let last = area.bottom() - 1;
    if app.prompt.is_some() {
        draw_prompt(canvas, app, last);
        return;
    }
    let arrows = canvas.theme.symbols().arrows;
    let keys = [
        (format!("{arrows} change"), None),
        ("Enter ok".to_owned(), Some(KeyCode::Enter)),
        ("? rules".to_owned(), Some(KeyCode::Char('?'))),
        ("q quit".to_owned(), Some(KeyCode::Char('q'))),
    ];
    let mut x = x;
    for (text, key) in keys {
        let end = canvas.text(x, last, &text, Ink::Key);
        if let Some(key) = key {
            canvas.on_click(Rect::new(x, last, end - x, 1), ClickTarget::Key(key));
        }
        x = end + 2;
    }
}

#[cfg(test)]
mod tests {
    use kalah::board::{BoardError, Capture};
    use kalah::protocol::EngineScore;
    use kalah::search::Bound;
    use ratatui_core::buffer::{Buffer, Cell};

    use super::super::advice::{EngineRole, ProcessReport};
    use super::super::app::Effect;
    use super::super::settings::{PlayClock, PlaySettings, SidePlayer, SowingSpeed};
    use super::*;

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

    /// What an engine could answer, most often what it should.
    fn answer(effect: &Effect, random: &mut fastrand::Rng) -> Option<(EngineRole, ProcessReport)> {
        let Effect::Ask(role, question) = effect else { return None };
        let id = question.id;
        let centiseeds = random.i32(-3000..3000);
        let score = EngineScore { centiseeds, bound: Bound::Exact, proven: random.bool() };
        let report = match random.u8(..10) {
            0 => ProcessReport::Failed { reason: "\u{1b}[2J it fell".to_owned() },
            1 => ProcessReport::Answer { id, best: None },
            2..5 => ProcessReport::Score { id, score },
            _ => {
                let letter = char::from(b'a' + random.u8(..12));
                ProcessReport::Answer { id, best: Some(letter.to_string()) }
            }
        };
        Some((*role, report))
    }

    fn random_app(houses: usize, random: &mut fastrand::Rng) -> Result<App, BoardError> {
        let engine = SidePlayer::Engine(random.u8(..=20));
        let mut settings = PlaySettings {
            seats: [
                SidePlayer::Human,
                random.choice([SidePlayer::Human, engine]).unwrap_or(engine),
            ],
            houses,
            seeds: 4,
            capture: Capture::Standard,
            board: None,
            clock: PlayClock::Game { time: Duration::from_mins(1), increment: Duration::ZERO },
            swap: true,
            speed: SowingSpeed::Fast,
            movetime: Duration::from_secs(1),
        };
        settings.seeds = random.u16(1..=settings.max_seeds());
        App::new(settings, None, None)
    }

    #[test]
    fn any_keys_at_any_size_leave_a_screen() -> Result<(), BoardError> {
        let mut random = fastrand::Rng::with_seed(3);
        let keys: Vec<char> = KEYS.chars().collect();
        for houses in 1..=12 {
            let mut app = random_app(houses, &mut random)?;
            let mut now = Duration::ZERO;
            for _ in 0..600 {
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
                if let Some(target) = targets.at(column, row) {
                    app.click(target, now);
                }
            }
        }
        Ok(())
    }
}

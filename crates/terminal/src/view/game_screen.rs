//! The board with everything around it: players, clocks, messages, moves, keys.

use std::time::Duration;

use kalah::board::{Capture, Side};
use ratatui_core::layout::Rect;
use ratatui_crossterm::crossterm::event::KeyCode;

use super::super::advice::EngineRole;
use super::super::app::{App, Prompt};
use super::super::menu::ClickTarget;
use super::super::settings::SidePlayer;
use super::super::words;
use super::board_view::{BoardLayout, BoardView};
use super::canvas::Canvas;
use super::theme::Ink;

/// With this number of lines the screen shows more than the least.
const ROOMY: u16 = 18;

/// The keys that are shown, the most important ones first.
const KEYS: [(&str, &str, char); 9] = [
    ("u", "take back", 'u'),
    ("t", "hint", 't'),
    ("v", "values", 'v'),
    ("s", "save", 's'),
    ("n", "new game", 'n'),
    ("o", "options", 'o'),
    ("x", "resign", 'x'),
    ("?", "rules", '?'),
    ("q", "quit", 'q'),
];

pub(super) fn draw_game(canvas: &mut Canvas, app: &App, now: Duration) {
    let area = canvas.area;
    let is_roomy = area.height >= ROOMY;
    let bottom = app.bottom();
    // Lines for everything but the board.
    let key_lines = u16::from(is_roomy) + 1;
    let around = if is_roomy { 3 + 6 + key_lines } else { 1 + 3 + key_lines };
    let layout = BoardLayout::fitting(&app.game.board, area.width, area.height - around);
    let mut y = area.y;
    if is_roomy {
        draw_title(canvas, app, y);
        draw_player(canvas, app, !bottom, y + 1, now);
        y += 2;
    } else {
        draw_players(canvas, app, y, now);
        y += 1;
    }
    let picture = app.picture(now);
    let x = area.x + (area.width - layout.width()) / 2;
    BoardView { canvas, app, picture: &picture, layout, x, y }.draw();
    y += layout.height();
    if is_roomy {
        draw_player(canvas, app, bottom, y, now);
        y += 2;
    }
    let keys = area.bottom() - key_lines;
    let text = Rect::new(area.x + 1, y, area.width - 2, keys - y);
    draw_texts(canvas, app, text, layout.has_values, picture.in_hand);
    if app.prompt.is_some() {
        draw_prompt(canvas, app, area.bottom() - 1);
    } else {
        draw_keys(canvas, app, keys, key_lines);
    }
}

fn draw_title(canvas: &mut Canvas, app: &App, y: u16) {
    let area = canvas.area;
    let rules = app.game.board.rules();
    let seeds = app.game.board.seeds_in_play()
        + Side::ALL.map(|side| u32::from(app.game.board.store(side))).iter().sum::<u32>();
    let capture = match rules.capture() {
        Capture::Standard => "",
        Capture::Empty => ", capture 'empty'",
    };
    let x = canvas.text(area.x + 1, y, "Kalah", Ink::Title);
    let text = format!("  {} houses a side, {seeds} seeds{capture}", rules.houses());
    canvas.text(x, y, &text, Ink::Plain);
    let state = match (app.is_paused, app.has_values) {
        (true, _) => "paused",
        (_, true) => "values on",
        _ => "",
    };
    canvas.right_aligned(area.right() - 1, y, state, Ink::Alert);
}

fn seat_text(app: &App, side: Side) -> String {
    match app.game.seats[side.index()] {
        SidePlayer::Human if app.game.humans() == 1 => "you".to_owned(),
        SidePlayer::Human => "human".to_owned(),
        seat @ SidePlayer::Engine(_) => {
            let name = app.engine_name().filter(|_| app.has_other_engine).unwrap_or("engine");
            let seat = seat.to_string();
            let level = seat.trim_start_matches("engine");
            if app.has_levels { format!("{name}{level}") } else { name.to_owned() }
        }
    }
}

fn clock_text(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn side_ink(side: Side) -> Ink {
    match side {
        Side::South => Ink::South,
        Side::North => Ink::North,
    }
}

/// A line with a player, whose turn it is, and the clock.
fn draw_player(canvas: &mut Canvas, app: &App, side: Side, y: u16, now: Duration) {
    let area = canvas.area;
    let is_mover = !app.game.is_over() && app.game.board.side() == side && app.animation.is_none();
    let mark = if is_mover { canvas.theme.symbols().to_move } else { " " };
    let x = canvas.text(area.x + 1, y, mark, Ink::Key);
    let x = canvas.text(x + 1, y, words::side_name(side), side_ink(side));
    let mut text = format!("  {}", seat_text(app, side));
    if is_mover {
        text.push_str(match app.game.seats[side.index()] {
            SidePlayer::Human => ", to move",
            SidePlayer::Engine(_) if app.is_paused => ", waits",
            SidePlayer::Engine(_) => ", thinks …",
        });
    }
    canvas.text(x, y, &text, Ink::Plain);
    if app.game.has_clock() {
        let time = clock_text(app.game.time_left(side, now));
        let ink = if is_mover { Ink::Strong } else { Ink::Plain };
        canvas.right_aligned(area.right() - 1, y, &time, ink);
    }
}

/// Both players on one line.
fn draw_players(canvas: &mut Canvas, app: &App, y: u16, now: Duration) {
    let area = canvas.area;
    let text = |side: Side| {
        let is_mover = !app.game.is_over() && app.game.board.side() == side;
        let mark = if is_mover { canvas.theme.symbols().to_move } else { "" };
        let seat = match app.game.seats[side.index()] {
            SidePlayer::Human if app.game.humans() == 1 => "you".to_owned(),
            SidePlayer::Human => "human".to_owned(),
            SidePlayer::Engine(level) => format!("level {level}"),
        };
        let clock = if app.game.has_clock() {
            format!(" {}", clock_text(app.game.time_left(side, now)))
        } else {
            String::new()
        };
        format!("{mark}{} {seat}{clock}", words::side_name(side))
    };
    let (upper, lower) = (text(!app.bottom()), text(app.bottom()));
    canvas.text(area.x + 1, y, &upper, side_ink(!app.bottom()));
    canvas.right_aligned(area.right() - 1, y, &lower, side_ink(app.bottom()));
}

/// What happened, what was asked, values in words, and the moves.
fn draw_texts(canvas: &mut Canvas, app: &App, area: Rect, has_value_lines: bool, in_hand: u16) {
    let rest = |y: u16| Rect::new(area.x, y, area.width, area.bottom().saturating_sub(y));
    let mut y = area.y;
    let is_roomy = area.height > 4;
    // A long notice must not be pushed out by a message.
    let has_room = app.notice.is_empty() || is_roomy;
    if app.animation.is_some() && in_hand > 0 {
        let seeds = if in_hand == 1 { "seed" } else { "seeds" };
        let text = format!("{in_hand} {seeds} in hand (Space: skip)");
        y += canvas.wrapped(rest(y), &text, Ink::Plain);
    } else if has_room {
        y += canvas.wrapped(rest(y), &app.message, Ink::Strong);
    }
    // Where there is room, the lines below stay where they are when a notice comes.
    if is_roomy || !app.notice.is_empty() {
        y += canvas.wrapped(rest(y), &app.notice, Ink::Alert);
    }
    if app.has_values && is_roomy {
        y += canvas.wrapped(rest(y), &values_text(app), Ink::Plain);
    } else if app.has_values && !has_value_lines {
        let proven = canvas.theme.symbols().proven;
        y += canvas.wrapped(rest(y), &short_values_text(app, proven), Ink::Plain);
    }
    let moves = words::moves(&app.game);
    let lines = textwrap::wrap(&moves, usize::from(area.width));
    // The last lines are the interesting ones.
    let room = usize::from(area.bottom().saturating_sub(y));
    for line in lines.iter().skip(lines.len().saturating_sub(room)) {
        canvas.text(area.x, y, line, Ink::Plain);
        y += 1;
    }
}

/// The values of the moves in words, as "Values: A -14  C +8 proven".
fn values_text(app: &App) -> String {
    let board = &app.game.board;
    if app.game.is_over() {
        return String::new();
    }
    let values = app.values.get(board);
    let value = |mv| values.and_then(|values| values.value(mv));
    let is_proven = |mv| value(mv).is_some_and(|value| value.is_proven);
    let are_all_proven = board.moves().all(is_proven);
    let of_move = |mv| match value(mv) {
        Some(value) if value.is_proven && !are_all_proven => {
            format!("{mv} {} proven", value.signed())
        }
        Some(value) => format!("{mv} {}", value.signed()),
        None => format!("{mv} …"),
    };
    let all: Vec<String> = board.moves().map(of_move).collect();
    let name = if are_all_proven { "All proven" } else { "Values" };
    format!("{name}: {}", all.join("  "))
}

/// The values where there is little room, as "A-14 C+8✓".
fn short_values_text(app: &App, proven: &str) -> String {
    let board = &app.game.board;
    let values = app.values.get(board);
    let of_move = |mv| match values.and_then(|values| values.value(mv)) {
        Some(value) if value.is_proven => format!("{mv}{}{proven}", value.signed()),
        Some(value) => format!("{mv}{}", value.signed()),
        None => format!("{mv}…"),
    };
    board.moves().map(of_move).collect::<Vec<_>>().join(" ")
}

fn draw_keys(canvas: &mut Canvas, app: &App, y: u16, lines: u16) {
    let area = canvas.area;
    let letters = |side: Side| {
        let houses = app.game.board.rules().houses();
        let last = kalah::House::new(houses - 1).map_or('?', |house| house.letter(side));
        let first = if side == Side::South { 'A' } else { 'a' };
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let sow = (letters(app.game.board.side()), "sow".to_owned(), None);
    let mut keys = KEYS;
    if lines == 1 {
        // Where not all fit, the page that has them all comes first.
        keys.rotate_right(2);
    }
    let keys = keys.iter().map(|&(key, what, c)| (key.to_owned(), what.to_owned(), Some(c)));
    let is_busy = app.searches[EngineRole::Opponent.index()].is_some() || app.is_paused;
    let space = ("Space".to_owned(), "move now".to_owned(), Some(' '));
    let space = if app.is_paused { (space.0, "go on".to_owned(), space.2) } else { space };
    let first = if is_busy { space } else { sow };
    let (mut x, mut y) = (area.x + 1, y);
    let last = y + lines - 1;
    for (key, what, c) in std::iter::once(first).chain(keys) {
        let width = canvas.width(&key) + 1 + canvas.width(&what);
        if x + width > area.right() {
            if y == last {
                break;
            }
            (x, y) = (area.x + 1, y + 1);
        }
        let after = canvas.text(x, y, &key, Ink::Key);
        canvas.text(after + 1, y, &what, Ink::Plain);
        if let Some(c) = c {
            let target = ClickTarget::Key(KeyCode::Char(c));
            canvas.on_click(Rect::new(x, y, width, 1), target);
        }
        x += width + 2;
    }
}

/// A question on the last line.
pub(super) fn draw_prompt(canvas: &mut Canvas, app: &App, y: u16) {
    let text = match &app.prompt {
        None => return,
        Some(Prompt::FileName(name)) => format!("Save to (Esc: no): {name}_"),
        Some(Prompt::Overwrite(path)) => format!("'{}' exists. Replace it? y/n", path.display()),
        Some(Prompt::Resign) => "Resign this game? y/n".to_owned(),
        Some(Prompt::Quit) => "Quit? This game is not saved. y/n".to_owned(),
    };
    let text = kalah::printable::printable(&text).into_owned();
    let width = usize::from(canvas.area.width.saturating_sub(2));
    // The end of a long name is being typed.
    let skipped = text.chars().count().saturating_sub(width);
    let text: String = text.chars().skip(skipped).collect();
    canvas.text(canvas.area.x + 1, y, &text, Ink::Alert);
}

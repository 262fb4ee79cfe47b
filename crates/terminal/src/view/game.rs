//! The board with everything around it: players, clocks, messages, moves, keys.

use kalah::board::{Capture, House, Side, Sowing};
use kalah::printable::{counted, printable};
use ratatui_core::layout::{Margin, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span, Text};
use ratatui_crossterm::crossterm::event::KeyCode;

use super::board::BoardSize;
use super::{ALERT, KEY, ROOMY, STRONG, TITLE, View, cut, side_style, wrapped};
use crate::advice::EngineRole;
use crate::app::Prompt;
use crate::keys::ClickTarget;
use crate::settings::SidePlayer;
use crate::words;

/// The keys that are shown, the most important ones first.
const KEYS: [(char, &str); 9] = [
    ('u', "take back"),
    ('t', "hint"),
    ('v', "values"),
    ('s', "save"),
    ('n', "new game"),
    ('o', "options"),
    ('x', "resign"),
    ('?', "rules"),
    ('q', "quit"),
];

impl View<'_> {
    pub(super) fn draw_game(&mut self) {
        let area = self.buffer.area;
        let is_roomy = area.height >= ROOMY;
        let bottom = self.app.bottom();
        // Lines for everything but the board.
        let around = if is_roomy { 11 } else { 5 };
        let size = BoardSize::fitting(&self.app.game.board, area.width, area.height - around);
        let mut rest = area.inner(Margin::new(1, 0));
        let title = cut(&mut rest, 1);
        if is_roomy {
            self.draw_title(title);
            self.draw_player(!bottom, cut(&mut rest, 1));
        } else {
            self.put(title, self.short_player(!bottom));
            self.put(title, self.short_player(bottom).right_aligned());
        }
        let board = cut(&mut rest, size.height());
        if is_roomy {
            self.draw_player(bottom, cut(&mut rest, 2));
        }
        let lines = rest.height - if is_roomy { 2 } else { 1 };
        let texts = cut(&mut rest, lines);
        let picture = self.app.picture(self.now);
        self.draw_board(size, &picture, Rect { x: area.x, width: area.width, ..board });
        self.draw_texts(texts, size.has_values, picture.in_hand);
        self.draw_keys(rest, &self.keys(is_roomy));
    }

    fn draw_title(&mut self, area: Rect) {
        let board = &self.app.game.board;
        let (houses, seeds) = (board.rules().houses(), board.seeds());
        let rule = match (board.rules().sowing(), board.rules().capture()) {
            (Sowing::Relay, _) => ", relay sowing",
            (Sowing::Single, Capture::Standard) => "",
            (Sowing::Single, Capture::Empty) => ", capture 'empty'",
        };
        let (houses, seeds) = (counted(houses, "house"), counted(seeds, "seed"));
        let text = format!("  {houses} a side, {seeds}{rule}");
        self.put(area, Line::from(vec![Span::styled("Kalah", TITLE), text.into()]));
        let state = match (self.app.is_paused, self.app.has_values) {
            (true, _) => "paused",
            (_, true) => "values on",
            _ => "",
        };
        self.put(area, Line::styled(state, ALERT).right_aligned());
    }

    fn seat(&self, side: Side) -> String {
        let app = self.app;
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

    fn clock(&self, side: Side) -> String {
        if !self.app.game.has_clock() {
            return String::new();
        }
        let seconds = self.app.game.time_left(side, self.now).as_millis().div_ceil(1000);
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }

    fn is_mover(&self, side: Side) -> bool {
        self.app.game.board.side() == side && !self.app.game.is_over()
    }

    /// A line with a player, whose turn it is, and the clock.
    fn draw_player(&mut self, side: Side, area: Rect) {
        let is_mover = self.is_mover(side) && self.app.animation.is_none();
        let state = match self.app.game.seats[side.index()] {
            _ if !is_mover => "",
            SidePlayer::Human => ", to move",
            SidePlayer::Engine(_) if self.app.is_paused => ", waits",
            SidePlayer::Engine(_) => ", thinks",
        };
        let player = Line::from(vec![
            Span::styled(if is_mover { "▶ " } else { "  " }, KEY),
            Span::styled(side.name(), side_style(side)),
            format!("  {}{state}", self.seat(side)).into(),
        ]);
        self.put(area, player);
        let style = if is_mover { STRONG } else { Style::new() };
        self.put(area, Line::styled(self.clock(side), style).right_aligned());
    }

    fn short_player<'a>(&self, side: Side) -> Line<'a> {
        let mark = if self.is_mover(side) { "▶" } else { "" };
        let seat = match self.app.game.seats[side.index()] {
            SidePlayer::Human => self.seat(side),
            SidePlayer::Engine(level) => format!("level {level}"),
        };
        let text = format!("{mark}{} {seat} {}", side.name(), self.clock(side));
        Line::styled(text.trim_end().to_owned(), side_style(side))
    }

    /// What happened, what was asked, values in words, and the moves.
    fn draw_texts(&mut self, area: Rect, has_value_lines: bool, in_hand: u16) {
        let app = self.app;
        let (width, height) = (area.width, usize::from(area.height));
        let is_roomy = height > 4;
        let mut lines: Vec<Line> = Vec::new();
        let mut add = |text: &str, style| lines.extend(wrapped(text, width, style));
        let notice = match &app.autosave {
            _ if !app.notice.is_empty() || !app.is_end_shown() => app.notice.clone(),
            Some(path) => words::review_of(path),
            None => "n begins a new game, s saves this one.".to_owned(),
        };
        if app.animation.is_some() && in_hand > 0 {
            let seeds = counted(in_hand, "seed");
            add(&format!("{seeds} in hand (Space: skip)"), Style::new());
        } else if is_roomy || notice.is_empty() {
            // Elsewhere a message would push out a long notice.
            let is_end = app.is_end_shown();
            add(&if is_end { words::ending(&app.game) } else { words::message(&app.game) }, STRONG);
        }
        // Where there is room, the lines below stay where they are when a notice comes.
        if is_roomy || !notice.is_empty() {
            add(&notice, ALERT);
        }
        if app.has_values && (is_roomy || !has_value_lines) {
            let known = app.values.get(&app.game.board);
            add(&words::values(&app.game, known, !is_roomy), Style::new());
        }
        lines.truncate(height);
        // The last moves are the interesting ones.
        let moves = wrapped(&words::moves(&app.game), width, Style::new());
        let room = height - lines.len();
        lines.extend(moves.into_iter().rev().take(room).rev());
        self.put(area, Text::from(lines));
    }

    fn keys(&self, is_roomy: bool) -> Vec<(String, &'static str, KeyCode)> {
        let app = self.app;
        let mut keys = KEYS;
        if !is_roomy {
            // Where not all fit, the page that has them all comes first.
            keys.rotate_right(2);
        }
        let side = app.game.board.side();
        // After the end there is nothing to resign, and on an empty board nothing to sow.
        let is_of_use = |&(key, _): &(char, &str)| key != 'x' || !app.game.is_over();
        let keys = keys.into_iter().filter(is_of_use);
        let keys = keys.map(|(key, what)| (key.to_string(), what, KeyCode::Char(key)));
        if app.game.board.is_over() {
            return keys.collect();
        }
        let first = if app.is_paused || app.engines[EngineRole::Opponent as usize].search.is_some()
        {
            let what = if app.is_paused { "go on" } else { "move now" };
            ("Space".to_owned(), what, KeyCode::Char(' '))
        } else {
            let letter = |house: usize| House::new(house).map_or('?', |house| house.letter(side));
            let (first, last) = (letter(0), letter(app.game.board.rules().houses() - 1));
            let letters = if first == last { first.to_string() } else { format!("{first}-{last}") };
            (letters, "sow", KeyCode::Enter)
        };
        std::iter::once(first).chain(keys).collect()
    }

    /// The keys and what they do, as places to click; or the question to the user.
    pub(super) fn draw_keys(&mut self, area: Rect, keys: &[(impl AsRef<str>, &str, KeyCode)]) {
        if let Some(prompt) = &self.app.prompt {
            let text = match prompt {
                Prompt::FileName(name) => format!("Save to (Esc: no): {name}_"),
                Prompt::Overwrite(path) => format!("'{}' exists. Replace it? y/n", path.display()),
                Prompt::Resign => "Resign this game? y/n".to_owned(),
                Prompt::Quit => "Quit? This game is not saved. y/n".to_owned(),
            };
            // The end of a long name is being typed.
            let line = Line::styled(printable(&text).into_owned(), ALERT);
            let is_long = line.width() > usize::from(area.width);
            let line = if is_long { line.right_aligned() } else { line };
            return self.put(Rect { y: area.bottom() - 1, height: 1, ..area }, line);
        }
        let (mut x, mut y) = (area.x, area.y);
        for (key, what, code) in keys {
            let key = key.as_ref();
            let width = (key.chars().count() + 1 + what.chars().count()) as u16;
            if x + width > area.right() {
                (x, y) = (area.x, y + 1);
            }
            let place = Rect::new(x, y, width, 1);
            if !area.contains(place.as_position()) {
                break;
            }
            let key = Span::styled(key, KEY);
            self.put(place, Line::from(vec![key, " ".into(), (*what).into()]));
            self.targets.push((place, ClickTarget::Key(*code)));
            x += width + 2;
        }
    }
}

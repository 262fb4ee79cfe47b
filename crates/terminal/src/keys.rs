//! What keys and clicks do.

use std::path::PathBuf;
use std::time::Duration;

use kalah::board::{House, Move, Side};
use kalah::engine::MAX_SKILL_LEVEL;
use kalah::printable::{counted, is_printable};
use ratatui_crossterm::crossterm::event::KeyCode;

use super::advice::{EngineRole, MoveValues};
use super::app::{App, Effect, Prompt, Screen};
use super::engines::EngineOrder;
use super::settings::{MENU_ROWS, NORTH_ROW, SidePlayer};
use super::words;

/// What a click on a place of the screen does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClickTarget {
    Key(KeyCode),
    /// It chooses this line of the menu, and changes its value or does what it says.
    Row(usize),
}

impl App {
    pub(super) fn click(&mut self, target: ClickTarget, now: Duration) {
        let key = match target {
            ClickTarget::Key(key) => key,
            ClickTarget::Row(row) => {
                self.menu_row = row;
                self.typed = 0;
                if row < MENU_ROWS.len() { KeyCode::Right } else { KeyCode::Enter }
            }
        };
        self.press(key, now);
    }

    /// A key, or a click on something that has one.
    pub(super) fn press(&mut self, key: KeyCode, now: Duration) {
        match (self.prompt.take(), self.screen) {
            (Some(prompt), _) => self.press_in_prompt(prompt, key),
            (None, Screen::Menu) => self.press_in_menu(key, now),
            (None, Screen::Board) => self.press_in_game(key, now),
            (None, Screen::Rules(line)) => {
                self.screen = match key {
                    KeyCode::Up => Screen::Rules(line.saturating_sub(1)),
                    KeyCode::Down => Screen::Rules(line + 1),
                    KeyCode::PageUp => Screen::Rules(line.saturating_sub(10)),
                    KeyCode::PageDown => Screen::Rules(line + 10),
                    _ if self.has_game => Screen::Board,
                    _ => Screen::Menu,
                }
            }
        }
        self.update(now);
    }

    fn press_in_prompt(&mut self, prompt: Prompt, key: KeyCode) {
        match (prompt, key) {
            (Prompt::FileName(name), KeyCode::Enter) if !name.trim().is_empty() => {
                self.save_to(PathBuf::from(name.trim()), false);
            }
            (Prompt::FileName(mut name), key) if key != KeyCode::Esc => {
                match key {
                    KeyCode::Backspace => drop(name.pop()),
                    KeyCode::Char(c) if is_printable(c) => name.push(c),
                    _ => {}
                }
                self.prompt = Some(Prompt::FileName(name));
            }
            (Prompt::Overwrite(path), KeyCode::Char('y' | 'Y')) => self.save_to(path, true),
            // The game may have ended after the question.
            (Prompt::Resign, KeyCode::Char('y' | 'Y')) if !self.game.is_over() => self.resign(),
            (Prompt::Quit, KeyCode::Char('y' | 'Y')) => self.effects.push(Effect::Exit),
            // Any other key is a no.
            _ => {}
        }
    }

    fn open_menu(&mut self, row: usize) {
        self.settings.seats = self.game.seats;
        self.menu_row = row;
        self.typed = 0;
        self.screen = Screen::Menu;
    }

    /// Arrows choose and change, digits set a number, Enter does what the line says.
    fn press_in_menu(&mut self, key: KeyCode, now: Duration) {
        // After the settings come a line for a new game and one for going back.
        let last = MENU_ROWS.len() + usize::from(self.has_game);
        let row = MENU_ROWS.get(self.menu_row);
        let typed = std::mem::take(&mut self.typed);
        let mut change = |steps| {
            if let Some(row) = row {
                (row.change)(&mut self.settings, steps);
            }
        };
        match key {
            KeyCode::Left | KeyCode::Char('-') => change(-1),
            KeyCode::Right | KeyCode::Char('+' | ' ') => change(1),
            KeyCode::PageDown => change(-10),
            KeyCode::PageUp => change(10),
            KeyCode::Char(digit @ '0'..='9') if typed < 1000 => {
                self.typed = 10 * typed + digit as i32 - '0' as i32;
            }
            KeyCode::Backspace => self.typed = typed / 10,
            KeyCode::Up | KeyCode::BackTab => self.menu_row = self.menu_row.saturating_sub(1),
            KeyCode::Down | KeyCode::Tab => self.menu_row = (self.menu_row + 1).min(last),
            KeyCode::Home => self.menu_row = 0,
            KeyCode::End => self.menu_row = last,
            KeyCode::Char('n') => self.start_game(),
            KeyCode::Enter if self.menu_row == MENU_ROWS.len() => self.start_game(),
            KeyCode::Enter if row.is_none() => self.leave_menu(now),
            KeyCode::Enter => self.menu_row += 1,
            KeyCode::Esc | KeyCode::Char('o') if self.has_game => self.leave_menu(now),
            KeyCode::Char('q') | KeyCode::Esc => self.ask_to_quit(),
            KeyCode::Char('?') => self.screen = Screen::Rules(0),
            _ => {}
        }
        if let Some(row) = row.filter(|_| self.typed > 0) {
            (row.set)(&mut self.settings, self.typed);
        }
    }

    /// Back to the game, with the players of the menu.
    fn leave_menu(&mut self, now: Duration) {
        self.screen = Screen::Board;
        if self.game.seats != self.settings.seats {
            self.game.seats = self.settings.seats;
            self.game.stop_clock(now);
            self.position_changed();
        }
    }

    fn press_in_game(&mut self, key: KeyCode, now: Duration) {
        let houses = self.game.board.rules().houses();
        let side = self.game.board.side();
        match key {
            KeyCode::Char(c @ ('a'..='l' | 'A'..='L')) => match House::from_letter(c) {
                Some(house) if house.index() < houses => self.sow(house, now),
                _ => self.note(format!("This board has no house {c}.")),
            },
            KeyCode::Char(c @ '1'..='9') => match House::new(c as usize - '1' as usize) {
                Some(house) if house.index() < houses => self.sow(house, now),
                _ => self.note(format!("This board has {} a side.", counted(houses, "house"))),
            },
            KeyCode::Left => self.move_cursor(-1),
            KeyCode::Right => self.move_cursor(1),
            KeyCode::Enter => match self.cursor.and_then(House::new) {
                Some(house) => self.sow(house, now),
                None => self.move_cursor(1),
            },
            KeyCode::Char(' ') => self.hurry(now),
            KeyCode::Char('u') | KeyCode::Backspace => self.take_back(),
            KeyCode::Char('t') => self.ask_for_hint(),
            KeyCode::Char('v') => self.has_values = !self.has_values,
            KeyCode::Char('s') if !self.game.has_moves() => self.note("There is no move to save."),
            KeyCode::Char('s') if self.autosave.is_some() => {
                self.changed();
                self.note("Saved, as after every move.");
            }
            KeyCode::Char('s') => self.prompt = Some(Prompt::FileName("game.txt".to_owned())),
            KeyCode::Char('n') => self.open_menu(MENU_ROWS.len()),
            KeyCode::Char('o') => self.open_menu(NORTH_ROW),
            KeyCode::Char('x') if self.game.is_over() => self.note("The game is over."),
            KeyCode::Char('x') if self.game.humans() == 0 => self.note("Only a human can resign."),
            KeyCode::Char('x') => self.prompt = Some(Prompt::Resign),
            KeyCode::Char('w') if self.game.may_swap() && self.is_human_to_move() => {
                self.game.swap_sides(now);
                self.swapped(side);
            }
            KeyCode::Char('w') => self.note(
                "Sides can be swapped once, by North after South's first turn, if the menu says so.",
            ),
            KeyCode::Char('z') => self.is_turned = !self.is_turned,
            KeyCode::Char('p') => self.pause(!self.is_paused, now),
            KeyCode::Char('+') => self.change_level(1),
            KeyCode::Char('-') => self.change_level(-1),
            KeyCode::Char('?') => self.screen = Screen::Rules(0),
            KeyCode::Char('q') => self.ask_to_quit(),
            KeyCode::Esc => {
                self.notice.clear();
                self.cursor = None;
            }
            _ => {}
        }
    }

    fn sow(&mut self, house: House, now: Duration) {
        let mv = self.game.board.move_from(house);
        if self.game.is_over() {
            self.note("The game is over: n begins a new one.");
        } else if !self.is_human_to_move() {
            self.note("The engine is to move. Space has it move at once.");
        } else {
            self.is_paused = false;
            self.play(mv, now);
        }
    }

    /// Chooses the next house of a human on the screen, to the right (1) or to the left (-1).
    fn move_cursor(&mut self, right: i32) {
        if !self.is_human_to_move() {
            return;
        }
        let board = &self.game.board;
        let mut open: Vec<usize> = board.moves().map(|mv| mv.house.index()).collect();
        // The upper houses run from right to left.
        if (board.side() == self.bottom()) == (right < 0) {
            open.reverse();
        }
        let place = open.iter().position(|&house| Some(house) == self.cursor);
        let next = place.and_then(|place| open.get(place + 1)).or(open.first());
        self.cursor = next.copied();
    }

    /// Space: a sowing is shown no longer, a pause ends, an engine moves at once.
    fn hurry(&mut self, now: Duration) {
        if self.animation.take().is_some() {
            return;
        }
        if self.is_paused {
            self.pause(false, now);
        } else if self.engines[EngineRole::Opponent as usize].search.is_some() {
            self.effects.push(Effect::Engine(EngineRole::Opponent, EngineOrder::Stop));
        }
    }

    fn pause(&mut self, is_paused: bool, now: Duration) {
        self.is_paused = is_paused;
        self.forgive_engines();
        self.notice.clear();
        if is_paused {
            self.cancel(EngineRole::Opponent);
            self.game.stop_clock(now);
            self.note("Pause. Space or p goes on.");
        }
    }

    fn take_back(&mut self) {
        if !self.game.take_back() {
            return self.note("There is no move to take back.");
        }
        self.position_changed();
        // Engines alone would move again at once.
        self.is_paused |= self.game.humans() == 0;
        self.note(if self.is_paused { "Taken back. Space goes on." } else { "Taken back." });
    }

    fn ask_for_hint(&mut self) {
        let known = self.values.get(&self.game.board).and_then(MoveValues::hint);
        if self.game.is_over() {
            self.note("The game is over.");
        } else if let Some((mv, value)) = known {
            self.note(words::hint(mv, Some(value)));
        } else {
            self.note("Looking for a good move.");
            self.wants_hint = true;
            self.engines[EngineRole::Adviser as usize].failures = 0;
            self.cancel(EngineRole::Adviser);
        }
    }

    /// After a swap by a side: the board turns, so that a human keeps sitting at the bottom.
    pub(super) fn swapped(&mut self, by: Side) {
        self.is_turned ^= self.game.humans() == 1;
        self.position_changed();
        let (name, other) = (by.name(), (!by).name());
        self.note(format!("{name} took over {other}'s side: the players have swapped."));
    }

    fn change_level(&mut self, steps: i8) {
        for seat in &mut self.game.seats {
            if let SidePlayer::Engine(level) = seat {
                *level = level.saturating_add_signed(steps).min(MAX_SKILL_LEVEL);
            }
        }
        self.settings.seats = self.game.seats;
        let mut seats = self.game.seats.iter();
        let engine = seats.find(|&&seat| seat != SidePlayer::Human);
        self.notice = match engine {
            Some(seat) => words::sentence(&seat.to_string()),
            None => "No engine plays: o changes that.".to_owned(),
        };
    }

    /// Whether this is a move that a human can make now.
    pub(super) fn is_open(&self, mv: Move) -> bool {
        self.is_human_to_move() && self.game.board.moves().any(|open| open == mv)
    }
}

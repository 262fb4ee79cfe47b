//! What the keys of the game do.

use std::time::Duration;

use kalah::board::{House, Move, Side};
use ratatui_crossterm::crossterm::event::KeyCode;

use super::advice::EngineRole;
use super::app::{App, Prompt, Screen};
use super::menu::{ClickTarget, MenuLine};
use super::settings::{SettingRow, SidePlayer};
use super::words;

impl App {
    /// A click, by the place that was hit.
    pub(super) fn click(&mut self, target: ClickTarget, now: Duration) {
        match target {
            ClickTarget::Key(key) => self.press(key, now),
            ClickTarget::Line(line) => {
                self.menu.choose(line);
                let is_setting = matches!(line, MenuLine::Setting(_));
                let key = if is_setting { KeyCode::Right } else { KeyCode::Enter };
                self.press(key, now);
            }
        }
    }

    pub(super) fn press_in_game(&mut self, key: KeyCode, now: Duration) {
        let houses = self.game.board.rules().houses();
        let side = self.game.board.side();
        match key {
            KeyCode::Char(c @ ('a'..='l' | 'A'..='L')) => match House::from_letter(c) {
                Some(house) if house.index() < houses => self.sow(house, now),
                _ => self.notice = format!("This board has no house {c}."),
            },
            KeyCode::Char(c @ '1'..='9') => {
                let index = c as usize - '1' as usize;
                match House::new(index).filter(|house| house.index() < houses) {
                    Some(house) => self.sow(house, now),
                    None => self.notice = format!("This board has {houses} houses a side."),
                }
            }
            KeyCode::Left => self.move_cursor(-1),
            KeyCode::Right => self.move_cursor(1),
            KeyCode::Enter => match self.cursor.and_then(House::new) {
                Some(house) => self.sow(house, now),
                None => self.move_cursor(1),
            },
            KeyCode::Char(' ') => self.hurry(),
            KeyCode::Char('u') | KeyCode::Backspace => self.take_back(),
            KeyCode::Char('t') => self.ask_for_hint(),
            KeyCode::Char('v') => self.has_values = !self.has_values,
            KeyCode::Char('s') => self.ask_for_file(),
            KeyCode::Char('n') => self.open_menu(MenuLine::NewGame),
            KeyCode::Char('o') => self.open_menu(MenuLine::Setting(SettingRow::North)),
            KeyCode::Char('x') if self.game.is_over() => {
                self.note("The game is over.");
            }
            KeyCode::Char('x') if self.game.humans() == 0 => {
                self.note("Only a human can resign.");
            }
            KeyCode::Char('x') => self.prompt = Some(Prompt::Resign),
            KeyCode::Char('w') if self.game.may_swap() && self.is_human_to_move() => {
                self.game.swap_sides(now);
                self.swapped(side);
            }
            KeyCode::Char('w') => {
                self.note(
                    "Sides can be swapped once, by North after South's first turn, if \
                               the menu says so.",
                );
            }
            KeyCode::Char('z') => self.is_turned = !self.is_turned,
            KeyCode::Char('p') => self.pause(now),
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

    /// A human sows a house.
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

    fn move_cursor(&mut self, right: i32) {
        if !self.is_human_to_move() {
            return;
        }
        let side = self.game.board.side();
        // The other side's houses run from right to left.
        let step = if side == self.bottom() { right } else { -right };
        let mut open: Vec<usize> = self.game.board.moves().map(|mv| mv.house.index()).collect();
        if step < 0 {
            open.reverse();
        }
        let is_further = |house: usize| match self.cursor {
            Some(cursor) if step > 0 => house > cursor,
            Some(cursor) => house < cursor,
            None => true,
        };
        let next = open.iter().copied().find(|&house| is_further(house));
        self.cursor = next.or(open.first().copied());
    }

    /// Space: a sowing is shown no longer, a pause ends, an engine moves at once.
    fn hurry(&mut self) {
        if self.animation.take().is_some() {
            return;
        }
        if self.is_paused {
            self.is_paused = false;
            self.failures = [0; 2];
            self.notice.clear();
        } else if self.searches[EngineRole::Opponent.index()].is_some() {
            self.effects.push(super::app::Effect::Stop(EngineRole::Opponent));
        }
    }

    fn pause(&mut self, now: Duration) {
        self.is_paused = !self.is_paused;
        self.failures = [0; 2];
        if self.is_paused {
            self.cancel(EngineRole::Opponent);
            self.game.stop_clock(now);
            self.note("Pause. Space or p goes on.");
        } else {
            self.notice.clear();
        }
    }

    fn take_back(&mut self) {
        if self.game.take_back() {
            self.position_changed();
            // Engines alone would move again at once.
            if self.game.humans() == 0 {
                self.is_paused = true;
                self.note("Taken back. Space goes on.");
            } else {
                self.note("Taken back.");
            }
        } else {
            self.note("There is no move to take back.");
        }
    }

    fn ask_for_hint(&mut self) {
        if self.game.is_over() {
            self.note("The game is over.");
        } else if let Some(hint) =
            self.values.get(&self.game.board).and_then(|values| values.hint(&self.game.board))
        {
            self.notice = words::hint(hint.0, hint.1);
        } else {
            self.note("Looking for a good move …");
            self.wants_hint = true;
            self.failures[EngineRole::Adviser.index()] = 0;
            self.cancel(EngineRole::Adviser);
        }
    }

    fn ask_for_file(&mut self) {
        if self.game.moves().len() == 0 {
            self.note("There is no move to save.");
        } else if self.autosave.is_some() {
            self.autosave_now();
            self.note("Saved, as after every move.");
        } else {
            self.prompt = Some(Prompt::FileName("game.txt".to_owned()));
        }
    }

    fn open_menu(&mut self, line: MenuLine) {
        self.settings.seats = self.game.seats;
        self.menu.choose(line);
        self.screen = Screen::Menu;
    }

    /// After a swap by a side: the board turns, so that a human keeps sitting at the bottom.
    pub(super) fn swapped(&mut self, by: Side) {
        let name = words::side_name(by);
        let other = words::side_name(!by);
        self.is_turned ^= self.game.humans() == 1;
        self.position_changed();
        self.notice = format!("{name} took over {other}'s side: the players have swapped.");
    }

    fn change_level(&mut self, steps: i32) {
        let change = |seat: SidePlayer| match seat {
            SidePlayer::Engine(level) => {
                let most = i32::from(kalah::engine::MAX_SKILL_LEVEL);
                SidePlayer::Engine((i32::from(level) + steps).clamp(0, most) as u8)
            }
            SidePlayer::Human => SidePlayer::Human,
        };
        self.game.seats = self.game.seats.map(change);
        self.settings.seats = self.game.seats;
        let engine = self.game.seats.into_iter().find(|&seat| seat != SidePlayer::Human);
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

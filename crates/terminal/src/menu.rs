//! The screen on which a game is chosen.

use ratatui_crossterm::crossterm::event::KeyCode;

use super::settings::{PlaySettings, SettingRow};

/// What a key in the menu asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MenuChoice {
    Stay,
    NewGame,
    /// Back to the game.
    Back,
    Quit,
}

/// A line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MenuLine {
    Setting(SettingRow),
    NewGame,
    Back,
}

/// The menu: its lines and the chosen one.
pub(super) struct Menu {
    chosen: usize,
    /// Digits typed for the number of seeds.
    typed: String,
}

impl Menu {
    pub(super) fn new() -> Menu {
        Menu { chosen: SettingRow::ALL.len(), typed: String::new() }
    }

    pub(super) fn lines(has_game: bool) -> Vec<MenuLine> {
        let settings = SettingRow::ALL.map(MenuLine::Setting);
        let back = has_game.then_some(MenuLine::Back);
        settings.into_iter().chain([MenuLine::NewGame]).chain(back).collect()
    }

    pub(super) fn chosen(&self, has_game: bool) -> MenuLine {
        let lines = Menu::lines(has_game);
        lines[self.chosen.min(lines.len() - 1)]
    }

    /// Puts the mark on a line.
    pub(super) fn choose(&mut self, line: MenuLine) {
        self.typed.clear();
        self.chosen = Menu::lines(true).iter().position(|&other| other == line).unwrap_or(0);
    }

    /// A key: arrows choose and change, digits set the seeds, Enter does what the line says.
    pub(super) fn press(
        &mut self,
        key: KeyCode,
        settings: &mut PlaySettings,
        has_game: bool,
    ) -> MenuChoice {
        let last = Menu::lines(has_game).len() - 1;
        let line = self.chosen(has_game);
        if !matches!(key, KeyCode::Char('0'..='9') | KeyCode::Backspace) {
            self.typed.clear();
        }
        let mut change = |steps| {
            if let MenuLine::Setting(row) = line {
                settings.change(row, steps);
            }
        };
        match key {
            KeyCode::Up | KeyCode::BackTab => self.chosen = self.chosen.min(last).saturating_sub(1),
            KeyCode::Down | KeyCode::Tab => self.chosen = (self.chosen + 1).min(last),
            KeyCode::Home => self.chosen = 0,
            KeyCode::End => self.chosen = last,
            KeyCode::Left | KeyCode::Char('-') => change(-1),
            KeyCode::Right | KeyCode::Char('+' | ' ') => change(1),
            KeyCode::PageDown => change(-10),
            KeyCode::PageUp => change(10),
            KeyCode::Char(digit @ '0'..='9') if self.typed.len() < 4 => {
                self.typed.push(digit);
                self.set_number(line, settings);
            }
            KeyCode::Backspace => {
                self.typed.pop();
                self.set_number(line, settings);
            }
            KeyCode::Enter => match line {
                MenuLine::Setting(_) => self.chosen += 1,
                MenuLine::NewGame => return MenuChoice::NewGame,
                MenuLine::Back => return MenuChoice::Back,
            },
            KeyCode::Char('n') => return MenuChoice::NewGame,
            KeyCode::Esc | KeyCode::Char('o') if has_game => return MenuChoice::Back,
            KeyCode::Char('q') | KeyCode::Esc => return MenuChoice::Quit,
            _ => {}
        }
        MenuChoice::Stay
    }

    /// Sets what the typed digits are for.
    fn set_number(&mut self, line: MenuLine, settings: &mut PlaySettings) {
        let Ok(number) = self.typed.parse::<i32>() else { return };
        match line {
            MenuLine::Setting(SettingRow::Seeds) => settings.set_seeds(number),
            MenuLine::Setting(row @ SettingRow::Houses) => {
                settings.change(row, number - settings.houses as i32);
            }
            _ => {}
        }
    }
}

/// What a click on a place of the screen does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClickTarget {
    /// The same as a key.
    Key(KeyCode),
    /// It chooses this line, and changes its value or does what it says.
    Line(MenuLine),
}

//! The screen as a function of the state.

mod board_view;
mod canvas;
mod game_screen;
mod pages;
mod theme;

use std::time::Duration;

use ratatui_core::buffer::Buffer;

use self::board_view::BoardLayout;
use self::canvas::Canvas;
use self::theme::Ink;
use super::app::{App, Screen};

pub(super) use canvas::ClickTargets;
pub(super) use theme::Theme;

/// The least size of a screen.
const MIN_WIDTH: u16 = 38;
const MIN_HEIGHT: u16 = 12;

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
        Screen::Menu => pages::draw_menu(&mut canvas, app),
        Screen::Rules(line) => pages::draw_rules(&mut canvas, line),
        Screen::Board => game_screen::draw_game(&mut canvas, app, now),
    }
    canvas.targets()
}

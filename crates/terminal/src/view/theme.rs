//! Colours and characters of the screen.

use ratatui_core::style::{Color, Modifier, Style};

/// How the screen is drawn. Colours are an addition: everything can be told by the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub has_colors: bool,
    /// Whether only ASCII characters are used.
    pub is_ascii: bool,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    /// Less important: empty houses, frames.
    Faint,
    Strong,
    Title,
    South,
    North,
    Seed,
    /// A pit that has just changed.
    Marked,
    Cursor,
    Key,
    Good,
    Bad,
    Alert,
}

/// The characters of frames and marks.
pub(super) struct Symbols {
    pub(super) horizontal: &'static str,
    pub(super) vertical: &'static str,
    /// Corners and crossings, row by row from the top left.
    pub(super) crossings: [[&'static str; 3]; 3],
    pub(super) seed: &'static str,
    pub(super) to_move: &'static str,
    pub(super) proven: &'static str,
    /// Around what is chosen.
    pub(super) chosen: [&'static str; 2],
    pub(super) arrows: &'static str,
}

const UNICODE: Symbols = Symbols {
    horizontal: "─",
    vertical: "│",
    crossings: [["╭", "┬", "╮"], ["├", "┼", "┤"], ["╰", "┴", "╯"]],
    seed: "●",
    to_move: "▶",
    proven: "✓",
    chosen: ["▸", "◂"],
    arrows: "←→",
};

const ASCII: Symbols = Symbols {
    horizontal: "-",
    vertical: "|",
    crossings: [["+", "+", "+"], ["+", "+", "+"], ["+", "+", "+"]],
    seed: "o",
    to_move: ">",
    proven: "!",
    chosen: [">", "<"],
    arrows: "arrows",
};

impl Theme {
    pub(super) fn symbols(self) -> &'static Symbols {
        if self.is_ascii { &ASCII } else { &UNICODE }
    }

    /// Text in the characters of this theme.
    pub(super) fn text(self, text: &str) -> String {
        if !self.is_ascii {
            return text.to_owned();
        }
        let ascii = |c: char| match c {
            '…' => "...".to_owned(),
            '·' | '–' => "-".to_owned(),
            c if c.is_ascii() => c.to_string(),
            _ => "?".to_owned(),
        };
        text.chars().map(ascii).collect()
    }

    pub(super) fn style(self, ink: Ink) -> Style {
        let (color, modifier) = match ink {
            Ink::Plain => (None, Modifier::empty()),
            Ink::Faint => (None, Modifier::DIM),
            Ink::Strong => (None, Modifier::BOLD),
            Ink::Title => (Some(Color::Yellow), Modifier::BOLD),
            // Nearly everybody can tell blue and yellow apart.
            Ink::South => (Some(Color::LightYellow), Modifier::BOLD),
            Ink::North | Ink::Good => (Some(Color::LightBlue), Modifier::BOLD),
            Ink::Seed => (Some(Color::Yellow), Modifier::empty()),
            Ink::Marked => (None, Modifier::REVERSED.union(Modifier::BOLD)),
            Ink::Cursor => (None, Modifier::REVERSED),
            Ink::Key => (Some(Color::Cyan), Modifier::BOLD),
            Ink::Bad => (Some(Color::LightRed), Modifier::empty()),
            Ink::Alert => (Some(Color::LightMagenta), Modifier::BOLD),
        };
        let style = Style::new().add_modifier(modifier);
        match color.filter(|_| self.has_colors) {
            Some(color) => style.fg(color),
            None => style,
        }
    }
}

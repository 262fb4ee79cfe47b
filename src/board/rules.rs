//! The variants of the rules.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Maximum number of houses a side.
pub const MAX_HOUSES: usize = 12;

/// What the last seed captures if it falls into an empty house of the mover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Capture {
    /// The seed and all seeds in the opposite house, unless the opposite house is empty. The rule
    /// of most sites and of the Kalah Game Protocol.
    #[default]
    Standard,
    /// The seed and all seeds in the opposite house, even if the opposite house is empty. The rule
    /// of *Solving Kalah* (Irving, Donkers and Uiterwijk, 2000).
    Empty,
}

impl Capture {
    /// Both rules.
    pub const ALL: [Capture; 2] = [Capture::Standard, Capture::Empty];

    /// The name of the rule: `standard` or `empty`.
    pub fn name(self) -> &'static str {
        match self {
            Capture::Standard => "standard",
            Capture::Empty => "empty",
        }
    }

    /// 0 for standard, 1 for empty.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Capture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is not the name of a capture rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown capture rule '{0}', expected standard or empty")]
pub struct UnknownCapture(String);

impl FromStr for Capture {
    type Err = UnknownCapture;

    fn from_str(text: &str) -> Result<Self, UnknownCapture> {
        Capture::ALL
            .into_iter()
            .find(|capture| capture.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownCapture(text.to_owned()))
    }
}

/// The rules of a game: the number of houses a side and the capture rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    houses: u8,
    capture: Capture,
}

/// A number of houses a side outside 1 to 12.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} houses a side, but a board has 1 to {MAX_HOUSES}")]
pub struct HousesOutOfRange(pub usize);

impl Rules {
    /// The rules for a board of `houses` houses a side.
    ///
    /// # Errors
    /// Returns an error if `houses` is not 1 to 12.
    pub fn new(houses: usize, capture: Capture) -> Result<Rules, HousesOutOfRange> {
        if (1..=MAX_HOUSES).contains(&houses) {
            Ok(Rules { houses: houses as u8, capture })
        } else {
            Err(HousesOutOfRange(houses))
        }
    }

    /// Houses a side, 1 to 12.
    pub fn houses(self) -> usize {
        usize::from(self.houses)
    }

    /// The capture rule.
    pub fn capture(self) -> Capture {
        self.capture
    }
}

impl Default for Rules {
    /// Six houses a side, standard capture.
    fn default() -> Self {
        Rules { houses: 6, capture: Capture::Standard }
    }
}

/// Shortens a text of any length for a message.
pub fn shortened(text: &str) -> String {
    const LENGTH: usize = 40;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

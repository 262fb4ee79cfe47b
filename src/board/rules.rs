//! The variants of the rules.

use crate::printable::counted;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Maximum number of houses a side.
pub const MAX_HOUSES: usize = 12;

/// Writes and reads a rule by its name.
macro_rules! named {
    ($rule:ident, $unknown:ident, $what:literal, $names:literal) => {
        impl fmt::Display for $rule {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        #[doc = concat!("A text that is not the name of a ", $what, ".")]
        #[derive(Clone, Debug, PartialEq, Eq, Error)]
        #[error("unknown {what} '{0}', expected {names}", what = $what, names = $names)]
        pub struct $unknown(String);

        impl FromStr for $rule {
            type Err = $unknown;

            fn from_str(text: &str) -> Result<Self, $unknown> {
                let mut all = $rule::ALL.into_iter();
                all.find(|rule| rule.name().eq_ignore_ascii_case(text))
                    .ok_or_else(|| $unknown(text.to_owned()))
            }
        }
    };
}

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

named!(Capture, UnknownCapture, "capture rule", "standard or empty");

/// What happens when the last seed of a sowing falls into a house that holds seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sowing {
    /// The turn passes: Kalah.
    #[default]
    Single,
    /// All seeds of that house, on either side, are picked up and sown on from there, in the same ply.
    /// There are no captures. Known as *avalanche* on phones.
    Relay,
}

impl Sowing {
    /// Both ways.
    pub const ALL: [Sowing; 2] = [Sowing::Single, Sowing::Relay];

    /// The name: `single` or `relay`.
    pub fn name(self) -> &'static str {
        match self {
            Sowing::Single => "single",
            Sowing::Relay => "relay",
        }
    }
}

named!(Sowing, UnknownSowing, "way of sowing", "single or relay");

/// The rules but for the number of houses: the way of sowing and the capture rule.
///
/// A [`Capture`] alone stands for single sowing with it, a [`Sowing`] alone for sowing with the default
/// capture. Relay sowing captures nothing, so there is one such rule set, whatever the capture rule:
///
/// ```
/// use kalah::board::RuleSet;
/// use kalah::{Capture, Sowing};
///
/// assert_eq!(RuleSet::new(Capture::Empty, Sowing::Relay), Sowing::Relay.into());
/// assert_eq!(RuleSet::new(Capture::Empty, Sowing::Single), Capture::Empty.into());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleSet {
    /// [`Capture::Standard`] under relay sowing.
    capture: Capture,
    sowing: Sowing,
}

impl RuleSet {
    /// All of them.
    pub const ALL: [RuleSet; 3] = [
        RuleSet { capture: Capture::Standard, sowing: Sowing::Single },
        RuleSet { capture: Capture::Empty, sowing: Sowing::Single },
        RuleSet { capture: Capture::Standard, sowing: Sowing::Relay },
    ];

    /// The rules with this capture, which relay sowing ignores, and this way of sowing.
    pub fn new(capture: Capture, sowing: Sowing) -> RuleSet {
        match sowing {
            Sowing::Single => RuleSet { capture, sowing },
            Sowing::Relay => RuleSet { capture: Capture::default(), sowing },
        }
    }

    /// The capture rule; the default under relay sowing, which captures nothing.
    pub fn capture(self) -> Capture {
        self.capture
    }

    /// The way of sowing.
    pub fn sowing(self) -> Sowing {
        self.sowing
    }

    /// The place in [`RuleSet::ALL`], which is also the number of the rule set in files.
    pub fn index(self) -> usize {
        match self.sowing {
            Sowing::Single => self.capture.index(),
            Sowing::Relay => 2,
        }
    }

    /// A word: the name of the capture rule, or `relay`.
    pub fn name(self) -> &'static str {
        match self.sowing {
            Sowing::Single => self.capture.name(),
            Sowing::Relay => self.sowing.name(),
        }
    }

    /// The rule set with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<RuleSet> {
        RuleSet::ALL.into_iter().find(|rule_set| rule_set.name() == name)
    }
}

impl From<Capture> for RuleSet {
    fn from(capture: Capture) -> Self {
        RuleSet::new(capture, Sowing::default())
    }
}

impl From<Sowing> for RuleSet {
    fn from(sowing: Sowing) -> Self {
        RuleSet::new(Capture::default(), sowing)
    }
}

impl From<Rules> for RuleSet {
    fn from(rules: Rules) -> Self {
        rules.rule_set
    }
}

impl fmt::Display for RuleSet {
    /// For people: `standard capture`, `empty capture` or `relay sowing`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sowing {
            Sowing::Single => write!(f, "{} capture", self.capture),
            Sowing::Relay => write!(f, "{} sowing", self.sowing),
        }
    }
}

/// The rules of a game: the number of houses a side, the capture rule and the way of sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    houses: u8,
    rule_set: RuleSet,
}

/// A number of houses a side outside 1 to 12.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} houses a side, but a board has 1 to {MAX_HOUSES}")]
pub struct HousesOutOfRange(pub usize);

impl fmt::Display for Rules {
    /// For people: `6 houses, standard capture`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", counted(self.houses, "house"), self.rule_set)
    }
}

impl Rules {
    /// The rules for a board of `houses` houses a side: with a [`Capture`], a [`Sowing`] or a [`RuleSet`].
    ///
    /// # Errors
    /// Returns an error if `houses` is not 1 to 12.
    pub fn new(houses: usize, rule_set: impl Into<RuleSet>) -> Result<Rules, HousesOutOfRange> {
        if (1..=MAX_HOUSES).contains(&houses) {
            Ok(Rules { houses: houses as u8, rule_set: rule_set.into() })
        } else {
            Err(HousesOutOfRange(houses))
        }
    }

    /// Houses a side, 1 to 12.
    pub fn houses(self) -> usize {
        usize::from(self.houses)
    }

    /// The capture rule; the default under relay sowing, which captures nothing.
    pub fn capture(self) -> Capture {
        self.rule_set.capture
    }

    /// The way of sowing.
    pub fn sowing(self) -> Sowing {
        self.rule_set.sowing
    }

    /// The rules but for the number of houses.
    pub fn rule_set(self) -> RuleSet {
        self.rule_set
    }
}

impl Default for Rules {
    /// Six houses a side, standard capture, single sowing.
    fn default() -> Self {
        Rules { houses: 6, rule_set: RuleSet::default() }
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

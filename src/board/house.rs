//! Players, houses and moves, and their letters.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use thiserror::Error;

use super::rules::{MAX_HOUSES, shortened};

/// A player. South moves first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The player who moves first; houses `A` to `L`.
    #[default]
    South,
    /// The other player; houses `a` to `l`.
    North,
}

impl Side {
    /// Both players, South first.
    pub const ALL: [Side; 2] = [Side::South, Side::North];

    /// 0 for South, 1 for North.
    pub fn index(self) -> usize {
        self as usize
    }

    /// `South` or `North`.
    pub fn name(self) -> &'static str {
        match self {
            Side::South => "South",
            Side::North => "North",
        }
    }

    /// 1 for South, -1 for North: converts a margin between the views of South and of this side.
    pub fn sign(self) -> i32 {
        match self {
            Side::South => 1,
            Side::North => -1,
        }
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }
}

impl fmt::Display for Side {
    /// `S` or `N`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name()[..1])
    }
}

/// A text that is neither `S` nor `N`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown side '{0}', expected S or N")]
pub struct UnknownSide(String);

impl FromStr for Side {
    type Err = UnknownSide;

    fn from_str(text: &str) -> Result<Self, UnknownSide> {
        match text {
            "S" | "s" => Ok(Side::South),
            "N" | "n" => Ok(Side::North),
            _ => Err(UnknownSide(text.to_owned())),
        }
    }
}

/// One of a player's houses, counted from 0 at the owner's left in sowing direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct House(u8);

impl House {
    /// The house with this index, or `None` if no board has it.
    pub fn new(index: usize) -> Option<House> {
        (index < MAX_HOUSES).then_some(House(index as u8))
    }

    /// The house of a lane of a [`Row`](super::Row).
    #[inline]
    pub(crate) fn from_lane(lane: usize) -> House {
        debug_assert!(lane < MAX_HOUSES);
        House(lane as u8)
    }

    /// The index, 0 to 11.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The letter of this house as a move of `side`: `A`… for South, `a`… for North.
    pub fn letter(self, side: Side) -> char {
        let first = match side {
            Side::South => b'A',
            Side::North => b'a',
        };
        char::from(first + self.0)
    }

    /// The house with this letter, in either case, or `None` if there is none.
    pub fn from_letter(letter: char) -> Option<House> {
        let letter = letter.to_ascii_lowercase();
        letter.is_ascii_lowercase().then(|| House::new(letter as usize - 'a' as usize)).flatten()
    }
}

/// A move: a player sows a house. Written as its letter, `A` to `L` for South and `a` to `l` for North.
///
/// ```
/// use kalah::{Move, Side};
///
/// let mv: Move = "c".parse()?;
/// assert_eq!((mv.side, mv.house.index()), (Side::North, 2));
/// assert_eq!(mv.to_string(), "c");
/// # Ok::<(), kalah::board::NotAMove>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The player who sows.
    pub side: Side,
    /// The house that is sown.
    pub house: House,
}

impl Move {
    /// The letter of the house: `A` to `L` for South, `a` to `l` for North.
    pub fn letter(self) -> char {
        self.house.letter(self.side)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A text that is not the letter of a house.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a move, expected a letter from A to L or a to l")]
pub struct NotAMove(String);

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Self, NotAMove> {
        let mut letters = text.chars();
        let letter = letters.next().filter(|_| letters.next().is_none());
        let house = letter.and_then(House::from_letter).ok_or_else(|| NotAMove(shortened(text)))?;
        let is_south = text.starts_with(|letter: char| letter.is_ascii_uppercase());
        Ok(Move { side: if is_south { Side::South } else { Side::North }, house })
    }
}

//! Text of boards and moves.

use crate::printable::counted;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use thiserror::Error;

use super::board::{Board, BoardError, IllegalMove};
use super::house::{House, Move, NotAMove, Side, UnknownSide};
use super::rules::{RuleSet, Rules, shortened};

/// A text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The text does not begin with `<`.
    #[error("a board begins with '<'")]
    NoStart,
    /// The text has no `>`.
    #[error("a board ends with '>'")]
    NoEnd,
    /// A field is not a number from 0 to 65,535.
    #[error("field {field} of the board, '{text}', is not a number of seeds")]
    NotANumber {
        /// The field, counted from 1.
        field: usize,
        /// Its text, shortened if long.
        text: String,
    },
    /// The number of fields does not match the number of houses.
    #[error("a board of {} a side has {expected} fields, not {found}", counted(*houses, "house"))]
    FieldCount {
        /// Houses a side, according to the first field.
        houses: usize,
        /// Fields of such a board.
        expected: usize,
        /// Fields found.
        found: usize,
    },
    /// The fields are not a legal board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The text after the board is not a player.
    #[error(transparent)]
    Side(#[from] UnknownSide),
}

/// A list of moves cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MovesError {
    /// A character is not the letter of a house.
    #[error("move {number}, '{text}', is not a letter from A to L")]
    NotAMove {
        /// The move, counted from 1.
        number: usize,
        /// The character.
        text: char,
    },
    /// A move is illegal.
    #[error("move {number}: {reason}")]
    Illegal {
        /// The move, counted from 1.
        number: usize,
        /// The reason.
        #[source]
        reason: IllegalMove,
    },
}

impl Board {
    /// Parses a board in the notation of the Kalah Game Protocol: houses a side, South's store,
    /// North's store, South's houses, North's houses, each from its owner's left. `S` or `N` after
    /// a space is the player to move; South is the default. The text has no more of the rules: they
    /// are a [`Capture`](super::Capture), [`Sowing::Relay`](super::Sowing::Relay) or a [`RuleSet`].
    ///
    /// ```
    /// use kalah::{Board, Capture, Side};
    ///
    /// let board = Board::from_fen("<3,5,2,0,1,4,2,2,2> N", Capture::Standard)?;
    /// assert_eq!(board.side(), Side::North);
    /// assert_eq!(board.houses(Side::South), [0, 1, 4]);
    /// let error = Board::from_fen("<3,5,2,0,1,x,2,2,2>", Capture::Standard).unwrap_err();
    /// assert_eq!(error.to_string(), "field 6 of the board, 'x', is not a number of seeds");
    /// # Ok::<(), kalah::board::FenError>(())
    /// ```
    ///
    /// # Errors
    /// Returns what is wrong and where if the text is not such a board.
    pub fn from_fen(fen: &str, rule_set: impl Into<RuleSet>) -> Result<Board, FenError> {
        let rest = fen.trim_ascii().strip_prefix('<').ok_or(FenError::NoStart)?;
        let (fields, side) = rest.split_once('>').ok_or(FenError::NoEnd)?;
        let side = match side.trim_ascii() {
            "" => Side::South,
            name => Side::from_str(&shortened(name))?,
        };
        let fields: Vec<u16> = fields
            .split(',')
            .enumerate()
            .map(|(i, text)| {
                let not_a_number = || FenError::NotANumber { field: i + 1, text: shortened(text) };
                if !text.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(not_a_number());
                }
                text.parse().map_err(|_| not_a_number())
            })
            .collect::<Result<_, _>>()?;
        let houses = usize::from(fields[0]);
        let rules = Rules::new(houses, rule_set).map_err(BoardError::from)?;
        let expected = 3 + 2 * houses;
        if fields.len() != expected {
            return Err(FenError::FieldCount { houses, expected, found: fields.len() });
        }
        let (south, north) = fields[3..].split_at(houses);
        Ok(Board::new(rules, [south, north], [fields[1], fields[2]], side)?)
    }

    /// The board in the notation of [`Board::from_fen`], with the player to move.
    pub fn fen(&self) -> String {
        let stores = Side::ALL.map(|side| self.store(side));
        let houses = Side::ALL.iter().flat_map(|&side| self.houses(side));
        let mut fen = format!("<{}", self.rules().houses());
        for seeds in stores.iter().chain(houses) {
            let _ = write!(fen, ",{seeds}");
        }
        let _ = write!(fen, "> {}", self.side());
        fen
    }

    /// The move of the player to move with this letter, in either case. It need not be legal.
    ///
    /// # Errors
    /// Returns an error if the text is not the letter of a house.
    pub fn parse_move(&self, text: &str) -> Result<Move, NotAMove> {
        text.parse().map(|Move { house, .. }| self.move_from(house))
    }

    /// The legal move with this letter, in either case.
    pub fn legal_move(&self, text: &str) -> Option<Move> {
        self.parse_move(text).ok().filter(|&mv| self.is_legal(mv))
    }

    /// Plays letters, each a house of the player to move in either case, and yields each move with the board after
    /// it, or why it cannot be played; the next letter is then played on the board before.
    ///
    /// ```
    /// use kalah::{Board, Move, Rules};
    ///
    /// let start = Board::start(Rules::default(), 4)?;
    /// let legal = start.replay("CAdz".chars()).map_while(Result::ok);
    /// let moves: Vec<Move> = legal.map(|(mv, _)| mv).collect();
    /// assert_eq!(moves, ["C".parse()?, "A".parse()?, "d".parse()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay(
        &self,
        letters: impl IntoIterator<Item = char>,
    ) -> impl Iterator<Item = Result<(Move, Board), MovesError>> {
        let mut board = *self;
        letters.into_iter().zip(1..).map(move |(text, number)| {
            let house = House::from_letter(text).ok_or(MovesError::NotAMove { number, text })?;
            let mv = board.move_from(house);
            board.play(mv).map_err(|reason| MovesError::Illegal { number, reason })?;
            Ok((mv, board))
        })
    }

    /// Plays moves given as letters in either case, with or without spaces between them.
    ///
    /// ```
    /// use kalah::{Board, Rules};
    ///
    /// let mut board = Board::start(Rules::default(), 4)?;
    /// board.play_moves("C A d")?;
    /// assert!(board.play_moves("zz").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first move that is illegal or not a letter; the board is then unchanged.
    pub fn play_moves(&mut self, moves: &str) -> Result<(), MovesError> {
        let letters = moves.chars().filter(|c| !c.is_ascii_whitespace());
        let mut board = *self;
        for played in self.replay(letters) {
            (_, board) = played?;
        }
        *self = board;
        Ok(())
    }
}

impl fmt::Display for Board {
    /// A diagram seen from South: North's houses are above, from right to left.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let houses = self.rules().houses();
        let letters = |side| (0..houses).map(move |lane| House::from_lane(lane).letter(side));
        let margin = " ".repeat(5);
        let rule = format!("{margin}+{}\n", "------+".repeat(houses));
        let cells = |seeds: &mut dyn Iterator<Item = &u16>| {
            seeds.fold("|".to_owned(), |line, seeds| format!("{line} {seeds:^4} |"))
        };
        let names = |names: &mut dyn Iterator<Item = char>| {
            names.fold(" ".to_owned(), |line, name| format!("{line}  {name:^3}  "))
        };
        writeln!(f, "{margin}{}", names(&mut letters(Side::North).rev()).trim_end())?;
        f.write_str(&rule)?;
        writeln!(f, "{margin}{}", cells(&mut self.houses(Side::North).iter().rev()))?;
        let width = 7 * houses + 1;
        writeln!(f, "{:>4} {:width$} {}", self.store(Side::North), "", self.store(Side::South))?;
        writeln!(f, "{margin}{}", cells(&mut self.houses(Side::South).iter()))?;
        f.write_str(&rule)?;
        writeln!(f, "{margin}{}", names(&mut letters(Side::South)).trim_end())?;
        match self.result() {
            Some(result) => write!(f, "Game over, {result:+} for South"),
            None => write!(f, "{} to move", self.side().name()),
        }
    }
}

//! Positions with the exact margins of all moves, and their file.

use std::fmt;
use std::str::FromStr;

use kalah::board::{Board, FenError, House, Move, RuleSet, splitmix64};
use kalah::printable::counted;
use serde::Serialize;
use strum::{Display, EnumString};
use thiserror::Error;

/// Made by `kalah exam --make`, as docs/manual/exam.md says.
const BUILT_IN: &str = include_str!("positions.txt");

/// How the first line of a set begins.
const MAGIC: &str = "kalah-exam-positions";

/// The format of the file.
const FORMAT: u32 = 1;

/// In place of the margin of a house that is empty.
const NO_MOVE: &str = "x";

/// A fixed set of positions, in an order in which the first ones are like all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionSet {
    /// The version of the set. Results of different sets cannot be compared.
    pub version: u32,
    /// The random seed that it was made from.
    pub seed: u64,
    /// The positions.
    pub positions: Vec<ExamPosition>,
}

/// A position with the margin after each move. At least two moves differ.
#[derive(Clone, Debug, PartialEq)]
pub struct ExamPosition {
    /// The board.
    pub board: Board,
    /// Where it comes from.
    pub origin: Origin,
    /// The moves from the mover's left, with their margins in seeds from the view of the side to move.
    margins: Vec<(Move, i32)>,
}

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Origin {
    /// A game of random moves.
    Random,
    /// A game of good moves.
    Strong,
    /// A known fair start.
    Fair,
}

/// Why a text is no set of positions.
#[allow(missing_docs, reason = "the messages say what the fields are")]
#[derive(Debug, Error)]
pub enum PositionSetError {
    /// The first line is another one.
    #[error("the first line is not '{MAGIC} {FORMAT} version N seed N'")]
    Header,
    /// A line has other words.
    #[error(
        "line {line}: expected rules, origin, board, side to move, and a margin for each house"
    )]
    Line { line: usize },
    /// A line has no board.
    #[error("line {line}")]
    Board { line: usize, source: FenError },
    /// All moves are equal, or there is one alone, or play cannot end with one of the margins.
    #[error("line {line}: there is nothing to choose, or a margin is out of reach")]
    NoChoice { line: usize },
    /// There are no positions.
    #[error("there are no positions")]
    Empty,
}

impl ExamPosition {
    /// A position; `None` if its moves are all as good, or if the margins are not those of its legal moves or none that
    /// play can end with.
    pub fn new(board: Board, origin: Origin, margins: Vec<(Move, i32)>) -> Option<ExamPosition> {
        let is_choice = margins.iter().any(|(_, margin)| *margin != margins[0].1);
        let is_whole = board.moves().eq(margins.iter().map(|(mv, _)| *mv));
        let possible = board.possible_margins(board.side());
        let is_possible = margins.iter().all(|(_, margin)| possible.contains(margin));
        (is_choice && is_whole && is_possible).then_some(ExamPosition { board, origin, margins })
    }

    /// The margin when both sides play best, in seeds from the view of the side to move.
    pub fn margin(&self) -> i32 {
        self.margins.iter().map(|(_, margin)| *margin).max().unwrap_or(0)
    }

    /// The moves and the margins after them, from the mover's left.
    pub fn margins(&self) -> &[(Move, i32)] {
        &self.margins
    }

    /// The board that it belongs to, such as `6 houses, 48 seeds, standard`.
    pub fn game(&self) -> String {
        let (rules, seeds) = (self.board.rules(), self.board.seeds());
        let (houses, seeds) = (counted(rules.houses(), "house"), counted(seeds, "seed"));
        format!("{houses}, {seeds}, {}", rules.rule_set().name())
    }

    /// The moves that reach the margin.
    pub fn best_moves(&self) -> Vec<Move> {
        let best = self.margin();
        self.margins.iter().filter(|(_, margin)| *margin == best).map(|(mv, _)| *mv).collect()
    }

    /// The seeds that a move gives away; `None` if it is not legal.
    pub fn loss(&self, mv: Move) -> Option<i32> {
        let margin = self.margins.iter().find(|(legal, _)| *legal == mv)?.1;
        Some(self.margin() - margin)
    }

    /// Whether a loss changes who wins, or gives a draw away.
    pub fn changes_result(&self, loss: i32) -> bool {
        (self.margin() - loss).signum() != self.margin().signum()
    }

    /// The seeds that the worst move gives away.
    pub fn worst_loss(&self) -> i32 {
        let worst = self.margins.iter().map(|(_, margin)| *margin).min().unwrap_or(0);
        self.margin() - worst
    }

    /// The seeds that a random move gives away on average.
    pub fn random_loss(&self) -> f64 {
        let sum: i32 = self.margins.iter().map(|(_, margin)| self.margin() - margin).sum();
        f64::from(sum) / self.margins.len() as f64
    }
}

impl PositionSet {
    /// The set of this program.
    ///
    /// # Errors
    /// Never: a test reads it.
    pub fn built_in() -> Result<PositionSet, PositionSetError> {
        BUILT_IN.parse()
    }

    /// A checksum of all positions and their margins.
    pub fn checksum(&self) -> u64 {
        let bytes = self.to_string().into_bytes();
        bytes.iter().fold(0, |sum, byte| splitmix64(sum ^ u64::from(*byte)))
    }
}

impl FromStr for PositionSet {
    type Err = PositionSetError;

    fn from_str(text: &str) -> Result<PositionSet, PositionSetError> {
        let mut lines = text.lines().zip(1..);
        let header = lines.next().map(|(line, _)| line.split(' ').collect::<Vec<_>>());
        let Some(&[MAGIC, format, "version", version, "seed", seed]) = header.as_deref() else {
            return Err(PositionSetError::Header);
        };
        let (Ok(FORMAT), Ok(version), Ok(seed)) = (format.parse(), version.parse(), seed.parse())
        else {
            return Err(PositionSetError::Header);
        };
        let positions = lines.map(|(line, number)| read_position(line, number));
        let positions = positions.collect::<Result<Vec<_>, _>>()?;
        if positions.is_empty() {
            return Err(PositionSetError::Empty);
        }
        Ok(PositionSet { version, seed, positions })
    }
}

fn read_position(text: &str, line: usize) -> Result<ExamPosition, PositionSetError> {
    let wrong = || PositionSetError::Line { line };
    let [rules, origin, board, side, margins] = text.split(' ').collect::<Vec<_>>()[..] else {
        return Err(wrong());
    };
    let rules = RuleSet::from_name(rules).ok_or_else(wrong)?;
    let origin = origin.parse().map_err(|_| wrong())?;
    let board = Board::from_fen(&format!("{board} {side}"), rules)
        .map_err(|source| PositionSetError::Board { line, source })?;
    let margins: Vec<&str> = margins.split(',').collect();
    let mut found = Vec::new();
    for (place, margin) in margins.iter().enumerate().filter(|(_, margin)| **margin != NO_MOVE) {
        let mv = board.move_from(House::new(place).ok_or_else(wrong)?);
        found.push((mv, margin.parse().map_err(|_| wrong())?));
    }
    let is_whole = margins.len() == board.rules().houses();
    if !is_whole || board.moves().ne(found.iter().map(|(mv, _)| *mv)) {
        return Err(wrong());
    }
    ExamPosition::new(board, origin, found).ok_or(PositionSetError::NoChoice { line })
}

impl fmt::Display for PositionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC} {FORMAT} version {} seed {}", self.version, self.seed)?;
        self.positions.iter().try_for_each(|position| writeln!(f, "{position}"))
    }
}

impl fmt::Display for ExamPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExamPosition { board, origin, margins } = self;
        let houses = (0..board.rules().houses()).filter_map(House::new);
        let margin = |house| {
            let mut margins = margins.iter().filter(|(mv, _)| mv.house == house);
            margins.next().map_or(NO_MOVE.to_owned(), |(_, margin)| margin.to_string())
        };
        let margins: Vec<String> = houses.map(margin).collect();
        let rules = board.rules().rule_set().name();
        write!(f, "{rules} {origin} {} {}", board.fen(), margins.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_set_can_be_read_and_written() {
        let Ok(set) = PositionSet::built_in() else { unreachable!("it is not a set") };
        assert_eq!(set.to_string(), BUILT_IN);
        assert!(set.positions.len() >= 300 && BUILT_IN.len() < 60_000, "{}", BUILT_IN.len());
        for (number, position) in set.positions.iter().enumerate() {
            let is_same = |other: &ExamPosition| other.board == position.board;
            assert!(!set.positions[..number].iter().any(is_same), "{position}");
        }
    }

    #[test]
    fn what_is_no_set_is_refused() {
        let header = "kalah-exam-positions 1 version 1 seed 1\n";
        let read = |text: &str| text.parse::<PositionSet>().map_err(|error| error.to_string());
        let line = |line: &str| read(&format!("{header}{line}\n")).map(|_| ());
        assert!(line("standard random <2,0,0,1,2,1,1> S -1,1").is_ok());
        let expected = "expected rules, origin, board";
        for wrong in [
            "",
            "standard random <2,0,0,1,2,1,1> S -1",
            "standard random <2,0,0,1,2,1,1> S -1,x",
            "standard random <2,0,0,1,2,1,1> S -1,1,1",
            "standard random <2,0,0,1,2,1,1> S -1,a",
            "other random <2,0,0,1,2,1,1> S -1,1",
            "standard other <2,0,0,1,2,1,1> S -1,1",
        ] {
            assert!(line(wrong).is_err_and(|error| error.contains(expected)), "{wrong}");
        }
        let no_choice = line("standard random <2,0,0,1,2,1,1> S 1,1");
        assert!(no_choice.is_err_and(|error| error.contains("nothing to choose")));
        for margins in ["-1,7", "-2147483648,2147483647"] {
            let far = line(&format!("standard random <2,0,0,1,2,1,1> S {margins}"));
            assert!(far.is_err_and(|error| error.contains("out of reach")), "{margins}");
        }
        assert!(line("standard random <2,0,0,1,2,1> S 1,1").is_err());
        assert!(read(header).is_err_and(|error| error == "there are no positions"));
        for wrong in ["", "kalah-exam-positions 2 version 1 seed 1", "kalah-exam-positions 1"] {
            assert!(read(wrong).is_err_and(|error| error.contains("first line")), "{wrong}");
        }
    }
}

//! A row of a dataset, and its columns.

use std::fmt;

use anyhow::{Context, ensure};
use kalah::board::{Board, House, MAX_HOUSES, Move, splitmix64};
use kalah::solve::Solution;
use strum::{Display, EnumIter};

use crate::draw::DrawnBoard;

/// A position with its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub drawn: DrawnBoard,
    /// In seeds from the view of the side to move, as are those of the moves.
    pub margin: i32,
    /// The margin after each move, by its house from the mover's left; `None` if it is not legal.
    pub moves: [Option<i32>; MAX_HOUSES],
    pub source: Source,
}

/// How the values of a position were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Source {
    /// Read in a tablebase, which has all positions with few seeds.
    Tablebase,
    /// By a search that ends in the tablebase.
    Solver,
}

/// What a position is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Split {
    /// To learn from.
    Train,
    /// To choose by.
    Validation,
    /// To report.
    Test,
}

impl Split {
    /// By a hash of the houses as the mover sees them: all positions with the same values but for the stores are in the
    /// same split, in each dataset.
    pub(crate) fn of_board(board: &Board) -> Split {
        match splitmix64(board.key()) % 10 {
            0 => Split::Validation,
            1 => Split::Test,
            _ => Split::Train,
        }
    }
}

/// The kind of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// A number that fits 16 bits.
    Small,
    Game,
}

/// A column. Houses count from 0 in it and from 1 in its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Board,
    Side,
    Seeds,
    OwnStore,
    OpponentStore,
    Own(usize),
    Opponent(usize),
    Margin,
    Move(usize),
    Best,
    Source,
    Split,
    Game,
}

impl Column {
    /// All columns of a board, in the order of the file.
    pub(crate) fn all(houses: usize) -> Vec<Column> {
        let each = |column: fn(usize) -> Column| (0..houses).map(column);
        let mut columns = vec![
            Column::Board,
            Column::Side,
            Column::Seeds,
            Column::OwnStore,
            Column::OpponentStore,
        ];
        columns.extend(each(Column::Own).chain(each(Column::Opponent)));
        columns.push(Column::Margin);
        columns.extend(each(Column::Move));
        columns.extend([Column::Best, Column::Source, Column::Split, Column::Game]);
        columns
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Column::Board | Column::Side | Column::Best | Column::Source | Column::Split => {
                Kind::Text
            }
            Column::Game => Kind::Game,
            _ => Kind::Small,
        }
    }

    /// What it is, for people; `None` but for the first of several columns of the same kind.
    pub(crate) fn meaning(self) -> Option<&'static str> {
        Some(match self {
            Column::Board => {
                "the position as text, in the form of the Kalah Game Protocol, with the side to move"
            }
            Column::Side => "the side to move, `S` or `N`",
            Column::Seeds => "the seeds in the houses of both sides",
            Column::OwnStore => "the store of the side to move",
            Column::OpponentStore => "the store of the other side",
            Column::Own(0) => "the seeds in the houses of the side to move, from its left",
            Column::Opponent(0) => {
                "the seeds in the houses of the other side, from that side's left"
            }
            Column::Margin => "the margin of the position, which the best moves reach",
            Column::Move(0) => "the margin after each move, by the house; null if it is empty",
            Column::Best => {
                "the letters of the best moves, upper case for South, lower case for North"
            }
            Column::Source => "how the values were found: `tablebase` or `solver`",
            Column::Split => "`train`, `validation` or `test`",
            Column::Game => "the number of the game that the position is from",
            Column::Own(_) | Column::Opponent(_) | Column::Move(_) => return None,
        })
    }

    /// Whether a row may be without a value.
    pub(crate) fn is_optional(self) -> bool {
        matches!(self, Column::Move(_))
    }

    /// The text of a row in a column of texts.
    pub(crate) fn text(self, row: &Row) -> String {
        let board = &row.drawn.board;
        match self {
            Column::Side => board.side().to_string(),
            Column::Best => row.best(),
            Column::Source => row.source.to_string(),
            Column::Split => Split::of_board(board).to_string(),
            _ => board.fen(),
        }
    }

    /// The number of a row in a column of numbers.
    pub(crate) fn number(self, row: &Row) -> Option<i64> {
        let board = &row.drawn.board;
        let (own, opponent) = (board.side(), !board.side());
        Some(match self {
            Column::Seeds => board.seeds_in_play().into(),
            Column::OwnStore => board.store(own).into(),
            Column::OpponentStore => board.store(opponent).into(),
            Column::Own(house) => board.houses(own)[house].into(),
            Column::Opponent(house) => board.houses(opponent)[house].into(),
            Column::Margin => row.margin.into(),
            Column::Move(house) => row.moves[house]?.into(),
            _ => row.drawn.game as i64,
        })
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::Board => f.write_str("board"),
            Column::Side => f.write_str("side"),
            Column::Seeds => f.write_str("seeds"),
            Column::OwnStore => f.write_str("own_store"),
            Column::OpponentStore => f.write_str("opponent_store"),
            Column::Own(house) => write!(f, "own{}", house + 1),
            Column::Opponent(house) => write!(f, "opponent{}", house + 1),
            Column::Margin => f.write_str("margin"),
            Column::Move(house) => write!(f, "move{}", house + 1),
            Column::Best => f.write_str("best"),
            Column::Source => f.write_str("source"),
            Column::Split => f.write_str("split"),
            Column::Game => f.write_str("game"),
        }
    }
}

impl Row {
    /// A position with its solution, if a tablebase has all positions with at most `tablebase_seeds` seeds.
    pub(crate) fn new(drawn: DrawnBoard, solution: &Solution, tablebase_seeds: u32) -> Row {
        let mut moves = [None; MAX_HOUSES];
        for &(mv, margin) in &solution.moves {
            moves[mv.house.index()] = Some(margin);
        }
        let is_read = drawn.board.seeds_in_play() <= tablebase_seeds;
        let source = if is_read { Source::Tablebase } else { Source::Solver };
        Row { drawn, margin: solution.margin, moves, source }
    }

    /// A row from some of its columns; the others follow from them.
    pub(crate) fn from_columns(
        drawn: DrawnBoard,
        margin: i64,
        moves: impl Iterator<Item = Option<i64>>,
        tablebase_seeds: u32,
    ) -> anyhow::Result<Row> {
        let possible = drawn.board.possible_margins(drawn.board.side());
        let small = |margin| {
            let small = i32::try_from(margin).ok().filter(|margin| possible.contains(margin));
            small.with_context(|| format!("play cannot end with the margin {margin}"))
        };
        let mut solution = Solution { margin: small(margin)?, ..Solution::default() };
        for (house, margin) in (0..MAX_HOUSES).filter_map(House::new).zip(moves) {
            if let Some(margin) = margin {
                solution.moves.push((drawn.board.move_from(house), small(margin)?));
            }
        }
        let legal = drawn.board.moves().eq(solution.moves.iter().map(|(mv, _)| *mv));
        ensure!(legal, "the moves with a margin are not the legal ones");
        let best = solution.moves.iter().map(|(_, margin)| *margin).max();
        ensure!(best == Some(solution.margin), "the best move has another margin");
        Ok(Row::new(drawn, &solution, tablebase_seeds))
    }

    /// The letters of the best moves, from the mover's left.
    fn best(&self) -> String {
        let board = &self.drawn.board;
        let is_best = |mv: &Move| self.moves[mv.house.index()] == Some(self.margin);
        board.moves().filter(is_best).map(Move::letter).collect()
    }
}

//! A row of a dataset, and its columns.

use anyhow::ensure;
use kalah::board::{Board, House, MAX_HOUSES, Move, splitmix64};
use kalah::solve::Solution;
use parquet::record::Field;
use strum::{Display, EnumIter, EnumMessage};

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

/// A column. Houses count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumMessage)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Column {
    #[strum(
        message = "the position as text, in the form of the Kalah Game Protocol, with the side to move"
    )]
    Board,
    #[strum(message = "the side to move, `S` or `N`")]
    Side,
    #[strum(message = "the seeds in the houses of both sides")]
    Seeds,
    #[strum(message = "the store of the side to move")]
    OwnStore,
    #[strum(message = "the store of the other side")]
    OpponentStore,
    #[strum(to_string = "own{0}")]
    #[strum(message = "the seeds in the houses of the side to move, from its left")]
    Own(usize),
    #[strum(to_string = "opponent{0}")]
    #[strum(message = "the seeds in the houses of the other side, from that side's left")]
    Opponent(usize),
    #[strum(message = "the margin of the position, which the best moves reach")]
    Margin,
    #[strum(to_string = "move{0}")]
    #[strum(message = "the margin after each move, by the house; null if it is empty")]
    Move(usize),
    #[strum(message = "the letters of the best moves, upper case for South, lower case for North")]
    Best,
    #[strum(message = "how the values were found: `tablebase` or `solver`")]
    Source,
    #[strum(message = "`train`, `validation` or `test`")]
    Split,
    #[strum(message = "the number of the game that the position is from")]
    Game,
}

impl Column {
    /// All columns of a board, in the order of the file.
    pub(crate) fn all(houses: usize) -> Vec<Column> {
        let each = |column: fn(usize) -> Column| (1..=houses).map(column);
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

    /// The value of a row: text, a number of 16 bits, or that of the game. A move that is not legal has none.
    pub(crate) fn value(self, row: &Row) -> Field {
        let board = &row.drawn.board;
        let (own, opponent) = (board.side(), !board.side());
        let small = |number: i32| Field::Short(number as i16);
        match self {
            Column::Board => Field::Str(board.fen()),
            Column::Side => Field::Str(own.to_string()),
            Column::Seeds => small(board.seeds_in_play() as i32),
            Column::OwnStore => small(board.store(own).into()),
            Column::OpponentStore => small(board.store(opponent).into()),
            Column::Own(house) => small(board.houses(own)[house - 1].into()),
            Column::Opponent(house) => small(board.houses(opponent)[house - 1].into()),
            Column::Margin => small(row.margin),
            Column::Move(house) => row.moves[house - 1].map_or(Field::Null, small),
            Column::Best => Field::Str(row.best()),
            Column::Source => Field::Str(row.source.to_string()),
            Column::Split => Field::Str(Split::of_board(board).to_string()),
            Column::Game => Field::Long(row.drawn.game as i64),
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
        margin: i32,
        moves: impl Iterator<Item = Option<i32>>,
        tablebase_seeds: u32,
    ) -> anyhow::Result<Row> {
        let possible = drawn.board.possible_margins(drawn.board.side());
        let mut solution = Solution { margin, ..Solution::default() };
        for (house, margin) in (0..MAX_HOUSES).filter_map(House::new).zip(moves) {
            solution.moves.extend(margin.map(|margin| (drawn.board.move_from(house), margin)));
        }
        for margin in solution.moves.iter().map(|(_, margin)| *margin).chain([margin]) {
            ensure!(possible.contains(&margin), "play cannot end with the margin {margin}");
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

//! The position a search begins with.

use super::kalah_game::Houses;
use crate::board::{Board, House, Position, RowTables, Sowings};

/// The position to search, in the forms that it is needed in, and the moves to choose from.
pub(super) struct Root<'a, R: RowTables> {
    pub board: &'a Board,
    pub sowings: &'static Sowings<R>,
    pub houses: Houses<R>,
    /// The moves to choose from.
    pub moves: Vec<House>,
    /// The legal moves that are not among them.
    pub excluded: Vec<House>,
}

impl<'a, R: RowTables> Root<'a, R> {
    /// The root of a search for the best of `searchmoves`, or of all moves when there are none.
    pub(super) fn new(
        board: &'a Board,
        sowings: &'static Sowings<R>,
        position: Position<R>,
        searchmoves: &[House],
    ) -> Root<'a, R> {
        let (moves, excluded): (Vec<House>, Vec<House>) =
            board.moves().partition(|house| searchmoves.is_empty() || searchmoves.contains(house));
        Root {
            board,
            sowings,
            houses: Houses { position, seeds: board.seeds_in_play() as i32 },
            moves,
            excluded,
        }
    }
}

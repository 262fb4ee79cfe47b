//! The position a search begins with.

use crate::board::{Board, House, Position, RowTables, Sowings};

/// The position to search, in the forms that it is needed in, and the moves to choose from.
pub(super) struct Root<'a, R: RowTables> {
    pub board: &'a Board,
    pub sowings: &'static Sowings<R>,
    pub position: Position<R>,
    /// Seeds in the houses.
    pub seeds: i32,
    /// The moves to choose from.
    pub moves: Vec<House>,
    /// The legal moves that are not among them.
    pub excluded: HouseSet,
}

/// A set of houses, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HouseSet(u16);

impl HouseSet {
    pub(super) fn contains(self, house: House) -> bool {
        self.0 >> house.index() & 1 == 1
    }

    pub(super) fn insert(&mut self, house: House) {
        self.0 |= 1 << house.index();
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<House> for HouseSet {
    fn from_iter<I: IntoIterator<Item = House>>(houses: I) -> HouseSet {
        let mut set = HouseSet::default();
        houses.into_iter().for_each(|house| set.insert(house));
        set
    }
}

impl<'a, R: RowTables> Root<'a, R> {
    /// The root of a search for the best of `searchmoves`, or of all moves when there are none.
    pub(super) fn new(
        board: &'a Board,
        sowings: &'static Sowings<R>,
        position: Position<R>,
        searchmoves: &[House],
    ) -> Root<'a, R> {
        let (moves, others): (Vec<House>, Vec<House>) =
            board.moves().partition(|house| searchmoves.is_empty() || searchmoves.contains(house));
        Root {
            board,
            sowings,
            position,
            seeds: board.seeds_in_play() as i32,
            moves,
            excluded: others.into_iter().collect(),
        }
    }
}

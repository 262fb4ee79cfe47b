//! The whole board: houses, stores and the player to move.

use crate::printable::counted;
use std::ops::RangeInclusive;

use thiserror::Error;

use super::house::{House, Move, Side};
use super::position::{Next, Position};
use super::row::Row;
use super::rules::{HousesOutOfRange, MAX_HOUSES, Rules};
use super::sowing::{RowTables, Sowings};

/// Maximum number of seeds on a board, in houses and stores together.
pub const MAX_SEEDS: u32 = <u128 as Row>::MAX_SEEDS;

/// A board: the houses and stores of both players, the player to move, and the rules.
///
/// Searches play on a [`Position`] instead, which [`Board::position`] returns.
///
/// ```
/// use kalah::board::Next;
/// use kalah::{Board, Rules, Side};
///
/// let mut board = Board::start(Rules::default(), 4)?;
/// assert_eq!(board.play("C".parse()?)?, Next::Again); // the last of four seeds falls into the store
/// assert_eq!(board.fen(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
/// assert_eq!(board.store(Side::South), 1);
///
/// while let Some(mv) = board.moves().next() {
///     board.play(mv)?;
/// }
/// assert!(board.is_over());
/// assert_eq!(board.result(), Some(20)); // South wins by 20 seeds
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rules: Rules,
    side: Side,
    /// By side, then from the owner's left; unused houses stay 0.
    houses: [[u16; MAX_HOUSES]; 2],
    stores: [u16; 2],
}

/// A board that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// The number of houses is out of range.
    #[error(transparent)]
    Houses(#[from] HousesOutOfRange),
    /// A side has another number of houses than the rules.
    #[error("{} on one side, but the rules have {expected}", counted(*found, "house"))]
    HouseCount {
        /// Houses a side of the rules.
        expected: usize,
        /// Houses given.
        found: usize,
    },
    /// A game that would be over before its first move.
    #[error("no seeds in the houses, but a game begins with at least 1 in each")]
    NoSeeds,
    /// There are too many seeds.
    #[error("{0} seeds on the board, but at most {MAX_SEEDS} are possible")]
    TooManySeeds(u32),
}

/// A move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The board does not have this house.
    #[error("the board has no house {0}")]
    NoSuchHouse(Move),
    /// The house belongs to the player who is not to move.
    #[error("house {0} belongs to the player who is not to move")]
    NotToMove(Move),
    /// The house is empty.
    #[error("house {0} is empty")]
    EmptyHouse(Move),
}

/// The [`Position`] of a board, in the narrowest row that holds it.
#[derive(Clone, Copy, Debug)]
pub enum AnyPosition {
    /// Up to 8 houses a side and 255 seeds, in the faster row.
    Narrow(&'static Sowings<u64>, Position<u64>),
    /// Up to 12 houses a side and 1,023 seeds.
    Wide(&'static Sowings<u128>, Position<u128>),
}

impl AnyPosition {
    /// The position in the faster row, the only one that there are tables for.
    pub(crate) fn narrow(self) -> Option<Position<u64>> {
        match self {
            AnyPosition::Narrow(_, position) => Some(position),
            AnyPosition::Wide(..) => None,
        }
    }
}

impl Board {
    /// The start of a game: `seeds` in every house, South to move.
    ///
    /// # Errors
    /// Returns an error if `seeds` is 0, or if there are more than [`MAX_SEEDS`] in all.
    pub fn start(rules: Rules, seeds: u16) -> Result<Board, BoardError> {
        if seeds == 0 {
            return Err(BoardError::NoSeeds);
        }
        let side = vec![seeds; rules.houses()];
        Board::new(rules, [&side, &side], [0, 0], Side::South)
    }

    /// Any board, given the seeds in the houses, from each owner's left, and stores of South and North.
    ///
    /// # Errors
    /// Returns an error if a side has another number of houses than the rules, or if there are more
    /// than [`MAX_SEEDS`] in all.
    pub fn new(
        rules: Rules,
        houses: [&[u16]; 2],
        stores: [u16; 2],
        side: Side,
    ) -> Result<Board, BoardError> {
        let mut board = Board { rules, side, houses: [[0; MAX_HOUSES]; 2], stores };
        for side in Side::ALL {
            let given = houses[side.index()];
            if given.len() != rules.houses() {
                let (expected, found) = (rules.houses(), given.len());
                return Err(BoardError::HouseCount { expected, found });
            }
            board.houses[side.index()][..given.len()].copy_from_slice(given);
        }
        match board.seeds() {
            seeds if seeds > MAX_SEEDS => Err(BoardError::TooManySeeds(seeds)),
            _ => Ok(board),
        }
    }

    /// A position as a board, with South to move and empty stores.
    pub(crate) fn from_position<R: RowTables>(rules: Rules, position: &Position<R>) -> Board {
        let houses = [[0; MAX_HOUSES]; 2];
        let mut board = Board { rules, side: Side::South, houses, stores: [0, 0] };
        board.set_houses(position);
        board
    }

    /// The same houses as the player to move sees them, with South to move and empty stores.
    pub(crate) fn without_stores(&self) -> Board {
        let houses = [self.side, !self.side].map(|side| self.houses[side.index()]);
        Board { rules: self.rules, side: Side::South, houses, stores: [0, 0] }
    }

    /// The rules of the game.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The player to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The seeds in each house of a player, from the player's left.
    pub fn houses(&self, side: Side) -> &[u16] {
        &self.houses[side.index()][..self.rules.houses()]
    }

    /// The seeds in the store of a player.
    pub fn store(&self, side: Side) -> u16 {
        self.stores[side.index()]
    }

    /// The seeds in the houses of both players.
    pub fn seeds_in_play(&self) -> u32 {
        Side::ALL.into_iter().map(|side| self.seeds_of(side)).sum()
    }

    fn seeds_of(&self, side: Side) -> u32 {
        self.houses(side).iter().map(|&seeds| u32::from(seeds)).sum()
    }

    /// All seeds, in the houses and in the stores.
    pub fn seeds(&self) -> u32 {
        self.seeds_in_play() + self.stores.iter().map(|&seeds| u32::from(seeds)).sum::<u32>()
    }

    /// Whether the game is over: a side has no seeds in its houses.
    pub fn is_over(&self) -> bool {
        Side::ALL.into_iter().any(|side| self.seeds_of(side) == 0)
    }

    /// The mover's store less the opponent's store, in seeds.
    pub fn store_difference(&self) -> i32 {
        i32::from(self.store(self.side)) - i32::from(self.store(!self.side))
    }

    /// The margins, in seeds from the view of a side, between which every end of the game lies.
    ///
    /// ```
    /// use kalah::{Board, Rules, Side};
    ///
    /// let board = Board::from_fen("<2,5,0,1,2,1,1> S", Rules::default().rule_set())?;
    /// assert_eq!(board.possible_margins(Side::South), 0..=10);
    /// assert_eq!(board.possible_margins(Side::North), -10..=0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn possible_margins(&self, side: Side) -> RangeInclusive<i32> {
        let difference = i32::from(self.store(side)) - i32::from(self.store(!side));
        let seeds = self.seeds_in_play().cast_signed();
        difference - seeds..=difference + seeds
    }

    /// The final margin in seeds, from the view of South: South's store less North's, with the seeds
    /// left in the houses counted for their owners. `None` if the game is not over.
    pub fn result(&self) -> Option<i32> {
        let final_store =
            |side: Side| (u32::from(self.store(side)) + self.seeds_of(side)).cast_signed();
        self.is_over().then(|| final_store(Side::South) - final_store(Side::North))
    }

    /// The [`result`](Self::result) from the view of a side.
    pub fn result_for(&self, side: Side) -> Option<i32> {
        self.result().map(|result| side.sign() * result)
    }

    /// The legal moves, from the left of the player to move; none if the game is over.
    pub fn moves(&self) -> impl Iterator<Item = Move> + use<> {
        let Board { side, houses, .. } = *self;
        let lanes = if self.is_over() { 0 } else { self.rules.houses() };
        let occupied = (0..lanes).filter(move |&lane| houses[side.index()][lane] > 0);
        occupied.map(move |lane| Move { side, house: House::from_lane(lane) })
    }

    /// The legal moves, in the same order, with the boards after them.
    ///
    /// ```
    /// use kalah::{Board, Rules};
    ///
    /// let board = Board::start(Rules::default(), 4)?;
    /// let again = board.successors().filter(|(_, after)| after.side() == board.side());
    /// assert_eq!(again.map(|(mv, _)| mv.letter()).collect::<String>(), "C");
    /// # Ok::<(), kalah::board::BoardError>(())
    /// ```
    pub fn successors(&self) -> impl Iterator<Item = (Move, Board)> + use<> {
        let board = *self;
        board.moves().filter_map(move |mv| {
            let mut after = board;
            after.play(mv).is_ok().then_some((mv, after))
        })
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.moves().any(|legal| legal == mv)
    }

    /// The move of the player to move that sows this house.
    pub fn move_from(&self, house: House) -> Move {
        Move { side: self.side, house }
    }

    /// The moves that sow these houses one after the other, up to the first that is illegal.
    pub(crate) fn line_from(&self, houses: impl IntoIterator<Item = House>) -> Vec<Move> {
        let mut board = *self;
        let play = |house| {
            let mv = board.move_from(house);
            board.play(mv).is_ok().then_some(mv)
        };
        houses.into_iter().map_while(play).collect()
    }

    /// Plays a move, and returns who moves next.
    ///
    /// # Errors
    /// Returns an error if the move is illegal; the board is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<Next, IllegalMove> {
        let Move { side, house } = mv;
        if house.index() >= self.rules.houses() {
            return Err(IllegalMove::NoSuchHouse(mv));
        }
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        if side != self.side {
            return Err(IllegalMove::NotToMove(mv));
        }
        if self.houses(side)[house.index()] == 0 {
            return Err(IllegalMove::EmptyHouse(mv));
        }
        Ok(match self.position() {
            AnyPosition::Narrow(sowings, position) => self.play_in(sowings, position, house),
            AnyPosition::Wide(sowings, position) => self.play_in(sowings, position, house),
        })
    }

    fn play_in<R: RowTables>(
        &mut self,
        sowings: &Sowings<R>,
        position: Position<R>,
        house: House,
    ) -> Next {
        let played = position.play(sowings, house);
        let mover = self.side;
        self.stores[mover.index()] += played.banked as u16;
        self.stores[(!mover).index()] += played.conceded as u16;
        if played.next == Next::Other {
            self.side = !mover;
        }
        self.set_houses(&played.position);
        played.next
    }

    /// Takes the seeds in the houses from a position, which the player to move sees.
    fn set_houses<R: RowTables>(&mut self, position: &Position<R>) {
        for lane in 0..self.rules.houses() {
            let house = House::from_lane(lane);
            self.houses[self.side.index()][lane] = position.own(house) as u16;
            self.houses[(!self.side).index()][lane] = position.opponent(house) as u16;
        }
    }

    /// The houses seen from the player to move, for a search.
    pub fn position(&self) -> AnyPosition {
        if let Some(sowings) = Sowings::from_rules(self.rules)
            && let Some(position) = self.position_in(sowings)
        {
            return AnyPosition::Narrow(sowings, position);
        }
        let (own, opponent) = (self.houses(self.side), self.houses(!self.side));
        AnyPosition::Wide(Sowings::widest(self.rules), Position::from_houses(own, opponent))
    }

    /// The houses seen from the player to move, in the row of these sowings; `None` if it holds fewer seeds.
    pub(crate) fn position_in<R: RowTables>(&self, sowings: &Sowings<R>) -> Option<Position<R>> {
        Position::new(sowings, self.houses(self.side), self.houses(!self.side))
    }

    /// The Zobrist key of the houses seen from the player to move; see [`Position::key`].
    pub fn key(&self) -> u64 {
        match self.position() {
            AnyPosition::Narrow(sowings, position) => position.key(sowings),
            AnyPosition::Wide(sowings, position) => position.key(sowings),
        }
    }

    /// Returns the number of leaves `depth` plies below. A finished game is one leaf at any depth.
    ///
    /// Every leaf is played, not counted with its parent's moves, to test and time all of [`Position::play`].
    pub fn perft(&self, depth: u32) -> u64 {
        match self.position() {
            AnyPosition::Narrow(sowings, position) => position.perft(sowings, depth),
            AnyPosition::Wide(sowings, position) => position.perft(sowings, depth),
        }
    }
}

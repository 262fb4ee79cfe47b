//! The whole board: houses, stores and the player to move.

use thiserror::Error;

use super::house::{House, Move, Side};
use super::perft::{perft, perft_until};
use super::position::{Next, Position};
use super::row::Row;
use super::rules::{HousesOutOfRange, MAX_HOUSES, Rules};
use super::sowing::{RowTables, Sowings};

/// Seeds on the largest board, houses and stores together.
pub const MAX_SEEDS: u32 = <u128 as Row>::MAX_SEEDS;

/// A board as people see it: the houses and stores of both players and who is to move.
///
/// For play inside a search see [`Position`], which this is turned into.
///
/// ```
/// use kalah::board::{Board, House, Next, Rules, Side};
///
/// let mut board = Board::start(Rules::default(), 4)?;
/// let c = House::from_letter('C').ok_or("no such house")?;
/// assert_eq!(board.play(c)?, Next::Again); // the last of four seeds falls into the store
/// assert_eq!(board.fen(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
/// assert_eq!(board.store(Side::South), 1);
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

/// A board that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// The number of houses is none the rules know.
    #[error(transparent)]
    Houses(#[from] HousesOutOfRange),
    /// A side has more or fewer houses than the rules say.
    #[error("{found} houses on one side where the rules have {expected}")]
    HouseCount {
        /// Houses a side by the rules.
        expected: usize,
        /// Houses given.
        found: usize,
    },
    /// The board holds too many seeds.
    #[error("{0} seeds on the board: it holds at most {MAX_SEEDS}")]
    TooManySeeds(u32),
}

/// A move that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The house is not on this board.
    #[error("the board has no house {0}")]
    NoSuchHouse(char),
    /// There is nothing to sow.
    #[error("house {0} is empty")]
    EmptyHouse(char),
}

/// The houses of a board in the narrowest rows that hold it.
#[derive(Clone, Copy, Debug)]
pub enum AnyPosition {
    /// Up to 8 houses a side and 255 seeds: the fast rows.
    Narrow(&'static Sowings<u64>, Position<u64>),
    /// Up to 12 houses a side and 1,023 seeds.
    Wide(&'static Sowings<u128>, Position<u128>),
}

impl Board {
    /// The start of a game: `seeds` in every house, South to move.
    ///
    /// # Errors
    /// When the board would hold more than [`MAX_SEEDS`].
    pub fn start(rules: Rules, seeds: u16) -> Result<Board, BoardError> {
        let side = vec![seeds; rules.houses()];
        Board::new(rules, [&side, &side], [0, 0], Side::South)
    }

    /// Any board: the houses and stores of South and North, each side from its own left.
    ///
    /// # Errors
    /// When a side has not as many houses as the rules say, or the board holds more than
    /// [`MAX_SEEDS`].
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
        match board.total_seeds() {
            total if total > MAX_SEEDS => Err(BoardError::TooManySeeds(total)),
            _ => Ok(board),
        }
    }

    /// The rules this board is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The player to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Seeds in the houses of a player, from the player's left.
    pub fn houses(&self, side: Side) -> &[u16] {
        &self.houses[side.index()][..self.rules.houses()]
    }

    /// Seeds in the store of a player.
    pub fn store(&self, side: Side) -> u16 {
        self.stores[side.index()]
    }

    /// Seeds in the houses of both players.
    pub fn seeds_in_play(&self) -> u32 {
        Side::ALL.into_iter().map(|side| self.seeds_of(side)).sum()
    }

    fn seeds_of(&self, side: Side) -> u32 {
        self.houses(side).iter().map(|&seeds| u32::from(seeds)).sum()
    }

    fn total_seeds(&self) -> u32 {
        self.seeds_in_play() + self.stores.iter().map(|&seeds| u32::from(seeds)).sum::<u32>()
    }

    /// Whether a side has run out of seeds.
    pub fn is_over(&self) -> bool {
        Side::ALL.into_iter().any(|side| self.seeds_of(side) == 0)
    }

    /// The mover's store less the opponent's, in seeds.
    pub fn store_difference(&self) -> i32 {
        i32::from(self.store(self.side)) - i32::from(self.store(!self.side))
    }

    /// The result of a finished game in seeds, from the view of South: its store less North's,
    /// seeds left in the houses going to their owners. `None` while the game goes on.
    pub fn result(&self) -> Option<i32> {
        let final_store =
            |side: Side| (u32::from(self.store(side)) + self.seeds_of(side)).cast_signed();
        self.is_over().then(|| final_store(Side::South) - final_store(Side::North))
    }

    /// The houses the player to move can sow, from the left; none when the game is over.
    pub fn moves(&self) -> impl Iterator<Item = House> + use<'_> {
        let over = self.is_over();
        let houses = self.houses(self.side).iter().enumerate();
        houses.filter(move |&(_, &seeds)| !over && seeds > 0).map(|(lane, _)| House::of_lane(lane))
    }

    /// Sows a house of the player to move; tells who moves next.
    ///
    /// # Errors
    /// When the rules forbid it; the board is then as it was.
    pub fn play(&mut self, house: House) -> Result<Next, IllegalMove> {
        let letter = house.letter(self.side);
        if house.index() >= self.rules.houses() {
            return Err(IllegalMove::NoSuchHouse(letter));
        }
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        if self.houses(self.side)[house.index()] == 0 {
            return Err(IllegalMove::EmptyHouse(letter));
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
        for lane in 0..self.rules.houses() {
            let house = House::of_lane(lane);
            self.houses[self.side.index()][lane] = played.position.own(house) as u16;
            self.houses[(!self.side).index()][lane] = played.position.opponent(house) as u16;
        }
        played.next
    }

    /// The houses as the player to move sees them, in the rows that a search is quickest on.
    pub fn position(&self) -> AnyPosition {
        fn in_rows<R: RowTables>(board: &Board) -> Option<(&'static Sowings<R>, Position<R>)> {
            let sowings = Sowings::of(board.rules)?;
            let (own, opponent) = (board.houses(board.side), board.houses(!board.side));
            Some((sowings, Position::new(sowings, own, opponent)?))
        }
        if let Some((sowings, position)) = in_rows::<u64>(self) {
            return AnyPosition::Narrow(sowings, position);
        }
        match in_rows::<u128>(self) {
            Some((sowings, position)) => AnyPosition::Wide(sowings, position),
            None => unreachable!("the largest rows hold every board that can be made"),
        }
    }

    /// The key of the houses as the mover sees them; see [`Position::key`].
    pub fn key(&self) -> u64 {
        match self.position() {
            AnyPosition::Narrow(_, position) => position.key(),
            AnyPosition::Wide(_, position) => position.key(),
        }
    }

    /// The number of leaves `depth` plies below; see [`crate::board::perft()`].
    pub fn perft(&self, depth: u32) -> u64 {
        match self.position() {
            AnyPosition::Narrow(sowings, position) => perft(sowings, &position, depth),
            AnyPosition::Wide(sowings, position) => perft(sowings, &position, depth),
        }
    }

    /// [`Board::perft`], telling the leaves below each move of this board as they are counted.
    /// `None` when `stopped` said to give up.
    pub fn divide(
        &self,
        depth: u32,
        stopped: &dyn Fn() -> bool,
        each: &mut dyn FnMut(Move, u64),
    ) -> Option<u64> {
        if depth == 0 || self.is_over() {
            return Some(1);
        }
        let mut total = 0;
        for house in self.moves() {
            let mut after = *self;
            // Moves of a board can be played on it.
            let _ = after.play(house);
            let leaves = match after.position() {
                AnyPosition::Narrow(sowings, position) => {
                    perft_until(sowings, &position, depth - 1, stopped)
                }
                AnyPosition::Wide(sowings, position) => {
                    perft_until(sowings, &position, depth - 1, stopped)
                }
            }?;
            each(Move { side: self.side, house }, leaves);
            total += leaves;
        }
        Some(total)
    }
}

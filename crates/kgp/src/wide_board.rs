//! A board of any size, seen from the player to move: what a server may send, and what it rules.

use std::fmt::{self, Display};
use std::str::FromStr;

use thiserror::Error;

use kalah::board::{Board, Capture, Move, Side};

/// Houses and stores as the protocol writes them. The receiver of a board is always South, and always to
/// move. Numbers of houses and seeds are not limited to those of a [`Board`].
///
/// The rules are those of the server go-kgp: the `standard` capture, and the game also ends when a store
/// has more than half of all seeds.
///
/// ```
/// use kalah_kgp::WideBoard;
///
/// let board: WideBoard = "<3,0,0,3,3,3,3,3,3>".parse()?;
/// assert_eq!(board.moves().collect::<Vec<_>>(), [0, 1, 2]);
/// let played = board.play(0).ok_or("illegal")?;
/// assert!(played.is_extra_turn);
/// assert_eq!(played.board.to_string(), "<3,1,0,0,4,4,3,3,3>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WideBoard {
    /// Seeds in the order of sowing: South's houses and store, North's houses and store.
    pits: Vec<u64>,
}

/// A text is not a board of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a board of the Kalah Game Protocol")]
pub struct WideBoardError;

/// A move on a [`WideBoard`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WidePlay {
    /// The board after it, from the view of the same player. At the end of the game the seeds left in
    /// the houses are in the stores of their owners.
    pub board: WideBoard,
    /// Whether the last seed fell into the store, which is an extra turn unless the game is over.
    pub is_extra_turn: bool,
}

impl WideBoard {
    /// The board with these seeds: in the stores of South and North, then in South's houses and in
    /// North's; `None` if there are no houses, not as many on both sides, or too many seeds.
    pub fn new(seeds: &[u64]) -> Option<WideBoard> {
        let (stores, houses) = seeds.split_at_checked(2)?;
        let (south, north) = houses.split_at(houses.len() / 2);
        if south.is_empty() || south.len() != north.len() {
            return None;
        }
        // So that no sum overflows later.
        let total = seeds.iter().try_fold(0u64, |sum, &seeds| sum.checked_add(seeds));
        total.filter(|&total| total <= u64::MAX / 4)?;
        Some(WideBoard { pits: [south, &stores[..1], north, &stores[1..]].concat() })
    }

    /// Houses a side.
    pub fn houses(&self) -> usize {
        self.pits.len() / 2 - 1
    }

    /// The stores of South and North, in seeds.
    pub fn stores(&self) -> [u64; 2] {
        [self.pits[self.houses()], self.pits[2 * self.houses() + 1]]
    }

    /// The seeds in the houses of South and of North.
    fn sides(&self) -> [&[u64]; 2] {
        let (south, north) = self.pits.split_at(self.houses() + 1);
        [south, north].map(|side| &side[..self.houses()])
    }

    /// All seeds, in houses and stores.
    pub fn total_seeds(&self) -> u64 {
        self.pits.iter().sum()
    }

    /// Whether the houses of a side are empty, or a store has more than half of the seeds.
    pub fn is_over(&self) -> bool {
        let half = self.total_seeds() / 2;
        self.sides().iter().any(|side| side.iter().all(|&seeds| seeds == 0))
            || self.stores().iter().any(|&store| store > half)
    }

    /// South's moves, as indices of houses from South's left; none if the game is over.
    pub fn moves(&self) -> impl Iterator<Item = usize> {
        let houses = if self.is_over() { 0 } else { self.houses() };
        (0..houses).filter(|&house| self.pits[house] > 0)
    }

    /// South sows a house; `None` if the move is illegal.
    pub fn play(&self, house: usize) -> Option<WidePlay> {
        if self.is_over() { None } else { self.sow(house) }
    }

    /// The sowing alone, also on a board on which the game is over; `None` if the house is empty.
    pub fn sow(&self, house: usize) -> Option<WidePlay> {
        let size = self.houses();
        let seeds = *self.pits[..size].get(house).filter(|&&seeds| seeds > 0)?;
        // All but North's store, which is the last pit.
        let places = 2 * size + 1;
        let (laps, rest) = (seeds / places as u64, (seeds % places as u64) as usize);
        let mut pits = self.pits.clone();
        pits[house] = 0;
        for step in 1..=places {
            pits[(house + step) % places] += laps + u64::from(step <= rest);
        }
        let last = (house + rest) % places;
        if last < size && pits[last] == 1 && pits[2 * size - last] > 0 {
            pits[size] += 1 + std::mem::take(&mut pits[2 * size - last]);
            pits[last] = 0;
        }
        let mut board = WideBoard { pits };
        if board.is_over() {
            let swept = board.sides().map(|side| side.iter().sum::<u64>());
            let [south, north] = board.stores();
            board.pits.fill(0);
            (board.pits[size], board.pits[places]) = (south + swept[0], north + swept[1]);
        }
        Some(WidePlay { board, is_extra_turn: last == size })
    }

    /// The legal move that looks best at once: the one after which South's store holds the most, an extra
    /// turn counting as a seed; of several the rightmost. For those who have no time to search.
    pub fn greedy_move(&self) -> Option<usize> {
        let worth = |house| {
            let played = self.play(house)?;
            Some(played.board.stores()[0].saturating_add(played.is_extra_turn.into()))
        };
        self.moves().max_by_key(|&house| worth(house))
    }

    /// The board for the engine, with South to move; `None` if it has too many houses or seeds.
    pub fn to_board(&self) -> Option<Board> {
        Board::from_fen(&self.to_string(), Capture::Standard).ok()
    }
}

/// The board as the player to move receives it.
impl From<&Board> for WideBoard {
    fn from(board: &Board) -> WideBoard {
        let pits = [board.side(), !board.side()].into_iter().flat_map(|side| {
            board.houses(side).iter().copied().chain([board.store(side)]).map(u64::from)
        });
        WideBoard { pits: pits.collect() }
    }
}

impl Display for WideBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.houses())?;
        for seeds in self.stores().iter().chain(self.sides().concat().iter()) {
            write!(f, ",{seeds}")?;
        }
        f.write_str(">")
    }
}

impl FromStr for WideBoard {
    type Err = WideBoardError;

    fn from_str(text: &str) -> Result<WideBoard, WideBoardError> {
        let inner = text.trim().strip_prefix('<').and_then(|text| text.strip_suffix('>'));
        let numbers = inner.ok_or(WideBoardError)?.split(',').map(|field| {
            let field = field.trim();
            let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
            field.parse().ok().filter(|_| is_number).ok_or(WideBoardError)
        });
        let numbers = numbers.collect::<Result<Vec<u64>, _>>()?;
        let board = WideBoard::new(numbers.get(1..).unwrap_or_default());
        board.filter(|board| board.houses() as u64 == numbers[0]).ok_or(WideBoardError)
    }
}

/// The margin for South if the game is over by the rules of the server, as [`WideBoard::is_over`] has them.
pub(crate) fn final_margin(board: &Board) -> Option<i32> {
    let [south, north] = Side::ALL.map(|side| {
        let houses = board.houses(side).iter().copied().map(i32::from);
        houses.sum::<i32>() + i32::from(board.store(side))
    });
    WideBoard::from(board).is_over().then_some(south - north)
}

/// Whether South is asked for a move: it has a choice. A single move is played by the server.
pub(crate) fn is_asked(board: &Board) -> bool {
    board.side() == Side::South && board.moves().nth(1).is_some()
}

/// The move of a player who has no other.
pub(crate) fn only_move(board: &Board) -> Option<Move> {
    let mut moves = board.moves();
    moves.next().filter(|_| moves.next().is_none())
}

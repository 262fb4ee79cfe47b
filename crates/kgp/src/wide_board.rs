//! A board of any size, seen from the player to move: what a server may send, and what it rules.

use std::fmt::{self, Display};
use std::str::FromStr;

use thiserror::Error;

use kalah::board::{Board, Capture};

/// Houses a side: more than fit into a line of the protocol.
const MAX_WIDE_HOUSES: usize = 10_000;

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
    /// South's and North's.
    stores: [u64; 2],
    /// South's and North's, each from its owner's left; as many for both.
    houses: [Vec<u64>; 2],
}

/// A text is not a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a board")]
pub struct NotAWideBoard;

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
    /// The start of a game.
    pub fn start(houses: usize, seeds: u64) -> WideBoard {
        let side = vec![seeds; houses];
        WideBoard { stores: [0, 0], houses: [side.clone(), side] }
    }

    /// Houses a side.
    pub fn houses(&self) -> usize {
        self.houses[0].len()
    }

    /// The stores of South and North, in seeds.
    pub fn stores(&self) -> [u64; 2] {
        self.stores
    }

    /// All seeds, in houses and stores.
    pub fn total_seeds(&self) -> u64 {
        self.stores.iter().chain(self.houses.iter().flatten()).sum()
    }

    /// Whether the game is over: the houses of a side are empty, or a store has more than half of the
    /// seeds.
    pub fn is_over(&self) -> bool {
        let is_empty = |houses: &Vec<u64>| houses.iter().all(|&seeds| seeds == 0);
        self.houses.iter().any(is_empty) || self.has_majority()
    }

    /// Whether a store has more than half of the seeds.
    pub fn has_majority(&self) -> bool {
        let half = self.total_seeds() / 2;
        self.stores.iter().any(|&store| store > half)
    }

    /// South's moves, as indices of houses from South's left; none if the game is over.
    pub fn moves(&self) -> impl Iterator<Item = usize> {
        let is_over = self.is_over();
        let occupied = self.houses[0].iter().enumerate().filter(|&(_, &seeds)| seeds > 0);
        occupied.map(|(house, _)| house).filter(move |_| !is_over)
    }

    /// South sows a house; `None` if the move is illegal.
    pub fn play(&self, house: usize) -> Option<WidePlay> {
        if self.is_over() {
            return None;
        }
        self.sow(house)
    }

    /// The sowing alone, also on a board on which the game is over; `None` if the house is empty.
    pub fn sow(&self, house: usize) -> Option<WidePlay> {
        let seeds = *self.houses[0].get(house)?;
        if seeds == 0 {
            return None;
        }
        let size = self.houses();
        // South's houses, South's store, North's houses.
        let places = 2 * size + 1;
        let (laps, rest) = (seeds / places as u64, (seeds % places as u64) as usize);
        let mut board = self.clone();
        board.houses[0][house] = 0;
        for step in 1..=places {
            let more = laps + u64::from(step <= rest);
            *board.place((house + step) % places) += more;
        }
        let last = (house + rest) % places;
        let is_extra_turn = last == size;
        let captured = size.checked_sub(last + 1).map(|opposite| board.houses[1][opposite]);
        if let Some(captured @ 1..) = captured
            && board.houses[0][last] == 1
        {
            board.stores[0] += captured + 1;
            board.houses[0][last] = 0;
            board.houses[1][size - 1 - last] = 0;
        }
        if board.is_over() {
            for side in [0, 1] {
                board.stores[side] += board.houses[side].iter().sum::<u64>();
                board.houses[side].fill(0);
            }
        }
        Some(WidePlay { board, is_extra_turn })
    }

    fn place(&mut self, place: usize) -> &mut u64 {
        let size = self.houses();
        match place {
            place if place < size => &mut self.houses[0][place],
            place if place == size => &mut self.stores[0],
            place => &mut self.houses[1][place - size - 1],
        }
    }

    /// The same board with the sides exchanged, as the other player receives it.
    #[must_use]
    pub fn mirrored(&self) -> WideBoard {
        let ([south, north], [own, other]) = (self.stores, &self.houses);
        WideBoard { stores: [north, south], houses: [other.clone(), own.clone()] }
    }

    /// The legal move that looks best at once: the one after which South's store holds the most, an extra
    /// turn counting as a seed; of several the rightmost. For those who have no time to search.
    pub fn greedy_move(&self) -> Option<usize> {
        let worth = |house| {
            let played = self.play(house)?;
            Some(played.board.stores[0].saturating_add(played.is_extra_turn.into()))
        };
        self.moves().max_by_key(|&house| worth(house))
    }

    /// The board for the engine, with South to move; `None` if it has too many houses or seeds.
    pub fn to_board(&self) -> Option<Board> {
        Board::from_fen(&self.to_string(), Capture::Standard).ok()
    }
}

impl Display for WideBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.houses())?;
        for seeds in self.stores.iter().chain(self.houses.iter().flatten()) {
            write!(f, ",{seeds}")?;
        }
        f.write_str(">")
    }
}

impl FromStr for WideBoard {
    type Err = NotAWideBoard;

    fn from_str(text: &str) -> Result<WideBoard, NotAWideBoard> {
        let inner = text.trim().strip_prefix('<').and_then(|text| text.strip_suffix('>'));
        let mut numbers = inner.ok_or(NotAWideBoard)?.split(',').map(|field| {
            let field = field.trim();
            let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
            field.parse::<u64>().ok().filter(|_| is_number).ok_or(NotAWideBoard)
        });
        let houses = numbers.next().ok_or(NotAWideBoard)??;
        let houses = usize::try_from(houses).map_err(|_| NotAWideBoard)?;
        let numbers: Vec<u64> = numbers.collect::<Result<_, _>>()?;
        let is_complete = numbers.len() == 2 + 2 * houses.min(MAX_WIDE_HOUSES);
        if houses == 0 || houses > MAX_WIDE_HOUSES || !is_complete {
            return Err(NotAWideBoard);
        }
        // So that no sum overflows later.
        let total = numbers.iter().try_fold(0u64, |sum, &seeds| sum.checked_add(seeds));
        total.filter(|&total| total <= u64::MAX / 4).ok_or(NotAWideBoard)?;
        let (south, north) = numbers[2..].split_at(houses);
        Ok(WideBoard { stores: [numbers[0], numbers[1]], houses: [south.to_vec(), north.to_vec()] })
    }
}

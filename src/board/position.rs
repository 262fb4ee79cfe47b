//! Positions for search: the houses seen from the player to move.

use std::hint::black_box;

use super::house::House;
use super::key;
use super::sowing::{RowTables, Sowings};

/// One player's houses with their key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Half<R> {
    row: R,
    key: u64,
}

/// The houses of both players, seen from the player to move.
///
/// The rest of a game depends on nothing else: the stores only shift the result, and whether South
/// or North is to move only names the players. Searches therefore work on positions and *gains*
/// (the part of the margin still to be decided), not on boards.
///
/// A move returns a new position (copy-make): making and unmaking moves in place, with the same
/// sowing table, was 3.6 times as slow.
///
/// ```
/// use kalah::board::{Next, Position, Sowings};
/// use kalah::{House, Rules};
///
/// let sowings = Sowings::<u64>::from_rules(Rules::default()).ok_or("too many houses")?;
/// let position = Position::new(sowings, &[4; 6], &[4; 6]).ok_or("not a position")?;
/// let result = position.play(sowings, House::new(2).ok_or("no such house")?);
/// assert_eq!((result.next, result.banked), (Next::Again, 1));
/// # Ok::<(), &'static str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<R> {
    own: Half<R>,
    opponent: Half<R>,
}

/// Who moves next after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The same player: the last seed fell into the store.
    Again,
    /// The other player.
    Other,
    /// No one: one side ran out of seeds, and each side swept its own.
    Over,
}

/// The result of a move on a [`Position`].
#[derive(Clone, Copy, Debug)]
pub struct MoveResult<R> {
    /// The houses, seen from the player who moves next; empty if the game is over.
    pub position: Position<R>,
    /// Seeds added to the store of the player who moved.
    pub banked: u32,
    /// Seeds added to the other player's store, by the sweep at the end of the game.
    pub conceded: u32,
    /// Who moves next.
    pub next: Next,
}

impl<R> MoveResult<R> {
    /// The change of the store difference, in seeds: those banked less those conceded.
    #[inline]
    pub fn won(&self) -> i32 {
        self.banked as i32 - self.conceded as i32
    }
}

impl<R: RowTables> Position<R> {
    /// The position with these seeds in the mover's and the opponent's houses.
    ///
    /// Returns `None` if a side does not have the number of houses of the rules, or if there are
    /// more seeds than the rows hold: 255 in `u64`, 1,023 in `u128`.
    pub fn new(sowings: &Sowings<R>, own: &[u16], opponent: &[u16]) -> Option<Position<R>> {
        let houses = sowings.rules().houses();
        let total: u32 = own.iter().chain(opponent).map(|&seeds| u32::from(seeds)).sum();
        if own.len() != houses || opponent.len() != houses || total > R::MAX_SEEDS {
            return None;
        }
        let row = |counts: &[u16]| {
            let lane = |(lane, &seeds): (usize, &u16)| R::lane(lane, u32::from(seeds));
            counts.iter().enumerate().map(lane).fold(R::default(), R::plus)
        };
        Some(Position::from_rows(sowings, row(own), row(opponent)))
    }

    /// The position with these rows, which must fit the rules.
    #[inline]
    pub(crate) fn from_rows(sowings: &Sowings<R>, own: R, opponent: R) -> Position<R> {
        let half = |row: R| {
            let key = |lane| key::of_seed(lane).wrapping_mul(u64::from(row.seeds(lane)));
            let empty = key::of_empty_row(sowings.rules());
            Half { row, key: (0..R::MAX_HOUSES).map(key).fold(empty, u64::wrapping_add) }
        };
        Position { own: half(own), opponent: half(opponent) }
    }

    /// Seeds in one of the mover's houses, which has to be one of the board.
    #[inline]
    pub fn own(&self, house: House) -> u32 {
        self.own.row.seeds(house.index())
    }

    /// Seeds in one of the opponent's houses, counted from the opponent's left. It has to be one of the
    /// board.
    #[inline]
    pub fn opponent(&self, house: House) -> u32 {
        self.opponent.row.seeds(house.index())
    }

    #[inline]
    pub(crate) fn own_row(&self) -> R {
        self.own.row
    }

    #[inline]
    pub(crate) fn opponent_row(&self) -> R {
        self.opponent.row
    }

    /// Seeds in the mover's houses.
    #[inline]
    pub fn own_seeds(&self) -> u32 {
        self.own.row.total()
    }

    /// Seeds in the opponent's houses.
    #[inline]
    pub fn opponent_seeds(&self) -> u32 {
        self.opponent.row.total()
    }

    /// Seeds in the houses of both players.
    #[inline]
    pub fn seeds(&self) -> u32 {
        self.own_seeds() + self.opponent_seeds()
    }

    /// Whether a side has run out of seeds.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.own.row.is_empty() || self.opponent.row.is_empty()
    }

    /// The Zobrist key of the rules and the houses seen from the mover. Stores and the side to move
    /// are not part of it. Stable, see [`crate::board::ZOBRIST_SEED`].
    #[inline]
    pub fn key(&self) -> u64 {
        key::combine(self.own.key, self.opponent.key)
    }

    /// The houses that can be sown, from the mover's left.
    #[inline]
    pub fn moves(&self) -> impl ExactSizeIterator<Item = House> + use<R> {
        self.own.row.occupied().map(House::from_lane)
    }

    /// The house number `n`, from 0, of those in [`moves`](Self::moves), for random play.
    #[inline]
    pub fn nth_move(&self, n: usize) -> Option<House> {
        self.own.row.nth_occupied(n).map(House::from_lane)
    }

    /// Plays a move: sows, captures, and sweeps if a side has run out of seeds.
    ///
    /// The house must hold seeds and the game must not be over; otherwise the result is meaningless.
    #[allow(clippy::inline_always)] // perft is 20 % slower without inlining
    #[inline(always)]
    #[must_use]
    pub fn play(&self, sowings: &Sowings<R>, house: House) -> MoveResult<R> {
        debug_assert!(self.own(house) > 0 && !self.is_over());
        let sowing = sowings.get(house.index(), self.own(house));
        let mut own = Half {
            row: self.own.row.plus(sowing.own),
            key: self.own.key.wrapping_add(sowing.own_key),
        };
        let mut opponent = Half {
            row: self.opponent.row.plus(sowing.opponent),
            key: self.opponent.key.wrapping_add(sowing.opponent_key),
        };
        let mut banked = u32::from(sowing.banked);

        let last = u32::from(sowing.last_shift);
        if own.row.seeds_at(last) & u32::from(sowing.last_is_own) == 1 {
            let opposite = sowings.opposite_shifts - last;
            let captured = opponent.row.seeds_at(opposite);
            if captured > 0 || sowings.empty_capture {
                own.row = own.row.minus_at(last, 1);
                own.key = own.key.wrapping_sub(key::of_seed((last / R::LANE_BITS) as usize));
                opponent.row = opponent.row.minus_at(opposite, captured);
                opponent.key = opponent.key.wrapping_sub(
                    key::of_seed((opposite / R::LANE_BITS) as usize)
                        .wrapping_mul(u64::from(captured)),
                );
                banked += captured + 1;
            }
        }

        if own.row.is_empty() || opponent.row.is_empty() {
            let empty = Half { row: R::default(), key: key::of_empty_row(sowings.rules()) };
            return MoveResult {
                position: Position { own: empty, opponent: empty },
                banked: banked + own.row.total(),
                conceded: opponent.row.total(),
                next: Next::Over,
            };
        }
        let (position, next) = if sowing.ends_in_store {
            (Position { own, opponent }, Next::Again)
        } else {
            (Position { own: opponent, opponent: own }, Next::Other)
        };
        MoveResult { position, banked, conceded: 0, next }
    }

    /// Returns the number of leaves `depth` plies below; see [`Board::perft`](crate::board::Board::perft).
    pub fn perft(&self, sowings: &Sowings<R>, depth: u32) -> u64 {
        if depth == 0 || self.is_over() { 1 } else { leaves(sowings, self, depth) }
    }
}

/// The leaves of a position with moves, at a depth of 1 or more.
fn leaves<R: RowTables>(sowings: &Sowings<R>, position: &Position<R>, depth: u32) -> u64 {
    let mut count = 0;
    if depth == 1 {
        for house in position.moves() {
            black_box(&position.play(sowings, house));
            count += 1;
        }
        return count;
    }
    for house in position.moves() {
        let played = position.play(sowings, house);
        count += match played.next {
            Next::Over => 1,
            Next::Again | Next::Other => leaves(sowings, &played.position, depth - 1),
        };
    }
    count
}

//! Positions for search: the houses seen from the player to move.

use std::hint::black_box;

use super::house::House;
use super::key;
use super::row::Row;
use super::rules::Rules;
use super::sowing::{RowTables, SowingEnd, Sowings, SownHouse};

/// The houses of both players, seen from the player to move.
///
/// The rest of a game depends on nothing else: the stores only shift the result, and whether South
/// or North is to move only names the players. Searches therefore work on positions and *gains*
/// (the part of the margin still to be decided), not on boards.
///
/// A move returns a new position (copy-make): making and unmaking moves was 3.6 times as slow.
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
    own: R,
    opponent: R,
}

/// A position with its Zobrist key, which is kept up with the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyedPosition<R> {
    position: Position<R>,
    keys: RowKeys,
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

/// The result of a move on a [`Position`] or a [`KeyedPosition`].
#[derive(Clone, Copy, Debug)]
pub struct MoveResult<P> {
    /// The houses, seen from the player who moves next; empty if the game is over.
    pub position: P,
    /// Seeds added to the store of the player who moved.
    pub banked: u32,
    /// Seeds added to the other player's store, by the sweep at the end of the game.
    pub conceded: u32,
    /// Who moves next.
    pub next: Next,
}

impl<P> MoveResult<P> {
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
        Some(Position::from_houses(own, opponent))
    }

    /// The position with these seeds in the mover's and the opponent's houses, which must fit the rows.
    pub(super) fn from_houses(own: &[u16], opponent: &[u16]) -> Position<R> {
        let row = |counts: &[u16]| {
            let lane = |(lane, &seeds): (usize, &u16)| R::lane(lane, u32::from(seeds));
            counts.iter().enumerate().map(lane).fold(R::default(), R::plus)
        };
        Position::from_rows(row(own), row(opponent))
    }

    /// The position with these rows, which must fit the rules.
    #[inline]
    pub(crate) fn from_rows(own: R, opponent: R) -> Position<R> {
        Position { own, opponent }
    }

    /// Seeds in one of the mover's houses, which has to be one of the board.
    #[inline]
    pub fn own(&self, house: House) -> u32 {
        self.own.seeds(house.index())
    }

    /// Seeds in one of the opponent's houses, counted from the opponent's left, which the board must have.
    #[inline]
    pub fn opponent(&self, house: House) -> u32 {
        self.opponent.seeds(house.index())
    }

    #[inline]
    pub(crate) fn own_row(&self) -> R {
        self.own
    }

    #[inline]
    pub(crate) fn opponent_row(&self) -> R {
        self.opponent
    }

    /// Seeds in the mover's houses.
    #[inline]
    pub fn own_seeds(&self) -> u32 {
        self.own.total()
    }

    /// Seeds in the opponent's houses.
    #[inline]
    pub fn opponent_seeds(&self) -> u32 {
        self.opponent.total()
    }

    /// Seeds in the houses of both players.
    #[inline]
    pub fn seeds(&self) -> u32 {
        self.own_seeds() + self.opponent_seeds()
    }

    /// Whether a side has run out of seeds.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.own.is_empty() || self.opponent.is_empty()
    }

    /// The gain if the game is over: each side keeps its seeds.
    #[inline]
    pub(crate) fn final_gain(&self) -> i32 {
        self.own_seeds() as i32 - self.opponent_seeds() as i32
    }

    /// The Zobrist key of the rules and the houses seen from the mover. Stores and the side to move
    /// are not part of it. Stable, see [`crate::board::ZOBRIST_SEED`].
    pub fn key(&self, sowings: &Sowings<R>) -> u64 {
        KeyedPosition::new(sowings, *self).key()
    }

    /// The Zobrist key of the houses alone, the same under all rules.
    pub(crate) fn houses_key(&self) -> u64 {
        RowKeys::new(self, 0).combined()
    }

    /// The houses that can be sown, from the mover's left.
    #[inline]
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = House> + ExactSizeIterator + use<R> {
        self.own.occupied().map(House::from_lane)
    }

    /// The house number `n`, from 0, of those in [`moves`](Self::moves), for random play.
    #[inline]
    pub fn nth_move(&self, n: usize) -> Option<House> {
        self.own.nth_occupied(n).map(House::from_lane)
    }

    /// Plays a move: sows, captures or sows on, and sweeps if a side has run out of seeds.
    ///
    /// The house must hold seeds and the game must not be over; otherwise the result is meaningless.
    #[allow(clippy::inline_always)] // perft is 20 % slower without inlining
    #[inline(always)]
    #[must_use]
    pub fn play(&self, sowings: &Sowings<R>, house: House) -> MoveResult<Position<R>> {
        self.play_with(sowings, house, ()).0
    }

    #[allow(clippy::inline_always)] // as above
    #[inline(always)]
    fn play_with<K: Keys>(
        &self,
        sowings: &Sowings<R>,
        house: House,
        mut keys: K,
    ) -> (MoveResult<Position<R>>, K) {
        debug_assert!(self.own(house) > 0 && !self.is_over());
        let sown = sowings.get(house.index(), self.own(house));
        let mut own = self.own.plus(sown.own);
        let mut opponent = self.opponent.plus(sown.opponent);
        keys.sow(sown);
        let mut banked = u32::from(sown.banked);

        let last = u32::from(sown.last_shift);
        if own.seeds_at(last) & u32::from(sown.captures) == 1 {
            let opposite = sowings.opposite_shifts - last;
            let captured = opponent.seeds_at(opposite);
            if captured > 0 || sowings.empty_capture {
                own = own.minus_at(last, 1);
                opponent = opponent.minus_at(opposite, captured);
                let lane = |shift| (shift / R::LANE_BITS) as usize;
                keys.capture(lane(last), lane(opposite), captured);
                banked += captured + 1;
            }
        }
        if own.is_empty() || opponent.is_empty() {
            if sown.end != SowingEnd::Relay {
                return end_of_game(sowings, own, opponent, banked);
            }
        } else if sown.end == SowingEnd::Pass {
            let position = Position { own: opponent, opponent: own };
            let result = MoveResult { position, banked, conceded: 0, next: Next::Other };
            return (result, keys.swapped());
        } else if sown.end == SowingEnd::Store {
            let position = Position { own, opponent };
            return (MoveResult { position, banked, conceded: 0, next: Next::Again }, keys);
        }
        let (rest, keys) = sow_on(sowings, sown, Position { own, opponent }, keys);
        // Field by field: the result need not be in memory for the other rules.
        let MoveResult { position, banked: more, conceded, next } = rest;
        (MoveResult { position, banked: banked + more, conceded, next }, keys)
    }

    /// Goes on after this sowing, which has led to this position; the result has the seeds banked from here on.
    #[inline]
    pub(crate) fn sow_on(self, sowings: &Sowings<R>, sown: &SownHouse<R>) -> MoveResult<Self> {
        sow_on(sowings, sown, self, ()).0
    }

    /// Returns the number of leaves `depth` plies below; see [`Board::perft`](crate::board::Board::perft).
    pub fn perft(&self, sowings: &Sowings<R>, depth: u32) -> u64 {
        if depth == 0 || self.is_over() { 1 } else { leaves(sowings, self, depth) }
    }
}

impl<R: RowTables> KeyedPosition<R> {
    /// The position with its key under the rules of the sowings.
    pub fn new(sowings: &Sowings<R>, position: Position<R>) -> KeyedPosition<R> {
        KeyedPosition {
            position,
            keys: RowKeys::new(&position, key::empty_row_key(sowings.rules())),
        }
    }

    /// The position without the key.
    #[inline]
    pub fn position(&self) -> &Position<R> {
        &self.position
    }

    /// The Zobrist key; see [`Position::key`].
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.combined()
    }

    /// Plays a move as [`Position::play`] does, and keeps up the key.
    #[allow(clippy::inline_always)] // as for positions without keys
    #[inline(always)]
    #[must_use]
    pub fn play(&self, sowings: &Sowings<R>, house: House) -> MoveResult<KeyedPosition<R>> {
        let (played, keys) = self.position.play_with(sowings, house, self.keys);
        let MoveResult { position, banked, conceded, next } = played;
        MoveResult { position: KeyedPosition { position, keys }, banked, conceded, next }
    }
}

/// The result of a move that leaves a side without seeds.
#[inline]
fn end_of_game<R: RowTables, K: Keys>(
    sowings: &Sowings<R>,
    own: R,
    opponent: R,
    banked: u32,
) -> (MoveResult<Position<R>>, K) {
    let (banked, conceded) = (banked + own.total(), opponent.total());
    let position = Position { own: R::default(), opponent: R::default() };
    let result = MoveResult { position, banked, conceded, next: Next::Over };
    (result, K::of_empty_rows(sowings.rules()))
}

/// Goes on after the first sowing of a relay, which has led to this position: while the last seed falls into
/// a house that held seeds, that house is sown. This ends: going once round the board banks a seed.
#[cold] // apart from the other rules, which must not become slower
#[inline(never)]
fn sow_on<'a, R: RowTables, K: Keys>(
    sowings: &'a Sowings<R>,
    mut sown: &'a SownHouse<R>,
    Position { mut own, mut opponent }: Position<R>,
    mut keys: K,
) -> (MoveResult<Position<R>>, K) {
    let houses = sowings.rules().houses();
    let mut banked = 0;
    while sown.end == SowingEnd::Relay {
        let last = usize::from(sown.last);
        let row = if last < houses { own } else { opponent };
        let seeds = row.seeds_at(u32::from(sown.last_shift));
        if seeds == 1 {
            break;
        }
        sown = sowings.get(last, seeds);
        own = own.plus(sown.own);
        opponent = opponent.plus(sown.opponent);
        banked += u32::from(sown.banked);
        keys.sow(sown);
    }
    if own.is_empty() || opponent.is_empty() {
        return end_of_game(sowings, own, opponent, banked);
    }
    if sown.end == SowingEnd::Store {
        let position = Position { own, opponent };
        return (MoveResult { position, banked, conceded: 0, next: Next::Again }, keys);
    }
    let position = Position { own: opponent, opponent: own };
    (MoveResult { position, banked, conceded: 0, next: Next::Other }, keys.swapped())
}

/// What is kept up with the rows while a move is played: their keys, or nothing.
trait Keys: Copy {
    fn sow<R>(&mut self, sown: &SownHouse<R>);
    /// Takes the last seed out of a lane of the mover, and those captured out of one of the opponent.
    fn capture(&mut self, own_lane: usize, opponent_lane: usize, captured: u32);
    fn swapped(self) -> Self;
    fn of_empty_rows(rules: Rules) -> Self;
}

impl Keys for () {
    #[inline]
    fn sow<R>(&mut self, _: &SownHouse<R>) {}

    #[inline]
    fn capture(&mut self, _: usize, _: usize, _: u32) {}

    #[inline]
    fn swapped(self) -> Self {}

    #[inline]
    fn of_empty_rows(_: Rules) -> Self {}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RowKeys {
    own: u64,
    opponent: u64,
}

impl RowKeys {
    /// The keys of rows, if that of an empty one is `empty`.
    fn new<R: Row>(position: &Position<R>, empty: u64) -> RowKeys {
        let of_row = |row: R| {
            let keys = (0..R::MAX_HOUSES).map(|lane| key::seeds_key(lane, row.seeds(lane)));
            keys.fold(empty, u64::wrapping_add)
        };
        RowKeys { own: of_row(position.own), opponent: of_row(position.opponent) }
    }

    #[inline]
    fn combined(self) -> u64 {
        key::combine(self.own, self.opponent)
    }
}

impl Keys for RowKeys {
    #[inline]
    fn sow<R>(&mut self, sown: &SownHouse<R>) {
        self.own = self.own.wrapping_add(sown.own_key);
        self.opponent = self.opponent.wrapping_add(sown.opponent_key);
    }

    #[inline]
    fn capture(&mut self, own_lane: usize, opponent_lane: usize, captured: u32) {
        self.own = self.own.wrapping_sub(key::seeds_key(own_lane, 1));
        self.opponent = self.opponent.wrapping_sub(key::seeds_key(opponent_lane, captured));
    }

    #[inline]
    fn swapped(self) -> Self {
        RowKeys { own: self.opponent, opponent: self.own }
    }

    #[inline]
    fn of_empty_rows(rules: Rules) -> Self {
        let key = key::empty_row_key(rules);
        RowKeys { own: key, opponent: key }
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

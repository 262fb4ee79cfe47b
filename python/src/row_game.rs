//! One of many games that are played at once.

use std::num::NonZeroUsize;

use kalah::board::{BoardError, Next, Position, RowTables, Sowings, splitmix64};
use kalah::{House, Rules, Side};

/// What all games have in common.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    pub rules: Rules,
    /// In each house at the start.
    pub seeds: u16,
    pub random_plies: u32,
    pub seed: u64,
    pub threads: NonZeroUsize,
    /// Calls of `random_actions` so far.
    pub draws: u64,
}

/// A game, seen from the player to move.
#[derive(Clone, Copy)]
pub(crate) struct Game<R> {
    pub position: Position<R>,
    /// The stores of the player to move and of the opponent.
    pub stores: [u16; 2],
    pub side: Side,
    /// Games that ended in this row.
    pub finished: u32,
}

impl<R: RowTables> Game<R> {
    pub(crate) fn new(sowings: &Sowings<R>, board: &kalah::Board) -> Option<Game<R>> {
        let side = board.side();
        let position = Position::new(sowings, board.houses(side), board.houses(!side))?;
        let stores = [board.store(side), board.store(!side)];
        Some(Game { position, stores, side, finished: 0 })
    }

    /// Sows a house; if that ends the game, returns the margin of the player who moved.
    #[inline]
    pub(crate) fn play(&mut self, sowings: &Sowings<R>, house: House) -> Option<i32> {
        let played = self.position.play(sowings, house);
        self.position = played.position;
        self.stores[0] += played.banked as u16;
        self.stores[1] += played.conceded as u16;
        match played.next {
            Next::Again => None,
            Next::Other => {
                self.stores.swap(0, 1);
                self.side = !self.side;
                None
            }
            Next::Over => Some(i32::from(self.stores[0]) - i32::from(self.stores[1])),
        }
    }

    /// A house of the player to move, drawn by a random number.
    #[inline]
    pub(crate) fn draw(&self, random: u64) -> Option<House> {
        let moves = self.position.moves().len();
        let index = (u128::from(random) * moves as u128) >> 64;
        self.position.nth_move(index as usize)
    }

    /// The start of the next game of row `index`: the usual start, then random plies. If those always end
    /// the game, it begins without them.
    pub(crate) fn restart(
        &mut self,
        sowings: &Sowings<R>,
        start: &Game<R>,
        options: Options,
        index: usize,
    ) {
        let finished = self.finished.wrapping_add(1);
        let random =
            splitmix64(options.seed ^ splitmix64(index as u64) ^ splitmix64(!u64::from(finished)));
        *self = start.after_random_plies(sowings, options.random_plies, random).unwrap_or(*start);
        self.finished = finished;
    }

    /// The game after random plies, which did not end it in one of many attempts.
    pub(crate) fn after_random_plies(
        &self,
        sowings: &Sowings<R>,
        plies: u32,
        mut random: u64,
    ) -> Option<Game<R>> {
        const ATTEMPTS: u32 = 1000;
        (0..ATTEMPTS).find_map(|_| {
            let mut game = *self;
            for _ in 0..plies {
                random = splitmix64(random);
                if game.play(sowings, game.draw(random)?).is_some() {
                    return None;
                }
            }
            Some(game)
        })
    }

    pub(crate) fn board(&self, rules: Rules) -> Result<kalah::Board, BoardError> {
        let houses = || (0..rules.houses()).filter_map(House::new);
        let own = houses().map(|house| self.position.own(house) as u16);
        let opponent = houses().map(|house| self.position.opponent(house) as u16);
        let [own_store, opponent_store] = self.stores;
        let seen: Vec<u16> =
            own.chain([own_store]).chain(opponent).chain([opponent_store]).collect();
        seen_board(rules, &seen, self.side)
    }
}

/// The board of which the player to move sees this: the own houses and store, the opponent's houses and store.
pub(crate) fn seen_board(
    rules: Rules,
    seen: &[u16],
    side: Side,
) -> Result<kalah::Board, BoardError> {
    let houses = rules.houses();
    let (own, opponent) = seen.split_at(houses + 1);
    let (south, north) = if side == Side::South { (own, opponent) } else { (opponent, own) };
    let stores = [south[houses], north[houses]];
    kalah::Board::new(rules, [&south[..houses], &north[..houses]], stores, side)
}

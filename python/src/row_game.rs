//! One of many games that are played at once.

use kalah::board::{Next, Position, RowTables, Sowings, splitmix64};
use kalah::{House, Rules, Side};

/// What all games have in common.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    pub rules: Rules,
    pub random_plies: u32,
    pub seed: u64,
    pub threads: usize,
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

    pub(crate) fn board(&self, rules: Rules) -> Result<kalah::Board, kalah::board::BoardError> {
        let all = (0..rules.houses()).filter_map(House::new);
        let own: Vec<u16> = all.clone().map(|house| self.position.own(house) as u16).collect();
        let opponent: Vec<u16> = all.map(|house| self.position.opponent(house) as u16).collect();
        let (mut houses, mut stores) = ([&*own, &*opponent], self.stores);
        if self.side == Side::North {
            houses.swap(0, 1);
            stores.swap(0, 1);
        }
        kalah::Board::new(rules, houses, stores, self.side)
    }
}

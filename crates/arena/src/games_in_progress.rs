//! The games that a running tournament is playing.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::Instant;

use crate::MoveEvaluation;
use kalah::board::{Board, Side};
use kalah::lock::lock;

/// The games in progress of a running tournament, which another thread may look at at any time.
#[derive(Debug)]
pub struct GamesInProgress {
    /// One for each game that is played at the same time.
    places: Vec<Mutex<Option<GameInProgress>>>,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct GameInProgress {
    /// Its number, from 1.
    pub game: u64,
    /// The names of the players, South first.
    pub players: [String; 2],
    /// When it began.
    pub begun: Instant,
    /// The position.
    pub board: Board,
    /// The moves played from the opening.
    pub plies: u32,
    /// What each player said of its last move, South first.
    pub evaluations: [MoveEvaluation; 2],
}

/// More games than this at the same time are not shown.
const MAX_SHOWN: usize = 1024;

impl GamesInProgress {
    /// No games, with room for `concurrency` at the same time, of which 1,024 are shown.
    pub fn new(concurrency: NonZeroUsize) -> GamesInProgress {
        let places = concurrency.get().min(MAX_SHOWN);
        GamesInProgress { places: (0..places).map(|_| Mutex::new(None)).collect() }
    }

    /// The games that are in progress now.
    pub fn snapshot(&self) -> Vec<GameInProgress> {
        self.places.iter().filter_map(|place| lock(place).clone()).collect()
    }

    /// The place of one of the threads that play, from 0; there is none if there are too few.
    pub(super) fn place(&self, thread: usize) -> ProgressPlace<'_> {
        ProgressPlace(self.places.get(thread))
    }
}

/// Where a thread shows the game that it plays.
#[derive(Clone, Copy, Default)]
pub(super) struct ProgressPlace<'a>(Option<&'a Mutex<Option<GameInProgress>>>);

impl ProgressPlace<'_> {
    pub(super) fn begin(self, game: u64, opening: &Board, players: [String; 2]) {
        let Some(place) = self.0 else { return };
        *lock(place) = Some(GameInProgress {
            game,
            players,
            begun: Instant::now(),
            board: *opening,
            plies: 0,
            evaluations: [MoveEvaluation::default(); 2],
        });
    }

    /// Shows a move of `side` that has led to this position.
    pub(super) fn moved(self, side: Side, board: &Board, evaluation: &MoveEvaluation) {
        let Some(place) = self.0 else { return };
        if let Some(game) = lock(place).as_mut() {
            game.board = *board;
            game.plies += 1;
            game.evaluations[side.index()] = *evaluation;
        }
    }

    pub(super) fn end(self) {
        if let Some(place) = self.0 {
            *lock(place) = None;
        }
    }
}

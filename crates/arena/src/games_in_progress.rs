//! The games that a running tournament is playing.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use crate::MoveEvaluation;
use kalah::board::{Board, Side};
use kalah::lock::lock;

/// The games in progress of a running tournament, which another thread may look at at any time.
#[derive(Debug, Default)]
pub struct GamesInProgress {
    /// By their numbers.
    games: Mutex<BTreeMap<u64, GameInProgress>>,
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

impl GamesInProgress {
    /// The games that are in progress now, in the order of their numbers.
    pub fn snapshot(&self) -> Vec<GameInProgress> {
        lock(&self.games).values().cloned().collect()
    }

    pub(super) fn begin(&self, game: u64, opening: &Board, players: [String; 2]) {
        let begun = GameInProgress {
            game,
            players,
            begun: Instant::now(),
            board: *opening,
            plies: 0,
            evaluations: [MoveEvaluation::default(); 2],
        };
        lock(&self.games).insert(game, begun);
    }

    /// Shows a move of `side` that has led to this position.
    pub(super) fn moved(&self, game: u64, side: Side, board: &Board, evaluation: &MoveEvaluation) {
        if let Some(game) = lock(&self.games).get_mut(&game) {
            game.board = *board;
            game.plies += 1;
            game.evaluations[side.index()] = *evaluation;
        }
    }

    pub(super) fn end(&self, game: u64) {
        lock(&self.games).remove(&game);
    }
}

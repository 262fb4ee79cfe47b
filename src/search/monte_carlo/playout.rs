//! Random games.

use fastrand::Rng;

use crate::board::Next;
use crate::search::counters::Counters;
use crate::search::game::Game;

/// Plays random games and counts what it takes.
pub(super) struct Playouts<'a, G> {
    pub game: &'a G,
    pub counters: Counters,
    random: Rng,
}

impl<'a, G: Game> Playouts<'a, G> {
    /// Games drawn from a seed: the same for the same one.
    pub(super) fn new(game: &'a G, random_seed: u64) -> Self {
        Playouts { game, counters: Counters::default(), random: Rng::with_seed(random_seed) }
    }

    /// A game that is over before a move is drawn. What its last move led to counts as a node here,
    /// unlike elsewhere: an iteration without one would bring no limit nearer.
    pub(super) fn end(&mut self) -> i32 {
        self.counters.nodes += 1;
        self.counters.finished += 1;
        0
    }

    /// Goes on from a position to the end of the game, every move as likely as every other;
    /// returns what the player to move there has gained.
    pub(super) fn play(&mut self, start: &G::Position) -> i32 {
        self.counters.leaves += 1;
        let (mut position, mut gain, mut sign) = (*start, 0, 1);
        loop {
            self.counters.nodes += 1;
            if self.game.is_leaf(&position) {
                return gain + sign * self.game.evaluate(&position);
            }
            let Some(step) = self.game.play_random(&position, |moves| self.random.usize(..moves))
            else {
                return gain;
            };
            gain += sign * step.gain;
            match step.next {
                Next::Again => {}
                Next::Other => sign = -sign,
                Next::Over => {
                    self.counters.finished += 1;
                    return gain;
                }
            }
            position = step.position;
        }
    }
}

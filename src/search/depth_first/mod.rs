//! The searches that go through a tree depth first, a file an idea, on what they have in common.

mod alpha_beta;
mod minimax;
mod mtd;
mod negascout;
mod negascout_minimax;
mod pvs;
mod scout;
mod selective;
mod worker;

pub use worker::{DepthFirstOptions, TableUse};

pub(crate) use worker::Worker;

use crate::search::game::Game;
use crate::search::memory::TranspositionTable;
use crate::search::threads::Stopped;
use crate::search::value::{Score, Window};
use crate::search::variant::DepthFirst;

impl<G: Game, M: TranspositionTable<G::Move>> Worker<'_, G, M> {
    /// The value of a tree as one of the searches finds it. Of those that work with a window only
    /// some can begin with less than the whole of it: `window` is for them. `guess` is for those
    /// that begin with a guess.
    pub(crate) fn search(
        &mut self,
        how: DepthFirst,
        root: &G::Position,
        depth: u32,
        window: Window,
        guess: Option<i32>,
    ) -> Result<Score, Stopped> {
        let whole = Window::around(self.game.value_range(root), G::VALUE_STEP);
        self.root_depth = depth;
        match how {
            DepthFirst::Minimax => self.minimax(root, depth, 0),
            DepthFirst::AlphaBeta => self.alpha_beta(root, depth, whole, 0),
            DepthFirst::Scout => self.scout(root, depth),
            DepthFirst::NegaScout => self.negascout(root, depth, window, 0),
            DepthFirst::NegaScoutMinimax => self.negascout_minimax(root, depth, window),
            DepthFirst::Pvs => self.pvs(root, depth, whole, 0),
            DepthFirst::Selective => self.selective(root, depth, window, 0),
            DepthFirst::Mtd(driver) => self.mtd(driver, root, depth, guess),
        }
    }
}

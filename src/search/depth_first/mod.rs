//! The depth-first searches: each of them is a way to choose windows, written over the common
//! recursion of [`worker`].

mod alpha_beta;
mod mtd;
mod negascout;
mod negascout_minimax;
mod scout;
mod selective;
mod worker;

pub(crate) use worker::Worker;

use crate::search::game::Game;
use crate::search::shared::Stopped;
use crate::search::transposition_table::TranspositionTable;
use crate::search::value::{Score, Window};
use crate::search::variant::DepthFirst;

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// Searches a tree to a fixed depth and returns its value. `window` is used by the searches that
    /// can begin with an aspiration window ([`DepthFirst::supports_aspiration`]), `guess` by the MTD
    /// drivers.
    pub(crate) fn search(
        &mut self,
        search: DepthFirst,
        root: &G::Position,
        depth: u32,
        window: Window,
        guess: Option<i32>,
    ) -> Result<Score, Stopped> {
        let full = Window::around(self.game.value_range(root), G::VALUE_STEP);
        self.root_depth = depth;
        match search {
            DepthFirst::Minimax => self.minimax(root, depth, 0),
            DepthFirst::AlphaBeta => self.alpha_beta(root, depth, full, 0),
            DepthFirst::Scout => self.scout(root, depth),
            DepthFirst::NegaScout => self.negascout(root, depth, window, 0),
            DepthFirst::NegaScoutMinimax => self.negascout_minimax(root, depth, window),
            DepthFirst::Pvs => self.pvs(root, depth, full, 0),
            DepthFirst::Selective => self.selective(root, depth, window, 0),
            DepthFirst::Mtd(driver) => self.mtd(driver, root, depth, guess),
        }
    }
}

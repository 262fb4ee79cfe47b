//! The depth-first searches: each of them is a way to choose windows, written over the common
//! recursion of [`worker`]. The two plain ones, minimax and alpha-beta, are here; every other search
//! has a file.

mod mtd;
mod negascout;
mod scout;
mod selective;
mod worker;

pub(crate) use worker::Worker;

use crate::search::game::Game;
use crate::search::query::{MinimaxPlayer, Query};
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
        self.evaluated_depth = (search == DepthFirst::Selective)
            .then_some(self.options.selective.evaluated_ordering_depth as u32);
        match search {
            DepthFirst::Minimax => self.minimax(root, depth, 0),
            DepthFirst::AlphaBeta => self.alpha_beta(root, depth, full, 0),
            DepthFirst::Scout => self.eval(root, MinimaxPlayer::Max, depth, 0),
            DepthFirst::NegaScout => self.negascout(root, depth, window, 0),
            DepthFirst::NegaScoutMinimax => self.f4(root, depth, window, 0),
            DepthFirst::Pvs => self.pvs(root, depth, full, 0),
            DepthFirst::Selective => self.selective(root, depth, window, 0, None),
            DepthFirst::Mtd(driver) => self.mtd(driver, root, depth, guess),
        }
    }

    /// Minimax, searching every move of every position: C. Shannon, *Programming a Computer for
    /// Playing Chess* (Philosophical Magazine 41, 1950), in the negamax form of D. Knuth and R. Moore
    /// (*An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975). Returns the value of a
    /// position at `depth` plies.
    fn minimax(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.search_node(position, depth, Query::Value, ply, |worker, _, transition| {
            Ok(worker.minimax(&transition.position, depth - 1, ply + 1)?.before(transition))
        })
    }

    /// Alpha-beta, cutting off positions that one of the players will avoid: D. Knuth and R. Moore,
    /// *An Analysis of Alpha-Beta Pruning* (Artificial Intelligence 6, 1975), fail-soft after
    /// J. Fishburn (1981). Returns the value of a position at `depth` plies, outside the window a
    /// bound.
    fn alpha_beta(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let query = Query::Window(window);
        self.search_node(position, depth, query, ply, |worker, node, transition| {
            let window = node.raised_window().after(transition);
            let score = worker.alpha_beta(&transition.position, depth - 1, window, ply + 1)?;
            Ok(score.before(transition))
        })
    }
}

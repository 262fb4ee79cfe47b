//! Fixed-depth searches of any game, without clocks and threads, for experiments and tests.

use super::depth_first::{Visit, Worker};
use super::game::Game;
use super::limits::TimeManager;
use super::options::DepthFirstOptions;
use super::result::Counters;
use super::shared::SharedState;
use super::transposition_table::{MAX_DEPTH, TranspositionTable};
use super::value::{BoundTest, Score, Window};
use super::variant::DepthFirst;

/// A fixed-depth search of a tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeSearch {
    /// The search.
    pub search: DepthFirst,
    /// Table use and move ordering.
    pub depth_first: DepthFirstOptions,
    /// The initial window of NegaScout; `None` for the full window, with which all others begin.
    pub window: Option<Window>,
    /// The first guess of MTD(f).
    pub guess: Option<i32>,
}

/// The result of searching a tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeResult<M> {
    /// The value of the root, or a bound if the value lies outside the window.
    pub score: Score,
    /// The best move; `None` at a leaf and if all moves fail low.
    pub best: Option<M>,
    /// The work done.
    pub counters: Counters,
}

impl TreeSearch {
    /// A search with the full window and no guess.
    pub fn new(search: DepthFirst, depth_first: DepthFirstOptions) -> TreeSearch {
        TreeSearch { search, depth_first, window: None, guess: None }
    }

    /// Searches to a depth of `depth` plies, at most [`MAX_DEPTH`].
    ///
    /// The search uses the entries already in the table, so another game needs a new table.
    pub fn run<G: Game, T: TranspositionTable<G::Move>>(
        &self,
        game: &G,
        table: &T,
        root: &G::Position,
        depth: u32,
    ) -> TreeResult<G::Move> {
        with_worker(game, table, self.depth_first, |worker| {
            let full = Window::around(game.value_range(root), G::VALUE_STEP);
            let window = self.window.unwrap_or(full);
            let depth = depth.min(MAX_DEPTH);
            let found = worker.search(self.search, root, depth, window, self.guess);
            // Never an error: nothing stops this search, and a position that is no leaf has moves.
            let score =
                found.unwrap_or_else(|_| Score { gain: game.evaluate(root), proven: false });
            TreeResult { score, best: worker.root_best, counters: worker.counters }
        })
    }

    /// Pearl's TEST alone, to a depth of at most [`MAX_DEPTH`]. Returns whether it holds and the work done.
    pub fn test<G: Game, T: TranspositionTable<G::Move>>(
        &self,
        test: BoundTest,
        game: &G,
        table: &T,
        root: &G::Position,
        depth: u32,
    ) -> (bool, Counters) {
        with_worker(game, table, self.depth_first, |worker| {
            // Never an error, as in `TreeSearch::run`.
            let result = worker.test(Visit::root(root, depth.min(MAX_DEPTH)), test);
            (result.is_ok_and(|result| result.holds), worker.counters)
        })
    }
}

fn with_worker<G: Game, T: TranspositionTable<G::Move>, X>(
    game: &G,
    table: &T,
    depth_first: DepthFirstOptions,
    run: impl FnOnce(&mut Worker<'_, G, T>) -> X,
) -> X {
    let shared = SharedState::new(TimeManager::unlimited(), None, 1);
    run(&mut Worker::new(game, table, &shared, depth_first))
}

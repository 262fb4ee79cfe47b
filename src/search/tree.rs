//! Searches of any game, without clocks and threads: for experiments, and to see how the searches
//! work.

use super::counters::Counters;
use super::depth_first::{DepthFirstOptions, Worker};
use super::game::Game;
use super::memory::TranspositionTable;
use super::ordering::Refutations;
use super::question::{BoundTest, Comparison, MinimaxPlayer};
use super::table::MAX_DEPTH;
use super::threads::Shared;
use super::time_manager::TimeManager;
use super::value::{Score, Window};
use super::variant::DepthFirst;

/// How a tree is to be searched.
#[derive(Clone, Copy, Debug)]
pub struct TreeSearch {
    /// The search.
    pub search: DepthFirst,
    /// What it makes of memory and order of moves.
    pub depth_first: DepthFirstOptions,
    /// The window that NegaScout begins with; the whole when `None`. The other searches always
    /// begin with the whole.
    pub window: Option<Window>,
    /// The value that MTD(f) tries first.
    pub guess: Option<i32>,
}

/// What a search of a tree has found.
#[derive(Clone, Copy, Debug)]
pub struct TreeResult<M> {
    /// The value of the root; when a window was given and it lies outside, a bound.
    pub score: Score,
    /// A move that reaches it; `None` at a leaf and when all moves fail low.
    pub best: Option<M>,
    /// The work done.
    pub counters: Counters,
}

impl TreeSearch {
    /// A search that begins with the whole window and no guess.
    pub fn new(search: DepthFirst, depth_first: DepthFirstOptions) -> TreeSearch {
        TreeSearch { search, depth_first, window: None, guess: None }
    }

    /// Searches `depth` plies deep, at most [`MAX_DEPTH`].
    ///
    /// What the memory holds from before counts, so a new search of another game wants a new one.
    pub fn run<G: Game, M: TranspositionTable<G::Move>>(
        &self,
        game: &G,
        memory: &M,
        root: &G::Position,
        depth: u32,
    ) -> TreeResult<G::Move> {
        with_worker(game, memory, self.depth_first, |worker| {
            let window =
                self.window.unwrap_or(Window::around(game.value_range(root), G::VALUE_STEP));
            let depth = depth.min(MAX_DEPTH);
            let found = worker.search(self.search, root, depth, window, self.guess);
            // Nothing stops this search, and a position that is no leaf has moves.
            let score =
                found.unwrap_or_else(|_| Score { gain: game.evaluate(root), proven: false });
            TreeResult { score, best: worker.root_best, counters: worker.counters }
        })
    }
}

/// A question to Pearl's TEST alone: does the value of a tree, MAX to move, stand in this comparison
/// to `value`?
#[derive(Clone, Copy, Debug)]
pub struct TreeTest {
    /// The comparison asked about.
    pub comparison: Comparison,
    /// What the value is compared with.
    pub value: i32,
}

impl TreeTest {
    /// Asks it of a tree of `depth` plies, at most [`MAX_DEPTH`]. Returns the answer and the work
    /// done.
    pub fn run<G: Game, M: TranspositionTable<G::Move>>(
        &self,
        game: &G,
        memory: &M,
        depth_first: DepthFirstOptions,
        root: &G::Position,
        depth: u32,
    ) -> (bool, Counters) {
        with_worker(game, memory, depth_first, |worker| {
            let test = BoundTest {
                player: MinimaxPlayer::Max,
                comparison: self.comparison,
                value: self.value,
            };
            // As above.
            let holds = worker.test_root(root, test, depth.min(MAX_DEPTH)).unwrap_or(false);
            (holds, worker.counters)
        })
    }
}

/// Hands a worker that nothing stops to those who have work for it.
fn with_worker<G: Game, M: TranspositionTable<G::Move>, T>(
    game: &G,
    memory: &M,
    depth_first: DepthFirstOptions,
    work: impl FnOnce(&mut Worker<'_, G, M>) -> T,
) -> T {
    let shared = Shared::new(TimeManager::unlimited(), None, 1);
    let mut refutations = Refutations::new(G::HISTORY_SIZE);
    work(&mut Worker::new(game, memory, &shared, depth_first, &mut refutations))
}

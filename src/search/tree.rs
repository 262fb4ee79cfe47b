//! Searches of any game, without clocks and threads: for experiments, and to see how the searches
//! work.

use std::time::Duration;

use super::counters::Counters;
use super::depth_first::{Conduct, Worker};
use super::game::Game;
use super::limits::{Deadline, Limits};
use super::memory::Memory;
use super::ordering::Refutations;
use super::question::{Player, Relation, Test};
use super::stop::stop_pair;
use super::table::MAX_DEPTH;
use super::threads::Shared;
use super::value::{Score, Window};
use super::variant::DepthFirst;

/// How a tree is to be searched.
#[derive(Clone, Copy, Debug)]
pub struct TreeSearch {
    /// The search.
    pub search: DepthFirst,
    /// What it makes of memory and order of moves.
    pub conduct: Conduct,
    /// The window that NegaScout begins with; the whole when `None`. The other searches always
    /// begin with the whole.
    pub window: Option<Window>,
    /// The value that MTD(f) tries first.
    pub guess: Option<i32>,
}

/// What a search of a tree has found.
#[derive(Clone, Copy, Debug)]
pub struct TreeOutcome<M> {
    /// The value of the root; when a window was given and it lies outside, a bound.
    pub score: Score,
    /// A move that reaches it; `None` at a leaf and when all moves fail low.
    pub best: Option<M>,
    /// The work done.
    pub counters: Counters,
}

impl TreeSearch {
    /// A search that begins with the whole window and no guess.
    pub fn new(search: DepthFirst, conduct: Conduct) -> TreeSearch {
        TreeSearch { search, conduct, window: None, guess: None }
    }

    /// Searches `depth` plies deep, at most [`MAX_DEPTH`].
    ///
    /// What the memory holds from before counts, so a new search of another game wants a new one.
    pub fn run<G: Game, M: Memory<G::Move>>(
        &self,
        game: &G,
        memory: &M,
        root: &G::Position,
        depth: u32,
    ) -> TreeOutcome<G::Move> {
        with_worker(game, memory, self.conduct, |worker| {
            let window = self.window.unwrap_or(Window::around(game.range(root), G::STEP));
            let depth = depth.min(MAX_DEPTH);
            let found = worker.search(self.search, root, depth, window, self.guess);
            // Nothing stops this search, and a position that is no leaf has moves.
            let score =
                found.unwrap_or_else(|_| Score { gain: game.evaluate(root), proven: false });
            TreeOutcome { score, best: worker.root_best, counters: worker.counters }
        })
    }
}

/// A question to Pearl's TEST alone: does the value of a tree, MAX to move, stand in this relation
/// to `value`?
#[derive(Clone, Copy, Debug)]
pub struct TreeTest {
    /// The relation asked about.
    pub relation: Relation,
    /// What the value is compared with.
    pub value: i32,
}

impl TreeTest {
    /// Asks it of a tree of `depth` plies, at most [`MAX_DEPTH`]. Returns the answer and the work
    /// done.
    pub fn run<G: Game, M: Memory<G::Move>>(
        &self,
        game: &G,
        memory: &M,
        conduct: Conduct,
        root: &G::Position,
        depth: u32,
    ) -> (bool, Counters) {
        with_worker(game, memory, conduct, |worker| {
            let test = Test { player: Player::Max, relation: self.relation, value: self.value };
            // As above.
            let holds = worker.test_root(root, test, depth.min(MAX_DEPTH)).unwrap_or(false);
            (holds, worker.counters)
        })
    }
}

/// Hands a worker that nothing stops to those who have work for it.
fn with_worker<G: Game, M: Memory<G::Move>, T>(
    game: &G,
    memory: &M,
    conduct: Conduct,
    work: impl FnOnce(&mut Worker<'_, G, M>) -> T,
) -> T {
    let (_handle, stop) = stop_pair();
    let deadline = Deadline::new(&Limits::default(), 0, Duration::ZERO, &stop);
    let shared = Shared::new(deadline, None, 1);
    let mut refutations = Refutations::new(G::FEATURES);
    work(&mut Worker::new(game, memory, &shared, conduct, &mut refutations))
}

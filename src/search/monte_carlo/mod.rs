//! The searches that learn from random games, a file an idea.
//!
//! They need no evaluation and no depth: a game played to its end by moves drawn at random says
//! a little about the position it began in, and the mean of many games more. What differs is
//! where the games begin: [`mod@flat`] spreads them over the moves of the root, [`mcts`] grows a
//! tree towards the moves that look good. All of them work on one thread.
//!
//! Samples are gains, not wins: what is wanted is the best margin. Wins and losses mixed in lose
//! best moves, the more the more they count (see `docs/measurements.md`).

mod confidence;
mod flat;
mod kept;
mod mcts;
mod playout;
mod run;
mod tree;

pub(super) use flat::Allocation;
pub(super) use kept::KeptTree;

use flat::Flat;
use mcts::Uct;
use playout::Playouts;
use run::Run;

use super::assignment::Assignment;
use super::game::Game;
use super::kalah_game::Kalah;
use super::report::{Observer, SearchResult};
use crate::board::RowTables;

/// A way of spending random games.
trait Method<G: Game> {
    /// Plays one random game, or finds a result without, and learns from it. Counts a node at
    /// least, lest limits be out of reach.
    fn iterate(&mut self, playouts: &mut Playouts<'_, G>);

    /// Whether there is nothing left to learn.
    fn is_done(&self) -> bool;

    /// What is thought of each move of the root, best first.
    fn verdicts(&self) -> Vec<Verdict<G::Move>>;

    /// The greatest ply from which a random game has begun.
    fn seldepth(&self) -> usize;

    /// Parts in a thousand of the memory filled.
    fn permille_full(&self) -> u32;
}

/// What is thought of a move.
struct Verdict<M> {
    /// The gain expected of it, or known.
    gain: i32,
    /// Whether it is known.
    proven: bool,
    /// The line that begins with it.
    pv: Vec<M>,
}

/// Flat Monte Carlo search.
pub(super) fn flat<R: RowTables>(
    allocation: Allocation,
    assignment: Assignment<'_, R>,
    observer: &mut dyn Observer,
) -> SearchResult {
    let root = assignment.root;
    let evaluation = assignment.settings.evaluation(root.board.rules());
    let game = &Kalah::without_tables(root.sowings, &evaluation);
    let run = Run::new(assignment);
    run.run(game, || Flat::new(game, &root.houses, &root.excluded, allocation), observer)
}

/// Monte Carlo tree search, going on from the tree of the last one.
pub(super) fn tree<R: RowTables>(
    kept: &mut KeptTree,
    assignment: Assignment<'_, R>,
    observer: &mut dyn Observer,
) -> SearchResult {
    let root = assignment.root;
    let evaluation = assignment.settings.evaluation(root.board.rules());
    let game = &Kalah::without_tables(root.sowings, &evaluation);
    let run = Run::new(assignment);
    run.run(game, || Uct::new(game, kept.begin(game, root), root.houses, &root.excluded), observer)
}

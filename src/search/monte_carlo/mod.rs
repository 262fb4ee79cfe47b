//! The Monte Carlo searches.
//!
//! They need no evaluation and no depth: they play random games to the end and average the results. [`bandit`]
//! distributes the games over the root's moves; [`mcts`] grows a tree. All run on one thread.
//!
//! The samples are gains, not wins, because the goal is the best margin. Mixing in wins and losses
//! costs strength, the more the greater their weight (see `docs/notebook/search.md`).

mod bandit;
mod mcts;
mod run;
mod tree;

pub(super) use bandit::Allocation;
pub(super) use tree::ReusedTree;

use bandit::FlatMonteCarlo;
use mcts::Uct;
use run::MonteCarloRun;

use super::job::SearchJob;
use super::kalah_game::KalahGame;
use super::result::{SearchObserver, SearchResult};
use crate::board::RowTables;

pub(super) fn flat<R: RowTables>(
    allocation: Allocation,
    job: SearchJob<'_, R>,
    observer: SearchObserver<'_>,
) -> SearchResult {
    let SearchJob { root, evaluation, .. } = job;
    let game = &KalahGame { sowings: root.sowings, evaluation, tables: None };
    let start = || FlatMonteCarlo::new(game, &root.houses, &root.excluded, allocation);
    MonteCarloRun::new(game, job).run(start, observer)
}

/// Monte Carlo tree search, which continues with the tree of the last search.
pub(super) fn tree<R: RowTables>(
    tree: &mut ReusedTree,
    job: SearchJob<'_, R>,
    observer: SearchObserver<'_>,
) -> SearchResult {
    let SearchJob { root, evaluation, .. } = job;
    let game = &KalahGame { sowings: root.sowings, evaluation, tables: None };
    MonteCarloRun::new(game, job)
        .run(|| Uct::new(game, tree.advance_to(game, root), root.houses, &root.excluded), observer)
}

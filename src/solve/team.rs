//! All walkers of all threads at work on one test.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::thread;

use super::bounds::Bounds;
use super::keys::Keys;
use super::leaves::Leaves;
use super::progress::SolveProgress;
use super::walker::{Tree, Walker};
use crate::StopToken;
use crate::board::{Position, RowTables};

/// Walkers that take turns on a processor. Each waits for memory while the others work. More of
/// them, on all processors together, visit too many positions that none would have visited alone.
const WALKERS: usize = 4;

/// Turns between two looks at what others have found out.
const TURNS: usize = 256;

/// Rounds of turns that the first thread takes alone: most tests are done by then.
const ROUNDS_ALONE: usize = 8;

/// A test: whether the gain of a position with so many seeds in the houses reaches the target.
#[derive(Clone, Copy)]
pub(super) struct Test<'a, R> {
    pub position: &'a Position<R>,
    pub seeds: u32,
    pub target: i32,
}

/// Who answers tests.
pub(super) struct Team<'a, R, K, L> {
    pub tree: Tree<'a, R, K, L>,
    pub threads: NonZeroUsize,
    pub stop: &'a StopToken,
    pub progress: &'a SolveProgress,
}

/// The walkers of one thread.
struct Group<'a, R, K, L> {
    walkers: Vec<Walker<'a, R, K, L>>,
    stop: &'a StopToken,
    progress: &'a SolveProgress,
    answer: &'a OnceLock<Bounds>,
}

impl<R: RowTables, K: Keys<R>, L: Leaves<R>> Team<'_, R, K, L> {
    /// The answer: bounds that the target does not lie between. `None` when it was stopped before.
    pub(super) fn answer(&self, test: Test<'_, R>) -> Option<Bounds> {
        let answer = OnceLock::new();
        let group = || Group::new(self, &answer);
        let mut first = group();
        let mut alone = || {
            first.begin(test)?;
            (0..ROUNDS_ALONE).try_for_each(|_| first.round())
        };
        if alone().is_continue() {
            thread::scope(|scope| {
                for _ in 1..self.threads.get() {
                    let mut group = group();
                    // A thread that is not to be had is done without.
                    let _ = thread::Builder::new().spawn_scoped(scope, move || {
                        if group.begin(test).is_continue() {
                            group.work();
                        }
                    });
                }
                first.work();
            });
        }
        answer.get().copied()
    }
}

impl<'a, R: RowTables, K: Keys<R>, L: Leaves<R>> Group<'a, R, K, L> {
    fn new(team: &'a Team<'_, R, K, L>, answer: &'a OnceLock<Bounds>) -> Self {
        let walkers = (0..WALKERS).map(|_| Walker::new(&team.tree)).collect();
        Group { walkers, stop: team.stop, progress: team.progress, answer }
    }

    fn begin(&mut self, test: Test<'_, R>) -> ControlFlow<()> {
        self.all(|walker| walker.begin(test))
    }

    fn work(&mut self) {
        while self.round().is_continue() {}
    }

    fn round(&mut self) -> ControlFlow<()> {
        for _ in 0..TURNS {
            self.all(Walker::step)?;
        }
        let nodes = self.walkers.iter_mut().map(|walker| std::mem::take(&mut walker.nodes));
        self.progress.add_nodes(nodes.sum());
        if self.answer.get().is_some() || self.stop.is_stopped() {
            return ControlFlow::Break(());
        }
        self.all(Walker::catch_up)
    }

    /// Has each walker do something, until one has the answer.
    #[inline]
    fn all(
        &mut self,
        mut turn: impl FnMut(&mut Walker<'a, R, K, L>) -> Option<Bounds>,
    ) -> ControlFlow<()> {
        for walker in &mut self.walkers {
            if let Some(bounds) = turn(walker) {
                // Another may have come first.
                let _ = self.answer.set(bounds);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl<R, K, L> Drop for Group<'_, R, K, L> {
    fn drop(&mut self) {
        self.progress.add_nodes(self.walkers.iter().map(|walker| walker.nodes).sum());
    }
}

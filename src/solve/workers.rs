//! Null-window tests by all threads together.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::thread;

use super::bounds::GainBounds;
use super::context::{EndgameProbe, SolveContext, SolverRoot};
use super::fiber::Fiber;
use super::keys::UniqueKeys;
use super::request::SolveProgress;
use crate::board::RowTables;
use crate::stop::StopToken;

/// Interleaved searches per thread. Each waits for memory while the others work. With more of them,
/// on all threads together, too many positions are visited that one alone would not have visited.
const FIBERS_PER_THREAD: usize = 4;

/// How often each fiber is resumed before it looks for results of the others.
const RESUMES_PER_ROUND: usize = 256;

/// Rounds of the first thread before others are started: most tests are decided by then.
const SINGLE_THREADED_ROUNDS: usize = 8;

/// The threads that work on the same test. They share a table, and avoid positions that others are
/// searching.
pub(super) struct WorkerGroup<'a, R, K, E> {
    pub context: SolveContext<'a, R, K, E>,
    pub threads: NonZeroUsize,
    pub stop: &'a StopToken,
    pub progress: &'a SolveProgress,
}

impl<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>> WorkerGroup<'_, R, K, E> {
    /// Tests whether the gain of a position reaches the target. Returns bounds that decide it;
    /// `None` if the group was stopped first.
    pub(super) fn search(&self, root: &SolverRoot<R>, target: i32) -> Option<GainBounds> {
        let result = OnceLock::new();
        let mut first = ThreadFibers::new(self, &result);
        let mut run_alone = || {
            first.begin(root, target)?;
            (0..SINGLE_THREADED_ROUNDS).try_for_each(|_| first.round())
        };
        if run_alone().is_continue() {
            thread::scope(|scope| {
                for _ in 1..self.threads.get() {
                    let mut fibers = ThreadFibers::new(self, &result);
                    // If the system starts no thread, the search goes on with fewer.
                    let _ = thread::Builder::new().spawn_scoped(scope, move || {
                        if fibers.begin(root, target).is_continue() {
                            fibers.run();
                        }
                    });
                }
                first.run();
            });
        }
        result.get().copied()
    }
}

/// The fibers of one thread.
struct ThreadFibers<'a, R, K, E> {
    fibers: Vec<Fiber<'a, R, K, E>>,
    stop: &'a StopToken,
    progress: &'a SolveProgress,
    /// The result of the test, by the first fiber of any thread that has it.
    result: &'a OnceLock<GainBounds>,
}

impl<'a, R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>> ThreadFibers<'a, R, K, E> {
    fn new(group: &'a WorkerGroup<'_, R, K, E>, result: &'a OnceLock<GainBounds>) -> Self {
        let fibers = (0..FIBERS_PER_THREAD).map(|_| Fiber::new(&group.context)).collect();
        ThreadFibers { fibers, stop: group.stop, progress: group.progress, result }
    }

    fn begin(&mut self, root: &SolverRoot<R>, target: i32) -> ControlFlow<()> {
        self.each(|fiber| fiber.begin(root, target))
    }

    fn run(&mut self) {
        while self.round().is_continue() {}
    }

    /// Breaks when the test is decided or the search stopped.
    fn round(&mut self) -> ControlFlow<()> {
        for _ in 0..RESUMES_PER_ROUND {
            self.each(Fiber::resume)?;
        }
        let nodes = self.fibers.iter_mut().map(|fiber| std::mem::take(&mut fiber.nodes));
        self.progress.add_nodes(nodes.sum());
        if self.result.get().is_some() || self.stop.is_stopped() {
            return ControlFlow::Break(());
        }
        self.each(Fiber::unwind_decided)
    }

    /// Lets each fiber take a step, until one has the result.
    #[inline]
    fn each(
        &mut self,
        mut step: impl FnMut(&mut Fiber<'a, R, K, E>) -> Option<GainBounds>,
    ) -> ControlFlow<()> {
        for fiber in &mut self.fibers {
            if let Some(bounds) = step(fiber) {
                // Another thread may have set it first.
                let _ = self.result.set(bounds);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl<R, K, E> Drop for ThreadFibers<'_, R, K, E> {
    fn drop(&mut self) {
        self.progress.add_nodes(self.fibers.iter().map(|fiber| fiber.nodes).sum());
    }
}

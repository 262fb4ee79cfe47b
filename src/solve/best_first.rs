//! Null-window tests by all threads together: a best-first search whose leaves are searched depth first.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::Duration;

use super::bounds::GainBounds;
use super::expected_work::ExpectedWork;
use super::fiber::Fiber;
use super::keys::UniqueKeys;
use super::proof_dag::{GainTest, ProofDag, SelectedLeaf};
use super::workers::{EndgameProbe, SolveContext, WorkerGroup};
use crate::board::{Position, RowTables};
use crate::lock::lock;
use crate::stop::StopOnPanic;

/// Interleaved searches per thread. Each waits for memory while the others work. With more of them,
/// on all threads together, too many positions are visited that one alone would not have visited.
const FIBERS_PER_THREAD: usize = 4;

/// How often each fiber is resumed before it looks for results of the others.
const RESUMES_PER_ROUND: usize = 256;

/// How long a thread without work waits: about a tenth of a job.
const PAUSE: Duration = Duration::from_micros(50);

/// A leaf with more expected work than this many times the limit of a job is expanded without a search.
pub(super) const EXPECTED_JOBS: f32 = 3.0;

/// Below this, computing again is faster than loading from a checkpoint.
const MIN_KEPT_NODES: u64 = 200;

impl<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>> WorkerGroup<'_, R, K, E> {
    /// Tests whether the gain of a position reaches the target. Returns bounds that decide it;
    /// `None` if the group was stopped, or reached its limit, first.
    pub(super) fn search(&self, root: &Position<R>, target: i32) -> Option<GainBounds> {
        // The first leaf is searched in any case.
        self.search_from(root, target, ExpectedWork::UNKNOWN)
    }

    /// The same by tests of the moves, also where the bounds of the position are known.
    pub(super) fn search_moves(&self, root: &Position<R>, target: i32) -> Option<GainBounds> {
        // Too much for a job, but not for a larger one if the DAG is too small for the moves.
        let work = 2.0 * EXPECTED_JOBS * self.limits.job_nodes as f32;
        self.search_from(root, target, ExpectedWork { prove: work, refute: work })
    }

    fn search_from(
        &self,
        root: &Position<R>,
        target: i32,
        work: ExpectedWork,
    ) -> Option<GainBounds> {
        let root = GainTest::new(root, target, self.hash(root));
        let search = BestFirstSearch {
            group: self,
            root,
            dag: Mutex::new(ProofDag::new(root, work)),
            job_nodes: AtomicU64::new(self.limits.job_nodes),
            result: OnceLock::new(),
        };
        search.run()
    }
}

/// A test whether the gain of a position reaches a target, on a proof-number DAG whose leaves are
/// searched depth first, within a limit, by the fibers of all threads: a job-level proof-number search
/// (I-C. Wu et al., *Job-level proof-number search for Connect6*, 2010) with a unit of work. Leaves
/// that a job does not decide are expanded. What has been decided is kept in the table of bounds.
struct BestFirstSearch<'a, R, K, E> {
    group: &'a WorkerGroup<'a, R, K, E>,
    root: GainTest<R>,
    dag: Mutex<ProofDag<R>>,
    job_nodes: AtomicU64,
    result: OnceLock<bool>,
}

/// An interleaved search with the leaf that it works on.
struct JobFiber<'a, R, K, E> {
    fiber: Fiber<'a, R, K, E>,
    leaf: Option<SelectedLeaf<R>>,
}

impl<'a, R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>> BestFirstSearch<'a, R, K, E> {
    /// Returns bounds that decide the test; `None` if the group was stopped first.
    fn run(&self) -> Option<GainBounds> {
        let mut first = self.fibers();
        if (0..self.group.limits.single_threaded_rounds)
            .try_for_each(|_| self.round(&mut first))
            .is_continue()
        {
            thread::scope(|scope| {
                for _ in 1..self.group.threads.get() {
                    // If the system starts no thread, the search goes on with fewer.
                    let _ = thread::Builder::new().spawn_scoped(scope, || {
                        let _guard = StopOnPanic(self.group.stop);
                        let mut fibers = self.fibers();
                        while self.round(&mut fibers).is_continue() {}
                        self.end(fibers);
                    });
                }
                let _guard = StopOnPanic(self.group.stop);
                while self.round(&mut first).is_continue() {}
            });
        }
        self.end(first);
        self.result.get().map(|&is_reached| self.root.bounds(is_reached))
    }

    fn fibers(&self) -> Vec<JobFiber<'a, R, K, E>> {
        let fiber = || JobFiber { fiber: Fiber::new(self.group.context), leaf: None };
        (0..FIBERS_PER_THREAD).map(|_| fiber()).collect()
    }

    fn end(&self, mut fibers: Vec<JobFiber<'a, R, K, E>>) {
        for JobFiber { fiber, .. } in &mut fibers {
            fiber.abandon();
            self.group.progress.add_nodes(fiber.take_nodes());
        }
    }

    /// Lets each fiber search for a while. Breaks when the test is decided or the search stopped.
    fn round(&self, fibers: &mut [JobFiber<'a, R, K, E>]) -> ControlFlow<()> {
        for job in fibers.iter_mut().filter(|job| job.leaf.is_none()) {
            self.begin_job(job);
        }
        if self.result.get().is_some() {
            return ControlFlow::Break(());
        }
        if fibers.iter().all(|job| job.leaf.is_none()) {
            if self.group.stop.is_stopped() {
                return ControlFlow::Break(());
            }
            // All leaves that matter are searched by other threads.
            thread::sleep(PAUSE);
        }
        let job_nodes = self.job_nodes.load(Relaxed);
        for _ in 0..RESUMES_PER_ROUND {
            for job in fibers.iter_mut().filter(|job| job.leaf.is_some()) {
                if let Some(bounds) = job.fiber.resume() {
                    self.end_job(job, Some(bounds));
                } else if job.fiber.nodes_of_test() > job_nodes {
                    self.end_job(job, None);
                }
            }
        }
        let nodes = fibers.iter_mut().map(|job| job.fiber.take_nodes()).sum();
        self.group.progress.add_nodes(nodes);
        for job in fibers.iter_mut().filter(|job| job.leaf.is_some()) {
            if let Some(bounds) = job.fiber.unwind_decided() {
                self.end_job(job, Some(bounds));
            }
        }
        let is_limit_reached = self.group.progress.nodes() >= self.group.limits.max_nodes;
        if self.result.get().is_some() || is_limit_reached || self.group.stop.is_stopped() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Gives a fiber the most promising leaf to search, if there is one, and expands those before it.
    fn begin_job(&self, job: &mut JobFiber<'a, R, K, E>) {
        loop {
            let selected = lock(&self.dag).select();
            let Some(leaf) = selected else { return };
            if self.group.stop.is_stopped() {
                return;
            }
            let max_work = EXPECTED_JOBS * self.job_nodes.load(Relaxed) as f32;
            if leaf.work.minimum() > max_work {
                self.expand(&leaf);
                continue;
            }
            let Some(bounds) = job.fiber.begin(&leaf.test) else {
                job.leaf = Some(leaf);
                return;
            };
            self.decide(&leaf, bounds);
        }
    }

    /// Ends a job with its result, or without one when it has reached its limit.
    fn end_job(&self, job: &mut JobFiber<'a, R, K, E>, result: Option<GainBounds>) {
        let Some(leaf) = job.leaf.take() else { return };
        if let Some(bounds) = result {
            let SolveContext { checkpoint, .. } = self.group.context;
            let is_kept = job.fiber.nodes_of_test() >= MIN_KEPT_NODES;
            if let Some((checkpoint, hash)) = checkpoint.zip(leaf.test.hash).filter(|_| is_kept) {
                checkpoint.keep(hash, leaf.test.seeds, bounds);
            }
            self.decide(&leaf, bounds);
        } else {
            job.fiber.abandon();
            self.expand(&leaf);
        }
        self.begin_job(job);
    }

    fn decide(&self, leaf: &SelectedLeaf<R>, bounds: GainBounds) {
        let mut dag = lock(&self.dag);
        dag.decide(leaf, bounds.lower >= leaf.test.target);
        self.store_decided(dag);
    }

    fn expand(&self, leaf: &SelectedLeaf<R>) {
        let SolveContext { sowings, work, .. } = self.group.context;
        let known = |position: &Position<R>| {
            (self.group.hash(position), self.group.initial_bounds(position))
        };
        let expansion = leaf.test.expand(sowings, work, known);
        let mut dag = lock(&self.dag);
        if !dag.expand(leaf, &expansion, self.group.limits.dag_nodes) {
            // All changes are made under the lock.
            self.job_nodes.store(self.job_nodes.load(Relaxed).saturating_mul(2), Relaxed);
        }
        self.store_decided(dag);
    }

    /// Keeps what has been decided.
    fn store_decided(&self, mut dag: MutexGuard<'_, ProofDag<R>>) {
        let (decided, work) = (dag.take_decided(), dag.work());
        drop(dag);
        for (test, is_reached) in decided {
            if let Some(hash) = test.hash {
                self.group.context.keep(hash, test.seeds, test.bounds(is_reached));
            }
        }
        self.group.progress.set_nodes_left(work.minimum());
        if work.is_decided() {
            // Another thread may have set it first.
            let _ = self.result.set(work.prove == 0.0);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use std::num::NonZeroUsize;

    use super::super::bounds::BoundsTable;
    use super::super::keys::RankedKeys;
    use super::super::request::SolveProgress;
    use super::super::tables::SolverTables;
    use super::super::workers::{NoEndgames, SearchLimits};
    use super::*;
    use crate::board::{RuleSet, Rules, Sowings};
    use crate::stop::StopToken;
    use crate::tablebase::{Tablebase, positions};

    /// Compares searches without a tablebase with a tablebase: every `step`th position with at most
    /// `seeds` seeds.
    fn check(houses: usize, seeds: u32, step: usize, limits: SearchLimits, threads: usize) {
        for rule_set in RuleSet::ALL {
            let rules = Rules::new(houses, rule_set).unwrap();
            let threads = NonZeroUsize::new(threads).unwrap();
            let tablebase = Tablebase::build(rules, seeds, threads).unwrap();
            let sowings = Sowings::<u64>::from_rules(rules).unwrap();
            let keys = RankedKeys::new(rules, seeds).unwrap();
            let bounds = BoundsTable::new(1);
            let tables = SolverTables { rules, bounds, ..SolverTables::default() };
            let context = tables.context(sowings, seeds, &keys, &NoEndgames).unwrap();
            let (token, progress) = (StopToken::new(), SolveProgress::default());
            let group = tables.workers(&context, &token, &progress);
            let group = WorkerGroup { limits, threads, ..group };
            let end = positions(houses, seeds).unwrap();
            for rank in (step as u64 - 1..end).step_by(step) {
                let row = &keys.houses_of(rank)[..2 * houses];
                let (own, opponent) = row.split_at(houses);
                let position = Position::new(sowings, own, opponent).unwrap();
                if position.is_over() {
                    continue;
                }
                let gain = tablebase.gain_of_position(&position).unwrap();
                let reaches = |target| {
                    let bounds = group.search(&position, target);
                    bounds.map(|bounds| (bounds.lower >= target, bounds.upper < target))
                };
                assert_eq!(reaches(gain), Some((true, false)), "{row:?} {rule_set}");
                assert_eq!(reaches(gain + 2), Some((false, true)), "{row:?} {rule_set}");
            }
        }
    }

    /// Limits that every path of the search is taken with.
    const TINY: SearchLimits = SearchLimits {
        max_nodes: u64::MAX,
        job_nodes: 1,
        dag_nodes: 24,
        single_threaded_rounds: 0,
    };

    /// With `KALAH_EVERY_POSITION` in the environment, every position with up to twelve seeds.
    #[test]
    fn small_boards_have_their_gains() {
        let every = std::env::var_os("KALAH_EVERY_POSITION").is_some();
        for (houses, step) in
            [(1, 1), (2, 1), (3, 29), (4, 593), (5, 4001), (6, 12_007), (7, 180_001), (8, 540_041)]
        {
            check(houses, 12, if every { 1 } else { step }, TINY, 1);
        }
    }

    /// With `KALAH_DEEP` in the environment, 16 times as many, with more seeds.
    #[test]
    fn larger_positions_have_their_gains() {
        let is_deep = std::env::var_os("KALAH_DEEP").is_some();
        let (seeds, steps) =
            if is_deep { (16, [900_007, 12_007]) } else { (14, [4_800_023, 192_007]) };
        for limits in [
            TINY,
            SearchLimits { dag_nodes: 1 << 20, ..TINY },
            SearchLimits { job_nodes: 30, dag_nodes: 200, ..TINY },
        ] {
            for threads in [1, 3] {
                check(6, seeds, steps[0], limits, threads);
                check(3, 24, steps[1], limits, threads);
            }
        }
    }
}

//! The best-first search for solvers on many machines: a tree that hands out jobs and takes results.

use std::io;
use std::mem;

use rustc_hash::FxHashMap;

use super::best_first::EXPECTED_JOBS;
use super::bounds::{BoundsEntry, GainBounds, PositionHash};
use super::checkpoint::{Checkpoint, CheckpointError};
use super::expected_work::{ExpectedWork, WorkEstimator};
use super::keys::{hash_of_board, max_solvable_seeds, too_many_seeds};
use super::proof_dag::{GainTest, ProofDag, SelectedLeaf};
use super::request::{SolveError, SolveProgress};
use super::solver::{Solver, with_workers};
use super::tables::optimal_table_seeds;
use crate::board::{Board, Position, Rules, Sowings};
use crate::search::{Evaluation, Network};
use crate::stop::StopToken;

/// A test of one position, for a solver anywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct SolveJob {
    /// The number under which the tree takes the result.
    pub id: u64,
    /// The position, with empty stores: its margin is what is still to be won.
    pub board: Board,
    /// Does the margin reach this? In seeds, from the view of the player to move.
    pub target: i32,
    /// The positions after which the job ends without an answer.
    pub max_nodes: u64,
    /// The positions that it is expected to take.
    pub expected_nodes: f64,
}

/// What a job has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobResult {
    /// What is proven about the position of the job and about those after its moves.
    pub proven: Vec<ProvenBoard>,
    /// The positions searched.
    pub nodes: u64,
}

/// Bounds that have been proven for the margin of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenBoard {
    /// The board, with empty stores.
    pub board: Board,
    /// The margin is at least this, in seeds, from the view of the player to move.
    pub lower: i32,
    /// The margin is at most this.
    pub upper: i32,
}

impl ProvenBoard {
    /// The bounds of the gain, by hash; `None` if the board has other rules or no hash, or no gain fits.
    fn gain_bounds(&self, rules: Rules) -> Option<(PositionHash, GainBounds)> {
        let ProvenBoard { board, lower, upper } = self;
        let seeds = board.seeds_in_play();
        if board.rules() != rules || seeds > max_solvable_seeds(rules) {
            return None;
        }
        let difference = board.store_difference();
        let gain = |margin: i32| margin.saturating_sub(difference);
        let bounds = GainBounds::from_untrusted(gain(*lower), gain(*upper), seeds)?;
        Some((hash_of_board(board)?, bounds))
    }
}

/// Finds the margin of a board by jobs that others do: job-level proof-number search (I-C. Wu et al., *Job-level
/// proof-number search for Connect6*, 2010) over null-window tests, as the [`Solver`] does it on one machine.
///
/// ```
/// use kalah::solve::{JobTree, SolverResources};
/// use kalah::{Board, Rules, Solver, StopToken};
///
/// let mut tree = JobTree::new(&Board::start(Rules::default(), 3)?, 10_000)?;
/// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
/// while tree.margin().is_none() {
///     for job in tree.next_jobs(4) {
///         let result = solver.run_job(&job, &StopToken::new())?;
///         tree.report(job.id, &result);
///     }
/// }
/// assert_eq!(tree.margin(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct JobTree {
    board: Board,
    sowings: &'static Sowings<u128>,
    work: WorkEstimator,
    job_nodes: u64,
    root: GainTest<u128>,
    bounds: GainBounds,
    dag: ProofDag<u128>,
    jobs: FxHashMap<u64, RunningJob>,
    next_job: u64,
    /// What is proven, of this run and of the checkpoint.
    proven: FxHashMap<PositionHash, GainBounds>,
    /// What was proven since the last call of [`JobTree::take_proven`].
    fresh: Vec<ProvenBoard>,
    checkpoint: Option<Checkpoint>,
}

/// A job that was handed out.
struct RunningJob {
    test: GainTest<u128>,
    /// Its leaf; `None` if its test has been decided otherwise.
    leaf: Option<SelectedLeaf<u128>>,
}

impl JobTree {
    /// A tree for a board. A job ends after `job_nodes` positions: a million take about a second.
    ///
    /// # Errors
    /// Returns an error if the board has too many seeds.
    pub fn new(board: &Board, job_nodes: u64) -> Result<JobTree, SolveError> {
        let (rules, seeds) = (board.rules(), board.seeds_in_play());
        let too_many = || too_many_seeds(rules, seeds);
        let is_solvable = seeds <= max_solvable_seeds(rules);
        let sowings = Sowings::from_rules(rules).filter(|_| is_solvable).ok_or_else(too_many)?;
        let position = board.position_in(sowings).ok_or_else(too_many)?;
        let bounds = if position.is_over() {
            GainBounds::exact(position.final_gain())
        } else {
            GainBounds::from_seeds(seeds)
        };
        let endgame_seeds = (rules.houses() <= crate::tablebase::MAX_TABLE_HOUSES)
            .then(|| optimal_table_seeds(rules, seeds, 1));
        let work = WorkEstimator::new(rules, seeds, endgame_seeds);
        let root = GainTest::new(&position, 0, hash_of_board(board));
        let mut tree = JobTree {
            board: *board,
            sowings,
            work,
            job_nodes: job_nodes.max(1),
            root,
            bounds,
            dag: ProofDag::new(root, ExpectedWork::UNKNOWN),
            jobs: FxHashMap::default(),
            next_job: 0,
            proven: FxHashMap::default(),
            fresh: Vec::new(),
            checkpoint: None,
        };
        tree.begin_test(tree.expected_gain());
        Ok(tree)
    }

    /// Continues with what a checkpoint has, and keeps there what is proven from now on.
    ///
    /// # Errors
    /// Returns an error if it is for other rules.
    pub fn set_checkpoint(&mut self, mut checkpoint: Checkpoint) -> Result<(), CheckpointError> {
        if checkpoint.rules() != self.board.rules() {
            return Err(CheckpointError::Rules(checkpoint.rules()));
        }
        for record in checkpoint.take_records() {
            self.note(record.hash, record.bounds);
        }
        self.checkpoint = Some(checkpoint);
        self.begin_test(self.expected_gain());
        Ok(())
    }

    /// Whether it keeps in a file what is proven.
    pub fn has_checkpoint(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Writes to the checkpoint what is not in its file yet, and waits until it is on the disk.
    ///
    /// # Errors
    /// Returns an error if that fails.
    pub fn flush_checkpoint(&self) -> io::Result<()> {
        self.checkpoint.as_ref().map_or(Ok(()), Checkpoint::flush)
    }

    /// Bounds of the margin, in seeds, from the view of the player to move.
    pub fn bounds(&self) -> (i32, i32) {
        let difference = self.board.store_difference();
        (difference + self.bounds.lower, difference + self.bounds.upper)
    }

    /// The margin, once it is known.
    pub fn margin(&self) -> Option<i32> {
        self.bounds.is_exact().then(|| self.bounds().0)
    }

    /// Positions that are expected to be searched until the present test is decided.
    pub fn expected_nodes(&self) -> f64 {
        f64::from(self.dag.work().minimum())
    }

    /// The jobs that were handed out and have no result.
    pub fn running(&self) -> usize {
        self.jobs.len()
    }

    /// Hands out the jobs that are expected to help most, at most `count`; perhaps none while others are running.
    pub fn next_jobs(&mut self, count: usize) -> Vec<SolveJob> {
        let mut jobs = Vec::new();
        while jobs.len() < count && !self.bounds.is_exact() {
            let Some(leaf) = self.dag.select() else { break };
            if leaf.work.minimum() > EXPECTED_JOBS * self.job_nodes as f32 {
                self.expand(&leaf);
                continue;
            }
            let id = self.next_job;
            self.next_job += 1;
            let (board, target) = (self.board_of(&leaf.test), leaf.test.target);
            let expected_nodes = f64::from(leaf.work.minimum());
            jobs.push(SolveJob { id, board, target, max_nodes: self.job_nodes, expected_nodes });
            self.jobs.insert(id, RunningJob { test: leaf.test, leaf: Some(leaf) });
        }
        jobs
    }

    /// Takes the result of a job. Returns false if no such job is running.
    pub fn report(&mut self, id: u64, result: &JobResult) -> bool {
        let Some(RunningJob { test, leaf }) = self.jobs.remove(&id) else { return false };
        for &proven in &result.proven {
            self.learn(proven);
        }
        if let Some(leaf) = leaf {
            let bounds = self.bounds_of(test.hash, test.seeds);
            if bounds.decide(test.target) {
                self.dag.decide(&leaf, bounds.lower >= test.target);
                self.advance();
            } else {
                self.expand(&leaf);
            }
        }
        true
    }

    /// Gives up a job whose solver was lost: it is handed out again. Returns false if no such job is running.
    pub fn abandon(&mut self, id: u64) -> bool {
        let Some(RunningJob { leaf, .. }) = self.jobs.remove(&id) else { return false };
        if let Some(leaf) = leaf {
            self.dag.return_leaf(&leaf);
        }
        true
    }

    /// What was proven since the last call, for solvers that have not done the work themselves. It is kept, and takes
    /// memory, until it is taken.
    pub fn take_proven(&mut self) -> Vec<ProvenBoard> {
        mem::take(&mut self.fresh)
    }

    fn learn(&mut self, proven: ProvenBoard) {
        let Some((hash, bounds)) = proven.gain_bounds(self.board.rules()) else { return };
        let seeds = proven.board.seeds_in_play();
        if bounds != GainBounds::from_seeds(seeds) && self.note(hash, bounds) {
            self.fresh.push(proven);
            if let Some(checkpoint) = &self.checkpoint {
                checkpoint.keep(hash, seeds, bounds);
            }
        }
    }

    /// Notes bounds, and returns whether they are better than those known.
    fn note(&mut self, hash: PositionHash, bounds: GainBounds) -> bool {
        let known = self.proven.entry(hash).or_insert(UNBOUNDED);
        let better = known.intersection(bounds);
        // Bounds that contradict each other come from a file that was wrong.
        let is_better = better != *known && better.lower <= better.upper;
        if is_better {
            *known = better;
        }
        is_better
    }

    fn bounds_of(&self, hash: Option<PositionHash>, seeds: u32) -> GainBounds {
        let known = hash.and_then(|hash| self.proven.get(&hash));
        // A checkpoint that is wrong may have bounds that no gain has.
        let known = known.and_then(|&GainBounds { lower, upper }| {
            GainBounds::from_untrusted(lower, upper, seeds)
        });
        known.unwrap_or(GainBounds::from_seeds(seeds))
    }

    fn expand(&mut self, leaf: &SelectedLeaf<u128>) {
        let known = |position: &Position<u128>| {
            let hash = hash_of_board(&Board::from_position(self.board.rules(), position));
            (hash, self.bounds_of(hash, position.seeds()))
        };
        let expansion = leaf.test.expand(self.sowings, &self.work, known);
        if !self.dag.expand(leaf, &expansion, MAX_DAG_NODES) {
            self.job_nodes = self.job_nodes.saturating_mul(2);
        }
        self.advance();
    }

    /// The board of a test, with South to move and empty stores.
    fn board_of(&self, test: &GainTest<u128>) -> Board {
        Board::from_position(self.board.rules(), &test.position)
    }

    /// Keeps what the tree has decided; begins the next test if the present one is.
    fn advance(&mut self) {
        for (test, is_reached) in self.dag.take_decided() {
            self.learn_decided(test, is_reached);
        }
        let work = self.dag.work();
        if work.is_decided() {
            let is_reached = work.prove == 0.0;
            self.learn_decided(self.root, is_reached);
            let GainBounds { lower, upper } = &mut self.bounds;
            if is_reached {
                *lower = self.root.target;
            } else {
                *upper = self.root.target - 2;
            }
            // As MTD(f) does: after a fail high one step higher, after a fail low one step lower.
            self.begin_test(if is_reached { self.bounds.lower + 2 } else { self.bounds.upper });
        }
    }

    fn learn_decided(&mut self, test: GainTest<u128>, is_reached: bool) {
        let GainBounds { lower, upper } = test.bounds(is_reached);
        self.learn(ProvenBoard { board: self.board_of(&test), lower, upper });
    }

    /// The gain that the evaluation expects.
    fn expected_gain(&self) -> i32 {
        let network = Network::built_in(self.board.rules());
        let evaluation = network.map_or_else(Evaluation::default, Evaluation::Learned);
        evaluation.margin(&self.board) as i32 - self.board.store_difference()
    }

    /// Begins the test of the target within the bounds nearest to `target`. What running jobs prove is kept.
    fn begin_test(&mut self, target: i32) {
        let known = self.bounds.intersection(self.bounds_of(self.root.hash, self.root.seeds));
        if known.lower <= known.upper {
            self.bounds = known;
        }
        for job in self.jobs.values_mut() {
            job.leaf = None;
        }
        if self.bounds.is_exact() {
            return;
        }
        let target = target + ((target ^ self.bounds.lower) & 1);
        self.root.target = target.clamp(self.bounds.lower + 2, self.bounds.upper);
        let GainTest { position, target, .. } = &self.root;
        let work = self.work.estimate(self.sowings, position, *target);
        self.dag = ProofDag::new(self.root, work);
    }
}

/// Nodes of the tree, of some 200 bytes each with their edges. If it needs more, jobs become longer.
const MAX_DAG_NODES: usize = 10_000_000;

const UNBOUNDED: GainBounds = GainBounds { lower: i32::MIN, upper: i32::MAX };

impl Solver {
    /// Does a job of a [`JobTree`], with all threads and with what earlier jobs have found.
    ///
    /// # Errors
    /// As [`solve_with`](Self::solve_with).
    pub fn run_job(&mut self, job: &SolveJob, stop: &StopToken) -> Result<JobResult, SolveError> {
        let board = &job.board;
        if board.is_over() {
            return Ok(JobResult::default());
        }
        self.tables.prepare(board.rules(), board.seeds_in_play(), 1, stop)?;
        let progress = &SolveProgress::default();
        let target = job.target.saturating_sub(board.store_difference());
        let mut proven = with_workers!(self, board, stop, progress, |workers, root| {
            let mut workers = workers;
            workers.limits.max_nodes = job.max_nodes;
            let found = workers.test(&root, target);
            if found.is_none() && stop.is_stopped() {
                return Err(SolveError::Stopped);
            }
            let mut proven = vec![(*board, found.unwrap_or_else(|| workers.initial_bounds(&root)))];
            for ((_, after), (_, played)) in board.successors().zip(workers.moves(&root)) {
                if !after.is_over() {
                    proven.push((after, workers.initial_bounds(&played.position)));
                }
            }
            proven
        });
        // What says nothing is not worth a message.
        proven.retain(|(board, bounds)| *bounds != GainBounds::from_seeds(board.seeds_in_play()));
        let proven = proven.into_iter().map(|(board, GainBounds { lower, upper })| ProvenBoard {
            board: board.without_stores(),
            lower,
            upper,
        });
        Ok(JobResult { proven: proven.collect(), nodes: progress.nodes() })
    }

    /// Takes over what other solvers have proven, for boards for which this one has tables.
    pub fn learn(&self, proven: &[ProvenBoard]) {
        let Some(table) = &self.tables.bounds else { return };
        for proven in proven {
            if let Some((hash, bounds)) = proven.gain_bounds(self.tables.rules) {
                let entry = BoundsEntry { bounds, best: None };
                table.update(hash, proven.board.seeds_in_play(), entry);
            }
        }
    }
}

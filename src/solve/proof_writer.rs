//! Finds the proof of a value, for a file that a verifier can check without this solver.
//!
//! The solver has decided all claims of the proof, and its table of bounds still has most of them. For
//! each claim, from the value of the board on, the verifier's own search is tried first: if it decides the
//! claim within its limit, that is a leaf. Otherwise the claim follows from claims about one move or all
//! moves. A move is chosen by what its proof is likely to cost.

use std::collections::hash_map::Entry;
use std::mem;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use super::keys::UniqueKeys;
use super::request::{SolveError, SolveProgress, SolveRequest};
use super::solver::{Solver, with_workers};
use super::workers::{EndgameProbe, WorkerGroup};
use crate::board::{Board, MAX_HOUSES, Position, RowTables, Rules};
use crate::lock::{lock, unlocked};
use crate::proof_file::{
    Claim, EndgameGains, LeafSearch, MAX_LEAF_NODES, PlainRanks, ProofFault, ProofFile,
    ProofLimits, ProofStep,
};
use crate::stop::StopToken;
use crate::tablebase::Tablebase;

/// A search for a leaf is tried if the expected work of this solver is at most its limit or this number.
const MIN_LEAF_WORK: u32 = 1000;

/// Moves of a claim for which a search for a leaf is tried, before one that may be larger is chosen.
const LEAF_TRIALS: usize = 3;

impl Solver {
    /// Solves a board, if that has not just been done, and returns a proof of its margin, which
    /// [`ProofFile::verify`](crate::proof_file::ProofFile::verify) checks without this solver.
    ///
    /// Beside the solver's tables this takes 30 to 60 bytes of memory for each claim of the proof, and a
    /// tablebase if `limits` want a larger one than the solver's.
    ///
    /// # Errors
    /// Returns an error as [`solve_with`](Self::solve_with) does, or if there is no memory for the proof.
    pub fn proof(
        &mut self,
        board: &Board,
        limits: ProofLimits,
        stop: &StopToken,
        progress: &SolveProgress,
    ) -> Result<ProofFile, SolveError> {
        let limits = ProofLimits {
            table_seeds: limits.table_seeds.min(board.seeds_in_play()),
            leaf_nodes: limits.leaf_nodes.min(MAX_LEAF_NODES),
        };
        let margin = self.solve_with(board, SolveRequest::default(), stop, progress)?.margin;
        let (ranks, roots) = ProofFile::root_claims(board, margin)?;
        let (rules, seeds) = (board.rules(), limits.table_seeds);
        let of_solver = self.tables.tablebase.clone().filter(|it| it.rules() == rules);
        let tablebase = match of_solver.filter(|it| it.seeds() >= seeds) {
            Some(tablebase) => Some(tablebase),
            None if seeds == 0 => None,
            None => Some(Tablebase::build_until(rules, seeds, self.threads(), stop)?.into()),
        };
        let endgames = EndgameGains { tablebase: tablebase.as_deref(), seeds };
        let (found, signal) = (Mutex::default(), Condvar::new());
        let task = FindProof { rules, limits, ranks: &ranks, endgames, roots, found, signal };
        if !board.is_over() {
            with_workers!(self, board, stop, progress, |workers, _root| task.run(&workers))?;
        }
        let FoundSteps { steps, .. } = unlocked(task.found);
        let known = |claim: &Claim| *steps.get(&key_of(&ranks, claim))?;
        Ok(ProofFile::from_steps(board, margin, limits, endgames, known)?)
    }
}

/// Identifies a claim: the rank of its position, its target, and whether that is reached.
type ClaimKey = (u64, i8, bool);

fn key_of(ranks: &PlainRanks, claim: &Claim) -> ClaimKey {
    (ranks.rank(&claim.position), claim.target as i8, claim.is_reached)
}

#[derive(Default)]
struct FoundSteps {
    /// How each of them is proven; `None` while that is not known.
    steps: FxHashMap<ClaimKey, Option<ProofStep>>,
    /// Claims that no thread has taken yet, and whether they may be leaves. Few, as the last comes first.
    open: Vec<(Claim, bool)>,
    working: usize,
    failure: Option<SolveError>,
}

/// The search for the proofs of all claims that those of the roots need.
struct FindProof<'a> {
    rules: Rules,
    limits: ProofLimits,
    ranks: &'a PlainRanks,
    endgames: EndgameGains<'a>,
    roots: Vec<Claim>,
    found: Mutex<FoundSteps>,
    /// Signals that there is an open claim, or that the work is over.
    signal: Condvar,
}

impl FindProof<'_> {
    /// Finds all proofs, on the threads of these workers.
    fn run<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>>(
        &self,
        workers: &WorkerGroup<'_, R, K, E>,
    ) -> Result<(), SolveError> {
        self.add(&self.roots, true)?;
        // Each thread tests claims for itself.
        let limits = workers.limits.shared_by(workers.threads);
        let worker = WorkerGroup { threads: NonZeroUsize::MIN, limits, ..*workers };
        thread::scope(|scope| {
            for _ in 1..workers.threads.get() {
                // If the system starts no thread, the work goes on with fewer.
                let _ = thread::Builder::new().spawn_scoped(scope, || self.work(&worker));
            }
            self.work(&worker);
        });
        lock(&self.found).failure.take().map_or(Ok(()), Err)
    }

    /// Finds proofs until there is no claim left.
    fn work<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>>(
        &self,
        workers: &WorkerGroup<'_, R, K, E>,
    ) {
        let max_nodes = self.limits.leaf_nodes;
        let search =
            LeafSearch::new(self.rules, self.ranks, self.endgames, max_nodes, workers.stop);
        let Some(search) = search else {
            lock(&self.found).failure.get_or_insert(ProofFault::OutOfMemory.into());
            return self.signal.notify_all();
        };
        let mut prover = ClaimProver { task: self, workers, search };
        while let Some((claim, may_be_leaf)) = self.take() {
            let mut work = ClaimWork { task: self, result: Err(SolveError::Stopped) };
            if !workers.stop.is_stopped() {
                work.result = prover.prove(&claim, may_be_leaf);
            }
        }
    }

    /// A claim to prove; `None` if there are no more.
    fn take(&self) -> Option<(Claim, bool)> {
        let mut found = lock(&self.found);
        loop {
            if found.failure.is_some() {
                return None;
            }
            if let Some(open) = found.open.pop() {
                found.working += 1;
                return Some(open);
            }
            if found.working == 0 {
                return None;
            }
            found = self.signal.wait(found).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Adds claims that are to be proven, where they are new and need a proof.
    fn add(&self, claims: &[Claim], may_be_leaves: bool) -> Result<(), SolveError> {
        let mut found = lock(&self.found);
        for claim in claims {
            if let Some(is_reached) = self.known(claim) {
                self.require(claim, is_reached)?;
                continue;
            }
            if found.steps.try_reserve(1).is_err() || found.open.try_reserve(1).is_err() {
                return Err(ProofFault::OutOfMemory.into());
            }
            if let Entry::Vacant(entry) = found.steps.entry(key_of(self.ranks, claim)) {
                entry.insert(None);
                found.open.push((*claim, may_be_leaves));
            }
        }
        Ok(())
    }

    fn set_step(&self, claim: &Claim, step: ProofStep) -> Result<(), SolveError> {
        let mut found = lock(&self.found);
        if found.steps.try_reserve(1).is_err() {
            return Err(ProofFault::OutOfMemory.into());
        }
        found.steps.insert(key_of(self.ranks, claim), Some(step));
        Ok(())
    }

    /// Whether a claim has been added.
    fn is_found(&self, claim: &Claim) -> bool {
        lock(&self.found).steps.contains_key(&key_of(self.ranks, claim))
    }

    /// Whether the target of a claim is reached, if that needs no proof.
    fn known(&self, claim: &Claim) -> Option<bool> {
        self.endgames.decide(&claim.position, claim.seeds, claim.target)
    }

    fn require(&self, claim: &Claim, is_reached: bool) -> Result<(), SolveError> {
        if is_reached == claim.is_reached {
            return Ok(());
        }
        Err(ProofFault::Contradiction(claim.text(self.rules)).into())
    }
}

/// Work on a claim. It ends when this is dropped, even by a panic: no thread waits for it for ever.
struct ClaimWork<'a> {
    task: &'a FindProof<'a>,
    result: Result<(), SolveError>,
}

impl Drop for ClaimWork<'_> {
    fn drop(&mut self) {
        let mut found = lock(&self.task.found);
        found.working -= 1;
        if let Err(error) = mem::replace(&mut self.result, Ok(())) {
            found.failure.get_or_insert(error);
        }
        drop(found);
        self.task.signal.notify_all();
    }
}

/// A move and the claim about the position after it.
#[derive(Clone)]
struct MoveClaim {
    house: u8,
    claim: Claim,
    /// Whether the table of bounds has it that the claim is true.
    is_proven: bool,
    /// The expected work to prove it.
    work: f32,
    /// Whether a search for a leaf has not failed yet.
    may_be_leaf: bool,
    is_refuted: bool,
}

/// Finds proofs of claims in one thread.
struct ClaimProver<'a, R, K, E> {
    task: &'a FindProof<'a>,
    workers: &'a WorkerGroup<'a, R, K, E>,
    search: LeafSearch<'a>,
}

impl<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>> ClaimProver<'_, R, K, E> {
    fn prove(&mut self, claim: &Claim, may_be_leaf: bool) -> Result<(), SolveError> {
        let task = self.task;
        self.workers.progress.add_claims(1);
        let work = self.root(claim).map_or(f32::INFINITY, |root| self.expected_work(&root, claim));
        if may_be_leaf && let Some(is_reached) = self.leaf_result(claim, work) {
            task.require(claim, is_reached)?;
            return task.set_step(claim, ProofStep::Leaf);
        }
        if claim.is_reached {
            let MoveClaim { house, claim: after, may_be_leaf, .. } = self.proving_move(claim)?;
            task.add(&[after], may_be_leaf)?;
            return task.set_step(claim, ProofStep::Move(house));
        }
        let after = claim.moves(task.rules).rev().map(|(_, _, after)| after);
        task.add(&after.collect::<ArrayVec<Claim, MAX_HOUSES>>(), true)?;
        task.set_step(claim, ProofStep::AllMoves)
    }

    /// Whether the verifier's search finds the target of a claim reached; `None` if it does not decide that.
    fn leaf_result(&mut self, claim: &Claim, work: f32) -> Option<bool> {
        if work > self.task.limits.leaf_nodes.max(MIN_LEAF_WORK) as f32 {
            return None;
        }
        let mut nodes = 0;
        let result = self.search.decide(claim, &mut nodes);
        self.workers.progress.add_nodes(nodes);
        result
    }

    /// A move from whose claim this one follows.
    fn proving_move(&mut self, claim: &Claim) -> Result<MoveClaim, SolveError> {
        let task = self.task;
        let mut moves = ArrayVec::<MoveClaim, MAX_HOUSES>::new();
        for (house, _, after) in claim.moves(task.rules) {
            let mut mv = MoveClaim {
                house: house as u8,
                claim: after,
                is_proven: true,
                work: 0.0,
                may_be_leaf: true,
                is_refuted: false,
            };
            let known = task.known(&after);
            if known == Some(after.is_reached) || task.is_found(&after) {
                return Ok(mv);
            }
            if known.is_some() {
                continue;
            }
            let Some(root) = self.root(&after) else { continue };
            let bounds = self.workers.initial_bounds(&root);
            mv.is_proven = bounds.decide(after.target);
            if mv.is_proven && (bounds.lower >= after.target) != after.is_reached {
                continue;
            }
            mv.work = self.expected_work(&root, &after);
            moves.push(mv);
        }
        moves.sort_by(|a, b| b.is_proven.cmp(&a.is_proven).then(a.work.total_cmp(&b.work)));
        for mv in moves.iter_mut().take(LEAF_TRIALS) {
            match self.leaf_result(&mv.claim, mv.work) {
                Some(is_reached) if is_reached == mv.claim.is_reached => {
                    task.set_step(&mv.claim, ProofStep::Leaf)?;
                    return Ok(mv.clone());
                }
                Some(_) => mv.is_refuted = true,
                None => mv.may_be_leaf = false,
            }
        }
        moves.retain(|mv| !mv.is_refuted);
        for mv in moves {
            if mv.is_proven {
                return Ok(mv);
            }
            let Some(root) = self.root(&mv.claim) else { continue };
            let target = mv.claim.target;
            let bounds = self.workers.test(&root, target).ok_or(SolveError::Stopped)?;
            if (bounds.lower >= target) == mv.claim.is_reached {
                return Ok(mv);
            }
        }
        Err(ProofFault::Unproven(claim.text(task.rules)).into())
    }

    /// The position of a claim for the solver.
    fn root(&self, claim: &Claim) -> Option<Position<R>> {
        let houses = self.task.rules.houses();
        let [own, opponent] = claim.position.rows();
        Position::new(self.workers.context.sowings, &own[..houses], &opponent[..houses])
    }

    /// The work that this solver expects to need for a claim.
    fn expected_work(&self, root: &Position<R>, claim: &Claim) -> f32 {
        let context = &self.workers.context;
        let work = context.work.estimate(context.sowings, root, claim.target);
        if claim.is_reached { work.prove } else { work.refute }
    }
}

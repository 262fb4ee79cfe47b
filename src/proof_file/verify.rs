//! Verifies a proof: its tablebase, its claims and their leaves.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::checked_table::check_all_gains;
use super::claim::{Claim, EndgameGains};
use super::error::{ProofFault, ProofFileError};
use super::file::ProofFile;
use super::leaf_search::LeafSearch;
use super::walk::{ProofWalk, StepReader};
use crate::board::Rules;
use crate::parallel;
use crate::stop::StopToken;
use crate::tablebase::{BuildOutcome, Tablebase, TablebaseBuild};

/// Leaves that a thread searches one after the other.
const LEAVES_AT_A_TIME: usize = 64;

/// How far a proof has been verified. Any thread may read it.
#[derive(Debug, Default)]
pub struct ProofProgress {
    gains: AtomicU64,
    leaves: AtomicU64,
    leaf_nodes: AtomicU64,
}

impl ProofProgress {
    /// Gains of the tablebase that were verified.
    pub fn gains(&self) -> u64 {
        self.gains.load(Relaxed)
    }

    /// Leaves that were decided.
    pub fn leaves(&self) -> u64 {
        self.leaves.load(Relaxed)
    }

    /// Positions searched for the leaves.
    pub fn leaf_nodes(&self) -> u64 {
        self.leaf_nodes.load(Relaxed)
    }
}

/// What a verified proof consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofReport {
    /// Claims.
    pub claims: u64,
    /// Claims that were decided by a search.
    pub leaves: u64,
    /// Positions that these searches took.
    pub leaf_nodes: u64,
    /// Gains of the tablebase. Each was verified by the moves of its position.
    pub gains: u64,
}

/// Leaves with the number of the first one's claim.
type NumberedLeaves = Vec<(u64, Claim)>;

impl ProofFile {
    /// Verifies the proof on up to `threads` threads. It then rests on the rules of the game as
    /// `src/proof_file` plays them, and on nothing that the solver computed: the tablebase is computed
    /// anew, and each of its gains verified by the moves of its position.
    ///
    /// Memory: a tablebase, and 20 to 40 bytes for each claim.
    ///
    /// # Errors
    /// Returns the first fault of the proof, or an error if the tablebase does not fit into memory or
    /// `stop` was stopped.
    pub fn verify(
        &self,
        threads: NonZeroUsize,
        stop: &StopToken,
        progress: &ProofProgress,
    ) -> Result<ProofReport, ProofFileError> {
        let rules = self.board().rules();
        let seeds = self.limits().table_seeds;
        let (nodes_before, gains_before) = (progress.leaf_nodes(), progress.gains());
        let tablebase =
            if seeds > 0 { Some(build_tablebase(rules, seeds, threads, stop)?) } else { None };
        let endgames = EndgameGains { tablebase: tablebase.as_ref(), seeds };
        if seeds > 0 {
            let report = |gains| {
                progress.gains.fetch_add(gains, Relaxed);
            };
            check_all_gains(rules, endgames, threads, stop, &report)?;
        }
        let (ranks, roots) = self.roots()?;
        let mut leaves = LeafBatches {
            walk: ProofWalk::new(rules, &ranks, endgames, roots),
            steps: self.steps(),
            leaves: 0,
            end: None,
        };
        let max_nodes = self.limits().leaf_nodes;
        let new_search = || LeafSearch::new(rules, &ranks, endgames, max_nodes, stop);
        parallel::try_for_each_with(threads, &mut leaves, new_search, |search, batch| {
            if stop.is_stopped() {
                return Err(ProofFileError::Stopped);
            }
            let search = search.as_mut().ok_or(ProofFileError::OutOfMemory)?;
            verify_leaves(rules, search, batch?, stop, progress)
        })?;
        let LeafBatches { walk, steps, leaves, .. } = leaves;
        let claims = walk.claims();
        if !steps.is_at_end() || claims != self.claims() || leaves != self.leaves() {
            return Err(ProofFileError::Fault { claim: claims, fault: ProofFault::Size });
        }
        let leaf_nodes = progress.leaf_nodes() - nodes_before;
        let gains = progress.gains() - gains_before;
        Ok(ProofReport { claims, leaves, leaf_nodes, gains })
    }
}

fn build_tablebase(
    rules: Rules,
    seeds: u32,
    threads: NonZeroUsize,
    stop: &StopToken,
) -> Result<Tablebase, ProofFileError> {
    match TablebaseBuild::new(rules, seeds)?.resume(threads, stop)? {
        BuildOutcome::Complete(tablebase) => Ok(tablebase),
        BuildOutcome::Paused(_) => Err(ProofFileError::Stopped),
    }
}

fn verify_leaves(
    rules: Rules,
    search: &mut LeafSearch<'_>,
    batch: NumberedLeaves,
    stop: &StopToken,
    progress: &ProofProgress,
) -> Result<(), ProofFileError> {
    let (mut nodes, leaves) = (0, batch.len() as u64);
    for (number, claim) in batch {
        let fault = match search.decide(&claim, &mut nodes) {
            Some(is_reached) if is_reached == claim.is_reached => continue,
            Some(_) => ProofFault::Refuted(claim.text(rules)),
            None if stop.is_stopped() => return Err(ProofFileError::Stopped),
            None => ProofFault::Undecided(claim.text(rules)),
        };
        return Err(ProofFileError::Fault { claim: number, fault });
    }
    progress.leaf_nodes.fetch_add(nodes, Relaxed);
    progress.leaves.fetch_add(leaves, Relaxed);
    Ok(())
}

/// The leaves of a proof, in the order of the file. The walk goes on as they are taken.
struct LeafBatches<'a> {
    walk: ProofWalk<'a>,
    steps: StepReader<'a>,
    leaves: u64,
    /// Set when there are no more leaves. The fault is returned after the leaves before it.
    end: Option<Result<(), ProofFileError>>,
}

impl LeafBatches<'_> {
    fn next_leaf(&mut self) -> Result<Option<Claim>, ProofFault> {
        let LeafBatches { walk, steps, .. } = self;
        walk.next_leaf(|claim| steps.next(claim))
    }
}

impl Iterator for LeafBatches<'_> {
    type Item = Result<NumberedLeaves, ProofFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut batch = Vec::with_capacity(LEAVES_AT_A_TIME);
        while self.end.is_none() && batch.len() < LEAVES_AT_A_TIME {
            match self.next_leaf() {
                Ok(Some(claim)) => {
                    self.leaves += 1;
                    batch.push((self.walk.claims(), claim));
                }
                Ok(None) => self.end = Some(Ok(())),
                Err(fault) => {
                    self.end = Some(Err(ProofFileError::at(self.walk.claims(), fault)));
                }
            }
        }
        if !batch.is_empty() {
            return Some(Ok(batch));
        }
        match self.end.replace(Ok(())) {
            Some(Err(fault)) => Some(Err(fault)),
            _ => None,
        }
    }
}

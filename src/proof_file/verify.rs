//! Verifies a proof: its tablebase, its claims and their leaves. Every gain of the tablebase is checked by its
//! definition, with moves played seed by seed: how the table was computed or indexed does not matter.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::claim::{Claim, EndgameGains};
use super::error::{ProofFault, ProofFileError};
use super::file::ProofFile;
use super::leaf_search::LeafSearch;
use super::plain_position::PlainPosition;
use super::walk::{ProofWalk, StepReader};
use crate::board::{MAX_HOUSES, Next, Rules};
use crate::parallel;
use crate::stop::StopToken;
use crate::tablebase::Tablebase;

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
    /// Returns the first fault of the proof, or an error if memory is too short or `stop` was stopped.
    pub fn verify(
        &self,
        threads: NonZeroUsize,
        stop: &StopToken,
        progress: &ProofProgress,
    ) -> Result<ProofReport, ProofFileError> {
        let rules = self.board().rules();
        let seeds = self.limits().table_seeds;
        let (nodes_before, gains_before) = (progress.leaf_nodes(), progress.gains());
        let build = || Tablebase::build_until(rules, seeds, threads, stop);
        let tablebase = (seeds > 0).then(build).transpose()?;
        let endgames = EndgameGains { tablebase: tablebase.as_ref(), seeds };
        if seeds > 0 {
            let report = |gains| {
                progress.gains.fetch_add(gains, Relaxed);
            };
            check_all_gains(rules, endgames, threads, stop, &report)?;
        }
        let (ranks, roots) = ProofFile::root_claims(self.board(), self.margin())?;
        let mut leaves = LeafBatches {
            walk: ProofWalk::new(rules, &ranks, endgames, roots),
            steps: self.steps(),
            leaves: 0,
            end: None,
        };
        let max_nodes = self.limits().leaf_nodes;
        let new_search = || LeafSearch::new(rules, &ranks, endgames, max_nodes, stop);
        parallel::try_for_each_with(threads, &mut leaves, new_search, |search, batch| {
            stop.check(ProofFileError::Stopped)?;
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

impl Iterator for LeafBatches<'_> {
    type Item = Result<NumberedLeaves, ProofFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut batch = Vec::with_capacity(LEAVES_AT_A_TIME);
        let LeafBatches { walk, steps, leaves, end } = self;
        while end.is_none() && batch.len() < LEAVES_AT_A_TIME {
            match walk.next_leaf(|claim| steps.next(claim)) {
                Ok(Some(claim)) => {
                    *leaves += 1;
                    batch.push((walk.claims(), claim));
                }
                Ok(None) => *end = Some(Ok(())),
                Err(fault) => *end = Some(Err(ProofFileError::at(walk.claims(), fault))),
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

pub(super) type PlainRow = [u8; MAX_HOUSES];

/// Rows of the mover that are checked before the next look at the token.
const ROWS_AT_A_TIME: usize = 64;

/// Checks all gains that a proof may use, and calls `report` with the number of those just checked.
pub(super) fn check_all_gains(
    rules: Rules,
    endgames: EndgameGains<'_>,
    threads: NonZeroUsize,
    stop: &StopToken,
    report: &(dyn Fn(u64) + Sync),
) -> Result<(), ProofFileError> {
    let rows: Option<Vec<Vec<PlainRow>>> =
        (0..=endgames.seeds).map(|seeds| rows(rules, seeds)).collect();
    let rows = rows.ok_or(ProofFileError::OutOfMemory)?;
    let pairs = (0..rows.len()).flat_map(|total| (0..=total).map(move |own| (own, total - own)));
    let parts = pairs.flat_map(|(own, opponent)| {
        let opponents = &rows[opponent];
        rows[own].chunks(ROWS_AT_A_TIME).map(move |own| (own, opponents))
    });
    parallel::try_for_each(threads, parts, |(own, opponents)| {
        // In this order most moves of neighbours lead to neighbours, which share a line of the cache.
        for &opponent in opponents {
            for &own in own {
                check_gain(rules, endgames, &PlainPosition { own, opponent })?;
            }
        }
        report((own.len() * opponents.len()) as u64);
        stop.check(ProofFileError::Stopped)
    })
}

/// All ways to distribute seeds over the houses of one side; `None` if there is no memory for them.
pub(super) fn rows(rules: Rules, seeds: u32) -> Option<Vec<PlainRow>> {
    fn fill(mut row: PlainRow, house: usize, left: u8, rows: &mut Vec<PlainRow>) -> Option<()> {
        if house == 0 {
            row[0] = left;
            rows.try_reserve(1).ok()?;
            rows.push(row);
            return Some(());
        }
        for seeds in 0..=left {
            row[house] = seeds;
            fill(row, house - 1, left - seeds, rows)?;
        }
        Some(())
    }
    let mut rows = Vec::new();
    fill([0; MAX_HOUSES], rules.houses() - 1, seeds as u8, &mut rows)?;
    Some(rows)
}

fn check_gain(
    rules: Rules,
    endgames: EndgameGains<'_>,
    position: &PlainPosition,
) -> Result<(), ProofFileError> {
    let found = endgames.gain(position).unwrap_or_default();
    let expected = if position.is_over() {
        position.final_gain()
    } else {
        let mut best = i32::MIN;
        for house in (0..rules.houses()).filter(|&house| position.own[house] > 0) {
            let played = position.play(rules, house);
            let after = match played.next {
                Next::Over => 0,
                Next::Again | Next::Other => endgames.gain(&played.position).unwrap_or_default(),
            };
            let after = if played.next == Next::Other { -after } else { after };
            best = best.max(played.won + after);
        }
        best
    };
    if found == expected {
        return Ok(());
    }
    let [own, opponent] = position.rows();
    let counts = own.iter().take(rules.houses()).chain(opponent.iter().take(rules.houses()));
    let counts: Vec<String> = counts.map(u16::to_string).collect();
    Err(ProofFileError::Gain { position: counts.join(","), found, expected })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::board::{RuleSet, Sowing};
    use crate::tablebase::{Tablebase, positions};

    /// Checks a tablebase as one of these rules; returns the number of gains and the error.
    fn check(tablebase: &Tablebase, rules: Rules) -> (u64, Option<ProofFileError>) {
        let endgames = EndgameGains { tablebase: Some(tablebase), seeds: tablebase.seeds() };
        let gains = AtomicU64::new(0);
        let report = |more| {
            gains.fetch_add(more, Relaxed);
        };
        let stop = StopToken::new();
        let result = check_all_gains(rules, endgames, NonZeroUsize::MIN, &stop, &report);
        (gains.into_inner(), result.err())
    }

    #[test]
    fn wrong_gains_are_found() {
        for (houses, seeds) in [(1, 30), (2, 12), (3, 9), (6, 6), (8, 4)] {
            for rule_set in RuleSet::ALL {
                let rules = Rules::new(houses, rule_set).unwrap();
                let table = Tablebase::build(rules, seeds, NonZeroUsize::MIN).unwrap();
                let (gains, error) = check(&table, rules);
                assert!(error.is_none(), "{rules:?}: {error:?}");
                assert_eq!(Some(gains), positions(houses, seeds));
                // With more than one house, a table of the other rule has some wrong gains.
                let other = RuleSet::ALL.into_iter().find(|&other| other != rule_set).unwrap();
                let other = Rules::new(houses, other).unwrap();
                let (_, error) = check(&table, other);
                let is_found = matches!(error, Some(ProofFileError::Gain { .. }));
                // Relay sowing differs on the smallest board, too.
                let differs = houses > 1 || rule_set.sowing() != Sowing::Single;
                assert_eq!(is_found, differs, "{rules:?}: {error:?}");
            }
        }
    }
}

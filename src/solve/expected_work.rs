//! How many positions a test is expected to take.

use super::ordering::{INFINITE, ShallowSearch};
use crate::board::{Position, RowTables, Rules, Sowings};
use crate::search::CENTISEEDS;
use crate::tablebase::positions;

/// The positions expected to be searched until a test is decided: proof and disproof numbers with a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ExpectedWork {
    /// To prove that the gain reaches the target.
    pub prove: f32,
    /// To refute it.
    pub refute: f32,
}

/// More than any work that can be done. Only what cannot be proven or refuted is infinite: if work grew
/// to infinity by sums and factors, it would look like that.
const MAX_WORK: f32 = 1e30;

/// A number that was made of `part`, which is infinite only if that is.
fn limited(part: f32, number: f32) -> f32 {
    if part.is_infinite() { f32::INFINITY } else { number.min(MAX_WORK) }
}

impl ExpectedWork {
    /// That of a test of which nothing is known.
    pub(super) const UNKNOWN: ExpectedWork = ExpectedWork { prove: 1.0, refute: 1.0 };

    /// That of a test with this result.
    pub(super) fn decided(is_reached: bool) -> ExpectedWork {
        let proven = ExpectedWork { prove: 0.0, refute: f32::INFINITY };
        proven.seen_before_move(!is_reached)
    }

    pub(super) fn is_decided(self) -> bool {
        self.minimum() == 0.0
    }

    /// The work until it is decided.
    pub(super) fn minimum(self) -> f32 {
        self.prove.min(self.refute)
    }

    /// The work for the position after a move, seen from the player who made it.
    pub(super) fn seen_before_move(self, passes_turn: bool) -> ExpectedWork {
        let ExpectedWork { prove, refute } = self;
        if passes_turn { ExpectedWork { prove: refute, refute: prove } } else { self }
    }

    pub(super) fn times(self, factor: f32) -> ExpectedWork {
        ExpectedWork {
            prove: limited(self.prove, self.prove * factor),
            refute: limited(self.refute, self.refute * factor),
        }
    }

    /// That of a position, from that of its moves: one of them has to be proven or all refuted.
    pub(super) fn from_moves(moves: impl Iterator<Item = ExpectedWork>) -> ExpectedWork {
        moves.fold(ExpectedWork::decided(false), |all, one| ExpectedWork {
            prove: all.prove.min(one.prove),
            refute: limited(all.refute.max(one.refute), all.refute + one.refute),
        })
    }

    /// Whether each number differs by less than this factor.
    pub(super) fn is_near(self, other: ExpectedWork, factor: f32) -> bool {
        // Two infinite numbers are near.
        let is_near = |a: f32, b: f32| a <= b * factor && b <= a * factor;
        is_near(self.prove, other.prove) && is_near(self.refute, other.refute)
    }
}

// The numbers of the formula were found by trial, on starts and middle games of 5 to 12 houses: with half or twice
// of each of them the search takes about as long. `kalah lab work` fits the formula to tests of random positions;
// docs/notebook/solver.md says why these are not used.

/// Positions for a test that could end either way, at positions with as many seeds as the tablebase has.
/// With more seeds the work grows with the square root of the number of positions. In proportion to that number
/// most leaves far from the tablebase were expanded without a search, which took up to three times as long.
const WORK_AT_ENDGAMES: f32 = 4000.0;

/// On boards without tablebases the work is this many times the square root of the number of positions.
const WORK_WITHOUT_ENDGAMES: f32 = 0.1;

/// The work is proportional to exp(-k * d), with this k and d seeds from the estimated gain to the target.
pub(super) const EASE_PER_SEED: f32 = 0.25;

/// Seeds between gain and target beyond which nothing is certain to become easier.
const MAX_DISTANCE: f32 = 20.0;

/// The shallow search takes as many plies as cost less than this part of the expected work.
const PART_FOR_ESTIMATE: f32 = 0.001;
const MIN_PLIES: u32 = 1;
const MAX_PLIES: u32 = 6;

/// Nodes of a shallow search, relative to those of one that is a ply shallower.
const NODES_PER_PLY: f32 = 5.0;

pub(super) struct WorkEstimator {
    search: ShallowSearch,
    /// The positions for a test that could end either way, by the seeds in the houses.
    by_seeds: Vec<f32>,
}

impl WorkEstimator {
    /// For tests of positions with at most `seeds` seeds, and a tablebase with `endgame_seeds` or none.
    pub(super) fn new(rules: Rules, seeds: u32, endgame_seeds: Option<u32>) -> WorkEstimator {
        let root = |seeds| positions(rules.houses(), seeds).map_or(f32::MAX, |n| n as f32).sqrt();
        let factor =
            endgame_seeds.map_or(WORK_WITHOUT_ENDGAMES, |fewest| WORK_AT_ENDGAMES / root(fewest));
        let by_seeds = (0..=seeds).map(|seeds| factor * root(seeds)).collect();
        WorkEstimator { search: ShallowSearch::new(rules), by_seeds }
    }

    /// A guess of the gain of a position, in seeds: by one turn of each player.
    pub(super) fn guess<R: RowTables>(&self, sowings: &Sowings<R>, position: &Position<R>) -> i32 {
        let window = (-INFINITE, INFINITE);
        self.search.gain(sowings, position, position.seeds(), 2, window, &mut 0) / CENTISEEDS
    }

    /// The work for the test whether the gain of a position reaches a target.
    pub(super) fn estimate<R: RowTables>(
        &self,
        sowings: &Sowings<R>,
        position: &Position<R>,
        target: i32,
    ) -> ExpectedWork {
        self.work_at_distance(position.seeds(), self.distance(sowings, position, target))
    }

    /// Estimates the gain of a position, in seeds above the middle between the target and the gain below
    /// it: gains of one position are two seeds apart.
    pub(super) fn distance<R: RowTables>(
        &self,
        sowings: &Sowings<R>,
        position: &Position<R>,
        target: i32,
    ) -> f32 {
        let seeds = position.seeds();
        let mut plies = MIN_PLIES;
        loop {
            let mut nodes = 0;
            let alpha_beta = (-INFINITE, INFINITE);
            let gain = self.search.gain(sowings, position, seeds, plies, alpha_beta, &mut nodes);
            let distance = gain as f32 / CENTISEEDS as f32 - (target - 1) as f32;
            let worthwhile = PART_FOR_ESTIMATE * self.work_at_distance(seeds, distance).minimum();
            if plies >= MAX_PLIES || nodes as f32 * NODES_PER_PLY >= worthwhile {
                return distance;
            }
            plies += 1;
        }
    }

    /// The work if the gain is this far above the target: for each result that of the test, divided by
    /// its probability. Each seed more makes it e times as likely that the target is reached.
    pub(super) fn work_at_distance(&self, seeds: u32, distance: f32) -> ExpectedWork {
        let distance = distance.clamp(-MAX_DISTANCE, MAX_DISTANCE);
        let work = self.test_nodes(seeds, distance);
        let of_side = |distance: f32| (work * (1.0 + distance.exp())).min(MAX_WORK);
        ExpectedWork { prove: of_side(-distance), refute: of_side(distance) }
    }

    /// The positions that a test takes, with either result, if the gain is this far above the target.
    pub(super) fn test_nodes(&self, seeds: u32, distance: f32) -> f32 {
        let distance = distance.abs().min(MAX_DISTANCE);
        self.by_seeds[seeds as usize] * (-EASE_PER_SEED * distance).exp()
    }
}

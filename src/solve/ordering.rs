//! Move ordering: static scores, refined by a shallow search where much is left to search.

use std::cmp::Reverse;

use crate::board::{House, Next, Position, RowTables, Rules, Sowing, Sowings};
use crate::search::{CENTISEEDS, Evaluation, Network};

#[derive(Clone, Copy)]
pub(super) struct MoveEffect {
    pub house: House,
    /// Seeds that the move wins: its change of the store difference.
    pub won: i32,
    pub next: Next,
}

/// A move that may decide the test, with the position after it.
#[derive(Clone, Copy)]
pub(super) struct Successor<R> {
    pub position: Position<R>,
    /// Seeds in the houses.
    pub seeds: u32,
    pub effect: MoveEffect,
    /// Moves with higher scores are searched first.
    pub score: i32,
}

/// The index of the move with the highest score.
#[inline]
pub(super) fn best_index<R>(moves: &[Successor<R>]) -> Option<usize> {
    let scores = moves.iter().map(|successor| successor.score).enumerate();
    scores.max_by_key(|&(_, score)| score).map(|(index, _)| index)
}

// The weights of the static scores were tuned on 40 middle games, solved exactly. Anything that does not depend on
// the position alone, such as killers, makes the search visit more positions, as lines then transpose less often.
// `docs/notebook/solver.md` has all figures.

/// For each house further right. Scores are hundredths of a seed, as those of the [`ShallowSearch`].
const FURTHER_RIGHT: i32 = 32;
const BANKED: i32 = 16 * FURTHER_RIGHT;
/// For each house that earns the mover an extra turn on the next move.
const NEXT_EXTRA_TURN: i32 = 4 * FURTHER_RIGHT;
const REPLY: i32 = -8 * FURTHER_RIGHT;
/// For an extra turn or the end of the game: above all other moves.
const EXTRA_TURN: i32 = 1 << 20;

/// Scores moves by how promising they look.
pub(super) struct MoveScores<R> {
    /// In each lane the seeds that earn an extra turn when the house is sown.
    extra_turns: R,
    shallow_search: Option<ShallowSearch>,
    /// The fewest seeds in the houses for which a shallow search pays.
    min_seeds: u32,
}

impl<R: RowTables> MoveScores<R> {
    /// Scores for a search that ends at positions with `endgame_seeds` seeds, or at none.
    pub(super) fn new(rules: Rules, endgame_seeds: Option<u32>) -> MoveScores<R> {
        let distance = |lane| R::lane(lane, (rules.houses() - lane) as u32);
        // Lanes beyond the board are zero in rows as well: they compare as equal for all moves.
        let extra_turns = (0..rules.houses()).map(distance).fold(R::default(), R::plus);
        // The plain evaluation would save nothing.
        let shallow_search = ShallowSearch::learned(rules);
        let min_seeds = endgame_seeds
            .map_or(MIN_SEEDS_WITHOUT_ENDGAMES, |seeds| seeds + MIN_SEEDS_BEYOND_ENDGAMES);
        MoveScores { extra_turns, shallow_search, min_seeds }
    }

    /// The static score of a move that leads to this position.
    #[inline]
    pub(super) fn score(&self, house: House, banked: u32, next: Next, after: &Position<R>) -> i32 {
        let right = FURTHER_RIGHT * house.index() as i32;
        match next {
            // From the right: an extra turn there spoils none of those to its left.
            Next::Again | Next::Over => EXTRA_TURN + right,
            Next::Other => {
                BANKED * banked as i32
                    + right
                    + NEXT_EXTRA_TURN * after.opponent_row().equal_lanes(self.extra_turns) as i32
                    + REPLY * after.moves().len() as i32
            }
        }
    }

    /// Adds estimated gains to the scores of the moves that pass the turn, if there are enough seeds for that to
    /// pay. Returns whether there are. Only the best score is exact; the others are upper bounds.
    #[inline]
    pub(super) fn add_shallow_scores(
        &self,
        sowings: &Sowings<R>,
        seeds: u32,
        moves: &mut [Successor<R>],
    ) -> bool {
        let Some(search) = &self.shallow_search else { return false };
        let Some(more) = seeds.checked_sub(self.min_seeds) else { return false };
        add_estimates(search, sowings, moves, (more / SEEDS_PER_PLY).min(MAX_PLIES));
        true
    }
}

#[inline(never)]
fn add_estimates<R: RowTables>(
    search: &ShallowSearch,
    sowings: &Sowings<R>,
    moves: &mut [Successor<R>],
    plies: u32,
) {
    moves.sort_unstable_by_key(|successor| Reverse(successor.score));
    let mut best: Option<i32> = None;
    let mut nodes = 0;
    for successor in moves.iter_mut().filter(|it| it.effect.next == Next::Other) {
        let won = CENTISEEDS * successor.effect.won;
        // With a smaller gain the move stays behind the best.
        let min_gain = best.map_or(-INFINITE, |best| best - successor.score);
        let (window, seeds) = ((-INFINITE, won - min_gain), successor.seeds);
        let gain = search.gain(sowings, &successor.position, seeds, plies, window, &mut nodes);
        successor.score += won - gain;
        best = best.max(Some(successor.score));
    }
}

/// One more ply for this many more seeds in the houses. Both multiply what there is to search.
const SEEDS_PER_PLY: u32 = 6;

/// From this many seeds more than in the tablebase on the shallow search pays, at depth 0.
const MIN_SEEDS_BEYOND_ENDGAMES: u32 = 8;

/// The same on boards without tablebases, from 9 houses on.
const MIN_SEEDS_WITHOUT_ENDGAMES: u32 = 16;

const MAX_PLIES: u32 = 4;

/// After this many nodes, some ten milliseconds, moves are only evaluated: a turn can be played in 1,000 ways.
const MAX_NODES: u32 = 100_000;

/// The same under relay sowing, where most turns are like that.
const MAX_NODES_OF_RELAYS: u32 = 100;

/// Above any estimate, in hundredths of a seed.
pub(super) const INFINITE: i32 = 1 << 20;

/// Estimates the gain of moves by a search of few plies with the learned evaluation. Few positions
/// have many more seeds than the tablebase, so it costs little; but they decide how many of the
/// others have to be searched.
pub(super) struct ShallowSearch {
    evaluation: Evaluation,
    houses: usize,
    max_nodes: u32,
}

impl ShallowSearch {
    fn with_evaluation(evaluation: Evaluation, rules: Rules) -> ShallowSearch {
        let max_nodes = match rules.sowing() {
            Sowing::Single => MAX_NODES,
            Sowing::Relay => MAX_NODES_OF_RELAYS,
        };
        ShallowSearch { evaluation, houses: rules.houses(), max_nodes }
    }

    /// With the network for the rules; `None` if there is none.
    pub(super) fn learned(rules: Rules) -> Option<ShallowSearch> {
        let evaluation = Evaluation::Learned(Network::built_in(rules)?);
        Some(ShallowSearch::with_evaluation(evaluation, rules))
    }

    /// With the network for the rules, or the plain evaluation where there is none.
    pub(super) fn new(rules: Rules) -> ShallowSearch {
        let plain = || ShallowSearch::with_evaluation(Evaluation::default(), rules);
        ShallowSearch::learned(rules).unwrap_or_else(plain)
    }

    /// The estimated gain in hundredths of a seed, by a fail-soft alpha-beta search. Extra turns are followed to
    /// their end: each banks a seed, and the count of nodes limits their number.
    pub(super) fn gain<R: RowTables>(
        &self,
        sowings: &Sowings<R>,
        position: &Position<R>,
        seeds: u32,
        plies: u32,
        (alpha, beta): (i32, i32),
        nodes: &mut u32,
    ) -> i32 {
        *nodes += 1;
        let Some(fewer) = plies.checked_sub(1).filter(|_| *nodes < self.max_nodes) else {
            return self.evaluation.centiseeds(position, self.houses, seeds);
        };
        let mut best = -INFINITE;
        for house in position.moves().rev() {
            let played = position.play(sowings, house);
            let (after, won) = (&played.position, CENTISEEDS * played.won());
            let left = seeds - played.banked;
            let alpha = alpha.max(best);
            let gain = match played.next {
                Next::Over => won,
                Next::Again => {
                    won + self.gain(sowings, after, left, plies, (alpha - won, beta - won), nodes)
                }
                Next::Other => {
                    won - self.gain(sowings, after, left, fewer, (won - beta, won - alpha), nodes)
                }
            };
            best = best.max(gain);
            if best >= beta {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Plain minimax.
    fn plain(
        search: &ShallowSearch,
        sowings: &Sowings<u64>,
        position: &Position<u64>,
        seeds: u32,
        plies: u32,
    ) -> i32 {
        if plies == 0 {
            return search.evaluation.centiseeds(position, search.houses, seeds);
        }
        let gains = position.moves().map(|house| {
            let played = position.play(sowings, house);
            let won = CENTISEEDS * played.won();
            let after =
                |plies| plain(search, sowings, &played.position, seeds - played.banked, plies);
            match played.next {
                Next::Over => won,
                Next::Again => won + after(plies),
                Next::Other => won - after(plies - 1),
            }
        });
        gains.max().unwrap_or(0)
    }

    #[test]
    fn a_row_of_many_extra_turns_takes_a_limited_number_of_nodes() {
        let rules = Rules::default();
        let (sowings, search) = (Sowings::from_rules(rules).unwrap(), ShallowSearch::new(rules));
        // One turn from here can be played in 1,299 ways.
        let rows = [[18, 18, 4, 3, 2, 1], [18, 18, 4, 3, 2, 1]];
        let position = Position::<u64>::new(sowings, &rows[0], &rows[1]).unwrap();
        let mut nodes = 0;
        let gain = search.gain(sowings, &position, 92, 9, (-INFINITE, INFINITE), &mut nodes);
        assert!(gain.abs() <= 92 * CENTISEEDS);
        // Each node on the way back evaluates the rest of its moves.
        assert!((MAX_NODES..2 * MAX_NODES).contains(&nodes), "{nodes}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn gains_are_those_of_minimax_or_bounds_of_them(
            own in prop::array::uniform6(0_u16..8),
            opponent in prop::array::uniform6(0_u16..8),
            plies in 0_u32..3,
            alpha in -2000..2000,
            width in 1..1000,
        ) {
            let rules = Rules::default();
            let search = ShallowSearch::new(rules);
            let sowings = Sowings::from_rules(rules).unwrap();
            let position = Position::new(sowings, &own, &opponent).unwrap();
            prop_assume!(!position.is_over());
            let seeds = position.seeds();
            let gain = |alpha, beta| {
                search.gain(sowings, &position, seeds, plies, (alpha, beta), &mut 0)
            };
            let expected = plain(&search, sowings, &position, seeds, plies);
            prop_assert_eq!(gain(-INFINITE, INFINITE), expected);
            let (beta, found) = (alpha + width, gain(alpha, alpha + width));
            let is_right = match expected {
                _ if plies == 0 || (alpha..beta).contains(&expected) => found == expected,
                _ if expected < alpha => (expected..=alpha).contains(&found),
                _ => (beta..=expected).contains(&found),
            };
            prop_assert!(is_right, "{found} for {expected}");
        }
    }
}

//! A second opinion on moves after which there is much to search.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::frame::{Child, Frame};
use crate::board::{House, MAX_HOUSES, Next, Position, RowTables, Rules, Sowings};
use crate::search::{CENTISEEDS, Evaluation, Network};

/// So many seeds more in the houses are worth looking a ply further ahead. Both make what there is to
/// search, and to look at, a few times as large.
const SEEDS_A_PLY: u32 = 4;

/// So many seeds more than the tablebase has are worth looking ahead at all, by no ply at first.
const LEAST_SEEDS: u32 = 8;

const MOST_PLIES: u32 = 4;

/// More than any estimate, in hundredths of a seed.
const INFINITE: i32 = 1 << 20;

/// Estimates what moves gain, by a search of few plies with a network that was trained for that.
/// Few positions have far more seeds than the tablebase, so that it costs little; how many of all
/// others have to be searched is up to them.
pub(super) struct LookAhead {
    network: Evaluation,
    houses: usize,
    /// The fewest seeds in the houses of positions that are worth it.
    seeds: u32,
}

impl LookAhead {
    /// For a search that ends at positions with so many seeds; `None` when there is no network for
    /// the rules. The plain evaluation would save nothing.
    pub(super) fn new(rules: Rules, leaf_seeds: u32) -> Option<LookAhead> {
        let network = Evaluation::Learned(Network::built_in(rules)?);
        Some(LookAhead { network, houses: rules.houses(), seeds: leaf_seeds + LEAST_SEEDS })
    }

    /// Adds what they seem to gain to the ranks of the moves of a position that pass the turn, if it
    /// is worth it; tells whether it is. The first among them is right; others may be said to gain
    /// more than they do.
    #[inline]
    pub(super) fn rank<R: RowTables>(&self, sowings: &Sowings<R>, frame: &mut Frame<R>) -> bool {
        let Some(more) = frame.seeds.checked_sub(self.seeds) else { return false };
        let plies = (more / SEEDS_A_PLY).min(MOST_PLIES);
        self.rank_by_plies(sowings, &mut frame.children, plies);
        true
    }

    #[inline(never)]
    fn rank_by_plies<R: RowTables>(
        &self,
        sowings: &Sowings<R>,
        children: &mut [Child<R>],
        plies: u32,
    ) {
        children.sort_unstable_by_key(|child| Reverse(child.rank));
        let mut first: Option<i32> = None;
        for child in children.iter_mut().filter(|child| child.step.next == Next::Other) {
            let won = CENTISEEDS * child.step.won;
            // With less it does not come before the first.
            let least = first.map_or(-INFINITE, |first| first - child.rank);
            let position = child.position(sowings);
            let after = self.gain(sowings, &position, child.seeds, plies, -INFINITE, won - least);
            child.rank += won - after;
            first = first.max(Some(child.rank));
        }
    }

    /// The estimated gain in hundredths of a seed, by an alpha-beta search; a bound of it when it does
    /// not lie between `alpha` and `beta`.
    fn gain<R: RowTables>(
        &self,
        sowings: &Sowings<R>,
        position: &Position<R>,
        seeds: u32,
        plies: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let Some(fewer) = plies.checked_sub(1) else {
            return self.network.centiseeds(position, self.houses, seeds);
        };
        let mut best = -INFINITE;
        let moves: ArrayVec<House, MAX_HOUSES> = position.moves().collect();
        for house in moves.into_iter().rev() {
            let played = position.play(sowings, house);
            let (after, won) = (&played.position, CENTISEEDS * played.won());
            let left = seeds - played.banked;
            let alpha = alpha.max(best);
            let gain = match played.next {
                Next::Over => won,
                Next::Again => {
                    won + self.gain(sowings, after, left, plies, alpha - won, beta - won)
                }
                Next::Other => {
                    won - self.gain(sowings, after, left, fewer, won - beta, won - alpha)
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition.
    fn plain(
        ahead: &LookAhead,
        sowings: &Sowings<u64>,
        position: &Position<u64>,
        seeds: u32,
        plies: u32,
    ) -> i32 {
        if plies == 0 {
            return ahead.network.centiseeds(position, ahead.houses, seeds);
        }
        let gains = position.moves().map(|house| {
            let played = position.play(sowings, house);
            let won = CENTISEEDS * played.won();
            let after =
                |plies| plain(ahead, sowings, &played.position, seeds - played.banked, plies);
            match played.next {
                Next::Over => won,
                Next::Again => won + after(plies),
                Next::Other => won - after(plies - 1),
            }
        });
        gains.max().unwrap_or(0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn gains_are_those_of_the_definition_or_bounds_of_them(
            own in prop::array::uniform6(0_u16..8),
            opponent in prop::array::uniform6(0_u16..8),
            plies in 0_u32..3,
            alpha in -2000..2000,
            width in 1..1000,
        ) {
            let rules = Rules::default();
            let parts = Sowings::of(rules).zip(LookAhead::new(rules, 20));
            let (sowings, ahead) = parts.unwrap_or_else(|| unreachable!("it has a network"));
            let position = Position::new(sowings, &own, &opponent);
            let position = position.unwrap_or_else(|| unreachable!("84 seeds at most"));
            prop_assume!(!position.is_over());
            let seeds = position.own_seeds() + position.opponent_seeds();
            let gain = |alpha, beta| ahead.gain(sowings, &position, seeds, plies, alpha, beta);
            let expected = plain(&ahead, sowings, &position, seeds, plies);
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

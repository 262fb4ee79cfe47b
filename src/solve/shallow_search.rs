//! Estimates of gains by a shallow search with the evaluation.

use arrayvec::ArrayVec;

use crate::board::{House, MAX_HOUSES, Next, Position, RowTables, Rules, Sowings};
use crate::search::{CENTISEEDS, Evaluation, Network};

/// After this many nodes, some ten milliseconds, moves are only evaluated: a row with many extra turns has
/// more than a thousand ways to play one turn.
const MAX_NODES: u32 = 100_000;

/// Above any estimate, in hundredths of a seed.
pub(super) const INFINITE: i32 = 1 << 20;

/// Estimates the gain of moves by a search of few plies with the learned evaluation. Few positions
/// have many more seeds than the tablebase, so it costs little; but they decide how many of the
/// others have to be searched.
pub(super) struct ShallowSearch {
    evaluation: Evaluation,
    houses: usize,
}

impl ShallowSearch {
    /// With the network for the rules; `None` if there is none.
    pub(super) fn learned(rules: Rules) -> Option<ShallowSearch> {
        let evaluation = Evaluation::Learned(Network::built_in(rules)?);
        Some(ShallowSearch { evaluation, houses: rules.houses() })
    }

    /// With the network for the rules, or the plain evaluation where there is none.
    pub(super) fn new(rules: Rules) -> ShallowSearch {
        let plain = || ShallowSearch { evaluation: Evaluation::default(), houses: rules.houses() };
        ShallowSearch::learned(rules).unwrap_or_else(plain)
    }

    /// The estimated gain in hundredths of a seed, by a fail-soft alpha-beta search. Extra turns are
    /// followed to their end: their recursion ends because each banks a seed, and their number is
    /// limited by the count of nodes.
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
        let Some(fewer) = plies.checked_sub(1).filter(|_| *nodes < MAX_NODES) else {
            return self.evaluation.centiseeds(position, self.houses, seeds);
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
    fn a_row_of_many_extra_turns_takes_a_limited_number_of_nodes() -> Result<(), &'static str> {
        let rules = Rules::default();
        let (sowings, search) = (Sowings::of(rules).ok_or("6")?, ShallowSearch::new(rules));
        // One turn from here can be played in 1,299 ways.
        let rows = [[18, 18, 4, 3, 2, 1], [18, 18, 4, 3, 2, 1]];
        let position = Position::<u64>::new(sowings, &rows[0], &rows[1]).ok_or("92 seeds")?;
        let mut nodes = 0;
        let gain = search.gain(sowings, &position, 92, 9, (-INFINITE, INFINITE), &mut nodes);
        assert!(gain.abs() <= 92 * CENTISEEDS);
        // Each node on the way back evaluates the rest of its moves.
        assert!((MAX_NODES..2 * MAX_NODES).contains(&nodes), "{nodes}");
        Ok(())
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
            let sowings = Sowings::of(rules).unwrap_or_else(|| unreachable!("six houses"));
            let position = Position::new(sowings, &own, &opponent);
            let position = position.unwrap_or_else(|| unreachable!("84 seeds at most"));
            prop_assume!(!position.is_over());
            let seeds = position.own_seeds() + position.opponent_seeds();
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

//! Tables of exact gains against the definition.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use kalah::board::{Capture, Next, Position, RuleSet, Rules, Sowings};
use kalah::tablebase::{Tablebase, TablebaseError, positions};

/// The gain of the player to move, from the gains of the positions that moves lead to.
fn best_gain(
    sowings: &Sowings<u64>,
    position: &Position<u64>,
    gain: &mut dyn FnMut(&Position<u64>) -> i32,
) -> i32 {
    if position.is_over() {
        return position.own_seeds() as i32 - position.opponent_seeds() as i32;
    }
    let gains = position.moves().map(|house| {
        let played = position.play(sowings, house);
        let banked = played.won();
        match played.next {
            Next::Over => banked,
            Next::Again => banked + gain(&played.position),
            Next::Other => banked - gain(&played.position),
        }
    });
    gains.max().unwrap()
}

/// The same by playing on to the end of the game.
fn gain(
    sowings: &Sowings<u64>,
    position: &Position<u64>,
    known: &mut HashMap<Vec<u16>, i32>,
) -> i32 {
    let counts = crate::boards::counts(position, sowings.rules().houses()).concat();
    if let Some(&gain) = known.get(&counts) {
        return gain;
    }
    let best = best_gain(sowings, position, &mut |next| gain(sowings, next, known));
    known.insert(counts, best);
    best
}

/// All ways to put so many seeds into so many houses.
pub(crate) fn rows(houses: usize, seeds: u16) -> Vec<Vec<u16>> {
    if houses == 1 {
        return vec![vec![seeds]];
    }
    let more = |first: u16| {
        let rest = rows(houses - 1, seeds - first).into_iter();
        rest.map(move |row| [vec![first], row].concat())
    };
    (0..=seeds).flat_map(more).collect()
}

#[test]
fn every_gain_is_the_best_of_its_moves() {
    for (houses, seeds) in [(1, 12), (2, 14), (3, 10), (4, 8), (6, 6), (8, 4)] {
        for rule_set in RuleSet::ALL {
            let rules = Rules::new(houses, rule_set).unwrap();
            let table = Tablebase::build(rules, seeds, NonZeroUsize::MIN).unwrap();
            assert_eq!(Some(table.positions() as u64), positions(houses, seeds));
            let sowings = Sowings::from_rules(rules).unwrap();
            let mut known = HashMap::new();
            let mut seen = 0;
            for total in 0..=seeds as u16 {
                for row in rows(2 * houses, total) {
                    let (own, opponent) = row.split_at(houses);
                    let position = Position::new(sowings, own, opponent).unwrap();
                    let expected = gain(sowings, &position, &mut known);
                    assert_eq!(
                        table.gain_of_position(&position),
                        Some(expected),
                        "{row:?} {rule_set}"
                    );
                    seen += 1;
                }
            }
            assert_eq!(seen, table.positions());
        }
    }
}

#[test]
fn tables_that_cannot_be_are_refused() {
    let rules = |houses| Rules::new(houses, Capture::Standard).unwrap();
    let error =
        |houses, seeds| Tablebase::build(rules(houses), seeds, NonZeroUsize::MIN).unwrap_err();
    assert!(matches!(error(9, 1), TablebaseError::Houses(9)));
    assert!(matches!(error(6, 101), TablebaseError::Seeds(101)));
    assert!(matches!(error(8, 100), TablebaseError::TooLarge { houses: 8, seeds: 100 }));
    assert!(matches!(error(8, 30), TablebaseError::NotEnoughMemory { houses: 8, seeds: 30, .. }));
}

#[test]
fn every_gain_of_twelve_seeds_follows_from_its_moves() {
    for (houses, seeds) in [(6, 12), (5, 13), (8, 8)] {
        for rule_set in RuleSet::ALL {
            let table =
                Tablebase::build(Rules::new(houses, rule_set).unwrap(), seeds, NonZeroUsize::MIN)
                    .unwrap();
            let sowings = Sowings::from_rules(table.rules()).unwrap();
            let sides: Vec<_> = (0..=seeds as u16).map(|seeds| rows(houses, seeds)).collect();
            for own in 0..=seeds as usize {
                for opponent in 0..=seeds as usize - own {
                    for row in &sides[own] {
                        for other in &sides[opponent] {
                            let position = Position::new(sowings, row, other).unwrap();
                            let expected = best_gain(sowings, &position, &mut |next| {
                                table.gain_of_position(next).unwrap()
                            });
                            assert_eq!(table.gain_of_position(&position), Some(expected));
                        }
                    }
                }
            }
        }
    }
}

//! Fair starts: which boards come into question, and which of them are draws.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use kalah::board::{Board, Capture, RuleSet, Rules, Side};
use kalah::solve::{SolveProgress, Solver, SolverResources};
use kalah::{StopToken, Tablebase};
use kalah_fair::{fair_starts, starts_with_moved};

/// South's houses, North's houses, the stores of South and North.
fn pits(board: &Board) -> Vec<u16> {
    let houses = Side::ALL.into_iter().flat_map(|side| board.houses(side).to_vec());
    houses.chain(Side::ALL.map(|side| board.store(side))).collect()
}

/// The boards after one seed more was moved from a house to another pit.
fn one_more_moved(boards: &BTreeSet<Vec<u16>>, houses: usize) -> BTreeSet<Vec<u16>> {
    let mut after = BTreeSet::new();
    for board in boards {
        for from in (0..2 * houses).filter(|&house| board[house] > 0) {
            for to in 0..board.len() {
                let mut moved = board.clone();
                moved[from] -= 1;
                moved[to] += 1;
                after.insert(moved);
            }
        }
    }
    after
}

#[test]
fn starts_are_those_that_single_seeds_make() {
    for (houses, seeds) in [(1, 1), (1, 4), (2, 1), (2, 2), (3, 1), (3, 3), (4, 2), (5, 4)] {
        let rules = Rules::new(houses, Capture::Standard).unwrap();
        let start = pits(&Board::start(rules, seeds).unwrap());
        let mut seen = BTreeSet::new();
        let mut boards = BTreeSet::from([start]);
        for moved in 0..=if houses == 5 { 2 } else { 3 } {
            let found = starts_with_moved(rules, seeds, moved).unwrap();
            assert!(found.iter().all(|board| board.side() == Side::South && !board.is_over()));
            let found_pits: BTreeSet<_> = found.iter().map(pits).collect();
            assert_eq!(found_pits.len(), found.len(), "one comes twice");
            // Those that fewer seeds make are no starts with this number moved.
            let new = boards.difference(&seen).filter(|pits| {
                let side = |side: usize| pits[side * houses..][..houses].iter().any(|&n| n > 0);
                side(0) && side(1)
            });
            assert!(found_pits.iter().eq(new), "Kalah({houses},{seeds}), {moved} moved");
            let after = one_more_moved(&boards, houses);
            seen.append(&mut boards);
            boards = after;
        }
    }
    let rules = Rules::default();
    assert!(starts_with_moved(rules, 0, 1).is_err() && starts_with_moved(rules, 600, 1).is_err());
    // Seeds that are not there are not moved.
    let one = Rules::new(1, Capture::Standard).unwrap();
    assert!(starts_with_moved(one, 1, 3).unwrap().is_empty());
}

/// The margin of a board by a tablebase that has all positions.
fn margin(table: &Tablebase, board: &Board) -> i32 {
    board.store_difference() + table.gain(board).unwrap()
}

#[test]
fn a_margin_is_compared_as_the_tablebase_has_it() {
    for (houses, seeds) in [(2, 3), (3, 2)] {
        for rule_set in RuleSet::ALL {
            let rules = Rules::new(houses, rule_set).unwrap();
            let all = 2 * houses as u32 * u32::from(seeds);
            let table = Tablebase::build(rules, all, NonZeroUsize::MIN).unwrap();
            let mut solver =
                Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
            let (stop, progress) = (StopToken::new(), SolveProgress::default());
            for board in starts_with_moved(rules, seeds, 2).unwrap() {
                let margin = margin(&table, &board);
                for other in (-7..=7).chain([i32::MIN, i32::MAX, margin]) {
                    let found = solver.compare(&board, other, &stop, &progress).unwrap();
                    assert_eq!(found, margin.cmp(&other), "{} {rule_set} {other}", board.fen());
                }
            }
        }
    }
}

#[test]
fn the_known_fair_starts_are_the_draws() {
    for rule_set in RuleSet::ALL {
        let rules = Rules::new(4, rule_set).unwrap();
        let table = Tablebase::build(rules, 24, NonZeroUsize::MIN).unwrap();
        let near = (0..=2).flat_map(|moved| starts_with_moved(rules, 3, moved).unwrap());
        let draws = near.filter(|board| margin(&table, board) == 0).map(|board| board.fen());
        let known = fair_starts(rules, 3);
        let known: BTreeSet<String> = known.iter().map(Board::fen).collect();
        assert!(!known.is_empty());
        assert_eq!(draws.collect::<BTreeSet<_>>(), known, "{rule_set}");
    }
}

/// The boards with at most one seed moved of Kalah(5,4), whose tablebase would be too large.
#[test]
fn a_part_of_a_large_table_is_found_again() {
    let mut solver = Solver::new(SolverResources { mebibytes: 64, ..SolverResources::default() });
    for rule_set in RuleSet::ALL {
        let rules = Rules::new(5, rule_set).unwrap();
        let near = (0..=1).flat_map(|moved| starts_with_moved(rules, 4, moved).unwrap());
        let near: Vec<Board> = near.collect();
        let mut is_draw = |board: &&Board| {
            let found =
                solver.compare(board, 0, &StopToken::new(), &SolveProgress::default()).unwrap();
            found == Ordering::Equal
        };
        let draws: BTreeSet<String> = near.iter().filter(&mut is_draw).map(Board::fen).collect();
        let known = fair_starts(rules, 4);
        let known = known.iter().filter(|board| near.contains(board)).map(Board::fen);
        assert!(!draws.is_empty(), "{rule_set}");
        assert_eq!(draws, known.collect(), "{rule_set}");
    }
}

/// T. W. Neller and co-workers have 3 and 251 under `empty` capture, P. Pham and T. W. Neller 323 in all under
/// the other rule. `.ci/deep fair` finds them again.
#[test]
fn as_many_are_known_as_were_published() {
    for (capture, counts) in [(Capture::Empty, [0, 3, 251]), (Capture::Standard, [0, 3, 320])] {
        let rules = Rules::new(6, capture).unwrap();
        let known = fair_starts(rules, 4);
        let is_known = |board: &Board| known.contains(board);
        let count = |moved| {
            starts_with_moved(rules, 4, moved).unwrap().into_iter().filter(is_known).count()
        };
        assert_eq!([0, 1, 2].map(count), counts, "{capture}");
    }
    let boards = [1, 2].map(|moved| starts_with_moved(Rules::default(), 4, moved).unwrap().len());
    assert_eq!(boards.iter().sum::<usize>(), 6_396);
}

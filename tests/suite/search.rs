//! The search against the definition of the game's value.

use std::num::NonZeroUsize;

use kalah::StopToken;
use kalah::board::{Board, Capture, Rules, Side};
use kalah::search::{Limits, SearchOptions, SearchResult, Searcher};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

use crate::boards::{boards_with, reference_of};
use crate::exact_data::gain_of;
use crate::exact_values::{Exact, exact_values};

fn search(
    searcher: &mut Searcher,
    board: &Board,
    limits: &Limits,
    settings: &SearchOptions,
) -> SearchResult {
    let stop = StopToken::new();
    searcher.search(board, limits, settings, &stop, &mut |_| {})
}

/// As many lines as a board can have moves.
fn all_lines(threads: usize) -> SearchOptions {
    let number = |n| NonZeroUsize::new(n).unwrap();
    SearchOptions { threads: number(threads), multipv: number(12), ..SearchOptions::negascout() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_move_of_a_small_board_is_proven_and_right(
        board in boards_with(prop_oneof![2 => Just(0), 1 => 1..=3_u16], Just(0)),
        threads in 1..=2_usize,
    ) {
        // Few seeds on a large board take long games, and proofs that are no test's business.
        prop_assume!(board.seeds_in_play() <= 12 && board.rules().houses() <= 6);
        let mut searcher = Searcher::new(1).unwrap();
        let outcome = search(&mut searcher, &board, &Limits::default(), &all_lines(threads));
        let reference = reference_of(&board);
        prop_assert_eq!(outcome.lines.len(), reference.moves().len());
        let mut known = FxHashMap::default();
        for line in outcome.lines {
            let house = line.pv[0].house.index();
            let margin = board.store_difference() + gain_of(&reference, house, &mut known);
            prop_assert!(line.proven);
            prop_assert_eq!(line.margin, margin);
        }
    }
}

/// The values of whole games as *Solving Kalah* (Irving, Donkers and Uiterwijk, 2000) and later
/// work have them.
#[test]
fn small_games_have_their_known_values() {
    let games = [
        (6, 1, Capture::Standard, 2),
        (6, 2, Capture::Standard, 6),
        (6, 1, Capture::Empty, 2),
        (6, 2, Capture::Empty, 10),
    ];
    for (houses, seeds, capture, margin) in games {
        let board = Board::start(Rules::new(houses, capture).unwrap(), seeds).unwrap();
        let mut searcher = Searcher::new(16).unwrap();
        let outcome =
            search(&mut searcher, &board, &Limits::default(), &SearchOptions::negascout());
        assert!(outcome.lines[0].proven);
        assert_eq!(outcome.lines[0].margin, margin, "Kalah({houses},{seeds}) {capture}");
    }
}

#[test]
fn every_position_with_a_known_value_is_proven_by_a_best_move() {
    let limits = Limits { nodes: Some(5_000_000), ..Limits::default() };
    let mut searcher = Searcher::new(16).unwrap();
    for Exact { fen, capture, value, moves } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        searcher.clear();
        let outcome = search(&mut searcher, &board, &limits, &SearchOptions::negascout());
        assert!(outcome.lines[0].proven, "{fen} {capture}");
        assert_eq!(outcome.lines[0].margin, value, "{fen} {capture}");
        let best = outcome.best.unwrap();
        assert_eq!(moves[&best.house.letter(Side::North)], value, "{fen} {capture}");
    }
}

/// What is kept from earlier positions must not make later proofs wrong: stores differ, and the
/// table is small and full.
#[test]
fn a_table_that_knows_other_games_does_not_mislead() {
    let mut searcher = Searcher::new(1).unwrap();
    for Exact { fen, capture, value, .. } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        let outcome =
            search(&mut searcher, &board, &Limits::default(), &SearchOptions::negascout());
        assert!(outcome.lines[0].proven, "{fen} {capture}");
        assert_eq!(outcome.lines[0].margin, value, "{fen} {capture}");
    }
}

#[test]
fn a_resized_searcher_searches_as_a_new_one() {
    let board = Board::start(Rules::default(), 6).unwrap();
    let limits = Limits { depth: Some(12), ..Limits::default() };
    let nodes = |searcher: &mut Searcher| {
        search(searcher, &board, &limits, &SearchOptions::default()).stats.nodes
    };
    let mut resized = Searcher::new(1).unwrap();
    nodes(&mut resized);
    resized.resize(2).unwrap();
    assert_eq!(nodes(&mut resized), nodes(&mut Searcher::new(2).unwrap()));
}

#[test]
fn a_panic_of_the_observer_ends_all_threads() {
    let board = Board::start(Rules::default(), 4).unwrap();
    let (options, stop) = (all_lines(2), StopToken::new());
    let search = || {
        let mut searcher = Searcher::new(1).unwrap();
        searcher.search(&board, &Limits::default(), &options, &stop, &mut |_| panic!("observer"))
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(search)).is_err());
}

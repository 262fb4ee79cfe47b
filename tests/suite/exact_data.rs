//! Positions with exact values, against the board and a brute-force search of the reference.

use std::collections::BTreeMap;

use kalah::board::{Board, Capture};
use rustc_hash::FxHashMap;

use crate::boards::reference_of;
use crate::exact_values::{Exact, exact_values};
use crate::reference::Reference;

#[test]
fn there_are_240_positions_under_both_rules() {
    assert_eq!(exact_values().len(), 2 * 240);
}

#[test]
fn boards_are_read_and_written_back() {
    for Exact { fen, capture, .. } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        assert_eq!(board.fen(), format!("{fen} S"));
    }
}

#[test]
fn legal_moves_are_those_with_values() {
    for Exact { fen, capture, moves, .. } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        let legal = board.moves().map(|mv| mv.letter().to_ascii_lowercase());
        assert!(legal.eq(moves.into_keys()), "{fen}");
    }
}

#[test]
fn the_value_is_that_of_the_best_move() {
    for Exact { fen, capture, value, moves } in exact_values() {
        assert_eq!(moves.into_values().max(), Some(value), "{fen} {capture}");
    }
}

/// The exact gain of the player to move: what the margin is if both stores are empty.
fn gain(board: &Reference, known: &mut FxHashMap<[Vec<u16>; 2], i32>) -> i32 {
    let [own, opponent] = [board.side, !board.side].map(|side| board.houses[side.index()].clone());
    let houses = [own, opponent];
    if let Some(&gain) = known.get(&houses) {
        return gain;
    }
    let moves = board.moves().into_iter();
    let best = moves.map(|house| gain_of(board, house, known)).max().unwrap_or(0);
    known.insert(houses, best);
    best
}

/// The exact gain of the player to move by sowing a house.
pub(crate) fn gain_of(
    board: &Reference,
    house: usize,
    known: &mut FxHashMap<[Vec<u16>; 2], i32>,
) -> i32 {
    let (own, other) = (board.side.index(), (!board.side).index());
    let difference =
        |board: &Reference| i32::from(board.stores[own]) - i32::from(board.stores[other]);
    let mut after = board.clone();
    after.play(house);
    let rest = gain(&after, known);
    difference(&after) - difference(board) + if after.side == board.side { rest } else { -rest }
}

#[test]
fn brute_force_finds_the_same_values() {
    // Few enough for a search without any cutoffs.
    const SEEDS: u32 = 12;
    for capture in Capture::ALL {
        let mut known = FxHashMap::default();
        let mut checked = 0;
        for exact in exact_values().into_iter().filter(|exact| exact.capture == capture) {
            let board = Board::from_fen(&exact.fen, capture).unwrap();
            if board.seeds_in_play() > SEEDS {
                continue;
            }
            checked += 1;
            let reference = reference_of(&board);
            let margins: BTreeMap<char, i32> = reference
                .moves()
                .into_iter()
                .map(|house| {
                    let gain = gain_of(&reference, house, &mut known);
                    (char::from(b'a' + house as u8), board.store_difference() + gain)
                })
                .collect();
            assert_eq!(margins, exact.moves, "{} {capture}", exact.fen);
        }
        assert!(checked >= 40, "only {checked} positions have up to {SEEDS} seeds in play");
    }
}

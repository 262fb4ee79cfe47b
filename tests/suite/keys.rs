//! Zobrist keys: kept up with the moves, apart for different positions, and stable.

use kalah::board::{
    Board, Capture, KeyedPosition, Move, Position, RowTables, RuleSet, Rules, Side, Sowings,
    ZOBRIST_SEED,
};
use proptest::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::boards::{boards, counts, heavy_boards, in_rows, picks, play_out, starts};

/// The position after a sowing, key included, is the one made afresh from its counts.
fn assert_kept_up<R: RowTables>(board: &Board, mv: Move) {
    let Some((sowings, position)) = in_rows::<R>(board) else { return };
    let played = KeyedPosition::new(sowings, position).play(sowings, mv.house).position;
    let [own, opponent] = counts(played.position(), board.rules().houses());
    let afresh = Position::new(sowings, &own, &opponent).unwrap();
    assert_eq!(played.key(), afresh.key(sowings), "{} after {mv}", board.fen());
    assert_eq!(played, KeyedPosition::new(sowings, afresh));
    assert_eq!(position.play(sowings, mv.house).position, afresh);
}

proptest! {
    #[test]
    fn keys_keep_up_with_the_moves(
        start in prop_oneof![starts(), boards(), heavy_boards()],
        picks in picks(),
    ) {
        play_out(start, &picks, |board, mv| {
            assert_kept_up::<u64>(board, mv);
            assert_kept_up::<u128>(board, mv);
        });
    }

    #[test]
    fn keys_know_neither_stores_nor_names(board in boards()) {
        let [south, north] = Side::ALL.map(|side| board.houses(side));
        let empty_stores = Board::new(board.rules(), [south, north], [0, 0], board.side()).unwrap();
        let mirrored = Board::new(board.rules(), [north, south], [0, 0], !board.side()).unwrap();
        prop_assert_eq!(board.key(), empty_stores.key());
        prop_assert_eq!(board.key(), mirrored.key());
    }

    #[test]
    fn keys_know_whose_turn_it_is(board in boards()) {
        let [south, north] = Side::ALL.map(|side| board.houses(side));
        let passed = Board::new(board.rules(), [south, north], [0, 0], !board.side()).unwrap();
        prop_assert_eq!(board.key() == passed.key(), south == north);
    }
}

/// Walks the tree below a start, each position once, and looks for two with one key. A position
/// reached by another path must have the key it had before.
#[test]
fn no_two_positions_of_a_tree_share_a_key() {
    const DEPTH: u32 = 8;
    let rules = Rules::default();
    let sowings = Sowings::<u64>::from_rules(rules).unwrap();
    let start = Position::new(sowings, &[4; 6], &[4; 6]).unwrap();

    let mut by_counts = FxHashMap::default();
    let mut transpositions = 0;
    let mut layer = vec![start];
    by_counts.insert(counts(&start, 6), start.key(sowings));
    for _ in 0..DEPTH {
        let mut next_layer = Vec::new();
        for position in layer.into_iter().filter(|position| !position.is_over()) {
            for house in position.moves() {
                let child = position.play(sowings, house).position;
                let counts = counts(&child, 6);
                if let Some(&key) = by_counts.get(&counts) {
                    assert_eq!(child.key(sowings), key, "{counts:?}");
                    transpositions += 1;
                } else {
                    by_counts.insert(counts, child.key(sowings));
                    next_layer.push(child);
                }
            }
        }
        layer = next_layer;
    }

    let mut by_key = FxHashMap::default();
    for (counts, key) in &by_counts {
        if let Some(other) = by_key.insert(key, counts) {
            panic!("{counts:?} and {other:?} have the key {key:016x}");
        }
    }
    assert!(by_counts.len() > 100_000, "only {} positions", by_counts.len());
    assert!(transpositions > 10_000, "only {transpositions} transpositions");
}

/// Adding the same seeds to both rows, or moving them from one to the other, changes their keys
/// by the same number, which a careless sum of both would let cancel out.
#[test]
fn rows_that_change_alike_keep_their_keys_apart() {
    const HOUSES: u32 = 12;
    let rules = Rules::new(HOUSES as usize, Capture::Standard).unwrap();
    let sowings = Sowings::<u128>::from_rules(rules).unwrap();
    let mut keys = FxHashSet::default();
    // All rows of 0 to 2 seeds a house.
    for row in 0..3_u32.pow(HOUSES) {
        let own: Vec<u16> = (0..HOUSES).map(|house| (row / 3_u32.pow(house) % 3) as u16).collect();
        let rest: Vec<u16> = own.iter().map(|seeds| 2 - seeds).collect();
        keys.insert(Position::new(sowings, &own, &own).unwrap().key(sowings));
        keys.insert(Position::new(sowings, &own, &rest).unwrap().key(sowings));
    }
    // The row of one seed in each house is its own rest.
    assert_eq!(keys.len(), 2 * 3_usize.pow(HOUSES) - 1);
}

#[test]
fn another_order_of_moves_leads_to_the_same_key() {
    let key_after = |moves| {
        let fen = "<6,0,0,1,1,1,1,0,4,1,1,1,1,0,4> S";
        let mut board = Board::from_fen(fen, Capture::Standard).unwrap();
        board.play_moves(moves).unwrap();
        board.key()
    };
    assert_eq!(key_after("AaCc"), key_after("CaAc"));
    assert_eq!(key_after("AaCc"), key_after("CcAa"));
    assert_ne!(key_after("AaCc"), key_after("AaBb"));
}

#[test]
fn keys_tell_rules_and_sizes_apart() {
    for seeds in [0, 1, 4] {
        let mut keys = FxHashSet::default();
        for houses in 1..=12 {
            for rule_set in RuleSet::ALL {
                let (rules, side) = (Rules::new(houses, rule_set).unwrap(), vec![seeds; houses]);
                let board = Board::new(rules, [&side, &side], [0, 0], Side::South).unwrap();
                assert!(keys.insert(board.key()), "{houses} houses of {seeds}, {rule_set}");
            }
        }
    }
}

/// Files may hold keys, so no version may change them: these were worked out apart from the
/// library, from what its documentation says of them.
#[test]
fn keys_are_stable() {
    assert_eq!(ZOBRIST_SEED.to_be_bytes(), *b"\0\0\0kalah");
    for (fen, capture, key) in [
        ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S", Capture::Standard, 0x7d3b_b503_9256_7937),
        ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S", Capture::Empty, 0x1f5a_e0c1_1a3c_8b8a),
        ("<3,5,2,0,1,4,2,2,2> N", Capture::Standard, 0x5549_33ca_1f55_3f71),
        (
            "<12,0,0,1,2,3,4,5,6,7,8,9,10,11,12,12,11,10,9,8,7,6,5,4,3,2,1> S",
            Capture::Standard,
            0x08f4_5a80_84dd_95da,
        ),
        ("<1,0,0,1000,1> S", Capture::Empty, 0x98d5_e23a_352e_69d6),
    ] {
        let board = Board::from_fen(fen, capture).unwrap();
        assert_eq!(board.key(), key, "{fen} under {capture}");
    }
}

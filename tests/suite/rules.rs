//! The rules, a hand-made board each; positions in both widths of rows against plain counts of seeds.
//!
//! Boards have three houses where that is enough: opposite of A, B, C are c, b, a.

use kalah::board::{
    Board, BoardError, Capture, House, HousesOutOfRange, IllegalMove, MAX_SEEDS, Move, Next,
    Position, RowTables, RuleSet, Rules, Side, Sowing, Sowings,
};
use proptest::prelude::*;

use crate::boards::counts;

const BOTH: &[Capture] = &Capture::ALL;
const STANDARD: &[Capture] = &[Capture::Standard];
const EMPTY: &[Capture] = &[Capture::Empty];

const RELAY: &[Sowing] = &[Sowing::Relay];

fn board(fen: &str, rule_set: impl Into<RuleSet>) -> Board {
    Board::from_fen(fen, rule_set).unwrap()
}

/// The same board with the players exchanged.
fn mirrored(board: &Board) -> Board {
    let houses = [board.houses(Side::North), board.houses(Side::South)];
    let stores = [board.store(Side::North), board.store(Side::South)];
    Board::new(board.rules(), houses, stores, !board.side()).unwrap()
}

/// Checks a sowing of South under each of these rules, and its mirror image for North.
fn assert_sowing(
    rules: &[impl Into<RuleSet> + Copy],
    before: &str,
    letter: char,
    after: &str,
    next: Next,
) {
    for &rule_set in rules {
        let rule_set = rule_set.into();
        let (start, end) = (board(before, rule_set), board(after, rule_set));
        for (mut played, expected) in [(start, end), (mirrored(&start), mirrored(&end))] {
            let shown = format!("{letter} on {} under {rule_set}", played.fen());
            let mv = played.parse_move(&letter.to_string()).unwrap();
            assert_eq!(played.play(mv), Ok(next), "{shown}");
            assert_eq!(played.fen(), expected.fen(), "{shown}");
        }
    }
}

#[test]
fn sowing_goes_one_house_at_a_time() {
    assert_sowing(BOTH, "<3,0,0,2,1,1,1,1,1> S", 'A', "<3,0,0,0,2,2,1,1,1> N", Next::Other);
}

#[test]
fn sowing_passes_the_own_store() {
    assert_sowing(BOTH, "<3,0,0,1,0,3,1,1,1> S", 'C', "<3,1,0,1,0,0,2,2,1> N", Next::Other);
}

#[test]
fn sowing_skips_the_opponents_store() {
    assert_sowing(BOTH, "<3,0,0,1,0,5,1,1,1> S", 'C', "<3,1,0,2,0,0,2,2,2> N", Next::Other);
}

#[test]
fn last_seed_in_the_own_store_earns_an_extra_turn() {
    assert_sowing(BOTH, "<3,0,0,0,2,1,1,1,1> S", 'B', "<3,1,0,0,0,2,1,1,1> S", Next::Again);
    // After a lap too: 7 seeds round the board and 3 on.
    assert_sowing(BOTH, "<3,0,0,10,0,0,1,1,1> S", 'A', "<3,2,0,1,2,2,2,2,2> S", Next::Again);
}

#[test]
fn last_seed_in_an_empty_own_house_captures_opposite() {
    assert_sowing(BOTH, "<3,0,0,1,0,1,1,5,1> S", 'A', "<3,6,0,0,0,1,1,0,1> N", Next::Other);
    assert_sowing(BOTH, "<3,0,0,1,1,0,4,1,2> S", 'B', "<3,5,0,1,0,0,0,1,2> N", Next::Other);
    // The opposite house got a seed of the same sowing.
    assert_sowing(BOTH, "<3,0,0,0,1,5,1,1,1> S", 'C', "<3,4,0,0,1,0,2,2,0> N", Next::Other);
}

#[test]
fn nothing_is_captured_from_a_house_that_held_seeds() {
    assert_sowing(BOTH, "<3,0,0,1,1,1,1,5,1> S", 'A', "<3,0,0,0,2,1,1,5,1> N", Next::Other);
}

#[test]
fn nothing_is_captured_from_a_house_of_the_opponent() {
    assert_sowing(BOTH, "<3,0,0,1,4,2,0,5,1> S", 'C', "<3,1,0,1,4,0,1,5,1> N", Next::Other);
}

#[test]
fn opposite_an_empty_house_the_capture_rules_differ() {
    let before = "<3,0,0,1,0,1,1,0,1> S";
    assert_sowing(STANDARD, before, 'A', "<3,0,0,0,1,1,1,0,1> N", Next::Other);
    assert_sowing(EMPTY, before, 'A', "<3,1,0,0,0,1,1,0,1> N", Next::Other);
}

#[test]
fn a_full_lap_ends_where_it_began_and_captures() {
    assert_sowing(
        BOTH,
        "<6,0,0,13,1,0,0,0,0,1,1,1,1,1,3> S",
        'A',
        "<6,6,0,0,2,1,1,1,1,2,2,2,2,2,0> N",
        Next::Other,
    );
    // The lap itself fills the opposite house, so there is always something to capture.
    assert_sowing(
        BOTH,
        "<6,0,0,0,0,13,0,0,0,1,0,0,0,0,0> S",
        'C',
        "<6,3,0,1,1,0,1,1,1,2,1,1,0,1,1> N",
        Next::Other,
    );
}

#[test]
fn longer_laps_capture_nothing() {
    // The house it ends in was empty, but was passed before.
    assert_sowing(
        BOTH,
        "<6,0,0,14,0,0,0,0,0,0,0,0,0,0,1> S",
        'A',
        "<6,1,0,1,2,1,1,1,1,1,1,1,1,1,2> N",
        Next::Other,
    );
    assert_sowing(
        BOTH,
        "<6,0,0,26,0,0,0,0,0,0,0,0,0,0,1> S",
        'A',
        "<6,2,0,2,2,2,2,2,2,2,2,2,2,2,3> N",
        Next::Other,
    );
}

#[test]
fn a_relay_goes_on_from_houses_with_seeds_on_both_sides() {
    // B's two seeds end in the store.
    let before = "<3,0,0,1,1,0,1,1,1> S";
    assert_sowing(RELAY, before, 'A', "<3,1,0,0,0,1,1,1,1> S", Next::Again);
    assert_sowing(BOTH, before, 'A', "<3,0,0,0,2,0,1,1,1> N", Next::Other);
    // a's three seeds end in A, whose two end in C.
    let before = "<3,0,0,1,0,2,2,1,0> S";
    assert_sowing(RELAY, before, 'C', "<3,1,0,0,1,1,0,2,1> N", Next::Other);
}

#[test]
fn a_relay_captures_nothing() {
    assert_sowing(RELAY, "<3,0,0,1,0,1,1,5,1> S", 'A', "<3,0,0,0,1,1,1,5,1> N", Next::Other);
    // A full lap ends in the house it began in, which is empty by then.
    assert_sowing(RELAY, "<3,0,0,7,0,0,1,1,1> S", 'A', "<3,1,0,1,1,1,2,2,2> N", Next::Other);
}

#[test]
fn a_relay_goes_on_where_a_side_is_empty() {
    // The mover's side is empty before a's three seeds are sown.
    assert_sowing(RELAY, "<3,0,0,0,0,2,2,0,0> S", 'C', "<3,1,0,1,0,0,0,1,1> N", Next::Other);
    // The opponent's side is empty when the relay ends.
    assert_sowing(RELAY, "<1,0,0,2,1> S", 'A', "<1,3,0,0,0> S", Next::Over);
}

#[test]
fn relays_have_one_normal_form() {
    let relay = Rules::new(6, Sowing::Relay).unwrap();
    for capture in Capture::ALL {
        assert_eq!(Rules::new(6, RuleSet::new(capture, Sowing::Relay)), Ok(relay));
    }
    assert_eq!(RuleSet::ALL.map(RuleSet::index), [0, 1, 2]);
    assert_eq!(RuleSet::ALL.map(RuleSet::name), ["standard", "empty", "relay"]);
    assert_eq!(RuleSet::ALL.map(|it| RuleSet::from_name(it.name())), RuleSet::ALL.map(Some));
    assert_eq!(RuleSet::from_name("pie"), None);
    let unknown = "pie".parse::<Sowing>().unwrap_err();
    assert_eq!(unknown.to_string(), "unknown way of sowing 'pie', expected single or relay");
}

#[test]
fn the_game_ends_when_the_mover_runs_out() {
    assert_sowing(BOTH, "<3,0,0,0,0,2,1,2,3> S", 'C', "<3,1,7,0,0,0,0,0,0> S", Next::Over);
}

#[test]
fn the_game_ends_when_the_opponent_runs_out() {
    assert_sowing(BOTH, "<3,0,2,1,0,4,0,5,0> S", 'A', "<3,10,2,0,0,0,0,0,0> S", Next::Over);
}

#[test]
fn a_lone_capture_can_end_the_game() {
    let before = "<3,0,0,1,0,0,1,0,1> S";
    assert_sowing(STANDARD, before, 'A', "<3,0,0,0,1,0,1,0,1> N", Next::Other);
    assert_sowing(EMPTY, before, 'A', "<3,1,2,0,0,0,0,0,0> S", Next::Over);
}

#[test]
fn no_extra_turn_comes_after_the_end() {
    assert_sowing(BOTH, "<3,0,0,0,0,1,1,2,3> S", 'C', "<3,1,6,0,0,0,0,0,0> S", Next::Over);
}

#[test]
fn a_board_with_an_empty_side_is_over() {
    for side in Side::ALL {
        let mut board = board(&format!("<3,2,3,0,0,0,1,0,2> {side}"), Capture::Standard);
        assert!(board.is_over());
        assert_eq!(board.result(), Some(2 - 6));
        assert_eq!(board.moves().count(), 0);
        let before = board;
        assert_eq!(board.play(board.move_from(House::new(0).unwrap())), Err(IllegalMove::GameOver));
        assert_eq!(board, before);
    }
}

#[test]
fn a_board_with_seeds_on_both_sides_has_no_result() {
    let board = board("<3,2,3,1,0,0,1,0,2> N", Capture::Standard);
    assert!(!board.is_over());
    assert_eq!(board.result(), None);
}

#[test]
fn the_store_difference_is_the_movers() {
    assert_eq!(board("<1,7,3,1,1> S", Capture::Standard).store_difference(), 4);
    assert_eq!(board("<1,7,3,1,1> N", Capture::Standard).store_difference(), -4);
}

#[test]
fn moves_are_the_movers_houses_with_seeds() {
    let letters = |fen| -> String {
        let board = board(fen, Capture::Standard);
        board.moves().map(Move::letter).collect()
    };
    assert_eq!(letters("<4,0,0,1,0,2,0,0,3,4,5> S"), "AC");
    assert_eq!(letters("<4,0,0,1,0,2,0,0,3,4,5> N"), "bcd");
}

#[test]
fn moves_against_the_rules_leave_the_board_as_it_was() {
    let before = board("<3,0,0,1,0,1,0,1,1> N", Capture::Standard);
    let refusal = |letter: &str| {
        let mut board = before;
        let refused = board.play(letter.parse().unwrap()).unwrap_err();
        assert_eq!(board, before);
        refused
    };
    let mv = |letter: &str| letter.parse().unwrap();
    assert_eq!(refusal("a"), IllegalMove::EmptyHouse(mv("a")));
    assert_eq!(refusal("A"), IllegalMove::NotToMove(mv("A")));
    assert_eq!(refusal("d"), IllegalMove::NoSuchHouse(mv("d")));
    assert_eq!(refusal("l"), IllegalMove::NoSuchHouse(mv("l")));
}

#[test]
fn a_board_has_1_to_12_houses() {
    for capture in Capture::ALL {
        for houses in 1..=12 {
            assert_eq!(Rules::new(houses, capture).map(Rules::houses), Ok(houses));
        }
        for houses in [0, 13, 256 + 6, usize::MAX] {
            assert_eq!(Rules::new(houses, capture), Err(HousesOutOfRange(houses)));
        }
    }
}

#[test]
fn both_sides_have_as_many_houses_as_the_rules_say() {
    let rules = Rules::new(3, Capture::Standard).unwrap();
    let new = |south: &[u16], north: &[u16]| Board::new(rules, [south, north], [0, 0], Side::South);
    assert!(new(&[1; 3], &[1; 3]).is_ok());
    let error = |found| Err(BoardError::HouseCount { expected: 3, found });
    assert_eq!(new(&[1; 2], &[1; 3]), error(2));
    assert_eq!(new(&[1; 3], &[1; 13]), error(13));
}

#[test]
fn a_board_holds_a_limited_number_of_seeds() {
    let rules = Rules::new(1, Capture::Standard).unwrap();
    let new = |south, north, stores| Board::new(rules, [&[south], &[north]], stores, Side::South);
    assert_eq!(MAX_SEEDS, 1023);
    assert!(new(1000, 20, [2, 1]).is_ok());
    assert_eq!(new(1000, 20, [2, 2]), Err(BoardError::TooManySeeds(1024)));
    let most = u16::MAX;
    let total = 4 * u32::from(most);
    assert_eq!(new(most, most, [most, most]), Err(BoardError::TooManySeeds(total)));
    assert!(Board::start(rules, 511).is_ok());
    assert_eq!(Board::start(rules, 512), Err(BoardError::TooManySeeds(1024)));
}

fn agrees_with_counts<R: RowTables>(own: &[u16]) {
    let houses = own.len();
    let rules = Rules::new(houses, Capture::Standard).unwrap();
    let mut opponent = vec![0; houses];
    let sowings = Sowings::<R>::from_rules(rules).unwrap();
    for seeds in [0, 1] {
        opponent[houses - 1] = seeds;
        let Some(position) = Position::new(sowings, own, &opponent) else { continue };
        assert_eq!(counts(&position, houses), [own, &opponent]);
        let total = own.iter().sum::<u16>();
        assert_eq!(position.own_seeds(), u32::from(total));
        assert_eq!(position.opponent_seeds(), u32::from(seeds));
        assert_eq!(position.is_over(), total == 0 || seeds == 0);
        let expected: Vec<_> =
            (0..houses).filter(|&house| own[house] > 0).filter_map(House::new).collect();
        assert_eq!(position.moves().collect::<Vec<_>>(), expected);
        assert_eq!(position.moves().len(), expected.len());
        let by_number: Vec<_> = (0..).map_while(|n| position.nth_move(n)).collect();
        assert_eq!(by_number, expected);
        assert_eq!(position.nth_move(usize::MAX), None);
    }
}

proptest! {
    #[test]
    fn narrow_rows_agree_with_counts(counts in prop::collection::vec(0..=31_u16, 1..=8)) {
        agrees_with_counts::<u64>(&counts);
        agrees_with_counts::<u128>(&counts);
    }

    #[test]
    fn wide_rows_agree_with_counts(counts in prop::collection::vec(0..=85_u16, 1..=12)) {
        agrees_with_counts::<u128>(&counts);
    }
}

#[test]
fn full_lanes_do_not_leak() {
    agrees_with_counts::<u64>(&[0, 0, 255, 0, 0, 0, 0, 0]);
    agrees_with_counts::<u64>(&[0, 0, 0, 0, 0, 0, 0, 255]);
    agrees_with_counts::<u64>(&[128, 0, 0, 0, 0, 0, 0, 127]);
    agrees_with_counts::<u128>(&[0, 1023, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    agrees_with_counts::<u128>(&[512, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 511]);
}

//! Lines of the Kalah Game Protocol, and its boards beside those of this crate.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code, reason = "shared with other tests")]
#[path = "../../../tests/support/boards.rs"]
mod boards;
#[path = "../../../tests/support/reference.rs"]
mod reference;

use kalah::board::{Board, Capture, Rules, Side};
use kalah_kgp::{Argument, Line, LineError, WideBoard};
use proptest::prelude::*;

fn arguments() -> impl Strategy<Value = Argument> {
    prop_oneof![
        "[a-zA-Z0-9:_.+-]{1,12}".prop_map(Argument::Word),
        any::<String>().prop_map(|text| Argument::Text(
            text.replace(|c: char| c != '\n' && c.is_control(), "")
        )),
        (1..14_usize, 0..30_u64).prop_map(|(houses, seeds)| {
            Argument::Board(WideBoard::new(&vec![seeds; 2 + 2 * houses]).unwrap())
        }),
    ]
}

proptest! {
    #[test]
    fn lines_are_read_as_they_were_written(
        id in any::<Option<u64>>(),
        reference in any::<Option<u64>>(),
        command in "[a-z]{1,9}",
        arguments in prop::collection::vec(arguments(), 0..5),
    ) {
        let line = Line { id, reference, command, arguments };
        let text = line.to_string();
        prop_assert!(!text.contains(['\n', '\r']));
        prop_assert_eq!(text.parse(), Ok(line.clone()));
        prop_assert_eq!(format!("  {text}\r\n").parse(), Ok(line));
    }

    #[test]
    fn no_text_is_read_in_vain(text in ".{0,60}") {
        if let Ok(line) = text.parse::<Line>() {
            // Control characters are written as spaces.
            let again = line.to_string().parse::<Line>();
            prop_assert_eq!(again.map(|again| again.to_string()), Ok(line.to_string()));
        }
    }

    /// The boards of the protocol play as those of the engine, up to the end by majority.
    #[test]
    fn boards_play_by_the_same_rules(board in boards::boards(), picks in boards::picks()) {
        let (rules, stores) = (board.rules(), Side::ALL.map(|side| board.store(side)));
        let rules = Rules::new(rules.houses(), Capture::Standard).unwrap();
        let houses = Side::ALL.map(|side| board.houses(side));
        let start = Board::new(rules, houses, stores, Side::South).unwrap();
        boards::play_out(start, &picks, |board, mv| {
            let wide = wide(board, board.side());
            assert!(wide.to_board().is_some());
            assert_eq!(WideBoard::from(board), wide);
            if wide.stores().iter().any(|&store| 2 * store > wide.total_seeds()) {
                assert_eq!(wide.moves().count(), 0);
                return;
            }
            assert!(wide.moves().eq(board.moves().map(|mv| mv.house.index())));
            assert!(wide.greedy_move().is_some_and(|house| wide.play(house).is_some()));
            let mut after = *board;
            let next = after.play(mv).unwrap();
            let played = wide.play(mv.house.index()).unwrap();
            if after.is_over() {
                let result = after.result().unwrap();
                let [own, other] = played.board.stores().map(|seeds| seeds as i32);
                let margin = if board.side() == Side::South { own - other } else { other - own };
                assert_eq!(margin, result);
            } else if !played.board.is_over() {
                assert_eq!(played.board, self::wide(&after, board.side()));
                assert_eq!(played.is_extra_turn, next == kalah::board::Next::Again);
            }
        });
    }
}

/// The board as this player receives it.
fn wide(board: &Board, side: Side) -> WideBoard {
    let sides = [side, !side];
    let stores = sides.map(|side| board.store(side));
    let houses = sides.iter().flat_map(|&side| board.houses(side));
    let numbers = [board.rules().houses() as u16].into_iter().chain(stores).chain(houses.copied());
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("<{}>", numbers.join(",")).parse().unwrap()
}

#[test]
fn other_lines_are_refused() {
    for text in [
        "",
        "  ",
        "12",
        "12 ",
        "@3",
        "@ ok",
        "12@ ok",
        "1x ok",
        "99999999999999999999 ok",
        "set a \"b",
        "set a \"b\\",
        "state <1,2,3",
        "state <1,0,0,1>",
        "state <1,0,0,1,1,1>",
        "state <2,0,0,1,1>",
        "state <0,0,0>",
    ] {
        assert_eq!(text.parse::<Line>(), Err(LineError), "{text}");
    }
}

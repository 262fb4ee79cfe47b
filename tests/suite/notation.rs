//! Boards and moves as text, and whatever else may stand in their place.

use kalah::board::{
    Board, BoardError, Capture, FenError, House, HousesOutOfRange, IllegalMove, Move, MovesError,
    RuleSet, Rules, Side,
};
use proptest::prelude::*;

use crate::boards::{boards, heavy_boards, rule_sets};

fn board(fen: &str) -> Board {
    Board::from_fen(fen, Capture::Standard).unwrap()
}

fn start() -> Board {
    Board::start(Rules::default(), 4).unwrap()
}

fn fen_error(fen: &str) -> FenError {
    Board::from_fen(fen, Capture::Standard).unwrap_err()
}

/// The error of a list of moves, which must leave the board as it was.
fn moves_error(before: Board, moves: &str) -> MovesError {
    let mut board = before;
    let error = board.play_moves(moves).unwrap_err();
    assert_eq!(board, before, "{moves}");
    error
}

#[test]
fn a_board_is_read_field_by_field() {
    let board = board("<3,5,2,0,1,4,2,3,6> N");
    assert_eq!(board.rules(), Rules::new(3, Capture::Standard).unwrap());
    assert_eq!(Side::ALL.map(|side| board.store(side)), [5, 2]);
    assert_eq!(board.houses(Side::South), [0, 1, 4]);
    assert_eq!(board.houses(Side::North), [2, 3, 6]);
    assert_eq!(board.side(), Side::North);
    assert_eq!(start().fen(), "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S");
}

#[test]
fn the_player_to_move_may_be_left_out_or_set_apart() {
    for (text, side) in [
        ("<1,0,0,1,1>", Side::South),
        ("<1,0,0,1,1>S", Side::South),
        ("<1,0,0,1,1> s", Side::South),
        ("<1,0,0,1,1>   N", Side::North),
        (" \t<1,0,0,1,1> n \r\n", Side::North),
    ] {
        assert_eq!(board(text).side(), side, "{text:?}");
    }
}

#[test]
fn boards_that_cannot_be_read_are_refused_with_a_reason() {
    let not_a_number = |field, text: &str| FenError::NotANumber { field, text: text.to_owned() };
    let field_count = |expected, found| FenError::FieldCount { houses: 1, expected, found };
    let cases = [
        ("", FenError::NoStart, "a board begins with '<'"),
        ("6,0,0>", FenError::NoStart, "a board begins with '<'"),
        ("<1,0,0,1,1", FenError::NoEnd, "a board ends with '>'"),
        ("<>", not_a_number(1, ""), "field 1 of the board, '', is not a number of seeds"),
        (
            "<1,0,0,+1,1>",
            not_a_number(4, "+1"),
            "field 4 of the board, '+1', is not a number of seeds",
        ),
        (
            "<1,0,-1,1,1>",
            not_a_number(3, "-1"),
            "field 3 of the board, '-1', is not a number of seeds",
        ),
        (
            "<1,0,65536,1,1>",
            not_a_number(3, "65536"),
            "field 3 of the board, '65536', is not a number of seeds",
        ),
        (
            "<1,0, 1,1,1>",
            not_a_number(3, " 1"),
            "field 3 of the board, ' 1', is not a number of seeds",
        ),
        ("<1,0,0,1>", field_count(5, 4), "a board of 1 house a side has 5 fields, not 4"),
        ("<1,0,0,1,1,1>", field_count(5, 6), "a board of 1 house a side has 5 fields, not 6"),
        (
            "<0,0,0>",
            FenError::Board(BoardError::Houses(HousesOutOfRange(0))),
            "0 houses a side, but a board has 1 to 12",
        ),
        (
            "<13>",
            FenError::Board(BoardError::Houses(HousesOutOfRange(13))),
            "13 houses a side, but a board has 1 to 12",
        ),
        (
            "<1,0,0,1023,1>",
            FenError::Board(BoardError::TooManySeeds(1024)),
            "1024 seeds on the board, but at most 1023 are possible",
        ),
    ];
    for (fen, error, message) in cases {
        assert_eq!(fen_error(fen), error, "{fen}");
        assert_eq!(fen_error(fen).to_string(), message);
    }
}

#[test]
fn unknown_players_are_refused_with_a_reason() {
    for (fen, message) in [
        ("<1,0,0,1,1> X", "unknown side 'X', expected S or N"),
        ("<1,0,0,1,1> S N", "unknown side 'S N', expected S or N"),
        ("<1,0,0,1,1>>", "unknown side '>', expected S or N"),
    ] {
        let error = fen_error(fen);
        assert!(matches!(error, FenError::Side(_)), "{fen}");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn long_texts_are_quoted_shortened() {
    // Of more bytes than one, as a cut inside a character would panic.
    let long = "ä".repeat(1000);
    for fen in [format!("<1,{long},0,1,1>"), format!("<1,0,0,1,1> {long}")] {
        let message = fen_error(&fen).to_string();
        assert!(message.contains("ää…'"), "{message}");
        assert!(message.chars().count() < 100, "{message}");
    }
}

#[test]
fn too_few_or_too_many_houses_are_refused_with_a_reason() {
    let error = Board::new(Rules::default(), [&[4; 5], &[4; 6]], [0, 0], Side::South).unwrap_err();
    assert_eq!(error.to_string(), "5 houses on one side, but the rules have 6");
}

#[test]
fn moves_are_read_in_either_case_and_with_or_without_space() {
    let played = |moves| {
        let mut board = start();
        board.play_moves(moves).unwrap();
        board.fen()
    };
    let fen = "<6,2,1,4,4,0,5,0,6,5,0,6,5,5,5> N";
    for moves in ["C E b", "CEb", "ceb", "cEB", " C\te \r\n b ", "C Eb"] {
        assert_eq!(played(moves), fen, "{moves:?}");
    }
    for moves in ["", " ", "\n"] {
        assert_eq!(played(moves), start().fen(), "{moves:?}");
    }
}

#[test]
fn moves_that_cannot_be_played_are_refused_with_a_reason() {
    let illegal = |number, reason| MovesError::Illegal { number, reason };
    let cases = [
        (
            start(),
            "C E ?",
            MovesError::NotAMove { number: 3, text: '?' },
            "move 3, '?', is not a letter from A to L",
        ),
        (
            start(),
            "CM",
            MovesError::NotAMove { number: 2, text: 'M' },
            "move 2, 'M', is not a letter from A to L",
        ),
        (
            start(),
            "ä",
            MovesError::NotAMove { number: 1, text: 'ä' },
            "move 1, 'ä', is not a letter from A to L",
        ),
        (
            start(),
            "C c",
            illegal(2, IllegalMove::EmptyHouse("C".parse().unwrap())),
            "move 2: house C is empty",
        ),
        (
            start(),
            "A b G",
            illegal(3, IllegalMove::NoSuchHouse("G".parse().unwrap())),
            "move 3: the board has no house G",
        ),
        (
            start(),
            "A l",
            illegal(2, IllegalMove::NoSuchHouse("l".parse().unwrap())),
            "move 2: the board has no house l",
        ),
        (
            board("<1,0,0,1,1>"),
            "A a",
            illegal(2, IllegalMove::GameOver),
            "move 2: the game is over",
        ),
    ];
    for (before, moves, error, message) in cases {
        assert_eq!(moves_error(before, moves), error, "{moves}");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn names_are_read_back_from_what_they_are_written_as() {
    for side in Side::ALL {
        assert_eq!(side.to_string().parse(), Ok(side));
        for lane in 0..12 {
            let house = House::new(lane).unwrap();
            assert_eq!(House::from_letter(house.letter(side)), Some(house));
            assert_eq!(Move { side, house }.to_string(), house.letter(side).to_string());
        }
    }
    assert_eq!(Side::ALL.map(|side| House::new(11).unwrap().letter(side)), ['L', 'l']);
    assert_eq!(House::new(12), None);
    assert_eq!(['M', '@', '`', '1', 'é'].map(House::from_letter), [None; 5]);
    for capture in Capture::ALL {
        assert_eq!(capture.to_string().parse(), Ok(capture));
        assert_eq!(capture.to_string().to_uppercase().parse(), Ok(capture));
    }
    let unknown = "pie".parse::<Capture>().unwrap_err();
    assert_eq!(unknown.to_string(), "unknown capture rule 'pie', expected standard or empty");
}

#[test]
fn the_start_is_drawn() {
    let drawing = "
         f      e      d      c      b      a
     +------+------+------+------+------+------+
     |  4   |  4   |  4   |  4   |  4   |  4   |
   0                                             0
     |  4   |  4   |  4   |  4   |  4   |  4   |
     +------+------+------+------+------+------+
         A      B      C      D      E      F
South to move";
    assert_eq!(format!("\n{}", start()), drawing);
}

#[test]
fn sides_are_drawn_from_their_owners_left() {
    let drawing = "
         c      b      a
     +------+------+------+
     |  6   |  50  | 400  |
  12                        3
     |  1   |  0   |  20  |
     +------+------+------+
         A      B      C
North to move";
    assert_eq!(format!("\n{}", board("<3,3,12,1,0,20,400,50,6> N")), drawing);
}

#[test]
fn a_finished_board_is_drawn_with_its_result() {
    let drawing = "
         b      a
     +------+------+
     |  0   |  0   |
   3                 1000
     |  0   |  7   |
     +------+------+
         A      B
Game over, +1004 for South";
    assert_eq!(format!("\n{}", board("<2,1000,3,0,7,0,0> N")), drawing);
    assert!(board("<1,2,2,0,0>").to_string().ends_with("\nGame over, +0 for South"));
    assert!(board("<1,1,2,0,0>").to_string().ends_with("\nGame over, -1 for South"));
}

/// Texts that are boards but for a few characters.
fn damaged_fens() -> impl Strategy<Value = String> {
    let damage = (any::<prop::sample::Index>(), prop::option::of("[-<>,+ 0-9SNx…]{1,3}"));
    (boards(), prop::collection::vec(damage, 1..4)).prop_map(|(board, damages)| {
        damages.into_iter().fold(board.fen(), |fen, (place, inserted)| {
            let mut characters: Vec<char> = fen.chars().collect();
            let place = place.index(characters.len() + 1);
            match inserted {
                Some(inserted) => {
                    characters.splice(place..place, inserted.chars());
                }
                None => characters.truncate(place),
            }
            characters.into_iter().collect()
        })
    })
}

/// Whatever is read as a board can be shown, written, read back and played on.
fn read_and_use(fen: &str, rule_set: RuleSet) {
    if let Ok(board) = Board::from_fen(fen, rule_set) {
        assert_eq!(Board::from_fen(&board.fen(), rule_set), Ok(board), "{fen}");
        assert!(!board.to_string().is_empty());
        for house in board.moves() {
            board.clone().play(house).unwrap();
        }
    }
}

proptest! {
    #[test]
    fn boards_are_read_back_from_what_they_are_written_as(
        board in prop_oneof![boards(), heavy_boards()],
    ) {
        prop_assert_eq!(Board::from_fen(&board.fen(), board.rules()), Ok(board));
    }

    #[test]
    fn any_text_is_a_board_or_an_error(text in any::<String>(), rule_set in rule_sets()) {
        read_and_use(&text, rule_set);
        read_and_use(&format!("<{text}"), rule_set);
        read_and_use(&format!("<{text}>"), rule_set);
        read_and_use(&format!("<1,0,0,1,1>{text}"), rule_set);
    }

    #[test]
    fn a_damaged_board_is_a_board_or_an_error(fen in damaged_fens(), rule_set in rule_sets()) {
        read_and_use(&fen, rule_set);
    }

    #[test]
    fn any_text_is_a_list_of_moves_or_an_error(
        before in boards(),
        text in prop_oneof![any::<String>(), "[A-Ma-m ?]{0,12}"],
    ) {
        let mut board = before;
        if board.play_moves(&text).is_err() {
            prop_assert_eq!(board, before);
        }
    }
}

//! The form of the lines that `kalah compliance` accepts.

use kalah_arena::compliance::parsing::info_fault;
use kalah_client::OptionType;

#[test]
fn wrong_infos_are_found() {
    let right = [
        "info depth 3 multipv 1 score cp -100 lowerbound nodes 5 nps 6 time 7 pv A b",
        "info currmove A depth 3",
        "info string depth x",
        "bestmove depth",
    ];
    assert_eq!(right.map(info_fault), [None, None, None, None]);
    for wrong in [
        "info depth",
        "info depth -1",
        "info score 300",
        "info score cp 1.5",
        "info score mate 3",
        "info hashfull 1001",
        "info pv",
        "info pv A 0000",
        "info pv AB",
    ] {
        assert!(info_fault(wrong).is_some(), "{wrong}");
    }
}

#[test]
fn kinds_are_read() {
    let spin = OptionType::parse("spin default 4 min 1 max 511");
    assert_eq!(spin, Ok(OptionType::Spin { default: 4, min: 1, max: 511 }));
    assert_eq!(spin.map(|kind| kind.to_string()), Ok("spin".to_owned()));
    let combo = OptionType::parse("combo default a b var a b var c");
    let values = vec!["a b".to_owned(), "c".to_owned()];
    assert_eq!(combo, Ok(OptionType::Combo { default: "a b".to_owned(), values }));
    assert_eq!(OptionType::parse("string default <empty>"), Ok(OptionType::Text));
    for wrong in [
        "",
        "number",
        "spin",
        "spin 4",
        "spin default 0 min 1 max 5",
        "spin default 1 min 1",
        "check default yes",
        "combo default a var b",
    ] {
        assert!(OptionType::parse(wrong).is_err(), "{wrong}");
    }
}

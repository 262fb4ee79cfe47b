//! `kalah store add`: what others have solved is verified before a server answers it as proven.

use serde_json::{Value, json};

use crate::contest::Contest;
use crate::schemas::checked;
use crate::serve::{Serve, position};

const BOARDS: [&str; 4] = [
    "<4,0,0,3,3,3,3,3,3,3,3> S",
    "<4,2,1,1,0,2,3,4,1,3,3> N",
    "<4,2,1,3,3,3,3,3,3,3,3> N", // the first one for the player to move
    "<4,1,2,3,0,4,0,2,2,2,4> S",
];

/// A contest with `lines`: the boards with the margins of all moves.
fn solved() -> (Contest, Vec<Value>) {
    let contest = Contest::new();
    contest.write("boards", BOARDS.join("\n"));
    let (lines, _) = contest.played("solve --input boards --moves --json --hash 16");
    contest.write("lines", &lines);
    let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    (contest, lines)
}

#[test]
fn what_is_right_is_answered_as_proven() {
    let (contest, lines) = solved();
    let add = "store add store lines --hash 16 --json";
    let counts = |names: [&str; 3]| {
        let ended = contest.run(add);
        assert_eq!(ended.status.code(), Some(0), "{}", ended.errors);
        let added = checked("store-add", &ended.output);
        assert_eq!(added["wrong"], json!([]));
        names.map(|name| {
            added[name].as_array().map_or(added[name].as_u64(), |it| Some(it.len() as u64))
        })
    };
    let names = ["added", "known", "wrong"];
    assert_eq!(counts(names), [3, 1, 0].map(Some), "two are the same position");
    let store = contest.read("store");
    assert_eq!(counts(names), [0, 4, 0].map(Some));
    assert_eq!(contest.read("store"), store);
    let serve = Serve::start_in(contest, "--store store");
    for line in &lines {
        let value = serve.get(&position(line["fen"].as_str().unwrap(), "")).value();
        let of = ["source", "proven", "margin"].map(|name| &value[name]);
        assert_eq!(of, [&json!("store"), &json!(true), &line["margin"]]);
        for of in value["moves"].as_array().unwrap() {
            assert_eq!(of["margin"], line["moves"][of["move"].as_str().unwrap()], "{line}");
        }
    }
    serve.contest.refused(add, 1, "another process");
}

#[test]
fn a_false_line_becomes_no_answer() {
    let (contest, mut lines) = solved();
    let moves = lines[1]["moves"].as_object_mut().unwrap();
    let (letter, margin) = moves.iter_mut().next().unwrap();
    let (letter, found) = (letter.clone(), margin.as_i64().unwrap());
    *margin = json!(found - 2);
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    contest.write("false", lines.join("\n"));
    let ended = contest.run("store add store false --hash 16");
    assert_eq!(ended.status.code(), Some(1));
    let wrong = format!(
        "'false', line 2: {}, move {letter}: margin {}, found {found}",
        BOARDS[1],
        found - 2
    );
    assert!(ended.errors.contains(&wrong), "{}", ended.errors);
    assert!(ended.output[0].starts_with("2 added, 1 known, 1 wrong"), "{:?}", ended.output);
    let serve = Serve::start_in(contest, "--store store --max-time 600000 --hash 16");
    let value = serve.get(&position(BOARDS[1], "&time=600000")).value();
    assert_eq!(value["source"], "search");
    let is_it = |of: &&Value| of["move"].as_str() == Some(letter.as_str());
    let mut found_moves = value["moves"].as_array().unwrap().iter();
    assert_eq!(found_moves.find(is_it).unwrap()["margin"], found);
}

#[test]
fn lines_of_play_are_kept_and_an_incomplete_line_is_told() {
    let contest = Contest::new();
    let line = r#"{"fen":"<3,0,0,1,0,2,1,1,0> S","capture":"standard","sowing":"single","moves":{"A":1,"C":-3}"#;
    for (number, (given, kept)) in
        [("AaC", "AaC"), ("A", "A"), ("Aa", "A"), ("CaC", "A"), ("", "A")].iter().enumerate()
    {
        let whole = format!(r#"{line},"lines":{{"A":"{given}"}}}}"#);
        contest.write("one", format!("{whole}\n{line}"));
        let ended = contest.run(&format!("store add {number} one --hash 16"));
        assert_eq!(ended.status.code(), Some(0), "{}", ended.errors);
        assert!(ended.errors.contains("'one' ends with an incomplete line"), "{}", ended.errors);
        let stored: Value = serde_json::from_str(contest.read(&number.to_string()).trim()).unwrap();
        assert_eq!(stored["lines"]["A"], *kept, "{given}");
    }
}

#[test]
fn what_is_no_position_is_named_and_nothing_is_added() {
    let (contest, _) = solved();
    contest.played("store add store lines --hash 16");
    let store = contest.read("store");
    let odd = r#"{"fen":"<1,0,0,1,1>","capture":"empty","sowing":"single","moves":{"A":1}}"#;
    for (text, named) in [
        ("notes\n".to_owned(), "'other', line 1: "),
        (format!("{odd}\n"), "line 1: no play from the board ends with the margin 1"),
        (format!("\n{}\n", odd.replace("\"A\":1", "\"B\":0")), "line 2: these are not the moves"),
    ] {
        contest.write("other", text);
        contest.refused("store add store lines other", 1, named);
        assert_eq!(contest.read("store"), store);
    }
    contest.refused("store add store missing", 1, "missing");
    contest.refused("store add store", 2, "FILE");
    contest.refused("store add lines/store lines", 1, "lines/store");
}

//! The programs in `examples/`: each is short, does what it says, and refuses bad arguments with a
//! message.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::{env, fs};

/// More than this is not an example.
const MAX_LINES: usize = 60;

/// The lines of a whole engine, in Python.
const MAX_ENGINE_LINES: usize = 150;

/// Runs an example, which cargo has built beside the tests.
fn run(example: &str, arguments: &[&str]) -> Output {
    let tests = env::current_exe().unwrap();
    let examples = tests.ancestors().nth(2).unwrap().join("examples");
    let program = examples.join(format!("{example}{}", env::consts::EXE_SUFFIX));
    Command::new(program).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn output(example: &str, arguments: &[&str]) -> String {
    let ended = run(example, arguments);
    assert!(ended.status.success(), "{example}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

#[track_caller]
fn assert_refused(example: &str, arguments: &[&str], message: &str) {
    let ended = run(example, arguments);
    assert!(!ended.status.success(), "{example} {arguments:?}");
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert!(stderr.contains(message), "{example} {arguments:?}: {stderr}");
}

#[test]
fn examples_are_short() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        let is_engine = path.extension().is_some_and(|extension| extension == "py");
        let most = if is_engine { MAX_ENGINE_LINES } else { MAX_LINES };
        assert!(lines <= most, "{} has {lines} lines", path.display());
    }
}

#[test]
fn the_best_move_is_found_and_proven() {
    // The value is in the exact data.
    let output = output("best_move", &["<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>", "10000"]);
    assert!(output.contains("margin -8, proven"), "{output}");
    assert!(output.ends_with("best move E\n"), "{output}");
    assert_refused("best_move", &["<6,9,17>"], "FieldCount");
}

#[test]
fn an_analysis_ends_with_the_input() {
    let output = output("analysis", &["<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>"]);
    assert!(output.contains("Enter stops the analysis."), "{output}");
    assert!(["A", "B", "C", "D", "E", "F"].contains(&output.lines().last().unwrap()), "{output}");
}

#[test]
fn a_position_is_solved() {
    let output = output("solve", &["<3,0,0,3,3,3,3,3,3> S"]);
    assert!(output.contains("margin "), "{output}");
    for mv in ["A  ", "B  ", "C  "] {
        let value = output.lines().find_map(|line| line.strip_prefix(mv));
        assert!(value.is_some_and(|value| value.parse::<i32>().is_ok()), "{output}");
    }
    assert!(output.lines().last().unwrap().starts_with("best play: "), "{output}");
}

#[test]
fn a_lost_seed_is_named() {
    let output = output("analyse_game", &["1", "A", "b"]);
    let moves: Vec<&str> = output.lines().take(2).collect();
    assert!(moves[0].starts_with("A  ") && moves[1].starts_with("b  "), "{output}");
    assert!(moves.iter().all(|line| line.contains("best")), "{output}");
    assert_refused("analyse_game", &["1", "A", "z"], "NotAMove");
}

#[test]
fn a_search_of_ones_own_plays_to_the_end() {
    let output = output("own_search", &["3"]);
    assert!(output.contains("Game over"), "{output}");
}

#[test]
fn a_game_of_ones_own_is_searched() {
    // The heaps that lose are the multiples of four.
    assert_eq!(output("own_game", &["21"]), "take 1 of 21 and win\n");
    assert_eq!(output("own_game", &["20"]), "every move from 20 loses\n");
}

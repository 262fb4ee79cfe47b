//! What is logged, and where to.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::session::{Ended, Session};

/// A conversation of all sorts, errors among it.
const TALK: [&str; 6] =
    ["uci", "position startpos moves C", "hello", "go depth 3", "isready", "go perft 2"];

/// Talks to the engine; whatever goes on, all of stdout is protocol.
fn talk(session: &mut Session, before: &[String]) -> Ended {
    for line in before.iter().map(String::as_str).chain(TALK) {
        session.send(line);
    }
    session.close_input();
    let ended = session.wait();
    assert!(ended.status.success());
    let words = ["id", "option", "uciok", "readyok", "info", "bestmove"];
    for line in &ended.output {
        let first = line.split(' ').next();
        assert!(first.is_some_and(|first| words.contains(&first)), "'{line}'");
    }
    ended
}

/// Whether a log has what was heard and said.
fn has_both_directions(log: &str) -> bool {
    ["> position startpos moves C", "< readyok", "< bestmove "]
        .iter()
        .all(|&said| log.contains(said))
}

fn to_file(path: &Path) -> String {
    format!("setoption name Log File value {}", path.display())
}

#[test]
fn nothing_is_logged_unless_asked_for() {
    assert_eq!(talk(&mut Session::start(), &[]).errors, "");
}

#[test]
fn the_environment_can_ask_for_a_log() {
    let mut session = Session::with(|command| {
        command.env("RUST_LOG", "debug");
    });
    let Ended { errors, .. } = talk(&mut session, &[]);
    assert!(has_both_directions(&errors), "{errors}");
}

#[test]
fn an_environment_that_is_not_valid_is_named_once() {
    let errors = |value: &str, options: &[&str]| {
        let mut session = Session::program(|command| {
            command.args(options).args(["perft", "1"]).env("RUST_LOG", value);
        });
        let ended = session.wait();
        assert!(ended.status.success() && !ended.output.is_empty(), "{}", ended.errors);
        ended.errors
    };
    for (value, named) in [
        ("foo=bar=baz", "foo=bar=baz"),
        ("warn, foo=bar ,x=", "bar"),
        ("a/b/c", "a/b/c"),
        ("\u{1b}=x", "'x'"),
    ] {
        let said = errors(value, &[]);
        assert!(said.contains(named) && said.lines().count() == 1, "{said}");
        assert_eq!(errors(value, &["-q"]), "");
    }
    for value in ["", "off", "x::y=info,warn", "x=", "error/text"] {
        assert_eq!(errors(value, &[]), "", "{value}");
    }
}

#[test]
fn debug_asks_for_a_log() {
    let Ended { errors, .. } = talk(&mut Session::start(), &["debug on".to_owned()]);
    assert!(has_both_directions(&errors), "{errors}");
    let on_and_off = ["debug on", "ucinewgame", "debug off"].map(str::to_owned);
    let Ended { errors, .. } = talk(&mut Session::start(), &on_and_off);
    assert!(errors.contains("> ucinewgame") && !errors.contains("readyok"), "{errors}");
}

#[test]
fn debug_tells_what_searches_count() {
    for (debug, told) in [("on", 1), ("off", 0)] {
        let mut session = Session::start();
        session.send("debug on");
        session.send(&format!("debug {debug}"));
        session.send("go depth 3");
        let lines = session.until("bestmove ");
        let counters = lines.iter().filter(|line| line.starts_with("info string counters nodes "));
        assert_eq!(counters.count(), told, "{lines:#?}");
    }
}

#[test]
fn debug_asks_for_more_than_the_environment() {
    let mut session = Session::with(|command| {
        command.env("RUST_LOG", "warn");
    });
    let Ended { errors, .. } = talk(&mut session, &["debug on".to_owned()]);
    assert!(has_both_directions(&errors), "{errors}");
}

#[test]
fn a_log_file_takes_the_place_of_stderr() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("a log with spaces.txt");
    fs::write(&path, "an earlier line\n").unwrap();
    let setup = [to_file(&path), "debug on".to_owned()];
    assert_eq!(talk(&mut Session::start(), &setup).errors, "");
    let log = fs::read_to_string(&path).unwrap();
    assert!(log.starts_with("an earlier line\n"), "lines are added");
    assert!(has_both_directions(&log), "{log}");
}

#[test]
fn a_log_file_is_closed_by_an_empty_name() {
    for name in ["", "<empty>"] {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("log.txt");
        let close = format!("setoption name Log File value {name}");
        let setup = [to_file(&path), close, "debug on".to_owned()];
        assert!(has_both_directions(&talk(&mut Session::start(), &setup).errors));
        assert!(!has_both_directions(&fs::read_to_string(&path).unwrap()));
    }
}

#[test]
fn a_log_file_that_cannot_be_opened_changes_nothing() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("log.txt");
    let mut session = Session::start();
    session.obeyed(&[&to_file(&path), "debug on"]);
    let nowhere = directory.path().join("missing").join("log.txt");
    session.refused(&to_file(&nowhere));
    session.refused(&to_file(directory.path()));
    session.refused(&format!("{}\0", to_file(&nowhere)));
    assert_eq!(talk(&mut session, &[]).errors, "");
    assert!(has_both_directions(&fs::read_to_string(&path).unwrap()), "the old file is kept");
}

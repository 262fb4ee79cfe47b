//! One answer for each `go`, whatever happens meanwhile; every search of the option `Search` with its limits.

use std::thread;
use std::time::Duration;

use kalah::search::Variant;

use crate::session::Session;

/// Known to the last ply within a moment; one of its moves, E, is the best.
const SMALL: &str = "position fen <6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>";
/// A game that has ended.
const FINISHED: &str = "position fen <6,24,24,0,0,0,0,0,0,0,0,0,0,0,0>";

/// How many lines begin so.
fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

/// Different pauses of less than some milliseconds.
fn pauses(number: u64) -> impl Iterator<Item = Duration> {
    (0..number).map(|i| Duration::from_micros(i * 7919 % 6007))
}

/// Long enough for an engine that does not wait to be caught.
const A_WHILE: Duration = Duration::from_millis(100);

/// A session whose searches begin: what the book has would be answered at once.
fn without_book() -> Session {
    let mut session = Session::start();
    session.send("setoption name OwnBook value false");
    session
}

#[test]
fn a_search_stopped_at_once_is_answered_once() {
    let mut session = without_book();
    for i in 0..300 {
        session.send("go infinite");
        session.send("stop");
        let answer = session.answer();
        assert!("ABCDEF".contains(&answer.best), "round {i}: {answer:?}");
    }
    session.expect_idle();
    session.quit();
}

#[test]
fn hundreds_of_searches_in_a_single_write_are_answered_one_by_one() {
    const SEARCHES: usize = 300;
    for go in ["go infinite\nstop\n", "go\nstop\n", "go ponder\nstop\n", "go perft 200\nstop\n"] {
        let mut session = without_book();
        session.send_bytes(go.repeat(SEARCHES).as_bytes());
        let lines = session.sync();
        assert_eq!(count(&lines, "bestmove "), SEARCHES, "{go:?}");
        assert_eq!(count(&lines, "info string error"), 0, "{go:?}");
        session.quit();
    }
}

#[test]
fn several_threads_stop_as_soon_as_one() {
    const SEARCHES: usize = 100;
    let mut session = without_book();
    session.send("setoption name Threads value 4");
    session.send_bytes("go infinite\nstop\n".repeat(SEARCHES).as_bytes());
    let lines = session.sync();
    assert_eq!(count(&lines, "bestmove "), SEARCHES);
    session.quit();
}

#[test]
fn a_stop_is_answered_before_any_later_command() {
    let mut session = without_book();
    for pause in pauses(60) {
        session.send("go infinite");
        thread::sleep(pause);
        session.send("stop");
        let lines = session.sync();
        assert_eq!(count(&lines, "bestmove "), 1);
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:#?}");
    }
    session.quit();
}

#[test]
fn a_search_that_ends_by_itself_while_it_is_stopped_is_answered_once() {
    let mut session = without_book();
    for pause in pauses(60) {
        session.send("go movetime 3");
        thread::sleep(pause);
        session.send("stop");
        let lines = session.sync();
        assert_eq!(count(&lines, "bestmove "), 1);
        // A stop that came too late is told so, after the answer.
        let late = lines.iter().position(|line| line.starts_with("info string error"));
        let answered = lines.iter().position(|line| line.starts_with("bestmove "));
        assert!(late.is_none_or(|late| answered < Some(late)), "{lines:#?}");
    }
    session.quit();
}

#[test]
fn quit_answers_the_search_under_way() {
    for go in ["go infinite", "go", "go ponder", "go perft 200", "go movetime 3600000"] {
        for pause in pauses(3) {
            let mut session = without_book();
            session.send(go);
            thread::sleep(pause);
            session.send("quit");
            let lines = session.wait_for_success();
            assert_eq!(count(&lines, "bestmove "), 1, "{go}");
            assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:#?}");
        }
    }
}

#[test]
fn what_is_said_after_quit_is_not_heard() {
    let mut session = without_book();
    session.send_bytes(b"quit\nisready\ngo depth 1\n");
    assert_eq!(session.wait_for_success(), [""; 0]);
}

#[test]
fn what_would_disturb_a_search_is_refused_and_does_not() {
    let mut session = without_book();
    session.send(SMALL);
    session.send("go infinite");
    session.until("info depth 1 ");
    let commands =
        ["go depth 1", "go infinite", "ucinewgame", "setoption name Threads value 2", "ponderhit"];
    for command in commands {
        session.send(command);
        let lines = session.sync();
        assert_eq!(count(&lines, "info string error"), 1, "{command}: {lines:#?}");
        assert_eq!(count(&lines, "bestmove"), 0, "{command}: {lines:#?}");
    }
    session.send("stop");
    assert_eq!(session.answer().best, "E");
    session.quit();
}

#[test]
fn a_refused_go_leaves_the_engine_idle() {
    let mut session = without_book();
    for command in ["go depth", "go depth 0", "go searchmoves", "go searchmoves L", "go fast"] {
        session.refused(command);
        session.expect_idle();
    }
    session.go("depth 1");
    session.quit();
}

#[test]
fn a_position_set_during_a_search_is_for_the_next() {
    let mut session = without_book();
    session.send(SMALL);
    session.send("go infinite");
    session.until("info depth 1 ");
    session.send("position startpos moves C");
    session.send("d");
    let lines = session.until("Key: ");
    assert_eq!(count(&lines, "Fen: <6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S"), 1);
    session.send("stop");
    assert_eq!(session.answer().best, "E");
    // With C just played its house is empty: it is the new position that is searched.
    let answer = session.go("depth 4");
    assert!("ABDEF".contains(&answer.best), "{answer:?}");
    session.quit();
}

#[test]
fn questions_are_answered_while_searching() {
    let mut session = without_book();
    session.send("go infinite");
    for _ in 0..20 {
        assert_eq!(count(&session.sync(), "bestmove"), 0);
    }
    session.send("uci");
    session.until("uciok");
    session.send("eval");
    session.until("Expected ");
    session.send("stop");
    session.answer();
    session.quit();
}

#[test]
fn stop_and_ponderhit_want_a_search() {
    let mut session = without_book();
    session.refused("stop");
    session.refused("ponderhit");
    session.go("depth 1");
    session.refused("stop");
    // A search that does not ponder hears no ponderhit either.
    session.send("go infinite");
    session.send("ponderhit");
    session.until("info string error: ");
    session.send("stop");
    session.answer();
    session.quit();
}

#[test]
fn an_infinite_search_waits_when_it_has_nothing_left_to_find() {
    for (position, best) in [(SMALL, "E"), (FINISHED, "0000")] {
        for go in ["go infinite", "go ponder", "go infinite depth 1", "go ponder movetime 1"] {
            let mut session = without_book();
            session.send(position);
            session.send(go);
            session.sync();
            // Whatever there is to say of it is said within a moment, which is longer where others
            // use the processors, too.
            thread::sleep(5 * A_WHILE);
            let lines = session.sync();
            assert_eq!(count(&lines, "bestmove"), 0, "{go}: {lines:#?}");
            session.expect_silence(A_WHILE);
            session.send("stop");
            let answer = session.answer();
            // At depth 1 the best move need not be found.
            assert!(answer.best == best || go.ends_with('1'), "{go}: {answer:?}");
            session.quit();
        }
    }
}

#[test]
fn pondering_does_not_count_against_the_clock() {
    let mut session = without_book();
    session.send("go ponder stime 50 ntime 50");
    session.sync();
    thread::sleep(A_WHILE);
    assert_eq!(count(&session.sync(), "bestmove"), 0);
    session.send("ponderhit");
    session.answer();
    session.expect_idle();
    session.quit();
}

#[test]
fn limits_count_from_the_ponderhit() {
    for (go, best) in [("go ponder depth 6", "E"), ("go ponder", "E"), ("go ponder nodes 9", "")] {
        let mut session = without_book();
        session.send(SMALL);
        session.send(go);
        session.sync();
        thread::sleep(A_WHILE);
        assert_eq!(count(&session.sync(), "bestmove"), 0, "{go}");
        session.send("ponderhit");
        let answer = session.answer();
        assert!(best.is_empty() || answer.best == best, "{go}: {answer:?}");
        session.refused("ponderhit");
        session.quit();
    }
}

#[test]
fn a_ponderhit_at_once_is_not_lost() {
    const SEARCHES: usize = 100;
    let mut session = without_book();
    session.send(SMALL);
    // The stop is refused where the answer was quicker.
    session.send_bytes("go ponder\nponderhit\nstop\n".repeat(SEARCHES).as_bytes());
    let lines = session.sync();
    assert_eq!(count(&lines, "bestmove E"), SEARCHES);
    let errors: Vec<&String> = lines.iter().filter(|line| line.contains("error")).collect();
    assert!(errors.iter().all(|line| line.contains("no search is running")), "{errors:#?}");
    session.quit();
}

#[test]
fn a_pondering_search_can_be_stopped_after_the_ponderhit() {
    let mut session = without_book();
    for pause in pauses(20) {
        session.send("go ponder movetime 3600000");
        thread::sleep(pause);
        session.send("ponderhit");
        session.send("stop");
        session.answer();
    }
    session.expect_idle();
    session.quit();
}

#[test]
fn a_finished_game_has_no_move() {
    let mut session = without_book();
    session.send(FINISHED);
    for go in ["", "depth 5", "movetime 1000", "nodes 1000", "stime 100 ntime 100", "perft 3"] {
        let lines = {
            session.send(&format!("go {go}"));
            session.until("bestmove ")
        };
        assert_eq!(lines.last().map(String::as_str), Some("bestmove 0000"), "go {go}");
        assert_eq!(count(&lines, "info depth"), 0, "go {go}");
    }
    session.refused("go searchmoves A");
    session.quit();
}

#[test]
fn perft_counts_leaves() {
    let mut session = without_book();
    session.send("go perft 5");
    let mut lines = session.until("bestmove ");
    assert_eq!(lines.pop().as_deref(), Some("bestmove 0000"));
    let total = lines.pop().unwrap_or_default();
    assert!(total.starts_with("info nodes 4690 time "), "{total}");
    let leaves = lines.iter().zip("ABCDEF".chars()).map(|(line, letter)| {
        let number = line.strip_prefix(&format!("info string perft {letter} "));
        number.and_then(|number| number.parse::<u64>().ok()).expect("a number of leaves")
    });
    assert_eq!(leaves.sum::<u64>(), 4690);
    session.send("go perft 0");
    let lines = session.until("bestmove ");
    assert!(lines[0].starts_with("info nodes 1 time "), "{lines:#?}");
    session.quit();
}

#[test]
fn commands_wait_until_options_are_set() {
    let mut session = without_book();
    for mebibytes in [200, 100] {
        let hash = format!("setoption name Hash value {mebibytes}\n");
        let book = "setoption name Book value /no/such/book\nisready\nucinewgame\nd\ngo depth 2\n";
        session.send_bytes(format!("{hash}{book}").as_bytes());
        let reason = session.line();
        assert!(reason.starts_with("info string error: option Book: "), "{reason}");
        session.expect("readyok");
        session.until("Key: ");
        session.answer();
    }
    session.send_bytes(b"setoption name Hash value 200\nsetoption name Hash value 100\n");
    session.quit();
}

#[test]
fn options_are_named_in_any_case() {
    let mut session = without_book();
    session.obeyed(&[
        "setoption name hash value 1",
        "setoption name CLEAR HASH",
        "setoption name move overhead value 0",
        "setoption name Capture value EMPTY",
        "setoption name ponder value true",
    ]);
    session.quit();
}

#[test]
fn white_space_between_words_does_not_matter() {
    let mut session = without_book();
    session.send("\t position \t startpos   moves  C\tF  b ");
    let spaced = session.display();
    session.send("position startpos moves CFb");
    assert_eq!(session.display(), spaced);
    session.quit();
}

fn with_search(name: &str) -> Session {
    let mut session = Session::start();
    session.send(&format!("setoption name Search value {name}"));
    session
}

/// Limits that each search knows; the others are refused without harm.
#[test]
fn every_search_takes_its_limits_and_refuses_others() {
    for (name, variant) in Variant::ALL {
        let mut session = with_search(name);
        let refused = match variant {
            Variant::DepthFirst(_) => &["iterations 5"][..],
            Variant::ProofNumber => &["depth 5", "iterations 5"],
            _ => &["depth 5"],
        };
        for limit in refused {
            session.send(&format!("go {limit}"));
            let error = session.line();
            assert!(error.starts_with("info string error: "), "{name}: {error}");
            assert!(error.contains(limit.split(' ').next().unwrap()) && error.contains(name));
        }
        let taken = match variant {
            Variant::DepthFirst(_) => &["depth 3", "nodes 500", "movetime 5"][..],
            Variant::ProofNumber => &["nodes 500", "movetime 5", "stime 50 ntime 50"],
            _ => &["iterations 50", "nodes 500", "movetime 5", "stime 50 ntime 50"],
        };
        for limit in taken {
            session.send(&format!("go {limit}"));
            session.until("bestmove ");
        }
        session.quit();
    }
}

#[test]
fn every_search_stops_when_told_to() {
    for (name, _) in Variant::ALL {
        let mut session = with_search(name);
        session.send("setoption name Seeds value 6");
        for go in ["go infinite", "go", "go ponder movetime 5"] {
            session.send(go);
            session.send("isready");
            session.until("readyok");
            session.send("stop");
            session.until("bestmove ");
        }
        session.quit();
    }
}

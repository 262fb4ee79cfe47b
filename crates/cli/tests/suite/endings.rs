//! How the engine leaves: the input ends, the output is closed.

use std::time::{Duration, Instant};

use crate::session::Session;

/// Says this and nothing more; returns all that is answered.
fn spoken_to(input: &[u8]) -> Vec<String> {
    let mut session = Session::start();
    session.send_bytes(input);
    session.close_input();
    session.wait_for_success()
}

/// The single `bestmove`, which must be the last word.
#[track_caller]
fn best_move(lines: &[String]) -> &str {
    let mut answers = lines.iter().filter_map(|line| line.strip_prefix("bestmove "));
    let last = lines.last().and_then(|line| line.strip_prefix("bestmove "));
    assert_eq!(answers.next_back(), last, "{lines:#?}");
    assert_eq!(answers.next(), None, "{lines:#?}");
    last.expect("an answer")
}

#[test]
fn no_input_at_all_is_fine() {
    assert_eq!(spoken_to(b""), [""; 0]);
    assert_eq!(spoken_to(b"\n"), [""; 0]);
}

#[test]
fn the_last_line_needs_no_end() {
    assert_eq!(spoken_to(b"isready"), ["readyok"]);
    assert_eq!(spoken_to(b"isready\r"), ["readyok"]);
    assert_eq!(spoken_to(b"isready\nisr").len(), 2);
    best_move(&spoken_to(b"go depth 3"));
}

#[test]
fn a_search_with_limits_is_finished() {
    for (go, depth) in [("go depth 10", 10), ("go depth 10 movetime 3600000", 10)] {
        let lines = spoken_to(go.as_bytes());
        best_move(&lines);
        let deepest = format!("info depth {depth} ");
        assert!(lines.iter().any(|line| line.starts_with(&deepest)), "{go}: {lines:#?}");
    }
    let perft = spoken_to(b"go perft 6");
    assert_eq!(best_move(&perft), "0000");
    assert!(perft[6].starts_with("info nodes "), "{perft:#?}");
}

#[test]
fn time_given_is_used() {
    // With the solver the engine keeps a little of the time back, for another move should the
    // solver refute the best one; the search alone takes all of it.
    let time = Duration::from_millis(300);
    let start = Instant::now();
    best_move(&spoken_to(b"setoption name Exact value false\ngo movetime 300\n"));
    assert!(start.elapsed() >= time);

    let start = Instant::now();
    let ponder = b"setoption name Exact value false\ngo ponder movetime 300\nponderhit\n";
    best_move(&spoken_to(ponder));
    assert!(start.elapsed() >= time, "after the ponderhit the search has limits");
}

#[test]
fn a_search_without_limits_is_stopped() {
    let endless = [
        "go",
        "go infinite",
        "go ponder",
        "go infinite depth 255",
        "go ponder movetime 3600000",
        "go searchmoves A",
        // The clock of the other player limits nothing.
        "go ntime 1000",
        "position startpos moves A\ngo wtime 1000",
        // Nor does what comes to a clock that is not there.
        "go sinc 1000 movestogo 5",
    ];
    for go in endless {
        best_move(&spoken_to(go.as_bytes()));
    }
}

#[test]
fn a_search_that_waits_with_nothing_to_find_is_answered() {
    let finished = "position fen <6,24,24,0,0,0,0,0,0,0,0,0,0,0,0>\n";
    for go in ["go", "go infinite", "go ponder", "go depth 3"] {
        assert_eq!(best_move(&spoken_to(format!("{finished}{go}").as_bytes())), "0000");
    }
}

#[test]
fn everything_said_before_the_end_is_obeyed() {
    let input = "position startpos moves C\nd\nisready\n".repeat(200);
    let lines = spoken_to(input.as_bytes());
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 200);
    let fen = "Fen: <6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S";
    assert_eq!(lines.iter().filter(|line| *line == fen).count(), 200);
}

/// Speaks to an engine whose output is closed after some lines, and never ends the input.
#[track_caller]
fn leaves_without_listeners(lines: usize, commands: &[&str]) {
    let mut session = Session::closing_output_after(lines, &[]);
    for command in commands {
        session.send(command);
    }
    let heard = session.wait_for_success();
    assert!(heard.len() <= lines);
}

#[test]
fn an_engine_that_nobody_listens_to_leaves() {
    // What is said just before the pipe is closed may still go through.
    leaves_without_listeners(0, &["isready"; 1000]);
    leaves_without_listeners(1, &["uci"; 1000]);
    leaves_without_listeners(3, &["hello"; 1000]);
}

#[test]
fn a_searching_engine_that_nobody_listens_to_leaves() {
    for threads in ["1", "2"] {
        let threads = format!("setoption name Threads value {threads}");
        // What comes from the book is one line, and then silence.
        let book = "setoption name OwnBook value false";
        for go in ["go infinite", "go", "go movetime 3600000", "go ponder"] {
            leaves_without_listeners(1, &[book, &threads, go]);
        }
        leaves_without_listeners(0, &[&threads, "go infinite", "quit"]);
    }
}

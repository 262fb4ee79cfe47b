//! The book in the engine.

use std::fs::OpenOptions;
use std::time::Duration;

use kalah::StopToken;
use kalah::board::{Board, Capture, Rules, Side};
use kalah::book::{Book, BookScope};
use kalah::engine::{Engine, EngineOptions};
use kalah::search::{Bound, Limits};
use tempfile::TempDir;

use crate::book_file::build;
use crate::session::{Answer, Session};

fn start() -> Board {
    Board::start(Rules::default(), 4).unwrap()
}

/// Whether an answer came from a book: a proof without a search.
fn is_from_book(answer: &Answer) -> bool {
    !answer.infos.is_empty()
        && answer.infos.iter().all(|info| info.is_proven() && info.number("nodes") == 0)
        && answer.last().number("tbhits") > 0
}

#[test]
fn the_lines_of_the_book_are_exact() {
    let book = Book::embedded().unwrap();
    let mut engine =
        Engine::with_options(EngineOptions { hash_mebibytes: 1, ..Default::default() }).unwrap();
    engine.set_option("MultiPV", "12").unwrap();
    let limits = Limits { movetime: Some(Duration::from_mins(1)), ..Limits::default() };
    for moves in ["", "A", "C", "C F", "F c"] {
        let mut board = start();
        board.play_moves(moves).unwrap();
        let result = engine.go(&board, &limits, &StopToken::new(), |_| {}).unwrap();
        let mut entry = book.probe(&board).unwrap().unwrap();
        assert_eq!(result.lines.len(), entry.moves.len());
        assert_eq!(result.best, result.lines[0].pv.first().copied());
        assert_eq!(result.ponder, result.lines[0].pv.get(1).copied());
        assert_eq!(result.stats.nodes, 0);
        for (line, multipv) in result.lines.iter().zip(1..) {
            assert_eq!((line.multipv, line.bound, line.proven), (multipv, Bound::Exact, true));
            assert!(line.margin <= entry.margin);
            entry.margin = line.margin;
            assert!(entry.moves.contains(&(line.pv[0], line.margin)));
            // Both sides play best after the first move.
            let mut played = board;
            let south = |board: &Board, margin: i32| {
                if board.side() == Side::South { margin } else { -margin }
            };
            let margin = south(&board, line.margin);
            for (mv, ply) in line.pv.iter().zip(0..) {
                if let Some(entry) = book.probe(&played).unwrap().filter(|_| ply > 0) {
                    assert!(entry.best().any(|best| best == *mv), "{played} {mv}");
                    assert_eq!(south(&played, entry.margin), margin);
                }
                played.play(*mv).unwrap();
            }
            assert!(line.pv.len() > 1 && line.depth as usize >= line.pv.len());
        }
    }
}

#[test]
fn the_book_answers_where_the_solver_would() {
    let mut session = Session::start();
    session.obeyed(&["setoption name UCI_Elo value 1500", "position startpos"]);
    for go in ["movetime 60000", "stime 1000 ntime 1000", "", "movetime 60000 searchmoves A F"] {
        let answer = session.go(go);
        assert!(is_from_book(&answer), "{go}: {answer:?}");
        assert_eq!(answer.last().pv().next(), Some(if go.contains("A F") { "F" } else { "C" }));
    }
    for go in ["depth 4", "nodes 1000"] {
        assert!(!is_from_book(&session.go(go)), "{go}");
    }
    for (option, value, back) in [
        ("OwnBook", "false", "true"),
        ("Exact", "false", "true"),
        ("Skill Level", "3", "20"),
        ("UCI_LimitStrength", "true", "false"),
        ("Capture", "empty", "standard"),
        ("Search", "mcts", "selective"),
    ] {
        session.obeyed(&[&format!("setoption name {option} value {value}")]);
        // Levels may end sooner.
        assert!(!is_from_book(&session.go("movetime 30")), "{option}");
        session.obeyed(&[&format!("setoption name {option} value {back}")]);
        assert!(is_from_book(&session.go("movetime 60000")), "{option}");
    }
    session.send("setoption name MultiPV value 3");
    let answer = session.go("movetime 60000");
    let best = answer.last_lines();
    assert_eq!(best.iter().map(|info| info.number("cp")).collect::<Vec<_>>(), [800, 400, -200]);
    session.quit();
}

#[test]
fn the_answer_of_the_book_waits_where_it_has_to() {
    let mut session = Session::start();
    session.send("position startpos moves C");
    for (go, end) in [
        ("go infinite", "stop"),
        ("go ponder stime 1000 ntime 1000", "stop"),
        ("go ponder stime 1000 ntime 1000", "ponderhit"),
    ] {
        session.send(go);
        session.until("info ");
        session.expect_silence(Duration::from_millis(100));
        session.send(end);
        assert_eq!(session.until("bestmove ").len(), 1);
    }
    session.quit();
}

#[test]
fn another_book_is_used_and_a_bad_one_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("book.kbk");
    let board = Board::start(Rules::new(4, Capture::Empty).unwrap(), 4).unwrap();
    build(&board, BookScope { plies: Some(2), ..BookScope::default() }, None, &path);
    let mut session = Session::start();
    let option = format!("setoption name Book value {}", path.display());
    session.obeyed(&[
        &option,
        "setoption name Houses value 4",
        "setoption name Capture value empty",
    ]);
    assert!(is_from_book(&session.go("movetime 60000")));
    let again = "setoption name Capture value standard";
    session.obeyed(&[again, "setoption name Houses value 6"]);
    assert!(is_from_book(&session.go("movetime 60000")), "the book of the program stays");
    let reason = session.refused("setoption name Book value /no/such/book");
    assert!(reason.contains("Book") && reason.contains("/no/such/book"), "{reason}");
    let text = folder.path().join("text");
    std::fs::write(&text, "x").unwrap();
    let reason = session.refused(&format!("setoption name Book value {}", text.display()));
    assert!(reason.ends_with("not a book file"), "{reason}");

    // A file that is cut off while it is open: the engine says so, and searches.
    session.obeyed(&["setoption name Houses value 4", "setoption name Capture value empty"]);
    assert!(is_from_book(&session.go("movetime 60000")));
    OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
    assert!(!is_from_book(&session.go("movetime 30")));
    session.obeyed(&["setoption name Book value <empty>"]);
    assert!(!is_from_book(&session.go("movetime 30")));
    session.send("quit");
    let ended = session.wait();
    assert!(ended.status.success() && ended.errors.contains("no book: "), "{}", ended.errors);
}

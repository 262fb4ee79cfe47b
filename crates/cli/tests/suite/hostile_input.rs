//! Input of all sorts: every line is survived, and what is refused changes nothing.

use std::fs;
use std::path::Path;

use kalah::board::{Board, Capture, Rules};

use crate::session::Session;

const POSITION: &str = "position fen <4,3,1,5,0,2,7,1,0,4,4> N moves aD";
const OPTIONS: [&str; 4] = [
    "setoption name Capture value empty",
    "setoption name Houses value 5",
    "setoption name MultiPV value 3",
    "setoption name Hash value 2",
];

/// An engine that has something to lose.
pub(crate) fn session() -> Session {
    // Where no file that a line happens to name is in the way of anyone.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty");
    fs::create_dir_all(&folder).unwrap();
    let mut session = Session::with(|command| {
        command.current_dir(folder);
    });
    session.obeyed(&OPTIONS);
    session.obeyed(&[POSITION]);
    session
}

/// A search that shows the options: how many lines it tells, and what of.
#[track_caller]
fn searched(session: &mut Session) -> Vec<String> {
    session.obeyed(&["ucinewgame"]);
    session.go("depth 5").without_times()
}

/// Sends bytes that are one bad line each; the engine must say so and be none the worse.
#[track_caller]
fn assert_refused(lines: &[&[u8]]) {
    let mut session = session();
    let before = (session.display(), searched(&mut session));
    for line in lines {
        session.send_bytes(line);
        session.send_bytes(b"\n");
        let heard = session.line();
        if !heard.starts_with("info string error: ") {
            session.fail(&format!("heard '{heard}' where an error was due"));
        }
        // What is quoted of a long line is short.
        assert!(heard.len() < 300, "{} bytes in: {heard}", heard.len());
        session.expect_idle();
        assert_eq!(session.display(), before.0);
    }
    assert_eq!((session.display(), searched(&mut session)), before);
    session.quit();
}

fn assert_text_refused(lines: &[&str]) {
    let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
    assert_refused(&lines);
}

#[test]
fn bytes_that_are_no_text() {
    assert_refused(&[
        b"\xff",
        b"isready \xc3",
        b"\xed\xa0\x80",
        b"position startpos moves \xe9",
        b"\0",
        b"isready\0",
        b"\0isready",
        b"position startpos moves A\0B",
        b"go depth 3\0",
        b"\x1b[2J\x07",
        "\u{85}\u{2028}\u{feff}uci".as_bytes(),
        "ｉｓｒｅａｄｙ".as_bytes(),
    ]);
}

#[test]
fn lines_of_any_length() {
    let long = |start: &str, part: &str, times: usize| start.to_owned() + &part.repeat(times);
    let lines = [
        long("", "x", 10 << 20),
        long("position startpos moves ", "A ", 5 << 20),
        long("go ", "depth ", 100_000),
        long("setoption name ", "Hash ", 100_000),
        long("", "é", 1 << 18),
        long("position fen <6", ",4", 400_000),
        long("go searchmoves ", "L", 1_000_000),
        long("go depth ", "9", 1_000_000),
        long("debug ", "on", 10_000),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_text_refused(&lines);
}

#[test]
fn numbers_out_of_range() {
    let numbers = [
        "0",
        "-1",
        "18446744073709551616",
        "-9223372036854775809",
        "1e999",
        "1e3",
        "0x10",
        "1.5",
        "NaN",
        "٣",
        "",
        "1,000",
        "--1",
        "+",
    ];
    let starts = [
        "go depth",
        "go nodes",
        "go movestogo",
        "setoption name Hash value",
        "setoption name Threads value",
        "setoption name MultiPV value",
        "setoption name Houses value",
        "setoption name Seeds value",
    ];
    let lines = starts.iter().flat_map(|start| numbers.map(|number| format!("{start} {number}")));
    // For these 0 is as good as any; a clock may even be overdrawn.
    let from_zero = ["go movetime", "go sinc", "go perft", "setoption name Move Overhead value"];
    let more =
        from_zero.iter().flat_map(|start| numbers[1..].iter().map(move |n| format!("{start} {n}")));
    let clocks = numbers[2..].iter().map(|number| format!("go ntime {number}"));
    let lines: Vec<String> = lines.chain(more).chain(clocks).collect();
    assert_text_refused(&lines.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn numbers_just_out_of_range() {
    assert_text_refused(&[
        "go depth 256",
        "go perft 256",
        "go perft 3 infinite",
        "go searchmoves A perft 3",
        "setoption name Hash value 33554433",
        "setoption name Threads value 257",
        "setoption name MultiPV value 13",
        "setoption name Move Overhead value 5001",
        "setoption name Houses value 13",
        "setoption name Seeds value 512",
    ]);
}

#[test]
fn commands_that_are_not_complete_or_too_long() {
    assert_text_refused(&[
        "isready now",
        "uci 2",
        "d 3",
        "stop it",
        "quit now",
        "debug",
        "debug maybe",
        "debug on off",
        "setoption",
        "setoption Hash 3",
        "setoption name",
        "setoption name value 3",
        "setoption name Hash",
        "setoption name Clear Hash value 3",
        "setoption name Colour value red",
        "setoption name Ponder value yes",
        "setoption name Capture value both",
        "position",
        "position moves A",
        "position startpos A",
        "position start",
        "position fen",
        "position fen moves A",
        "go depth",
        "go depth 3 depth 4",
        "go infinite infinite",
        "go searchmoves",
        "go searchmoves depth 3",
        "go quickly",
        "GO",
        "Uci",
        "go depth 3 4",
    ]);
}

#[test]
fn a_limit_given_twice_under_two_names() {
    assert_text_refused(&[
        "go stime 1000 wtime 2000",
        "go btime 1000 ntime 2000",
        "go depth 3 sinc 1 winc 2",
        "go depth 3 binc 1 ninc 2",
    ]);
}

#[test]
fn boards_that_are_none() {
    assert_text_refused(&[
        "position fen 6,0,0",
        "position fen <",
        "position fen >",
        "position fen <>",
        "position fen <,>",
        "position fen <0,0,0>",
        "position fen <13,0,0>",
        "position fen <-1,0,0>",
        "position fen <1,0,0,1>",
        "position fen <1,0,0,1,1,1>",
        "position fen <1,0,0,1,-1>",
        "position fen <1,0,0,1,+1>",
        "position fen <1,0,0,1,1.0>",
        "position fen <1,0,0,1,65536>",
        "position fen <1,65535,65535,65535,65535>",
        "position fen <1,0,0,1000,24>",
        "position fen <1,0,0,1,1> X",
        "position fen <1,0,0,1,1> S N",
        "position fen <1,0,0,1,1> S A",
        "position fen <1,0,0,1,1",
        "position fen <99999999999999999999,0,0,1,1>",
    ]);
}

#[test]
fn moves_that_cannot_be_played() {
    assert_text_refused(&[
        "position startpos moves G",
        "position startpos moves 1",
        "position startpos moves AAA",
        "position startpos moves A-B",
        "position startpos moves é",
        "position startpos moves A moves B",
        "position fen <1,0,0,1,1> moves AA",
        "position fen <1,0,0,0,1> moves a",
        "position fen <6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> moves A",
    ]);
}

#[test]
fn a_table_that_no_memory_holds_leaves_the_old_one() {
    let searched_twice = |between: Option<&str>| {
        let mut session = session();
        session.obeyed(&["position startpos"]);
        session.go("depth 10");
        between.map(|command| session.refused(command));
        session.go("depth 10").without_times()
    };
    let refused = searched_twice(Some("setoption name Hash value 33554432"));
    assert_eq!(refused, searched_twice(None), "what was learned is kept");
}

#[test]
fn ends_of_line_of_all_systems() {
    let mut session = Session::start();
    session.send_bytes(b"isready\r\n\r\n\n\n   \n\t\r\nisready\n");
    session.expect("readyok");
    session.expect("readyok");
    session.send_bytes(b"position startpos moves C\r\ngo depth 2\r\n");
    session.answer();
    session.send_bytes(b"isready\r\risready\r");
    session.expect("readyok");
    session.expect("readyok");
    session.quit();
}

#[test]
fn a_byte_order_mark_costs_no_command() {
    let mut session = Session::start();
    session.send("\u{feff}position startpos moves C");
    let board = session.display();
    session.quit();
    let mut session = Session::start();
    session.send("position startpos moves C");
    assert_eq!(session.display(), board);
    // Text in UTF-16 is no command at all, and named.
    let mut session = Session::start();
    session.send_bytes(b"\xff\xfeu\0c\0i\0\n\0q\0u\0i\0t\0\n\0");
    session.expect("info string error: the input is UTF-16, expected UTF-8");
    session.expect("info string error: the input is UTF-16, expected UTF-8");
    session.close_input();
    session.wait();
}

#[test]
fn commands_that_come_in_pieces() {
    let mut session = Session::start();
    for byte in b"isready\nisready\n" {
        session.send_bytes(&[*byte]);
    }
    session.expect("readyok");
    session.expect("readyok");
    session.quit();
}

/// A long game on the largest board, as moves run together.
fn long_game() -> String {
    let rules = Rules::new(12, Capture::Empty).unwrap();
    let mut board = Board::start(rules, 42).unwrap();
    let mut moves = String::new();
    while let Some(house) = board.moves().max() {
        moves.push(house.letter());
        board.play(house).unwrap();
    }
    moves
}

#[test]
fn long_games_and_longer_lists_of_moves() {
    let game = long_game();
    assert!(game.len() > 200, "a game of {} plies is not long", game.len());
    let mut session = session();
    session.obeyed(&["position startpos"]);
    session.obeyed(&["setoption name Seeds value 42", "setoption name Houses value 12"]);
    let spaced: String = game.chars().flat_map(|letter| [' ', letter]).collect();
    session.obeyed(&[&format!("position startpos moves {spaced}")]);
    let end = session.display();
    assert!(end.iter().any(|line| line.starts_with("Game over")), "{end:#?}");
    assert_eq!(session.go("movetime 1").best, "0000");
    let reason = session.refused(&format!("position startpos moves {}", "AbCd".repeat(2500)));
    assert!(reason.starts_with("move "), "{reason}");
    let reason = session.refused(&format!("position startpos moves {game}{}", "A".repeat(9000)));
    assert_eq!(reason, format!("move {}: the game is over", game.len() + 1));
    assert_eq!(session.display(), end);
    session.quit();
}

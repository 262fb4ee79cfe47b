//! protocol.md, taken at its word: its transcripts, its boards, its table of options.

use kalah::board::{Board, Capture};

use crate::session::Session;

const SPECIFICATION: &str = include_str!("../../../../protocol.md");

/// A line of a transcript.
#[derive(Debug)]
enum Step<'a> {
    Send(&'a str),
    /// A line in which `…` stands for any text.
    Hear(&'a str),
    /// Any number of lines.
    Skip,
}

/// A transcript and where it begins.
struct Transcript<'a> {
    line: usize,
    steps: Vec<Step<'a>>,
}

fn step(line: &str) -> Step<'_> {
    match line.split_at_checked(2) {
        Some(("> ", command)) => Step::Send(command),
        Some(("< ", "…")) => Step::Skip,
        Some(("< ", reply)) => Step::Hear(reply),
        _ => panic!("'{line}' has no place in a transcript"),
    }
}

fn transcripts(text: &str) -> Vec<Transcript<'_>> {
    let mut lines = text.lines().zip(1..);
    let mut transcripts = Vec::new();
    while let Some((_, line)) = lines.find(|&(text, _)| text == "```transcript") {
        let block = lines.by_ref().map(|(text, _)| text).take_while(|&text| text != "```");
        transcripts.push(Transcript { line, steps: block.map(step).collect() });
    }
    transcripts
}

/// Whether a line is as the pattern says; `…` is any text, no text too.
fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            line.char_indices().map(|(at, _)| at).chain([line.len()]).any(|at| {
                let (_, line) = line.split_at(at);
                matches(rest, line)
            })
        }),
    }
}

fn replay(transcript: &Transcript<'_>) {
    let mut session = Session::start();
    // Lines that may be skipped can come before or after the next command is sent.
    let mut skipping = false;
    for step in &transcript.steps {
        match *step {
            Step::Send(command) => session.send(command),
            Step::Skip => skipping = true,
            Step::Hear(pattern) => loop {
                let line = session.line();
                if matches(pattern, &line) {
                    skipping = false;
                    break;
                }
                if !skipping {
                    let place = format!("protocol.md:{}", transcript.line);
                    session.fail(&format!("{place}: expected '{pattern}', heard '{line}'"));
                }
            },
        }
    }
    session.close_input();
    let rest = session.wait_for_success();
    let told = skipping || rest.is_empty();
    assert!(told, "protocol.md:{}: more was said: {rest:#?}", transcript.line);
}

#[test]
fn the_engine_follows_every_transcript() {
    let transcripts = transcripts(SPECIFICATION);
    assert!(!transcripts.is_empty());
    for transcript in &transcripts {
        assert!(!transcript.steps.is_empty(), "protocol.md:{} is empty", transcript.line);
        replay(transcript);
    }
}

#[test]
fn patterns_match_what_they_say() {
    assert!(matches("bestmove …", "bestmove E ponder f"));
    assert!(matches("a … c …", "a b c d"));
    assert!(matches("… c", "a c b c"));
    assert!(!matches("bestmove …", "bestmove"));
    assert!(!matches("info … proven …", "info score cp 3 nodes 1"));
    assert!(!matches("readyok", "readyok "));
}

#[test]
#[should_panic(expected = "expected 'readyok', heard 'info string error: unknown command 'hi''")]
fn a_wrong_transcript_fails() {
    replay(&transcripts("```transcript\n> hi\n< readyok\n```\n")[0]);
}

#[test]
#[should_panic(expected = "more was said")]
fn a_transcript_that_is_too_short_fails() {
    replay(&transcripts("```transcript\n> isready\n> d\n< readyok\n```\n")[0]);
}

/// The rows of the table whose heading has these cells.
fn table<'a>(heading: &[&str]) -> Vec<Vec<&'a str>> {
    let cells = |line: &'a str| {
        let row = line.strip_prefix('|')?.strip_suffix('|')?;
        Some(row.split('|').map(|cell| cell.trim().trim_matches('`')).collect::<Vec<_>>())
    };
    let mut lines =
        SPECIFICATION.lines().skip_while(|line| cells(line).as_deref() != Some(heading));
    assert!(lines.next().is_some(), "protocol.md has no table {heading:?}");
    lines.skip(1).map_while(cells).collect()
}

#[test]
fn the_boards_are_played_as_shown() {
    let rows = table(&["board", "Capture", "move", "board after it", "what it shows"]);
    assert!(!rows.is_empty());
    for row in rows {
        let [before, capture, letter, after, shown] = row[..] else { panic!("{row:?}") };
        let capture: Capture = capture.parse().unwrap();
        let mut board = Board::from_fen(before, capture).unwrap();
        assert_eq!(board.fen(), before);
        board.play(letter.parse().unwrap()).unwrap_or_else(|error| panic!("{before}: {error}"));
        assert_eq!(board.fen(), after, "{shown}");
    }
}

/// The `option` line that a row of the table of options promises.
fn promised(row: &[&str]) -> String {
    let [name, kind, default, _] = *row else { panic!("{row:?}") };
    let kind = match (kind.split_once(" to "), kind) {
        (Some((min, max)), _) => format!("spin default {default} min {min} max {max}"),
        (None, "true, false") => format!("check default {default}"),
        (None, "button") => "button".to_owned(),
        (None, "a search") => {
            let searches = table(&["Search", "what it is", "limits"]);
            let names = searches.iter().map(|row| format!(" var {}", row[0]));
            format!("combo default {default}{}", names.collect::<String>())
        }
        (None, "text") => "string default <empty>".to_owned(),
        (None, values) => {
            format!("combo default {default} var {}", values.replace(", ", " var "))
        }
    };
    format!("option name {name} type {kind}")
}

#[test]
fn the_options_are_those_of_the_table() {
    let rows = table(&["name", "type", "default", "meaning"]).into_iter();
    let rows = rows.chain(table(&["name", "range", "default", "meaning"]));
    let mut session = Session::start();
    session.send("uci");
    session.expect(concat!("id name Kalah ", env!("CARGO_PKG_VERSION")));
    assert!(session.line().starts_with("id author "));
    for row in rows {
        session.expect(&promised(&row));
    }
    session.expect("uciok");
    session.quit();
}

#[test]
fn the_board_is_drawn_as_shown() {
    let fen = "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S";
    let block = SPECIFICATION.split_once(&format!("```\n{fen}\n\n")).expect("a drawing").1;
    let drawing: Vec<&str> = block.lines().take_while(|&line| line != "```").collect();
    let mut session = Session::start();
    session.send(&format!("position fen {fen}"));
    assert_eq!(session.display()[..drawing.len()], drawing);
    session.quit();
}

#[test]
fn every_word_of_go_is_known() {
    let rows = table(&["words", "meaning"]);
    let words = rows.iter().flat_map(|row| row[0].split("` `"));
    for usage in words {
        // Never without a limit, and in time.
        let usage = usage.replace("MS", "7").replace(['N', 'M'], "2").replace("2 …", "A B");
        let mut session = Session::start();
        let alone = ["depth", "perft", "iterations"].iter().any(|word| usage.starts_with(word));
        let limit = if alone { "" } else { " depth 2" };
        if usage.starts_with("iterations") {
            session.send("setoption name Search value mcts");
        }
        session.send(&format!("go {usage}{limit}"));
        session.send("stop");
        let lines = session.until("bestmove ");
        let refused = lines.iter().find(|line| line.starts_with("info string error"));
        assert_eq!(refused, None, "go {usage}");
    }
}

//! What strangers write, in names, messages, records and names of files, reaches no terminal, page or
//! spreadsheet as anything but text.
#![cfg(unix)]

use std::process::Command;

use kalah::printable::{is_printable, printable_json};

use crate::contest::Contest;
use crate::markup::assert_well_formed;

/// Sets the title of a terminal, clears it, turns text around, ends the line, begins a formula.
const HOSTILE: &str = "=1+\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}2J\u{202e}\u{2066}\u{7f}\u{8}\r\n\t<b>Ü";

/// What is left of it as the name of a player on the command line.
const NAME: &str = "=1+\u{202e}\u{2066}\u{feff}<b>Ü";
const NAME_SHOWN: &str = r"=1+\u{202e}\u{2066}\u{feff}<b>Ü";

/// A number, and yet the name of a player.
const NUMBER: &str = "-5";

/// How `HOSTILE` is shown.
const SHOWN: &str = r"=1+\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}2J\u{202e}\u{2066}\u{7f}\u{8}\r\n\t<b>Ü";

/// An engine that calls itself something hostile, and says so whenever it can.
const ENGINE: &str = r#"
evil=$(printf '=1\033]0;x\007\033[2J\302\2332J\342\200\256\177\010\r\t')
"$0" | while IFS= read -r line; do
    case $line in
    'id name'*) line="id name $evil" ;;
    'id author'*) line="id author $evil" ;;
    readyok) printf '%s\ninfo string %s\n' "$evil" "$evil"; echo "$evil" >&2 ;;
    esac
    printf '%s\n' "$line"
done
"#;

#[track_caller]
fn assert_printable(text: &str, what: &str) {
    let found = text.chars().find(|&c| c != '\n' && !is_printable(c));
    assert_eq!(found, None, "{what}: {text:?}");
}

/// Runs the program; returns its output.
#[track_caller]
fn shown(contest: &Contest, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
    command.args(arguments).current_dir(contest.path("")).env("RUST_LOG", "debug");
    let output = command.output().unwrap();
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    for text in &texts {
        assert_printable(text, &format!("{arguments:?}"));
    }
    let [output, errors] = texts;
    output + &errors
}

/// A player that plays nothing but illegal moves, with a hostile message.
const CHEAT: &str = r#"
evil=$(printf '=1\033]0;x\007\302\233\342\200\256')
while read -r line; do
    case $line in
    uci) printf 'id name %s\nuciok\n' "$evil" ;;
    isready) echo readyok ;;
    go*) printf 'info string error: %s\nbestmove %s\n' "$evil" "$evil"; echo "$evil" >&2 ;;
    esac
done
"#;

fn quoted(text: &str) -> String {
    shell_words::quote(text).into_owned()
}

#[test]
fn names_and_messages_are_text_in_every_output() {
    let contest = Contest::new();
    let args =
        |script: &str| quoted(&shell_words::join(["-c", script, env!("CARGO_BIN_EXE_kalah")]));
    let hostile = format!("cmd=sh args={} {}", args(ENGINE), quoted(&format!("name={NAME}")));
    let cheat = format!("cmd=sh args={} name=@cheat", args(CHEAT));
    let number = format!("builtin=pvs name={NUMBER}");
    let file = format!("{HOSTILE}.jsonl").replace('/', "");
    for (command, third) in [("match", None), ("tournament", Some(&cheat))] {
        let mut arguments = vec![command, "--engine", &hostile, "--engine", &number];
        if let Some(third) = third {
            arguments.extend(["--engine", third]);
        }
        arguments.extend(["--each", "depth=1", "--games", "4", "--seeds", "2"]);
        arguments.extend(["--record", &file, "--report", "report.html"]);
        let standing = shown(&contest, &arguments);
        assert!(standing.contains(NAME_SHOWN), "{standing}");
        assert!(third.is_none() || standing.contains("it said: =1"), "{standing}");

        let record = contest.read(&file);
        assert_printable(&record, "the record");
        assert!(third.is_none() || record.contains(r"it said: =1\u001b]0;x\u0007"), "{record}");
        let games = contest.games(&file);
        let is_named = |name: &str| [NAME, NUMBER, "@cheat"].contains(&name);
        assert!(games.iter().all(|game| is_named(&game.south.player.name)));

        assert_printable(&contest.read("report.html"), "the report of the match");

        // Who writes a record by hand is not bound to what the command line takes.
        let name = serde_json::to_string(HOSTILE).unwrap();
        let shown_in_record = serde_json::to_string(NAME).unwrap();
        let shown_in_record = printable_json(&shown_in_record);
        assert!(record.contains(&*shown_in_record), "{record}");
        contest.write(&file, record.replace(&*shown_in_record, &name));
        let standing = shown(&contest, &["standing", &file, "--report", "report.html"]);
        assert!(standing.contains(SHOWN), "{standing}");
        let report = contest.read("report.html");
        assert_printable(&report, "the report");
        assert_well_formed(&report);
        // The end of a line is a space in HTML.
        let in_html = [("<", "&lt;"), (">", "&gt;"), (r"\n", "\n")];
        let in_html = in_html.iter().fold(SHOWN.to_owned(), |text, (a, b)| text.replace(a, b));
        assert!(report.contains(&in_html), "{report}");
        // The script of the page shows what JSON gives it.
        let (_, data) = report.split_once("type=\"application/json\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_printable(&data.to_string(), "the games of the report");

        let formats = ["list", "board", "pgn", "csv", "json"];
        let [list, board, pgn, csv, json] =
            formats.map(|format| shown(&contest, &["games", &file, "--format", format]));
        assert!(list.contains(SHOWN) && board.contains(SHOWN), "{list}\n{board}");
        let tags = pgn.lines().filter(|line| line.starts_with('[') && line.ends_with("\"]"));
        assert!(tags.count() >= 10 * games.len(), "{pgn}");
        assert!(third.is_none() || pgn.contains(r"it said: =1\u{1b}]0;x\u{7}"), "{pgn}");
        assert_eq!(json, record.replace(&*shown_in_record, &printable_json(&name)));
        assert_cells_are_no_formulas(&csv, games.len());

        std::fs::remove_file(contest.path(&file)).unwrap();
    }
}

#[track_caller]
fn assert_cells_are_no_formulas(csv: &str, games: usize) {
    let lines: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(lines.len(), games, "{csv}");
    let mut margins = Vec::new();
    for line in lines {
        for (column, cell) in line.split(',').enumerate() {
            let cell = cell.trim_matches('"');
            match column {
                2 | 3 => {
                    let start =
                        ["'=1+", "'-5", "'@cheat"].iter().any(|name| cell.starts_with(name));
                    assert!(start, "{cell}");
                }
                5 => margins.extend((!cell.is_empty()).then(|| cell.parse::<i32>().unwrap())),
                _ => assert!(!cell.starts_with(['=', '+', '-', '@']), "{cell}"),
            }
        }
    }
    assert!(margins.iter().any(|&margin| margin < 0), "a number may be negative: {csv}");
}

#[test]
fn words_of_the_command_line_are_text_in_messages() {
    let contest = Contest::new();
    contest.write(HOSTILE, HOSTILE);
    let engine = format!("cmd=sh {}", quoted(&format!("dir={HOSTILE}")));
    let unknown = quoted(&format!("{HOSTILE}=1"));
    for arguments in [
        &[HOSTILE][..],
        &["games", HOSTILE],
        &["standing", HOSTILE],
        &["merge", HOSTILE, "--output", HOSTILE],
        &["solve", "--input", HOSTILE],
        &["tablebase", "info", HOSTILE],
        &["perft", HOSTILE],
        &["match", "--engine", &engine, "--engine", "builtin=pvs", "--each", "depth=1"],
        &["match", "--engine", &unknown, "--engine", "builtin=pvs"],
        &["compliance", HOSTILE],
        &["compliance", "--deadline", "1", "sh", "-c", "cat; echo \"$0\"", HOSTILE],
    ] {
        let text = shown(&contest, arguments);
        assert!(text.contains(r"\u{9b}") || text.contains("FAILED"), "{arguments:?}: {text}");
    }
}

#[test]
fn replies_are_text_in_the_report_of_a_check() {
    let contest = Contest::new();
    let text = shown(
        &contest,
        &["compliance", "--tier", "must", "sh", "-c", ENGINE, env!("CARGO_BIN_EXE_kalah")],
    );
    assert!(text.contains("FAILED") && text.contains(r"\u{1b}]0;x"), "{text}");
}

//! The command line: subcommands, exit codes, messages.

use std::fmt::Write as _;
#[cfg(target_os = "linux")]
use std::fs::File;
#[cfg(unix)]
use std::process::{Command, Output};

use kalah::StopToken;
use kalah::board::{Board, Capture, Rules};
use kalah::search::divide;

use crate::contest::Contest;
use crate::session::{Ended, Session};

/// The nodes that `kalah bench` counts: they change when the search does, and only then.
const BENCH_NODES: u64 = 2_129_489;
/// The same of `kalah bench --sowing relay`.
const RELAY_BENCH_NODES: u64 = 628_749;

fn run(arguments: &[&str]) -> Ended {
    Session::run(arguments).wait()
}

/// The output of a run that went well.
#[track_caller]
fn output(arguments: &[&str]) -> Vec<String> {
    Session::run(arguments).wait_for_success()
}

/// The number in the last line, `nodes N time MS nps N`.
#[track_caller]
fn nodes(lines: &[String]) -> u64 {
    let words: Vec<&str> = lines.last().expect("a line").split(' ').collect();
    match words[..] {
        ["nodes", nodes, "time", _, "nps", _] => nodes.parse().expect("a number"),
        _ => panic!("{lines:#?}"),
    }
}

/// Requires the leaves below each move, then their sum.
#[track_caller]
fn assert_perft(arguments: &[&str], board: &Board, depth: u32) {
    let lines = output(&[&["perft"], arguments].concat());
    let mut expected = String::new();
    let total = divide(board, depth, &StopToken::new(), |ply, leaves| {
        writeln!(expected, "{ply} {leaves}").expect("text can be added to");
    });
    let (_, moves) = lines.split_last().expect("a sum");
    assert_eq!(moves, expected.lines().collect::<Vec<_>>(), "{arguments:?}");
    assert_eq!(Some(nodes(&lines)), total);
}

#[test]
fn perft_counts_leaves_from_any_start() {
    let start =
        |houses, capture, seeds| Board::start(Rules::new(houses, capture).unwrap(), seeds).unwrap();
    assert_eq!(nodes(&output(&["perft", "5"])), 4690);
    assert_perft(&["5"], &start(6, Capture::Standard, 4), 5);
    assert_perft(&["0"], &start(6, Capture::Standard, 4), 0);
    assert_perft(&["5", "--capture", "empty"], &start(6, Capture::Empty, 4), 5);
    assert_perft(&["--houses=3", "6"], &start(3, Capture::Standard, 4), 6);
    assert_perft(&["4", "--houses", "12", "--seeds", "2"], &start(12, Capture::Standard, 2), 4);
    assert_perft(&["9", "--seeds", "1"], &start(6, Capture::Standard, 1), 9);
}

#[test]
fn perft_counts_leaves_from_any_board() {
    let north = "<3,5,2,0,1,4,2,2,2> N";
    for capture in Capture::ALL {
        let board = Board::from_fen(north, capture).unwrap();
        let rule = capture.to_string();
        assert_perft(&["6", "--fen", north, "--capture", &rule], &board, 6);
    }
    let finished = "<3,5,2,0,0,0,2,2,2>";
    assert_eq!(nodes(&output(&["perft", "4", "--fen", finished])), 1);
}

#[test]
fn bench_is_the_signature_of_the_search() {
    assert_signature(&["bench"], BENCH_NODES);
    assert_signature(&["bench", "--sowing", "relay"], RELAY_BENCH_NODES);
}

#[track_caller]
fn assert_signature(arguments: &[&str], expected: u64) {
    let lines = output(arguments);
    let each = lines[..lines.len() - 1].iter().map(|line| {
        let (nodes, _) = line.trim_start().split_once(" nodes ").expect("nodes of a position");
        nodes.parse::<u64>().expect("a number")
    });
    assert_eq!(each.sum::<u64>(), nodes(&lines), "{lines:#?}");
    assert_eq!(
        nodes(&lines),
        expected,
        "the search visits other nodes than before. If that is meant, run it and set the expected number to the \
         nodes of its last line"
    );
}

#[test]
fn bench_takes_depth_threads_and_hash() {
    let shallow = nodes(&output(&["bench", "--depth", "5"]));
    assert!(shallow < BENCH_NODES);
    assert!(nodes(&output(&["bench", "--depth", "5", "--threads", "2", "--hash", "1"])) > 0);
}

/// Requires that the program says in one message on stderr what is wrong, and nothing else.
#[track_caller]
pub(crate) fn assert_refused(arguments: &[&str], code: i32, named: &str) {
    let Ended { status, output, errors } = run(arguments);
    assert_eq!(status.code(), Some(code), "{arguments:?}: {errors}");
    assert!(output.is_empty(), "{arguments:?}: {output:#?}");
    let message = errors.lines().next().unwrap_or_default();
    let begins = ["error: ", "kalah: "].iter().any(|start| message.starts_with(start));
    assert!(begins, "{arguments:?}: {errors}");
    assert!(errors.contains(named), "{arguments:?}: '{named}' is not in: {errors}");
    assert_eq!(
        errors.matches("error: ").count() + errors.matches("kalah: ").count(),
        1,
        "{errors}"
    );
}

#[test]
fn wrong_usage_is_status_2() {
    let wrong: [(&[&str], &str); 14] = [
        (&["nonsense"], "nonsense"),
        (&["--nonsense"], "--nonsense"),
        (&["perft"], "<DEPTH>"),
        (&["perft", "five"], "five"),
        (&["perft", "--", "-1"], "-1"),
        (&["perft", "3", "4"], "4"),
        (&["perft", "3", "--seeds", "70000"], "70000"),
        (&["perft", "3", "--capture", "red"], "red"),
        (&["perft", "3", "--houses"], "--houses"),
        (&["perft", "3", "--houses", "1e3"], "1e3"),
        (&["perft", "3", "--fen", "<1,0,0,1,1>", "--houses", "1"], "--fen"),
        (&["bench", "--depth", "0"], "0"),
        (&["bench", "--depth", "256"], "256"),
        (&["bench", "--threads", "0"], "0"),
    ];
    for (arguments, named) in wrong {
        assert_refused(arguments, 2, named);
    }
}

#[test]
fn values_out_of_range_are_wrong_usage_too() {
    for (arguments, named) in [
        (&["perft", "3", "--houses", "0"][..], "0"),
        (&["perft", "3", "--houses", "13"], "13"),
        (&["perft", "3", "--seeds", "400"], "1023"),
        (&["perft", "3", "--fen", "garbage"], "garbage"),
        (&["perft", "3", "--fen", "<3,5,2,0,1,4,2,2> N"], "fields"),
        (&["perft", "3", "--fen", "<3,5,2,0,1,4,2,2,2> X"], "X"),
    ] {
        assert_refused(arguments, 2, named);
    }
}

#[test]
fn a_wrong_number_is_told_which_are_allowed() {
    let whole = |min: u64, max: &str| format!("expected a whole number from {min} to {max}");
    let open = |min: u64| format!("expected a whole number of at least {min}, less than 2^64");
    for (words, allowed) in [
        ("play --seeds", whole(1, "511")),
        ("solve --seeds", whole(1, "511")),
        ("perft 3 --houses", whole(1, "12")),
        ("perft", whole(0, "255")),
        ("match --concurrency", open(1)),
        ("bench --threads", open(1)),
        ("solve --threads", open(1)),
        ("solve --hash", whole(1, "4294967295")),
        ("review x --movetime", open(1)),
        ("review x --jobs", open(1)),
        ("tablebase build x --seeds", whole(0, "100")),
        ("kgp localhost --name x --concurrency", whole(1, "256")),
        ("kgp serve --port", whole(0, "65535")),
        ("lab pearl --seeds", whole(1, "511")),
        ("train --positions", open(1)),
        ("puzzles --output x --games", open(0)),
    ] {
        let zero = (!allowed.contains(" 0")).then_some("0");
        for wrong in ["-1", "6.5", "", "1e9", "x", "99999999999999999999"].into_iter().chain(zero) {
            let arguments: Vec<&str> = words.split(' ').chain([wrong]).collect();
            assert_refused(&arguments, 2, &allowed);
        }
    }
    assert_refused(&["kgp", "serve", "--time", "-1"], 2, "expected seconds, from 0.001 to 1000000");
}

#[test]
fn what_the_machine_cannot_do_is_status_1() {
    assert_refused(&["bench", "--hash", "999999999999"], 1, "999999999999");
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = concat!("kalah ", env!("CARGO_PKG_VERSION"));
    assert_eq!(output(&["--version"]), [version]);
    assert_eq!(output(&["-V"]), [version]);
}

#[test]
fn help_says_how_to_begin() {
    for arguments in [&["--help"][..], &["-h"], &["help"]] {
        let help = output(arguments).join("\n");
        for word in ["perft", "bench", "tablebase", "lab", "--help", "--version"] {
            assert!(help.contains(word), "'{word}' is not in the answer to {arguments:?}: {help}");
        }
    }
    let help = output(&["--help"]).join("\n");
    assert!(help.contains("protocol.md") && help.contains("| kalah"), "{help}");
    for (subcommand, options) in [
        ("perft", &["<DEPTH>", "--houses", "--seeds", "--fen", "--capture"][..]),
        ("bench", &["--depth", "--threads", "--hash"]),
    ] {
        let help = output(&[subcommand, "--help"]).join("\n");
        assert!(options.iter().all(|&option| help.contains(option)), "{help}");
    }
}

#[test]
fn help_is_output_whatever_the_arguments_are() {
    let help = output(&["games", "--help"]);
    assert_eq!(output(&["games", "a\u{1}b", "--help"]), help);
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_a_failure() {
    for arguments in [&["--version"][..], &["--help"], &["games", "\u{1}", "-h"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
        let ended = command.args(arguments).stdout(full).output().unwrap();
        let errors = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.starts_with("kalah: cannot write the output: "), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_closed_output_is_no_failure() {
    for arguments in [&["perft", "9"][..], &["bench", "--depth", "9"], &["--help"]] {
        Session::closing_output_after(0, arguments).wait_for_success();
        Session::closing_output_after(1, arguments).wait_for_success();
    }
}

/// Work of hours may be piped into something that reads its first lines.
#[test]
fn files_are_written_whoever_reads_the_output() {
    let contest = Contest::new();
    for (words, files) in [
        ("fair --houses 3 --seeds 2", [("--csv", "fair.csv"), ("--plot", "fair.svg")].as_slice()),
        ("exam 'builtin=minimax depth=1' --time 1 --no-games", &[("--html", "exam.html")]),
        (
            "train --quiet --houses 3 --seeds 12 --positions 500 --nodes 50 --generations 1 --games 0",
            &[("--out", "net.knn"), ("--curves", "curves.svg")],
        ),
    ] {
        let mut arguments = shell_words::split(words).unwrap();
        for (option, file) in files {
            arguments.extend([(*option).to_owned(), contest.path(file).display().to_string()]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Session::closing_output_after(0, &arguments).wait_for_success();
        for (_, file) in files {
            assert!(contest.path(file).exists(), "{words}: no {file}");
        }
    }
}

#[cfg(unix)]
#[test]
fn results_are_told_even_if_files_cannot_be_written() {
    let contest = Contest::new();
    for (words, result) in [
        ("fair --houses 3 --seeds 2 --csv fair.csv --plot fair.svg", "draws"),
        ("exam 'builtin=minimax depth=1' --time 1 --no-games --html exam.html", "regret"),
    ] {
        // No file may have a byte; the signal that comes with the limit is ignored.
        let limited = format!("trap '' XFSZ; ulimit -f 0; exec \"$0\" {words}");
        let mut command = Command::new("sh");
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_kalah")]).current_dir(contest.path(""));
        let Output { status, stdout, stderr } = command.output().unwrap();
        let [output, errors] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(status.code(), Some(1), "{words}: {errors}");
        assert!(output.contains(result), "{words}: {output}");
        assert!(errors.trim_end().ends_with("File too large (os error 27)"), "{words}: {errors}");
        assert!(contest.files().is_empty(), "{words}");
    }
}

//! `kalah solve`: its answers, its inputs, and work that goes on.

use std::fs;
use std::process::{Command, Output};

use kalah::board::{Board, Capture, Rules};
use kalah::file_lock::NameLock;
use kalah::solve::{
    Checkpoint, CheckpointError, SolveProgress, SolveRequest, Solver, SolverResources,
};
use kalah::{FileHeaderError, StopToken};
use serde_json::{Value, json};

use crate::contest::Contest;
use crate::exact_values::{Exact, exact_values};
use crate::runs::runs;
use crate::session::{Ended, Session};

#[track_caller]
fn output(arguments: &[&str]) -> Vec<String> {
    Session::run(&[&["solve"], arguments].concat()).wait_for_success()
}

#[track_caller]
fn answer(arguments: &[&str]) -> Value {
    let lines = output(&[arguments, &["--json"]].concat());
    assert_eq!(lines.len(), 1);
    serde_json::from_str(&lines[0]).unwrap()
}

#[test]
fn an_answer_has_all_that_is_promised() {
    let answer = answer(&["--seeds", "2", "--moves", "--threads", "1"]);
    assert_eq!(answer["fen"], "<6,0,0,2,2,2,2,2,2,2,2,2,2,2,2> S");
    assert_eq!((&answer["margin"], &answer["capture"]), (&json!(6), &json!("standard")));
    assert_eq!(answer["moves"], json!({"A": -14, "B": -8, "C": -8, "D": -14, "E": 6, "F": 0}));
    assert!(answer["nodes"].as_u64().unwrap() > 0);
    assert!(answer["seconds"].as_f64().unwrap() > 0.0);
    let pv = answer["pv"].as_array().unwrap().iter().map(|ply| ply.as_str().unwrap());
    let mut board = Board::start(Rules::default(), 2).unwrap();
    board.play_moves(&pv.collect::<Vec<_>>().join(" ")).unwrap();
    assert_eq!(board.result(), Some(6));
}

#[test]
fn people_get_lines_that_say_the_same() {
    let lines = output(&["--houses", "3", "--seeds", "2", "--moves"]);
    assert_eq!(lines[0], "board   <3,0,0,2,2,2,2,2,2> S");
    assert_eq!(lines[1], "margin  4");
    assert!(lines[2].starts_with("moves   A "), "{lines:?}");
    assert!(lines[3].starts_with("pv      "), "{lines:?}");
    assert!(lines[4].starts_with("nodes   ") && lines[4].ends_with(" s"), "{lines:?}");
    let lines = output(&["--houses", "3", "--seeds", "2"]);
    assert!(!lines.iter().any(|line| line.starts_with("moves")));
    let words = ["solve", "--houses", "3", "--seeds", "2", "--verbose"];
    let Ended { errors, .. } = Session::run(&words).wait();
    let bounds: Vec<_> = errors.lines().filter_map(|line| line.split_once("] margin ")).collect();
    assert!(bounds[0].1.starts_with("-12 to 12 after 0 nodes"), "{errors}");
    assert!(bounds[bounds.len() - 1].1.starts_with("4 to 4 after "), "{errors}");
}

#[test]
fn the_side_to_move_is_told_by_board_or_option() {
    let fen = "<6,20,14,1,0,2,1,3,2,0,1,2,0,1,1>";
    let south = answer(&["--fen", fen]);
    let north = answer(&["--fen", fen, "--side", "N"]);
    assert_eq!(north["fen"], format!("{fen} N"));
    assert_ne!(south["margin"], north["margin"]);
    assert_eq!(north["margin"], answer(&["--fen", &format!("{fen} N")])["margin"]);
    let both = Session::run(&["solve", "--fen", &format!("{fen} N"), "--side", "S"]).wait();
    assert_eq!(both.status.code(), Some(2));
    assert!(both.errors.contains("contradict"));
    // In a file it is for the boards that do not say.
    let contest = Contest::new();
    contest.write("boards", format!("{fen}\n{fen} S\n{fen} N\n"));
    let (lines, _) = contest.played("solve --input boards --side N");
    let margins = [("N", &north), ("S", &south), ("N", &north)]
        .map(|(side, answer)| format!("{fen} {side} margin {}", answer["margin"]));
    assert!(lines.lines().eq(&margins), "{lines}");
    for board in ["--houses 3", "--seeds 2", "--table 1 1"] {
        contest.refused(&format!("solve --side N {board}"), 2, "--side");
    }
}

#[test]
fn boards_of_a_file_are_answered_in_order() {
    let contest = Contest::new();
    let some =
        || exact_values().into_iter().filter(|exact| exact.capture == Capture::Empty).take(40);
    let boards: String = some().map(|exact| exact.fen + "\n").collect();
    contest.write("boards", &boards);
    let path = contest.path("boards");
    let words = ["--input", path.to_str().unwrap(), "--capture", "empty", "--moves"];
    let lines = output(&[&words[..], &["--json"]].concat());
    let texts = output(&words);
    assert_eq!(lines.len(), 40);
    for ((line, text), Exact { fen, value, moves, .. }) in lines.iter().zip(&texts).zip(some()) {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert_eq!(answer["fen"], format!("{fen} S"));
        assert_eq!(answer["margin"], value);
        let found = answer["moves"].as_object().unwrap();
        assert_eq!(found.len(), moves.len());
        for (letter, margin) in moves {
            assert_eq!(found[&letter.to_ascii_uppercase().to_string()], margin);
        }
        assert!(text.starts_with(&format!("{fen} S margin {value} moves ")), "{text}");
    }
}

#[test]
fn a_line_that_is_no_board_is_named_after_the_answers_before_it() {
    let mut session = Session::run(&["solve", "--input", "-"]);
    session.send("<2,0,0,1,1,1,1>");
    assert!(session.line().starts_with("<2,0,0,1,1,1,1> S margin "));
    session.send("<2,0,0,1,1,1>");
    session.close_input();
    let ended = session.wait();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.errors.contains("line 2"), "{}", ended.errors);
}

#[test]
fn blank_lines_and_the_mark_of_utf_8_are_no_boards() {
    let contest = Contest::new();
    contest.write("boards", "\u{feff}<2,0,0,1,1,1,1>\r\n\n \t\r\n<2,0,0,1,1,1,1> N\n\n");
    let (lines, _) = contest.played("solve --input boards");
    let sides: Vec<&str> = lines.lines().map(|line| &line[..17]).collect();
    assert_eq!(sides, ["<2,0,0,1,1,1,1> S", "<2,0,0,1,1,1,1> N"]);
    contest.write("boards", "\u{feff}# two boards\r<2,0,0,1,1,1,1>\r\r<2,0,0,1,1,1,1> N");
    assert_eq!(contest.played("solve --input boards").0, lines);
    contest.write("boards", b"\xff\xfe<\x002\x00");
    contest.refused("solve --input boards", 1, "'boards', line 1: text in UTF-16, expected UTF-8");
    contest.write("boards", b"\n\xff\n");
    contest.refused("solve --input boards", 1, "'boards', line 2: ");
    #[cfg(unix)]
    contest.refused("solve --input .", 1, "kalah: cannot read '.': ");
}

#[test]
fn the_table_of_the_paper_is_found() {
    let lines = output(&["--table", "4", "3"]);
    let text = lines.join("\n");
    assert!(!text.contains('!'), "{text}");
    assert_eq!(lines[..2], ["Capture: standard", ""]);
    assert_eq!(lines[2], "| houses |     1 seed |    2 seeds |    3 seeds |");
    assert_eq!(lines[3], "|--------|------------|------------|------------|");
    assert_eq!(lines[4], "| 1      |       D +0 |       L -2 |       W +6 |");
    assert_eq!(lines[16], "| 4      |   W +2 (W) |   W +6 (W) |   W +8 (W) |");
    // What is found is told at once, whatever comes after it.
    let mut session = Session::run(&["solve", "--table", "6", "6", "--threads", "1"]);
    assert_eq!(session.until("| 1 ").len(), 5);
    drop(session);
    let entries = output(&["--table", "6", "2", "--json"]);
    let entries: Vec<Value> =
        entries.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries.len(), 24);
    for entry in &entries {
        let margin = entry["margin"].as_i64().unwrap();
        let outcome = ["L", "D", "W"][(margin.signum() + 1) as usize];
        if entry["capture"] == "empty" {
            assert_eq!(entry["published"], outcome, "{entry}");
        } else {
            assert_eq!(entry["published"], Value::Null);
        }
    }
}

#[test]
fn a_survey_grows_and_is_drawn() {
    let contest = Contest::new();
    let rows = || {
        let mut csv = csv::Reader::from_path(contest.path("values.csv")).unwrap();
        let rows = csv.deserialize().map(Result::unwrap);
        rows.collect::<Vec<std::collections::BTreeMap<String, String>>>()
    };
    let survey = "solve --csv values.csv --table";
    let (lines, _) = contest.played(&format!("{survey} 3 2"));
    assert_eq!(lines.lines().count(), 12);
    assert!(lines.contains("Kalah(3,2), empty: 4 in "), "{lines}");
    let first = rows();
    assert_eq!(first.len(), 12);
    let (lines, _) = contest.played(&format!("{survey} 3 3"));
    assert_eq!(lines.lines().count(), 6, "{lines}");
    let all = rows();
    assert!(all.len() == 18 && first.iter().all(|row| all.contains(row)));
    for row in all.iter().step_by(runs(4, 1)) {
        let solved = answer(&[
            "--houses",
            &row["houses"],
            "--seeds",
            &row["seeds"],
            "--capture",
            &row["capture"],
            "--moves",
        ]);
        assert_eq!(solved["margin"].to_string(), row["margin"]);
        let moves = solved["moves"].as_object().unwrap();
        let moves: Vec<_> = moves.iter().map(|(mv, margin)| format!("{mv} {margin}")).collect();
        assert_eq!(moves.join(" "), row["moves"]);
    }
    let (lines, _) = contest.played(&format!("{survey} 5 5 --limit 1 --threads 1 --hash 4"));
    assert!(lines.contains(": not within 1 s\n") && rows().len() > 18, "{lines}");

    contest.played("lab values values.csv values.svg");
    let svg = fs::read_to_string(contest.path("values.svg")).unwrap();
    assert!(svg.contains("standard capture") && svg.contains(">+6<"), "{svg}");
    let is_solved = |houses: &str, seeds: &str, capture: &str| {
        let start = [("houses", houses), ("seeds", seeds), ("capture", capture)];
        rows().iter().any(|row| start.iter().all(|(name, value)| row[*name] == *value))
    };
    for line in lines.lines() {
        let (start, result) = line.split_once(": ").unwrap();
        let capture = start.split_once(", ").unwrap().1;
        let (houses, seeds) =
            start["Kalah(".len()..].split_once(')').unwrap().0.split_once(',').unwrap();
        assert_eq!(is_solved(houses, seeds, capture), !result.starts_with("not within"), "{line}");
    }
    let text = fs::read_to_string(contest.path("values.csv")).unwrap();
    for wrong in ["13,1,standard,2", "6,0,standard,0", "2,2,empty,999"] {
        contest
            .write("wrong.csv", format!("{}\n{wrong},,,1,1.0,1,1\n", text.lines().next().unwrap()));
        contest.refused(
            "lab values wrong.csv wrong.svg",
            1,
            "'wrong.csv' is not a survey of starts",
        );
    }
    let lock = NameLock::new(&contest.path("values.csv")).unwrap();
    contest.refused(&format!("{survey} 6 6"), 1, "another process is writing to");
    drop(lock);
    contest.write("values.csv", "houses,seeds\n1,2\n");
    contest.refused(&format!("{survey} 2 2"), 1, "'values.csv' is not a survey of starts");
    contest.refused(
        "lab values values.csv values.svg",
        1,
        "'values.csv' is not a survey of starts",
    );
    assert_eq!(fs::read(contest.path("values.csv")).unwrap(), b"houses,seeds\n1,2\n");
    contest.refused("solve --csv values.csv", 2, "--table");
    contest.refused("solve --csv values.csv --seeds 2", 2, "--seeds");
    contest.refused("solve --limit 3 --table 2 2", 2, "--csv");
}

#[test]
fn tables_are_taken_from_files() {
    let contest = Contest::new();
    let path = contest.path("tables");
    let directory = path.to_str().unwrap();
    Session::run(&["tablebase", "build", directory, "--seeds", "10"]).wait_for_success();
    let with = answer(&["--seeds", "2", "--tablebase", directory]);
    assert_eq!(with["margin"], 6);
    // There are no tables of larger boards, which is no reason not to solve them.
    let large = ["--houses", "9", "--seeds", "1"];
    let without = answer(&large);
    let with = answer(&[&large[..], &["--tablebase", directory]].concat());
    assert_eq!(with["margin"], without["margin"]);
    // A file that is no table is not believed.
    fs::write(path.join("kalah-6-standard-3.ktb"), b"something else").unwrap();
    contest.refused(
        &format!("solve --seeds 2 --tablebase {directory}"),
        1,
        "kalah-6-standard-3.ktb",
    );
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let contest = Contest::new();
    contest.refused("solve --seeds 20", 1, "too many seeds to solve");
    contest.refused("solve --fen <6,1,2>", 2, "--fen '<6,1,2>'");
    contest.refused("solve --houses 13", 2, "13");
    contest.refused("solve --table 0 3", 2, "0");
    contest.refused("solve --table 3 3 --moves", 2, "--moves");
    contest.refused("solve --side N", 2, "--fen");
    contest.refused("solve --input no/such/file", 1, "no/such/file");
    contest.refused("solve --seeds 1 --tablebase no/such/folder", 1, "no/such/folder");
    let no_folder = if cfg!(unix) { "/folder/file': No such file or directory" } else { "/folder" };
    contest.refused("solve --seeds 1 --checkpoint no/such/folder/file", 1, no_folder);
}

/// Kalah(6,6) takes far longer with so little memory than the first records of its checkpoint.
#[cfg(unix)]
#[test]
fn work_that_is_killed_goes_on() {
    use rustix::process::Signal;

    let contest = Contest::new();
    let file = "found";
    let long = "solve --seeds 6 --hash 64 --checkpoint found";
    for (signal, status) in [(Signal::KILL, None), (Signal::INT, Some(130))] {
        let ended = contest.stopped_at_work(long, file, signal);
        assert_eq!(ended.status.code(), status, "{}", ended.errors);
        drop(Checkpoint::open(&contest.path(file), Rules::default()).unwrap());
        if status.is_some() {
            let (_, known) = ended.errors.split_once("interrupted: margin ").unwrap();
            let (bounds, then) = known.split_once('\n').unwrap();
            let (lower, upper) = bounds.split_once(" to ").unwrap();
            assert!((-72..=4).contains(&lower.parse().unwrap()), "Kalah(6,6) is 4: {lower}");
            assert!((4..=72).contains(&upper.parse().unwrap()), "Kalah(6,6) is 4: {upper}");
            assert_eq!(then, "the same command continues from 'found'\n");
        }
    }
    let small = || {
        let (text, _) = contest.played(&format!("solve --seeds 3 --json --checkpoint {file}"));
        let answer: Value = serde_json::from_str(&text).unwrap();
        (answer["margin"].clone(), answer["nodes"].as_u64().unwrap())
    };
    let (margin, nodes) = small();
    assert_eq!(margin, answer(&["--seeds", "3"])["margin"]);
    let again = small();
    assert!(again.0 == margin && again.1 < nodes, "{} nodes of {nodes}", again.1);
    contest.refused(
        &format!("solve --houses 5 --seeds 2 --checkpoint {file}"),
        1,
        "is for 6 houses, standard capture",
    );
    contest.refused(
        &format!("solve --seeds 3 --checkpoint {file} --proof {file}"),
        1,
        "it is a checkpoint, which would be lost",
    );
    contest.refused(
        "solve --seeds 3 --checkpoint new --proof new",
        2,
        "--proof and --checkpoint name the same file",
    );
}

#[test]
fn what_fails_leaves_a_checkpoint_as_it_is() {
    let contest = Contest::new();
    let work = "solve --houses 9 --seeds 1 --threads 1 --checkpoint found --hash";
    contest.refused(&format!("{work} 400000000"), 1, "not enough memory");
    contest.refused("solve --houses 1 --seeds 64 --checkpoint found", 1, "too many seeds to solve");
    assert!(contest.files().is_empty());
    contest.played(&format!("{work} 4"));
    let found = fs::read(contest.path("found")).unwrap();
    contest.refused(&format!("{work} 400000000"), 1, "not enough memory");
    assert!(fs::read(contest.path("found")).unwrap() == found);
    fs::write(contest.path("empty"), "").unwrap();
    contest.refused("solve --houses 1 --seeds 64 --checkpoint empty", 1, "too many seeds to solve");
    assert_eq!(fs::read(contest.path("empty")).unwrap(), b"");
}

#[test]
fn a_checkpoint_serves_tables_of_all_sizes() {
    let contest = Contest::new();
    let nodes = |hash: u32| {
        let words = "solve --houses 9 --seeds 1 --threads 1 --checkpoint found --json --hash";
        let (answer, told) = contest.played(&format!("{words} {hash}"));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        (answer["margin"].as_i64().unwrap(), answer["nodes"].as_u64().unwrap(), told)
    };
    let (margin, all, told) = nodes(4);
    assert_eq!(told, "");
    for hash in [4, 64, 4] {
        let again = nodes(hash);
        assert!(again.0 == margin && again.1 < all / 2, "{again:?}");
        assert_eq!(again.2, format!("'found' has: margin {margin}\n"));
    }
}

#[cfg(unix)]
#[test]
fn an_answer_is_told_even_if_what_was_found_out_cannot_be_kept() {
    let contest = Contest::new();
    let limited = "trap '' XFSZ; ulimit -f 0; exec \"$0\" solve --seeds 2 --checkpoint found";
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_kalah")]).current_dir(contest.path(""));
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [output, errors] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(status.code(), Some(1), "{errors}");
    assert!(output.contains("margin  6\n"), "{output}");
    assert_eq!(errors.lines().count(), 1);
    assert!(errors.contains("found': File too large"), "{errors}");
    assert!(!errors.contains(".kalah-") && contest.files().is_empty(), "{errors}");
}

/// CRC-32 as in zlib, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[test]
fn bounds_that_contradict_each_other_are_a_damaged_checkpoint() {
    let contest = Contest::new();
    let words = "solve --houses 9 --seeds 1 --threads 1 --hash 4 --checkpoint found";
    contest.played(words);
    let path = contest.path("found");
    let mut bytes = fs::read(&path).unwrap();
    // For each record another one that says that the gain is larger.
    for record in bytes[16..].to_vec().chunks(16).filter(|record| record[10] < record[8]) {
        let mut record = record.to_vec();
        (record[9], record[10]) = (record[10] + 1, record[8]);
        let checksum = crc32(&record[..12]);
        record[12..].copy_from_slice(&checksum.to_le_bytes());
        bytes.extend(record);
    }
    fs::write(&path, &bytes).unwrap();
    contest.refused(words, 1, "checkpoint 'found': is damaged: bounds of a position contradict");
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn checkpoints_are_used_to_the_last_whole_record_or_not_at_all() {
    const HEADER: usize = 16;
    const RECORD: usize = 16;
    let resources = SolverResources { mebibytes: 4, ..SolverResources::default() };
    let board = Board::start(Rules::default(), 3).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("found");
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Checkpoint::open(&path, board.rules())
    };
    let solve = |checkpoint: Checkpoint| {
        let mut solver = Solver::new(resources);
        solver.set_checkpoint(checkpoint);
        let (stop, progress) = (StopToken::new(), SolveProgress::default());
        let solution = solver.solve_with(&board, SolveRequest::default(), &stop, &progress);
        solver.flush_checkpoint().unwrap();
        (solution.unwrap().margin, progress.nodes())
    };
    let (margin, all) = solve(open(b"").unwrap());
    let saved = fs::read(&path).unwrap();
    assert!(saved.len() > HEADER + 50 * RECORD);
    assert_eq!(solve(open(&saved).unwrap()), (margin, 0), "all is known");
    let first = open(&saved).unwrap();
    assert!(matches!(Checkpoint::open(&path, board.rules()), Err(CheckpointError::Busy)));
    drop(first);

    // What a kill can leave is cut back to whole records, and the search goes on from them.
    let half = HEADER + (saved.len() - HEADER) / RECORD / 2 * RECORD;
    for length in [half, half + 1, half + RECORD - 1] {
        assert!(open(&saved[..length]).is_ok(), "{length}");
        assert_eq!(fs::read(&path).unwrap(), &saved[..half]);
        let again = solve(open(&saved[..length]).unwrap());
        assert!(again.0 == margin && (1..all).contains(&again.1), "{again:?} of {all}");
    }
    let zeros = [&saved[..half], &[0; 4096]].concat();
    assert_eq!(solve(open(&zeros).unwrap()).0, margin);
    for length in (0..HEADER).step_by(runs(5, 1)) {
        assert_eq!(solve(open(&saved[..length]).unwrap()), (margin, all), "{length}");
    }
    // Everything else is refused and left alone.
    let last = saved.len() - RECORD;
    let mut rng = fastrand::Rng::with_seed(5);
    let places: Vec<_> =
        (0..HEADER).chain((0..runs(10, 60)).map(|_| rng.usize(HEADER..last))).collect();
    for place in places {
        let mut bytes = saved.clone();
        bytes[place] ^= 1 << rng.u32(..8);
        assert!(open(&bytes).is_err(), "{place}");
        assert!(fs::read(&path).unwrap() == bytes, "{place}");
    }
    let long = [&saved[..half], &vec![0; 2 << 20][..]].concat();
    assert!(matches!(open(&long), Err(CheckpointError::Damaged(_))));
    assert!(fs::read(&path).unwrap() == long);
    // A whole record, not the last or the last, whose lower bound is above the upper one.
    for end in [half, saved.len()] {
        let mut bytes = saved[..end].to_vec();
        let record = &mut bytes[end - RECORD..];
        (record[9], record[10]) = (record[8], 0);
        let checksum = crc32(&record[..12]);
        record[12..].copy_from_slice(&checksum.to_le_bytes());
        let damaged = (end - RECORD) as u64;
        assert!(matches!(open(&bytes), Err(CheckpointError::Damaged(at)) if at == damaged));
        assert!(fs::read(&path).unwrap() == bytes);
    }
    let header_error = |bytes: &[u8]| match open(bytes) {
        Err(CheckpointError::Header(error)) => error,
        other => panic!("{other:?}"),
    };
    assert!(matches!(header_error(b"garbage\n"), FileHeaderError::Magic("checkpoint")));
    let mut old = saved.clone();
    old[8] = 1;
    let checksum = crc32fast::hash(&old[..HEADER - 4]);
    old[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
    assert!(matches!(header_error(&old), FileHeaderError::Version { found: 1, .. }));
    let empty = Rules::new(6, Capture::Empty).unwrap();
    fs::write(&path, &saved).unwrap();
    assert!(matches!(
        Checkpoint::open(&path, empty),
        Err(CheckpointError::Rules(rules)) if rules == Rules::default()
    ));
    // Another board of the same rules is unharmed by it, and boards of others let it go.
    let mut solver = Solver::new(resources);
    solver.set_checkpoint(Checkpoint::open(&path, board.rules()).unwrap());
    assert_eq!(solver.solve(&Board::start(Rules::default(), 2).unwrap()).unwrap().margin, 6);
    assert_eq!(solver.solve(&Board::start(empty, 2).unwrap()).unwrap().margin, 10);
    assert!(Checkpoint::open(&path, board.rules()).is_ok());
}

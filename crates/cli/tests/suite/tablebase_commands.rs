//! `kalah tablebase` as people use it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kalah::board::{Board, Capture};
use tempfile::TempDir;

use crate::command_line::assert_refused;
use crate::session::{Ended, Session};

fn run(arguments: &[&str]) -> Ended {
    Session::run(&[&["tablebase"], arguments].concat()).wait()
}

#[track_caller]
fn output(arguments: &[&str]) -> Vec<String> {
    Session::run(&[&["tablebase"], arguments].concat()).wait_for_success()
}

/// A folder that is not there yet, and its name.
fn folder() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let name = folder.path().join("tables").to_str().unwrap().to_owned();
    (folder, name)
}

fn contents(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let named = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    entries.map(named).collect()
}

#[test]
fn tables_are_built_listed_verified_and_probed() {
    let (_keep, tables) = folder();
    let dry = output(&["build", "--houses", "4", "--seeds", "8", "--dry-run"]);
    assert_eq!(dry[0], "positions 12,870");
    assert_eq!(dry.len(), 3, "{dry:#?}");
    output(&["build", &tables, "--houses", "4", "--seeds", "8", "--dry-run"]);
    assert!(!Path::new(&tables).exists());

    let built = output(&["build", &tables, "--houses", "4", "--seeds", "8", "--threads", "1"]);
    assert_eq!(
        built[..3].iter().map(|line| &line[..9]).collect::<Vec<_>>(),
        ["positions", "memory   ", "disk     "]
    );
    assert!(built[3].starts_with("built     12,870 positions in "), "{built:#?}");
    let again = output(&["build", &tables, "--houses", "4", "--seeds", "8"]);
    assert_eq!(again[0], "positions 12,870, 12,870 of them in files already");
    assert_eq!(again[3], "nothing is missing, and all checksums are right");
    output(&["build", &tables, "--houses", "4", "--seeds", "3", "--capture", "empty"]);

    let info = output(&["info", &tables]);
    assert_eq!(info.len(), 2 + 9 + 4 + 2, "{info:#?}");
    assert_eq!(info[10], "| 4 standard |     8 |     6,435 | 8,196 |    4 | whole |");
    let last = "4 houses, standard capture: positions with at most 8 seeds can be probed";
    assert_eq!(info.last().unwrap(), last);

    let checked = output(&["verify", &tables, "--seed", "5", "--samples", "100"]);
    assert_eq!(checked[0], "seed 5");
    let start = "4 houses, standard capture: 9 files, 645 gains verified in ";
    assert!(checked[1].starts_with(start) && checked[1].ends_with(" s, no errors"), "{checked:?}");
    assert!(checked[2].starts_with("4 houses, empty capture: 4 files, "), "{checked:?}");
    let checked = output(&["verify", &tables, "--all", "--threads", "1"]);
    assert!(checked[0].contains(", 12,870 gains verified in "), "{checked:?}");

    let fen = "<4,5,7,0,1,0,2,1,0,0,1> N";
    let from_files = output(&["probe", &tables, "--fen", fen]);
    assert_eq!(output(&["probe", "--fen", fen]), from_files);
    let board = Board::from_fen(fen, Capture::Standard).unwrap().to_string();
    let (drawing, values) = from_files.split_at(board.lines().count());
    assert_eq!(drawing, board.lines().collect::<Vec<_>>());
    assert_eq!(
        values,
        [
            "",
            "margin -1",
            "gain   -3",
            "best   a d",
            "a      margin -1, gain -3",
            "d      margin -1, gain -3",
        ]
    );
}

#[test]
fn a_probe_answers_programs_in_json() {
    let fen = "<6,20,14,1,0,2,1,0,0,0,1,0,0,1,1>";
    for rule in ["standard", "empty"] {
        let lines = output(&["probe", "--fen", fen, "--capture", rule, "--json"]);
        assert_eq!(lines.len(), 1);
        let answer: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(answer["fen"], format!("{fen} S"));
        assert_eq!((&answer["capture"], &answer["seeds"]), (&rule.into(), &7.into()));
        let gain = answer["gain"].as_i64().unwrap();
        assert_eq!(answer["margin"].as_i64().unwrap(), gain + 6);
        let moves = answer["moves"].as_object().unwrap();
        assert!(moves.keys().eq(["A", "C", "D"]), "{answer}");
        let best = moves.iter().filter(|(_, margin)| **margin == answer["margin"]);
        assert!(best.map(|(letter, _)| letter).eq(answer["best"].as_array().unwrap()), "{answer}");
        assert!(moves.values().all(|margin| margin.as_i64() <= answer["margin"].as_i64()));
        // The solver says the same in the same words.
        let words = ["solve", "--fen", fen, "--capture", rule, "--json", "--moves"];
        let solved: serde_json::Value =
            serde_json::from_str(&Session::run(&words).wait_for_success()[0]).unwrap();
        for name in ["fen", "capture", "margin", "moves"] {
            assert_eq!(solved[name], answer[name], "{name}");
        }
    }
    let over = output(&["probe", "--json", "--fen", "<3,5,2,0,0,0,2,2,2> N"]);
    let expected = "{\"format\":\"kalah-probe\",\"version\":1,\
                    \"fen\":\"<3,5,2,0,0,0,2,2,2> N\",\"capture\":\"standard\",\"sowing\":\"single\",\"seeds\":6,\
                    \"margin\":3,\"gain\":6,\"best\":[],\"moves\":{}}";
    assert_eq!(over, [expected]);
    let over = output(&["probe", "--fen", "<3,5,2,0,0,0,2,2,2>"]);
    assert_eq!(over[over.len() - 3..], ["margin -3", "gain   -6", "best   none, the game is over"]);
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let (keep, tables) = folder();
    let empty = keep.path().to_str().unwrap();
    output(&["build", &tables, "--houses", "3", "--seeds", "4"]);
    let file = format!("{tables}/kalah-3-standard-2.ktb");
    let fen = "<6,20,14,1,0,2,1,0,0,0,1,0,0,1,1>";
    let cases: [(&[&str], i32, &str); 18] = [
        (&["build", "--seeds", "3"], 2, "<DIR>"),
        (&["build", &tables], 2, "--seeds"),
        (&["build", &tables, "--seeds", "101"], 2, "101"),
        (&["build", &tables, "--seeds", "5", "--houses", "9"], 2, "9"),
        (&["build", &tables, "--seeds", "5", "--threads", "0"], 2, "0"),
        (&["build", &tables, "--seeds", "5", "--capture", "red"], 2, "red"),
        (&["build", &tables, "--seeds", "100", "--houses", "8"], 1, "too much memory"),
        (&["info"], 2, "<DIR>"),
        (&["info", "nowhere"], 1, "nowhere"),
        (&["info", empty], 1, "no tables"),
        (&["verify", "nowhere"], 1, "nowhere"),
        (&["verify", &tables, "--all", "--samples", "3"], 2, "--all"),
        (&["probe", &tables], 2, "--fen"),
        (&["probe", &tables, "--fen", "garbage"], 2, "garbage"),
        (&["probe", &tables, "--fen", fen], 1, "no tables for 6 houses, standard capture"),
        (&["probe", &tables, "--fen", "<3,0,0,3,3,3,3,3,3>"], 1, "18 seeds"),
        (&["probe", "--fen", "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"], 1, "48 seeds"),
        (&["probe", "--fen", "<9,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0>"], 2, "8 houses"),
    ];
    for (arguments, code, named) in cases {
        assert_refused(&[&["tablebase"], arguments].concat(), code, named);
    }
    let Ended { status, errors, .. } = run(&["build", &tables, "--seeds", "60"]);
    assert_eq!(status.code(), Some(1));
    assert!(
        errors.starts_with("kalah: a table of 6 houses a side and 60 seeds takes "),
        "{errors}"
    );

    let mut bytes = fs::read(&file).unwrap();
    bytes[4200] ^= 4;
    fs::write(&file, &bytes).unwrap();
    output(&["info", &tables]);
    let says = |arguments: &[&str], expected: &[&str]| {
        let Ended { status, errors, .. } = run(arguments);
        assert_eq!(status.code(), Some(1), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
    };
    let block = format!("'{file}': block 0 is damaged");
    let summary = format!("kalah: a file in '{tables}' is bad");
    says(&["verify", &tables], &[&block, &summary]);
    says(&["verify", &tables, "--all"], &[&block, &summary]);
    let line = format!("kalah: {block}");
    says(&["build", &tables, "--houses", "3", "--seeds", "5"], &[&line]);
    says(&["probe", &tables, "--fen", "<3,0,0,1,0,0,1,0,0>"], &[&line]);
    bytes[8] = 77;
    fs::write(&file, &bytes).unwrap();
    fs::write(format!("{tables}/mine.ktb"), "").unwrap();
    let header = format!("'{file}': is damaged");
    let name = format!("'{tables}/mine.ktb': the file name is not that of a tablebase file");
    let summary = format!("kalah: 2 files in '{tables}' are bad");
    says(&["info", &tables], &[&header, &name, &summary]);
    let line = format!("kalah: {header}");
    says(&["build", &tables, "--houses", "3", "--seeds", "5", "--dry-run"], &[&line]);
    let line = format!("kalah: cannot read '{file}': Not a directory (os error 20)");
    for more in [&[][..], &["--dry-run"]] {
        says(&[&["build", file.as_str(), "--seeds", "3"], more].concat(), &[&line]);
    }
    says(&["verify", &tables], &[&name, &header, &summary]);
}

#[test]
fn a_folder_without_tables_is_named() {
    let (folder, _) = folder();
    let empty = folder.path().to_str().unwrap();
    let ended = Session::run(&["solve", "--seeds", "1", "--tablebase", empty]).wait();
    assert_eq!(ended.status.code(), Some(0));
    let note = format!("'{empty}' has no tables for 6 houses, standard capture: they are built");
    assert_eq!(ended.errors.lines().collect::<Vec<_>>(), [note]);
}

#[test]
fn a_missing_layer_is_a_finding() {
    let (_folder, tables) = folder();
    output(&["build", &tables, "--houses", "2", "--seeds", "5"]);
    fs::remove_file(format!("{tables}/kalah-2-standard-3.ktb")).unwrap();
    let line = format!("there is no file for the layer of 3 seeds in '{tables}'");
    let summary = format!("kalah: a file in '{tables}' is missing");
    for arguments in [&["info", &tables][..], &["verify", &tables], &["verify", &tables, "--all"]] {
        let Ended { status, errors, .. } = run(arguments);
        assert_eq!(status.code(), Some(1), "{arguments:?}");
        assert_eq!(errors.lines().collect::<Vec<_>>(), [&line, &summary], "{arguments:?}");
    }
    let Ended { output, .. } = run(&["verify", &tables, "--json"]);
    let verified: serde_json::Value = serde_json::from_str(&output.join("\n")).unwrap();
    assert_eq!(verified["rules"][0]["faults"], serde_json::json!([line]));
    fs::remove_file(format!("{tables}/kalah-2-standard-5.ktb")).unwrap();
    fs::remove_file(format!("{tables}/kalah-2-standard-4.ktb")).unwrap();
    assert_eq!(run(&["verify", &tables]).status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_a_bad_file() {
    let folder = TempDir::new().unwrap();
    let tables = folder.path().to_str().unwrap();
    let file = format!("{tables}/kalah-6-standard-0.ktb");
    std::os::unix::fs::symlink("nowhere", &file).unwrap();
    for command in ["info", "verify"] {
        let Ended { status, errors, .. } = run(&[command, tables]);
        assert_eq!(status.code(), Some(1), "{command}");
        assert!(errors.starts_with(&format!("'{file}': No such file")), "{command}: {errors}");
        assert!(errors.ends_with(&format!("kalah: a file in '{tables}' is bad\n")), "{errors}");
    }
    let Ended { status, errors, .. } = run(&["build", tables, "--seeds", "3"]);
    assert_eq!(status.code(), Some(1));
    assert!(errors.starts_with(&format!("kalah: '{file}': No such file")), "{errors}");
    assert_eq!(fs::read_dir(tables).unwrap().count(), 1, "nothing was built");
}

#[cfg(unix)]
mod killed {
    use std::thread;
    use std::time::Duration;

    use rustix::process::Signal;

    use super::*;

    const SEEDS: &str = "15";

    /// Begins a build, and sends it a signal when it has come to a layer.
    fn signalled_at(tables: &str, layer: u32, signal: Signal) -> Ended {
        let arguments = ["tablebase", "build", tables, "--seeds", SEEDS, "--threads", "1"];
        let mut session = Session::run(&arguments);
        let file = format!("{tables}/kalah-6-standard-{layer}.ktb");
        while !Path::new(&file).exists() && !session.has_ended() {
            thread::sleep(Duration::from_millis(1));
        }
        session.signal(signal);
        session.wait()
    }

    #[test]
    fn a_build_that_is_killed_again_and_again_comes_to_the_same_files() {
        let (_one, whole) = folder();
        let (_two, killed) = folder();
        output(&["build", &whole, "--seeds", SEEDS]);
        let whole = contents(&whole);
        for layer in [2, 9, 12, 13, 14] {
            let Ended { status, .. } = signalled_at(&killed, layer, Signal::KILL);
            assert!(status.code().is_none_or(|code| code == 0), "{status}");
            for (name, bytes) in contents(&killed) {
                assert!(name.starts_with(".kalah-") || whole[&name] == bytes, "{name}");
            }
        }
        // It hears signals by the time when it has written something.
        for layer in 13..=15 {
            let _ = fs::remove_file(format!("{killed}/kalah-6-standard-{layer}.ktb"));
        }
        let Ended { status, errors, .. } = signalled_at(&killed, 13, Signal::TERM);
        if status.code() != Some(0) {
            assert_eq!(status.code(), Some(130), "{errors}");
            assert_eq!(
                errors,
                format!(
                    "interrupted: complete layers are in '{killed}', the same command continues \
                     from there\n"
                )
            );
        }
        output(&["build", &killed, "--seeds", SEEDS]);
        assert!(contents(&killed) == whole);
        output(&["verify", &killed]);
    }
}

//! `kalah dataset`: the same files whatever the threads and after a kill, and what its verification finds.

use std::collections::HashSet;
use std::fs;
#[cfg(target_os = "linux")]
use std::process::Command;

#[cfg(unix)]
use rustix::process::Signal;
use serde_json::Value;

use crate::contest::Contest;
#[cfg(target_os = "linux")]
use crate::injected_faults::{self, can_trace};
use crate::runs::runs;

/// A dataset that is made in a moment.
const SMALL: &str = "--houses 4 --seeds 3 --hash 16 --shard 100";

/// All files of a dataset with what they have.
fn contents(contest: &Contest, folder: &str) -> Vec<(String, Vec<u8>)> {
    let folders = [contest.path(folder), contest.path(folder).join("data")];
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let entries = entries.map(Result::unwrap).filter(|entry| entry.path().is_file());
    let read = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    let mut contents: Vec<_> = entries.map(read).collect();
    contents.sort();
    contents
}

#[track_caller]
fn assert_same(contest: &Contest, one: &str, other: &str) {
    let [one, other] = [one, other].map(|folder| contents(contest, folder));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&one), names(&other));
    for ((name, bytes), (_, others)) in one.iter().zip(&other) {
        assert!(bytes == others, "{name} differs");
    }
}

#[test]
fn threads_and_growth_do_not_change_the_files() {
    let contest = Contest::new();
    let build = |folder: &str, more: &str| {
        let (text, _) = contest.played(&format!("dataset build {folder} {SMALL} --json {more}"));
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let whole = build("whole", "--positions 350 --threads 1");
    assert_eq!((&whole["positions"], &whole["shards"]), (&350.into(), &4.into()));
    let splits = whole["splits"].as_object().unwrap();
    assert_eq!(splits.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 350);
    assert!(splits.values().all(|count| count.as_u64().unwrap() > 10), "{splits:?}");
    build("grown", "--positions 120 --threads 2");
    let grown = build("grown", "--positions 350 --threads 2");
    // The first file is kept, the short second one is made again.
    assert_eq!(grown["solved"], 250);
    assert_same(&contest, "whole", "grown");
    let again = build("grown", "--positions 350");
    assert_eq!((&again["solved"], &again["nodes"]), (&0.into(), &0.into()));
    assert_same(&contest, "whole", "grown");
    build("other", "--positions 350 --seed 2");
    assert_ne!(contents(&contest, "whole"), contents(&contest, "other"));
}

#[cfg(unix)]
#[test]
fn work_that_is_killed_goes_on_to_the_same_files() {
    let contest = Contest::new();
    let words = |folder| {
        format!("dataset build {folder} --positions 300 --houses 4 --seeds 4 --hash 16 --shard 20")
    };
    contest.played(&words("whole"));
    let mut shard = 1;
    for (signal, status) in [(Signal::KILL, None), (Signal::INT, Some(130))] {
        let file = format!("cut/data/positions-{shard:05}.parquet");
        let ended = contest.stopped_at_work(&words("cut"), &file, signal);
        assert_eq!(ended.status.code(), status, "{}", ended.errors);
        let says_so = ended.errors.contains("the same command continues from 'cut'");
        assert_eq!(says_so, status.is_some(), "{}", ended.errors);
        contest.refused("dataset verify cut", 1, "the dataset is not complete");
        shard += 5;
    }
    contest.played(&words("cut"));
    assert_same(&contest, "whole", "cut");
}

/// A kill before each file of a growth gets its name.
#[cfg(target_os = "linux")]
#[test]
fn growth_that_is_killed_at_any_step_goes_on_to_the_same_files() {
    if !can_trace() {
        return;
    }
    let build = "dataset build set --houses 3 --seeds 2 --hash 2 --shard 6 --table-seeds 0";
    let [small, large] = [9, 12].map(|positions| format!("{build} --positions {positions}"));
    let [contest, whole] = [Contest::new(), Contest::new()];
    contest.played(&small);
    whole.played(&large);
    let of_small = injected_faults::contents(&contest.path("set"));
    for step in 1.. {
        fs::remove_dir_all(contest.path("set")).unwrap();
        fs::create_dir_all(contest.path("set/data")).unwrap();
        for (name, bytes) in &of_small {
            contest.write(&format!("set/{name}"), bytes);
        }
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=/^rename"]);
        command.args(["-e", &format!("inject=/^rename:signal=KILL:when={step}")]);
        command.arg(env!("CARGO_BIN_EXE_kalah")).args(large.split(' '));
        let killed = command.current_dir(contest.path("")).output().unwrap();
        if step == 1 {
            contest.played("dataset verify set --rows 0");
        } else if !killed.status.success() {
            contest.refused("dataset verify set", 1, "the dataset is not complete");
        }
        contest.played(&large);
        assert_eq!(contents(&whole, "set"), contents(&contest, "set"), "step {step}");
        if killed.status.success() {
            assert!(step > 5, "nothing was killed");
            break;
        }
    }
}

#[test]
fn a_file_that_is_gone_is_made_again_and_the_others_stay() {
    let contest = Contest::new();
    let build = |folder: &str, positions: u64| {
        let size = format!("--houses 4 --seeds 3 --hash 16 --shard 20 --positions {positions}");
        let (text, _) = contest.played(&format!("dataset build {folder} {size} --json"));
        serde_json::from_str::<Value>(&text).unwrap()["solved"].as_u64().unwrap()
    };
    build("whole", 90);
    build("set", 90);
    let lost = [(&[4][..], 10), (&[0, 1, 3], 60), (&[0], 20), (&[1, 3], 40), (&[0, 1, 2], 60)];
    for (shards, solved) in lost.into_iter().take(runs(2, 5)) {
        for shard in shards {
            fs::remove_file(contest.path(&format!("set/data/positions-{shard:05}.parquet")))
                .unwrap();
        }
        assert_eq!(build("set", 90), solved, "{shards:?}");
        assert_same(&contest, "whole", "set");
    }
    build("whole", 130);
    fs::remove_file(contest.path("set/data/positions-00002.parquet")).unwrap();
    assert_eq!(build("set", 130), 70, "it grows meanwhile");
    assert_same(&contest, "whole", "set");
}

#[test]
fn the_values_are_those_of_the_solver() {
    let contest = Contest::new();
    for rules in ["--capture standard", "--capture empty", "--sowing relay"] {
        let words = rules.replace("--", "").replace(' ', "-");
        contest.played(&format!("dataset build {words} {SMALL} {rules} --positions 150"));
        let (text, _) =
            contest.played(&format!("dataset verify {words} --rows 40 --json --hash 16"));
        let verified: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&verified["positions"], &verified["rows"]), (&150.into(), &40.into()));
        assert_eq!(verified["wrong"].as_array().unwrap().len(), 0, "{text}");
    }
    // A file of other rules has the same columns.
    let [standard, empty] = ["capture-standard", "capture-empty"];
    for folder in [standard, empty] {
        let sums = contest.read(&format!("{folder}/SHA256SUMS"));
        assert_eq!(sums.lines().count(), 3, "{sums}");
    }
    let of_empty = contest.read(&format!("{empty}/SHA256SUMS"));
    let of_standard = contest.read(&format!("{standard}/SHA256SUMS"));
    let shards = of_empty.lines().filter(|line| line.ends_with(".parquet"));
    let settings = of_standard.lines().filter(|line| line.ends_with("dataset.json"));
    let sums: Vec<&str> = shards.chain(settings).collect();
    for number in 0..2 {
        let name = format!("data/positions-{number:05}.parquet");
        fs::copy(
            contest.path(&format!("{empty}/{name}")),
            contest.path(&format!("{standard}/{name}")),
        )
        .unwrap();
    }
    contest.refused("dataset verify capture-standard", 1, "has another checksum");
    contest.write(&format!("{standard}/SHA256SUMS"), sums.join("\n") + "\n");
    // The key of a position has the rules, and decides its split.
    let verify = "dataset verify capture-standard";
    contest.refused(verify, 1, "the column 'split' contradicts the others");
}

#[test]
fn a_damaged_file_is_named_and_small_games_end() {
    let contest = Contest::new();
    contest.played("dataset build few --houses 2 --seeds 1 --positions 1000 --hash 16");
    let (text, _) = contest.played("dataset verify few --seed 5");
    let (_, counted) = text.split_once('\n').unwrap();
    let count: u64 = counted.split(' ').next().unwrap().parse().unwrap();
    assert!((2..50).contains(&count), "{text}");
    contest.played(&format!("dataset build set {SMALL} --positions 150"));
    let path = contest.path("set/data/positions-00000.parquet");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let again = format!("dataset build set {SMALL} --positions 150");
    for words in ["dataset verify set", &again] {
        contest.refused(words, 1, "'set/data/positions-00000.parquet' has another checksum");
    }
    // A whole file of another board, or of another place.
    let with_sum_of = |line: &str| {
        let sums = contest.read("set/SHA256SUMS");
        let others = sums.lines().filter(|line| !line.ends_with("-00000.parquet"));
        let sums: Vec<&str> = others.chain([line]).collect();
        contest.write("set/SHA256SUMS", sums.join("\n") + "\n");
    };
    fs::copy(contest.path("few/data/positions-00000.parquet"), &path).unwrap();
    with_sum_of(contest.read("few/SHA256SUMS").lines().next().unwrap());
    contest.refused(&again, 1, "its columns are not those of a dataset of this board");
    fs::copy(contest.path("set/data/positions-00001.parquet"), &path).unwrap();
    let second = contest.read("set/SHA256SUMS");
    let second = second.lines().find(|line| line.ends_with("-00001.parquet")).unwrap();
    with_sum_of(&second.replace("-00001", "-00000"));
    contest.refused("dataset verify set", 1, "has a position twice");
    let names: HashSet<String> = contents(&contest, "set").into_iter().map(|it| it.0).collect();
    assert!(names.iter().all(|name| !name.starts_with(".kalah-")), "{names:?}");
}

#[test]
fn what_cannot_be_made_is_refused_and_harms_nothing() {
    let contest = Contest::new();
    contest.refused("dataset build set", 2, "--positions");
    contest.refused("dataset build set --positions 0", 2, "from 1 to 1000000000");
    contest.refused("dataset build set --positions 9 --houses 13", 2, "from 1 to 12");
    let large = "dataset build set --positions 9 --houses 12 --seeds 42";
    contest.refused(large, 1, "too many seeds to solve");
    contest.refused("dataset verify set", 1, "'set' has no dataset");
    contest.refused("dataset verify set --rows x", 2, "--rows");
    assert!(contest.files().is_empty());
    contest.write("file", "");
    contest.refused(&format!("dataset build file --positions 9 {SMALL}"), 1, "'file/dataset.json'");
    fs::create_dir(contest.path("mine")).unwrap();
    contest.write("mine/notes", "mine");
    let mine = format!("dataset build mine --positions 9 {SMALL}");
    contest.refused(&mine, 1, "'mine' has other files than a dataset");
    contest.write("mine/dataset.json", "{}");
    contest.refused(&mine, 1, "is not the file of a dataset");
    assert_eq!(contents(&contest, "mine").len(), 2);
    contest.played(&format!("dataset build set --positions 30 {SMALL}"));
    let before = contents(&contest, "set");
    for (words, message) in [
        ("--positions 29", "is for 30 positions, not fewer"),
        ("--positions 30 --seed 2", "'set' was begun with seed 1, not 2"),
        ("--positions 30 --capture empty", "begun with capture \"standard\", not \"empty\""),
        ("--positions 30 --table-seeds 3", "not 3"),
    ] {
        contest.refused(&format!("dataset build set {SMALL} {words}"), 1, message);
    }
    assert_eq!(before, contents(&contest, "set"));
}

//! Signals at any moment: a command ends, files stay whole, and the next run goes on.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tempfile::TempDir;

use crate::injected_faults::{contents, plain_command, writers};
use crate::resource_limits::Work;
use crate::runs::runs;
use crate::session::{Ended, Session};

/// Waits until the process handles SIGTERM itself, or has ended.
fn wait_for_handler(session: &mut Session) {
    let handles = |status: &str| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = u64::from_str_radix(mask.unwrap_or("0").trim(), 16).unwrap();
        mask >> (Signal::TERM.as_raw() - 1) & 1 == 1
    };
    let status = format!("/proc/{}/status", session.id());
    while !fs::read_to_string(&status).is_ok_and(|status| handles(&status)) && !session.has_ended()
    {
        thread::sleep(Duration::from_millis(1));
    }
}

fn strays(files: &BTreeMap<String, Vec<u8>>) -> Vec<&String> {
    files.keys().filter(|name| name.contains(".kalah-")).collect()
}

/// Not the locks: one that is left is taken by the next run.
fn unfinished_files(files: &BTreeMap<String, Vec<u8>>) -> usize {
    strays(files).iter().filter(|name| name.contains(".part")).count()
}

/// Kills a command when it has run for a part of the time that it takes, again and again.
fn kill_and_repeat(work: &Work, random: &mut fastrand::Rng) {
    let start = Instant::now();
    let whole = TempDir::new().unwrap();
    work.run(whole.path(), plain_command);
    let time = start.elapsed();
    let whole = contents(whole.path());
    let folder = TempDir::new().unwrap();
    for _ in 0..runs(1, 25) {
        let mut session = work.start(folder.path(), plain_command);
        thread::sleep(time.mul_f64(random.f64()));
        session.signal(Signal::KILL);
        session.wait();
        let left = contents(folder.path());
        assert!(unfinished_files(&left) <= 1, "earlier ones are removed: {:?}", left.keys());
        if random.bool() {
            assert!(work.run(folder.path(), plain_command), "{}", work.arguments);
            let repeated = contents(folder.path());
            assert_eq!(strays(&repeated), [""; 0], "{}", work.arguments);
            assert!(repeated.keys().eq(whole.keys()), "{}: {:?}", work.arguments, repeated.keys());
            // Everything else depends on threads and clocks.
            for (name, bytes) in &repeated {
                let is_determined = [".ktb", ".knn", ".kbk"].iter().any(|end| name.ends_with(end));
                let is_same = !is_determined || whole[name] == *bytes;
                assert!(is_same, "{}: {name}", work.arguments);
            }
        }
    }
}

#[test]
fn commands_that_are_killed_can_be_repeated() {
    let mut random = fastrand::Rng::new();
    eprintln!("seed {}", random.get_seed());
    for work in writers() {
        kill_and_repeat(work, &mut random);
    }
}

#[test]
fn a_second_signal_leaves_a_checkpoint_that_can_be_read() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("checkpoint");
    let solve = |seeds: &str| {
        Session::run(&["solve", "--seeds", seeds, "--checkpoint", file.to_str().unwrap()])
    };
    solve("2").wait_for_success();
    for _ in 0..runs(1, 25) {
        // A search that is not over soon.
        let mut session = solve("8");
        wait_for_handler(&mut session);
        session.signal(Signal::INT);
        // Two at once would count as one.
        thread::sleep(Duration::from_millis(300));
        session.signal(Signal::INT);
        let Ended { status, errors, .. } = session.wait();
        assert_eq!(status.code(), Some(130), "{errors}");
        // It can be read, and nothing is left beside it.
        let Ended { status, errors, .. } = solve("2").wait();
        assert!(status.success() && errors.ends_with("has: margin 6\n"), "{errors}");
        assert_eq!(contents(folder.path()).keys().collect::<Vec<_>>(), ["checkpoint"]);
    }
}

#[test]
fn an_interrupted_search_says_so() {
    for arguments in [&["solve", "--seeds", "8"][..], &["fair", "--seeds", "8"]] {
        // A search that is not over soon.
        let mut session = Session::run(arguments);
        wait_for_handler(&mut session);
        session.signal(Signal::INT);
        let Ended { status, errors, .. } = session.wait();
        assert_eq!(status.code(), Some(130), "{errors}");
        let (_, known) = errors.split_once("interrupted").unwrap();
        let is_of_a_margin = known.starts_with(": margin ") && arguments[0] == "solve";
        assert!(known == "\n" || is_of_a_margin, "{errors}");
    }
}

#[test]
fn strays_are_removed_and_no_other_files() {
    let folder = TempDir::new().unwrap();
    let names = [".kalah-AbCdEf.part", ".kalah-locked.part", ".kalah-mine", "kalah-x.part"];
    for name in names {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let locked = fs::File::open(folder.path().join(names[1])).unwrap();
    locked.lock().unwrap();
    let file = folder.path().join("counts.csv");
    let file = file.to_str().unwrap();
    let arguments = ["lab", "ordering", "--positions", "1", "--depth", "3", "--csv", file];
    Session::run(&arguments).wait_for_success();
    let left = [names[1], names[2], "counts.csv", names[3]];
    assert_eq!(contents(folder.path()).into_keys().collect::<Vec<_>>(), left);
    drop(locked);
}

#[test]
fn sigterm_ends_every_command() {
    let folder = TempDir::new().unwrap();
    let commands = [
        "solve --seeds 8",
        "solve --seeds 8 --checkpoint DIR/checkpoint",
        "solve --seeds 8 --proof DIR/proof",
        "tablebase build DIR/tables --seeds 18 --threads 1",
        "book build DIR/book.kbk --seeds 8",
        "train --out DIR/net.knn --houses 4 --seeds 3 --positions 1000000",
        "match --engine builtin=negascout --engine builtin=minimax --each depth=6 \
         --games 10000 --record DIR/games",
        "lab ordering --positions 10000 --depth 9 --csv DIR/ordering",
        "perft 30",
        "bench",
    ];
    for command in commands {
        let arguments = command.replace("DIR", &folder.path().display().to_string());
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let mut session = Session::run(&words);
        if !["lab", "perft", "bench"].contains(&words[0]) {
            wait_for_handler(&mut session);
        }
        session.signal(Signal::TERM);
        let ended = session.wait();
        let is_by_signal = ended.status.code().is_none_or(|code| code == 130);
        assert!(is_by_signal, "{command}: {} {}", ended.status, ended.errors);
    }
    assert_eq!(strays(&contents(folder.path())), [""; 0]);
}

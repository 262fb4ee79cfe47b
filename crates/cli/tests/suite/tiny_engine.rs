//! `examples/tiny_engine.py`, written from `protocol.md` alone: it does what an engine must do, plays
//! whole games without a fault, and survives what nobody should send.

use std::process::{Command, Stdio};
use std::time::Duration;

use kalah::StopToken;
use kalah_arena::compliance::{Check, CheckResult, EngineUnderTest, Tier, checks};
use serde_json::Value;

use crate::contest::Contest;
use crate::runs::runs;
use crate::session::{Ended, Session};

const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tiny_engine.py");

/// Whether there is a Python that can run it (3.10 or later); says so in a line if not.
fn has_python() -> bool {
    let script = "import sys; sys.exit(sys.version_info < (3, 10))";
    let status = Command::new("python3").args(["-c", script]).stdin(Stdio::null()).status();
    let is_there = status.is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("skipped: there is no python3 of version 3.10 or later");
    }
    is_there
}

/// The engine as a process.
fn tiny() -> Session {
    Session::with(|command| {
        *command = Command::new("python3");
        command.arg(TINY);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    })
}

#[test]
fn it_does_what_it_must() {
    // Some checks are about times that a machine with other work exceeds now and then.
    const ATTEMPTS: usize = 5;
    if !has_python() {
        return;
    }
    let (cmd, args) = ("python3".to_owned(), vec![TINY.to_owned()]);
    let engine = EngineUnderTest { cmd, args, deadline: Duration::from_secs(10) };
    let must = checks().into_iter().filter(|check| check.requirement.tier == Tier::Must);
    let mut left: Vec<Check> = must.step_by(runs(3, 1)).collect();
    for _ in 0..ATTEMPTS {
        let mut failed = Vec::new();
        let mut watch = |check: &Check, verdict: &CheckResult| {
            if matches!(verdict, CheckResult::Failed { .. }) {
                failed.push(check.requirement.id);
            }
        };
        assert!(engine.run(&left, &StopToken::new(), &mut watch).unwrap());
        left.retain(|check| failed.contains(&check.requirement.id));
        if left.is_empty() {
            return;
        }
    }
    panic!("{:?}", left.iter().map(|check| check.requirement.id).collect::<Vec<_>>());
}

#[test]
fn it_plays_whole_games() {
    if !has_python() {
        return;
    }
    let contest = Contest::new();
    let engine = format!("cmd=python3 args={} name=tiny", shell_words::quote(TINY));
    let engine = shell_words::quote(&engine).into_owned();
    for (record, settings) in [
        ("standard", "--each 'nodes=300 timemargin=5000'"),
        ("empty", "--each 'depth=3 timemargin=5000' --houses 3 --seeds 3 --capture empty"),
        ("large", "--each 'nodes=100 timemargin=5000' --houses 12 --seeds 2"),
        ("small", "--each 'depth=2 timemargin=5000' --houses 1 --seeds 4 --openings plies=1"),
        ("time", "--each 'st=0.02 timemargin=5000'"),
    ] {
        contest.played(&format!(
            "match --engine {engine} --engine builtin=alphabeta {settings} --games 2 --record {record}"
        ));
        let games = contest.read(record);
        assert_eq!(games.lines().count(), 2, "{games}");
        for game in games.lines() {
            let game: Value = serde_json::from_str(game).unwrap();
            assert_eq!(game["reason"], "played out", "{game:#}");
        }
    }
}

#[test]
fn it_survives_what_nobody_should_send() {
    if !has_python() {
        return;
    }
    let mut session = tiny();
    for line in [
        "hello",
        "go movetime",
        "go movetime x",
        "go nodes 99999999999999999999999999999",
        "go depth 1 depth 2",
        "go movestogo 0",
        "setoption",
        "setoption name Houses value 13",
        "setoption name Seeds value 512",
        "setoption name Capture value both",
        "position",
        "position fen",
        "position fen <6,0,0>",
        "position fen <0,0,0,1,1>",
        "position fen <1,0,0,1000,24>",
        "position startpos moves CC",
        "position startpos moves é",
        "stop",
        "quit now",
        "\u{1b}[2J\u{feff}",
    ] {
        session.refused(line);
    }
    session.refused(&format!("position startpos moves {}", "A ".repeat(100_000)));
    session.send_bytes(b"\xff\xfe\n\n\r\n");
    assert!(session.line().starts_with("info string error: "));
    session.send("d");
    session.expect("Fen: <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S");
    session.send("go infinite");
    session.until("info depth 1 ");
    session.send("go depth 1");
    session.send("stop");
    session.until("bestmove ");
    session.expect_idle();
    session.send("go infinite");
    session.send("quit");
    session.until("bestmove ");
    let Ended { status, errors, .. } = session.wait();
    assert!(status.success() && errors.is_empty(), "{errors}");
}

#[test]
fn it_ends_with_its_input() {
    if !has_python() {
        return;
    }
    for (commands, answers) in
        [("", 0), ("go nodes 50\n", 1), ("go infinite\n", 1), ("go\n", 1), ("go infinite\nquit", 1)]
    {
        let mut session = tiny();
        session.send_bytes(commands.as_bytes());
        session.close_input();
        let Ended { status, output, errors } = session.wait();
        assert!(status.success() && errors.is_empty(), "{commands:?}: {errors}");
        let moves = output.iter().filter(|line| line.starts_with("bestmove "));
        assert_eq!(moves.count(), answers, "{commands:?}: {output:#?}");
    }
}

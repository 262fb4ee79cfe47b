//! Agents that `kalah kgp serve` starts itself: those of `examples/agents` play a tournament, and no agent takes more
//! than it may.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kalah::board::Capture;
use kalah_games::AnnotatedGame;
use kalah_records::games_from_text;
use rustix::process::Signal;
use tempfile::TempDir;

use crate::session::{Ended, Session};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/agents");

/// A server that starts its agents, with what it reports on its output; its arguments are as in a shell.
fn serve(arguments: &str) -> Session {
    Session::program(|command| {
        *command = Command::new("sh");
        command.args(["-c", r#"exec "$@" 2>&1"#, "sh", env!("CARGO_BIN_EXE_kalah")]);
        command.args(["kgp", "serve", "--listen", "127.0.0.1", "--port", "0"]);
        command.args(shell_words::split(arguments).unwrap());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    })
}

/// Ends a server.
fn interrupted(mut session: Session) {
    session.signal(Signal::INT);
    let Ended { status, output, .. } = session.wait();
    assert_eq!(status.code(), Some(130), "{output:#?}");
}

fn games(record: &Path) -> Vec<AnnotatedGame> {
    games_from_text(&fs::read_to_string(record).unwrap(), Capture::Standard).unwrap()
}

/// Whether a program can be run; says so in a line if not.
fn has(program: &str, argument: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let is_there = command.status().is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("skipped: there is no {program}");
    }
    is_there
}

fn example(name: &str) -> String {
    shell_words::quote(&format!("{EXAMPLES}/{name}")).into_owned()
}

/// Starter agents that this machine can run, as words of --agent.
fn starters(folder: &TempDir) -> Vec<String> {
    let built = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut agents = Vec::new();
    if has("python3", "--version") {
        agents.push(format!("cmd=python3 args={} name=Python", example("agent.py")));
    }
    if has("cc", "--version") {
        let (source, program) = (format!("{EXAMPLES}/agent.c"), built("agent"));
        let arguments = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-o", &program, &source];
        assert!(Command::new("cc").args(arguments).status().unwrap().success());
        agents.push(format!("cmd={program} name=C"));
    }
    if has("javac", "--version") && has("java", "--version") {
        let classes = built("classes");
        let source = format!("{EXAMPLES}/Agent.java");
        let arguments = ["-Xlint:all,-serial", "-Werror", "-d", &classes, &source];
        assert!(Command::new("javac").args(arguments).status().unwrap().success());
        agents.push(format!("cmd=java args='-cp {classes} Agent' name=Java"));
    }
    agents
}

/// On boards where a game has few moves, since each is thought about for half a second.
#[test]
fn the_starter_agents_pass_an_exam_and_play_a_tournament_without_a_fault() {
    let folder = TempDir::new().unwrap();
    let record = folder.path().join("course.jsonl");
    let agents = starters(&folder);
    if agents.len() < 2 {
        return;
    }
    let words = agents.iter().map(|agent| format!("--agent {}", shell_words::quote(agent)));
    let words = words.collect::<Vec<_>>().join(" ");
    let ended = serve(&format!(
        "--round-robin --time 60 --exam 'games=1 houses=3 seeds=2' --stage 'houses=2 seeds=3' \
         --record {} {words}",
        record.display()
    ))
    .wait();
    let said = ended.output.join("\n");
    assert!(ended.status.success(), "{said}");
    let (games, players) = (games(&record), agents.len());
    assert!(games.len() >= players, "{said}");
    for game in &games {
        assert_eq!(game.tag("Reason"), Some("played out"), "{said}");
        assert_eq!(game.tag("Late"), None);
        let is_exam = game.tag("Stage") == Some("1");
        assert_eq!(is_exam, game.tag("North") == Some("random"));
    }
    assert!(said.contains("last stage"), "{said}");
    for name in ["Python", "C", "Java"] {
        let is_player = agents.iter().any(|agent| agent.contains(&format!("name={name}")));
        assert_eq!(is_player, said.contains(&format!("{name} joined")), "{said}");
    }
}

/// A program as the agent `name` in a folder of agents.
fn write_program(folder: &Path, name: &str, script: &str) {
    let program = folder.join(name).join("run");
    fs::create_dir(folder.join(name)).unwrap();
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The same in Python.
fn write_agent(folder: &Path, name: &str, script: &str) {
    write_program(folder, name, &format!("#!/usr/bin/env python3\n{script}"));
}

/// Plays with the starter agent while something else goes on.
fn meanwhile(other: &str) -> String {
    let path = format!("{EXAMPLES}/agent.py");
    format!(
        "import runpy, threading\ndef other():\n    {other}\n\
         threading.Thread(target=other, daemon=True).start()\nrunpy.run_path({path:?}, run_name='__main__')\n"
    )
}

/// Waits until no process is left that has this folder in its arguments or its environment; they have been killed.
fn until_gone(folder: &Path) {
    let has_folder = |process: &PathBuf| {
        ["cmdline", "environ"].iter().any(|file| {
            let bytes = fs::read(process.join(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).contains(folder.to_str().unwrap())
        })
    };
    let start = Instant::now();
    loop {
        let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let left: Vec<PathBuf> = processes.filter(has_folder).collect();
        if left.is_empty() {
            return;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "{left:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn no_agent_takes_more_than_it_may() {
    if !has("python3", "--version") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let agents = folder.path().join("agents");
    fs::create_dir(&agents).unwrap();
    // At most 60 processes, which end by themselves.
    write_program(&agents, "forks", "#!/bin/sh\nfor _ in $(seq 60); do sleep 60 & done\nwait\n");
    // In pieces of 4 MiB, at most 512 MiB.
    let hoards = "import time\nparts = []\nfor _ in range(128):\n    parts.append(bytearray(b'x') * (4 << 20))\n    \
                  time.sleep(0.05)\ntime.sleep(60)\n";
    write_agent(&agents, "hoards", hoards);
    let spins = "import time\nend = time.time() + 60\nwhile time.time() < end: pass\n";
    write_agent(&agents, "spins", spins);
    // Not an agent.
    fs::create_dir(agents.join("notes")).unwrap();
    let mut session = serve(&format!(
        "--agents {} --agent-memory 200 --agent-tasks 30 --agent-cpu-time 1",
        agents.display()
    ));
    // The hard limit of the system may be the first for memory.
    let told = [
        ["forks: killed: it used more than 30 processes and threads"; 2],
        ["hoards: killed: it used more than 200 MiB of memory", "last line of stderr: MemoryError"],
        ["spins: killed: it used more than 1 s of processor time"; 2],
    ];
    let mut lines: Vec<String> = Vec::new();
    let is_told = |lines: &[String], text: &str| lines.iter().any(|line| line.contains(text));
    while !told.iter().all(|ways| ways.iter().any(|text| is_told(&lines, text))) {
        lines.push(session.line());
    }
    interrupted(session);
    until_gone(&agents);
}

#[test]
fn endless_output_and_endless_lines_disturb_no_game() {
    if !has("python3", "--version") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let agents = folder.path().join("agents");
    fs::create_dir(&agents).unwrap();
    write_agent(&agents, "writes", &meanwhile("while True: print('x' * 1000)"));
    write_agent(&agents, "plays", &meanwhile("pass"));
    let floods = "import os, socket\nserver = socket.create_connection((os.environ['KGP_HOST'], \
                  int(os.environ['KGP_PORT'])))\nwhile True: server.sendall(b'1 ping\\r\\n' * 1000)\n";
    write_agent(&agents, "floods", floods);
    let arguments =
        format!("--agents {} --games 2 --houses 2 --seeds 2 --time 60", agents.display());
    let ended = serve(&arguments).wait();
    let said = ended.output.join("\n");
    assert!(ended.status.success(), "{said}");
    assert_eq!(said.matches(", played out").count(), 2, "{said}");
    until_gone(&agents);
}

#[test]
fn who_ends_at_once_is_started_three_times_says_why_and_loses_its_games() {
    let agents = r#"--agent "cmd=sh args='-c \"echo no such luck; exit 3\"' name=Ann" --agent 'cmd=/no/such name=Ben'"#;
    let ended = serve(&format!("--round-robin --grace 0.1 {agents}")).wait();
    let said = ended.output.join("\n");
    for text in ["Ann: exit status: 3, last line of stderr: no such luck", "Ben: exit status: 127"]
    {
        assert_eq!(said.matches(text).count(), 3, "{said}");
    }
    for text in ["it is not started again", "cannot run, and counts as a player that has left"] {
        assert_eq!(said.matches(text).count(), 2, "{said}");
    }
    // Nobody is waited for who will not come.
    assert!(ended.status.success(), "{said}");
    assert_eq!(said.matches(", disconnected").count(), 2, "{said}");
}

#[test]
fn an_agent_has_the_processors_that_it_is_given() {
    // Its last line says where it may run.
    let report = "grep Cpus_allowed_list /proc/self/status";
    let agent = format!("cmd=sh args='-c \"{report}\"'");
    let mut session = serve(&format!(
        "--agent-processors 1 --agent {} --agent {}",
        shell_words::quote(&format!("{agent} name=Ann")),
        shell_words::quote(&format!("{agent} name=Ben")),
    ));
    let mut lists = BTreeMap::new();
    while lists.len() < 2 {
        let line = session.line();
        if let Some((name, list)) = line.split_once(": ")
            && let Some((_, list)) = list.split_once("Cpus_allowed_list:")
        {
            let list = list.chars().filter(|&c| c.is_ascii_digit() || c == ',' || c == '-');
            lists.insert(name.to_owned(), list.collect::<String>());
        }
    }
    let several = thread::available_parallelism().unwrap().get() > 1;
    assert_eq!(lists["Ann"] != lists["Ben"], several, "{lists:?}");
    assert!(lists.values().all(|list| list.parse::<u32>().is_ok()), "{lists:?}");
    interrupted(session);
}

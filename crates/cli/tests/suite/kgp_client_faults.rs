//! What the client of the Kalah Game Protocol survives: servers and engines that misbehave, and bad arguments.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

use kalah::file_lock::FileLock;
use kalah_games::AnnotatedGame;
use kalah_kgp::Line;
use rustix::process::Signal;
use tempfile::TempDir;

use crate::kgp::{KgpServer, START, assert_legal, board, end};
use crate::session::Session;

#[test]
fn a_connection_that_is_lost_is_made_again() {
    let server = KgpServer::new();
    let mut client = server.client(&["--time", "0.01"]);
    let (mut peer, first) = server.greeted();
    peer.ask(START);
    let id = peer.command(&format!("state {START}"));
    peer.send("goodbye");
    for line in peer.until_end() {
        assert_eq!(line.reference, Some(id), "{line}");
    }
    // Lost in the middle of a line.
    let (mut peer, second) = server.greeted();
    assert_eq!(first, second);
    peer.send_bytes(b"8 sta");
    drop(peer);
    let (mut peer, _) = server.greeted();
    assert_legal(&board(START), peer.ask(START));
    client.signal(Signal::INT);
    let last: Vec<String> = peer.until_end().iter().map(Line::to_string).collect();
    assert_eq!(last, ["goodbye"]);
    let ended = client.wait();
    assert_eq!(ended.status.code(), Some(130), "{}", ended.errors);
    assert_eq!(ended.errors.matches("trying again in").count(), 2, "{}", ended.errors);
}

#[test]
fn garbage_is_ignored() {
    let server = KgpServer::new();
    let client = server.client(&["--once", "--time", "0.01"]);
    let (mut peer, _) = server.greeted();
    for line in [
        "",
        "   ",
        "@",
        "12",
        "@5",
        "5@ ok",
        "x@y state",
        "-3 ping",
        "99999999999999999999 ping",
        "6 state",
        "6 state 3",
        "6 state \"<",
        "6 state <",
        "6 state <0,0,0>",
        "6 state <1,0,0,1>",
        "6 state <6,0,0,4,4>",
        "6 state <2,0,0,-1,1,1,1>",
        "6 state <2,0,0,1,1,1,1",
        "state <2,0,0,1,1,1,1>",
        "6 state <2,18446744073709551615,18446744073709551615,1,1,1,1>",
        "@8 stop",
        "8@8 stop",
        "stop",
        "6 problem",
        "6 problem <2,0,0,1,1,1,1>",
        "6 problem <2,0,0,1,1,1,1> 7",
        "6@3 move 4",
        "8 yield",
        "error",
        "error \"\x1b[2J\"",
        "set",
        "set time:clock",
        "set time:clock x",
        "set time:clock -1",
        "set time:clock 1e300",
        "set time:mode absolute",
        "set time:clock 0.1",
        "set a:b \"c",
        "ok",
        "5@5 ok",
        "pong",
        "@77 pong",
        "kgp",
        "\u{202e}",
        "state state state",
    ] {
        peer.send(line);
    }
    peer.send_bytes(b"\xff\xfe\x00\r\n\r\n\n\n");
    peer.send_bytes(&vec![b'7'; 20_000]);
    peer.send_bytes(b"\n");
    peer.ping();
    assert_legal(&board(START), peer.ask(START));
    let errors = end(peer, client);
    assert!(errors.contains("\\u{1b}[2J"), "{errors}");
}

#[test]
fn another_version_of_the_protocol_ends_it() {
    let server = KgpServer::new();
    let mut client = server.client(&[]);
    let mut peer = server.peer();
    peer.command("kgp 2 0 0");
    let ended = client.wait();
    assert_eq!(ended.status.code(), Some(1));
    let error = "kalah: the server speaks version 2 of the protocol, not 1\n";
    assert!(ended.errors.ends_with(error), "{}", ended.errors);
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_without_end_takes_no_memory() {
    let server = KgpServer::new();
    let client = server.client(&["--once", "--time", "0.01"]);
    let (mut peer, _) = server.greeted();
    let part = vec![b'<'; 1 << 20];
    for _ in 0..256 {
        peer.send_bytes(&part);
    }
    peer.send_bytes(b"\n");
    assert_legal(&board(START), peer.ask(START));
    let status = fs::read_to_string(format!("/proc/{}/status", client.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 128 << 10, "{peak} KiB");
    end(peer, client);
}

#[test]
fn a_flood_of_states_is_answered() {
    let server = KgpServer::new();
    let client = server.client(&["--once", "--time", "0.05", "--concurrency", "2"]);
    let (mut peer, _) = server.greeted();
    let mut open: BTreeMap<u64, Option<u64>> = BTreeMap::new();
    for _ in 0..3000 {
        open.insert(peer.command(&format!("state {START}")), None);
    }
    while !open.is_empty() {
        let line = peer.line();
        let mv = open.get_mut(&line.reference.unwrap()).unwrap_or_else(|| panic!("{line}"));
        if line.command == "move" {
            *mv = line.number(0);
        } else {
            assert_legal(&board(START), mv.unwrap());
            open.remove(&line.reference.unwrap());
        }
    }
    peer.ping();
    end(peer, client);
}

#[test]
fn a_server_that_does_not_read_is_left() {
    let server = KgpServer::new();
    let mut client = server.client(&[]);
    let (mut deaf, _) = server.greeted();
    let flood = std::thread::spawn(move || {
        let pings = "8 ping\n".repeat(10_000);
        for _ in 0..1000 {
            deaf.send_bytes(pings.as_bytes());
        }
    });
    server.greeted();
    client.signal(Signal::TERM);
    let errors = client.wait().errors;
    assert!(errors.contains("the server does not read what is sent to it"), "{errors}");
    flood.join().unwrap();
}

/// An engine that misbehaves when it is asked the third time, each time that it is started.
fn faulty(fault: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/misbehaving.sh");
    shell_words::join(["sh", script, fault, env!("CARGO_BIN_EXE_kalah"), "always"])
}

#[test]
fn a_faulty_engine_costs_no_request() {
    for fault in
        ["crash", "illegal", "null-move", "closed-output", "silent", "flood", "endless-line"]
    {
        let server = KgpServer::new();
        let engine = faulty(fault);
        let client =
            server.client(&["--once", "--time", "0.05", "--no-ponder", "--engine", &engine]);
        let (mut peer, _) = server.greeted();
        for _ in 0..8 {
            assert_legal(&board(START), peer.ask(START));
        }
        end(peer, client);
    }
}

#[test]
fn an_engine_that_cannot_play_is_one_clear_message() {
    let server = KgpServer::new();
    let dead = faulty("dead");
    // What programs say is shown as it stands.
    let quoting = shell_words::join(["sh", "-c", r#"echo "can't open \"é\"" >&2; exit 5"#]);
    let refusal = r#"while read -r line; do case $line in uci) echo uciok ;;
                     isready) echo "info string error: no 'é'"; echo readyok ;; esac; done"#;
    let refusing = shell_words::join(["sh", "-c", refusal]);
    let last_words = "kalah: the engine: exit status: 5, last line of stderr: ";
    for (engine, message) in [
        ("/no/such/engine", "kalah: the engine: cannot start '/no/such/engine': "),
        (dead.as_str(), &format!("{last_words}no licence")),
        (quoting.as_str(), &format!("{last_words}can't open \"é\"\n")),
        (refusing.as_str(), "kalah: the engine: no 'é'\n"),
    ] {
        let ended = server.client(&["--engine", engine]).wait();
        assert_eq!(ended.status.code(), Some(1));
        assert!(ended.errors.starts_with(message), "{}", ended.errors);
        assert_eq!(ended.errors.lines().count(), 1, "{}", ended.errors);
    }
    let ended = server.client(&["--option", "Nonsense=1"]).wait();
    assert_eq!(ended.errors, "kalah: the engine: it has no option 'Nonsense'\n");
    let ended = server.client(&["--option", "Hash=many"]).wait();
    assert!(ended.errors.starts_with("kalah: the engine: option Hash"), "{}", ended.errors);
}

#[test]
fn bad_arguments_are_one_clear_message() {
    let folder = TempDir::new().unwrap();
    let empty = folder.path().join("empty");
    fs::write(&empty, "\nsecond line\n").unwrap();
    let (empty, folder) = (empty.to_str().unwrap(), folder.path().to_str().unwrap());
    let not_a_file = format!("kalah: '{folder}': a directory, not a regular file\n");
    for (arguments, status, message) in [
        (&["kgp"][..], 2, "required arguments were not provided"),
        (&["kgp", "localhost"], 2, "--name <NAME>"),
        (
            &["kgp", "http://a", "--name", "A"],
            2,
            "'http://a' is not HOST[:PORT], ws://… or wss://…",
        ),
        (&["kgp", "a", "--name", ""], 2, "not a line of text"),
        (&["kgp", "a", "--name", "A", "--time", "0"], 2, "from 0.001 to 1000000"),
        (&["kgp", "a", "--name", "A", "--time", "inf"], 2, "from 0.001 to 1000000"),
        (&["kgp", "a", "--name", "A", "--option", "Hash"], 2, "not NAME=VALUE"),
        (
            &["kgp", "a", "--name", "A", "--option", "Capture=empty"],
            2,
            "the server chooses the board",
        ),
        (&["kgp", "a", "--name", "A", "--concurrency", "0"], 2, "from 1 to 256"),
        (&["kgp", "a", "--name", "A", "--engine", "'"], 2, "is not a command"),
        (&["kgp", "a", "--name", "A", "--token-file", empty], 1, "its first line is not a token"),
        (&["kgp", "a", "--name", "A", "--token-file", folder], 1, "a directory"),
        (&["kgp", "a", "--name", "A", "--record", folder], 1, not_a_file.as_str()),
    ] {
        let ended = Session::run(arguments).wait();
        assert_eq!(ended.status.code(), Some(status), "{arguments:?}: {}", ended.errors);
        assert!(ended.errors.contains(message), "{arguments:?}: {}", ended.errors);
    }
    // A port where nobody listens any more.
    let address = KgpServer::new().address();
    let ended = Session::run(&["kgp", &address, "--name", "A", "--once"]).wait();
    assert_eq!(ended.status.code(), Some(1), "{}", ended.errors);
    assert!(ended.errors.contains(&format!("kalah: {address}: ")), "{}", ended.errors);
}

/// Requires that a client does not begin with this file for its games, and leaves it as it is.
#[track_caller]
fn assert_file_refused(file: &str, why: &str) {
    let before = fs::read(file).unwrap();
    let arguments = ["kgp", "localhost:1", "--name", "A", "--once", "--record", file];
    let ended = Session::run(&arguments).wait();
    assert_eq!(ended.status.code(), Some(1), "{}", ended.errors);
    let error = format!("kalah: '{file}': {why}\n");
    assert!(ended.errors.ends_with(&error), "{}", ended.errors);
    assert_eq!(fs::read(file).unwrap(), before);
}

#[test]
fn games_are_not_appended_to_json_or_beside_another_client() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games");
    let path = file.to_str().unwrap();
    for text in ["{\"game\":1}\n", "\n[ {\"moves\":[]}]", "{"] {
        fs::write(&file, text).unwrap();
        assert_file_refused(path, "begins like JSON, but games are appended as text");
    }
    fs::write(&file, "{a comment} 1. CF a\n").unwrap();
    let lock = FileLock::new(fs::File::open(&file).unwrap()).unwrap();
    assert_file_refused(path, "is being written to by another process");
    drop(lock);
}

#[test]
fn a_game_begins_a_line_of_its_own() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games");
    fs::write(&file, "{a comment} 1. CF a *").unwrap();
    let server = KgpServer::new();
    let client = server.client(&["--once", "--time", "0.01", "--record", file.to_str().unwrap()]);
    let (mut peer, _) = server.greeted();
    peer.ask(START);
    end(peer, client);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("{a comment} 1. CF a *\n[South \"Ann\"]\n"), "{text}");
    assert_eq!(AnnotatedGame::parse(&text).unwrap().len(), 2, "{text}");
}

/// The limit of a process on the size of files stands for a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn a_game_that_the_disk_has_no_room_for_leaves_the_file_whole() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games");
    let before = "1. CF a\n";
    fs::write(&file, before).unwrap();
    let server = KgpServer::new();
    let address = server.address();
    let client = Session::program(|command| {
        *command = Command::new("sh");
        let script = "trap '' XFSZ; exec prlimit --fsize=30 \"$@\"";
        command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_kalah"), "kgp", &address]);
        command.args(["--name", "Ann", "--once", "--time", "0.01", "--record"]).arg(&file);
        command.env_remove("RUST_LOG");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    });
    let (mut peer, _) = server.greeted();
    peer.ask(START);
    let errors = end(peer, client);
    assert!(errors.contains("cannot write a game: "), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

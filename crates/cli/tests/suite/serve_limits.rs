//! What `kalah serve` withstands: floods, slow clients, clients that go away, kills.

use std::io::{Read, Write};
use std::net::TcpStream;

use rustix::process::Signal;
use serde_json::json;

use crate::serve::{Serve, position, reply};

/// A board that no search solves.
const LARGE: &str = "<8,0,0,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20> S";

/// A board that is solved at once, and that no book has.
const SMALL: &str = "<3,0,0,3,3,3,3,3,3> S";

/// Longer than any test waits.
const LONG: &str = "&time=3600000";

/// A server whose searches end when they are stopped.
fn patient(arguments: &str) -> Serve {
    Serve::start(&format!("--max-time 3600000 --hash 4 {arguments}"))
}

fn search(serve: &Serve) -> TcpStream {
    serve.send(&format!("GET {}", position(LARGE, LONG)), "")
}

#[test]
fn a_search_ends_when_its_caller_goes_away() {
    let serve = patient("--workers 1");
    let [first, second] = [search(&serve), search(&serve)];
    serve.wait_for("kalah_waiting", 1.0);
    serve.wait_for("kalah_searching", 1.0);
    drop(second);
    serve.wait_for("kalah_waiting", 0.0);
    drop(first);
    serve.wait_for("kalah_searching", 0.0);
}

#[test]
fn too_many_searches_are_refused_with_a_time_to_wait() {
    let serve = patient("--workers 1 --queue 1");
    let refused = |path: &str, named: &str| {
        let reply = serve.get(path);
        assert_eq!(reply.status, 429, "{reply:?}");
        assert!(reply.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1, "{reply:?}");
        assert!(reply.json()["error"].as_str().unwrap().contains(named), "{reply:?}");
    };
    let first = search(&serve);
    serve.wait_for("kalah_searching", 1.0);
    refused(&position(SMALL, "&time=1"), "no worker was free");
    let _second = search(&serve);
    serve.wait_for("kalah_waiting", 1.0);
    refused(&position(SMALL, LONG), "too many requests wait");
    // What is known needs no worker.
    let start = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>";
    assert_eq!(serve.get(&position(start, "")).value()["source"], "book");
    drop(first);
    serve.wait_for("kalah_waiting", 0.0);
}

#[test]
fn a_client_has_so_many_searches_and_positions_a_second() {
    let serve = patient("--workers 1 --client-searches 1 --forwarded");
    let ask =
        |client: &str, path: &str| serve.ask(&format!("GET {path}\nX-Forwarded-For: {client}"), "");
    let path = position(LARGE, LONG);
    let busy = serve.send(&format!("GET {path}\nX-Forwarded-For: 192.0.2.9, 192.0.2.1"), "");
    serve.wait_for("kalah_searching", 1.0);
    let refused = ask("192.0.2.1", &position(SMALL, LONG));
    assert_eq!(refused.status, 429);
    assert!(refused.body.contains("of this client"), "{refused:?}");
    // Another one waits for the worker.
    let other =
        serve.send(&format!("GET {}\nX-Forwarded-For: 192.0.2.9", position(SMALL, LONG)), "");
    serve.wait_for("kalah_waiting", 1.0);
    drop(busy);
    assert_eq!(reply(other).value()["margin"], 2);

    let serve = Serve::start("--rate 1 --max-positions 2");
    let path = position(SMALL, "");
    let mut replies = std::iter::repeat_with(|| serve.get(&path)).take(1000);
    let refused = replies.find(|reply| reply.status != 200).expect("a rate");
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")));
    let body = json!({"positions": [{"board": SMALL}, {"board": SMALL}]}).to_string();
    assert_eq!(serve.ask("POST /v1/positions", &body).status, 429);
}

#[test]
fn slow_clients_hold_up_nobody() {
    let serve = Serve::start("");
    let slow = |text: &str| {
        let mut stream = TcpStream::connect(&serve.host).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let head = "GET /v1/position?board=";
    let body = "POST /v1/positions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{";
    let mut streams: Vec<_> = (0..100).map(|i| slow(["", head, body][i % 3])).collect();
    assert_eq!(serve.get(&position(SMALL, "")).value()["margin"], 2);
    // More than a client may have are closed at once, so that others find places.
    streams.extend((0..200).map(|_| slow("")));
    let mut last = streams.pop().unwrap();
    assert!(matches!(last.read(&mut [0]), Ok(0) | Err(_)), "it is closed");
    drop(streams);
    let answers = || {
        let mut stream = TcpStream::connect(&serve.host).ok()?;
        let request =
            format!("GET /health HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", serve.host);
        stream.write_all(request.as_bytes()).ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        text.starts_with("HTTP/1.1 200").then_some(())
    };
    // The server notices closed connections a little later.
    let found = (0..1000).find(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        answers().is_some()
    });
    assert!(found.is_some(), "the places are free again");
}

#[test]
fn what_was_solved_survives_a_kill() {
    let serve = Serve::start("--store store");
    let first = serve.get(&position(SMALL, "")).value();
    assert_eq!((&first["source"], &first["proven"]), (&json!("search"), &json!(true)));
    serve.wait_for("kalah_stored_positions", 1.0);
    let Serve { contest, mut session, .. } = serve;
    session.signal(Signal::KILL);
    assert_eq!(session.wait().status.code(), None);
    // As a system that crashes while a line is written leaves it.
    let mut text = contest.read("store");
    text += &text.clone()[..text.len() / 2];
    contest.write("store", &text);

    let serve = Serve::start_in(contest, "--store store --workers 1");
    let mut again = serve.get(&position(SMALL, "")).value();
    assert_eq!(again["source"], "store");
    again["source"] = json!("search");
    assert_eq!(again, first, "with its lines of play");
    serve.get(&position("<3,0,0,2,2,2,2,2,2>", "")).value();
    serve.wait_for("kalah_stored_positions", 2.0);
    serve.contest.refused("serve --listen 127.0.0.1:0 --store store", 1, "another process");
    let Serve { contest, mut session, .. } = serve;
    session.signal(Signal::TERM);
    let ended = session.wait();
    assert_eq!(ended.status.code(), Some(0), "{}", ended.errors);
    assert!(ended.errors.contains("incomplete"), "{}", ended.errors);
    assert_eq!(contest.read("store").lines().count(), 2);

    let serve = Serve::start_in(contest, "--store store --store-positions 2");
    serve.get(&position("<3,0,0,1,1,1,1,1,1>", "")).value();
    drop(serve.get(&position("<3,0,0,1,1,1,1,1,2>", "")).value());
    assert!((serve.metric("kalah_stored_positions") - 2.0).abs() < 0.5);
    assert_eq!(serve.contest.read("store").lines().count(), 2, "it is full");
}

#[test]
fn a_signal_ends_searches_with_their_answers() {
    let mut serve = patient("--workers 1");
    let asked = search(&serve);
    serve.wait_for("kalah_searching", 1.0);
    let waiting = search(&serve);
    serve.wait_for("kalah_waiting", 1.0);
    serve.session.signal(Signal::INT);
    let value = reply(asked).value();
    let moves = value["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    assert!(moves.iter().all(|of| of["depth"].as_u64() > Some(0)), "all were searched: {value}");
    let refused = reply(waiting);
    assert_eq!(refused.status, 503, "{refused:?}");
    assert_eq!(refused.json(), json!({"error": "the server is about to end"}));
    let ended = serve.session.wait();
    assert_eq!((ended.status.code(), ended.errors.as_str()), (Some(0), ""));
}

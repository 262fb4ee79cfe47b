//! Games that several pages share: what the server lets each of them do.

use kalah::Side;
use kalah::board::{Board, Capture};
use serde_json::{Value, json};

use crate::gui::{Gui, Page};

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";

/// The host's page in a room, its view of it, and the token of the guests.
fn open(gui: &Gui, side: &str, moves: &str) -> (Page, Value, String) {
    let mut host = gui.page();
    let game = json!({"start": START, "capture": "standard", "moves": moves, "side": side});
    let invitation = host.ask("open", json!({"key": "host-key", "name": "Ms. T", "game": game}));
    let invitation = invitation.unwrap();
    let (_, token) = invitation["link"].as_str().unwrap().split_once("/?token=").unwrap();
    let view = host.room();
    assert_eq!(view["code"], invitation["code"]);
    (host, view, token.to_owned())
}

fn guest(gui: &Gui, token: &str, key: &str) -> (Page, Value) {
    let origin = format!("http://{}", gui.host);
    let mut page = gui.try_page(token, Some(&origin)).unwrap();
    page.hello = page.next();
    page.ask("enter", json!({"key": key, "name": key})).unwrap();
    let view = page.room();
    (page, view)
}

fn play(page: &mut Page, ply: usize, mv: &str) -> Result<Value, String> {
    page.ask("room", json!({"act": {"play": {"ply": ply, "move": mv}}}))
}

#[test]
fn two_pages_play_one_game_and_nobody_moves_for_the_other() {
    let gui = Gui::start("");
    let (mut host, view, token) = open(&gui, "S", "");
    assert_eq!((&view["host"], &view["side"]), (&json!(true), &json!("S")));
    let (mut other, view) = guest(&gui, &token, "guest-key-1");
    assert_eq!((&view["host"], &view["side"]), (&json!(false), &json!("N")));
    assert_eq!(other.hello["guest"], true);
    let (mut third, view) = guest(&gui, &token, "guest-key-2");
    assert_eq!(view["side"], Value::Null);
    let view = host.room_until(|view| view["watching"] == json!(["guest-key-2"]));
    assert_eq!(view["seats"][1], json!({"name": "guest-key-1", "here": true, "host": false}));

    // Whoever is not to move, sends an illegal move, or has missed a move, is refused.
    let turn = "it is the other player's turn";
    assert_eq!(play(&mut other, 0, "c").unwrap_err(), turn);
    assert_eq!(play(&mut other, 0, "C").unwrap_err(), turn);
    assert_eq!(play(&mut third, 0, "C").unwrap_err(), "only players may do this");
    for wrong in ["G", "c", "", "CF", "é", "\0"] {
        assert!(play(&mut host, 0, wrong).is_err(), "{wrong}");
    }
    assert!(play(&mut host, 1, "C").unwrap_err().contains("meanwhile"));
    let mut board = Board::from_fen(START, Capture::Standard).unwrap();
    let mut moves = String::new();
    for ply in 0.. {
        let Some(mv) = board.moves().last() else { break };
        let page = if mv.side == Side::South { &mut host } else { &mut other };
        play(page, ply, &mv.to_string()).unwrap();
        board.play(mv).unwrap();
        moves.push(mv.letter());
        for page in [&mut host, &mut other, &mut third] {
            page.room_until(|view| view["moves"] == json!(moves));
        }
    }
    assert!(board.result().is_some());
    assert_eq!(play(&mut host, moves.len(), "A").unwrap_err(), "the game is over");
}

#[test]
fn moves_are_taken_back_when_the_other_grants_it_and_seats_are_kept() {
    let gui = Gui::start("");
    let (mut host, _, token) = open(&gui, "S", "CF");
    let (mut other, view) = guest(&gui, &token, "guest-key-1");
    assert_eq!(view["moves"], "CF");
    play(&mut other, 2, "b").unwrap();
    let ask = json!({"act": "ask"});
    other.ask("room", ask.clone()).unwrap();
    host.room_until(|view| view["asks"] == "N");
    let answer = |grant| json!({"act": {"answer": {"grant": grant}}});
    assert!(other.ask("room", answer(true)).is_err(), "one's own question");
    host.ask("room", answer(false)).unwrap();
    assert_eq!(host.room_until(|view| view["asks"].is_null())["moves"], "CFb");
    other.ask("room", ask.clone()).unwrap();
    host.ask("room", answer(true)).unwrap();
    assert_eq!(host.room_until(|view| view["asks"].is_null())["moves"], "CF");
    assert!(other.ask("room", ask).is_err(), "North has made no move");
    // A page that comes back sits where it sat, whoever has come meanwhile.
    drop(other);
    host.room_until(|view| view["seats"][1]["here"] == false);
    let (_third, view) = guest(&gui, &token, "guest-key-2");
    assert_eq!(view["side"], Value::Null);
    let (mut other, view) = guest(&gui, &token, "guest-key-1");
    assert_eq!((&view["side"], &view["moves"]), (&json!("N"), &json!("CF")));
    // The host comes back to its room too, or gives the seat of somebody who does not to others.
    drop(host);
    let mut host = gui.page();
    assert!(host.ask("enter", json!({"key": "another-key", "name": ""})).is_err());
    host.ask("enter", json!({"key": "host-key", "name": ""})).unwrap();
    assert_eq!(host.room()["side"], "S");
    host.ask("room", json!({"act": {"free": {"side": "N"}}})).unwrap();
    assert_eq!(other.room_until(|view| view["side"].is_null())["seats"][1]["name"], "guest-key-2");
    // A new game that cannot begin leaves this one as it is.
    let wrong = json!({"start": START, "capture": "empty", "moves": "", "side": "X"});
    assert!(host.ask("room", json!({"act": {"begin": wrong}})).is_err());
    host.ask("room", json!({"act": "resign"})).unwrap();
    assert_eq!(other.room_until(|view| view["resigned"] == "S")["moves"], "CF");
    assert_eq!(play(&mut host, 2, "A").unwrap_err(), "the game is over");
    // The next game in the same room; the host takes the other side.
    let game = json!({"start": START, "capture": "empty", "moves": "", "side": "N"});
    host.ask("room", json!({"act": {"begin": game}})).unwrap();
    let view = other.room_until(|view| view["capture"] == "empty");
    assert_eq!((&view["resigned"], &view["seats"][1]["host"]), (&Value::Null, &json!(true)));
}

#[test]
fn guests_have_their_room_and_nothing_else() {
    let gui = Gui::start("");
    let (mut host, view, token) = open(&gui, "S", "");
    let code = view["code"].as_str().unwrap().to_owned();
    let (mut other, _) = guest(&gui, &token, "guest-key-1");
    // The code leads to the page of guests, whose token opens nothing of the server's.
    let get = |path: &str| gui.get(path, &[("Host", &gui.host)]);
    let (status, reply) = get(&format!("/{}", code.to_lowercase()));
    assert_eq!(status, 303);
    assert!(reply.contains(&format!("location: /?token={token}\r\n")), "{reply}");
    assert!(!reply.contains(&gui.token));
    assert_eq!(get(&format!("/?token={token}")).0, 200);
    for _ in 0..30 {
        assert_eq!(get("/AAAA").0, 404);
    }
    assert_eq!(get(&format!("/{code}")).0, 429, "codes are not found by trying");

    assert_eq!(other.hello["own"], false);
    for (verb, fields) in [
        ("quit", json!({})),
        ("close", json!({})),
        (
            "open",
            json!({"key": "guest-key-1", "name": "", "game": {"start": START, "capture": "standard", "moves": "", "side": "S"}}),
        ),
        ("room", json!({"act": {"lock": {"locked": true}}})),
        ("room", json!({"act": {"free": {"side": "S"}}})),
        (
            "room",
            json!({"act": {"begin": {"start": START, "capture": "standard", "moves": "", "side": "S"}}}),
        ),
        ("room", json!({"act": "destroy"})),
        ("enter", json!({"key": "x", "name": ""})),
    ] {
        assert!(other.ask(verb, fields).is_err(), "{verb}");
    }
    // An engine of their own, until the host locks the room.
    let start = json!({"engine": 0, "name": "analysis"});
    other.ask("start", start.clone()).unwrap();
    assert!(other.ask("start", json!({"engine": 0, "name": "b"})).is_err());
    // The engine does not get those of memory and threads, whatever stands before the name.
    for line in [
        "setoption name Threads value none",
        "\u{feff}setoption name Hash value none",
        "setoption name Skill Level value none",
    ] {
        other.ask("send", json!({"name": "analysis", "line": line})).unwrap();
    }
    let refusal = other.line("analysis", "info string error");
    assert!(refusal.contains("Skill Level"), "{refusal}");
    host.ask("room", json!({"act": {"lock": {"locked": true}}})).unwrap();
    other.room_until(|view| view["locked"] == true);
    assert_eq!(other.ask("start", start).unwrap_err(), "the game is locked");
    play(&mut host, 0, "A").unwrap();
    assert_eq!(play(&mut other, 1, "a").unwrap_err(), "the game is locked");
    host.ask("room", json!({"act": {"lock": {"locked": false}}})).unwrap();
    play(&mut other, 1, "a").unwrap();
    // Another room is another game.
    let mut second = gui.page();
    let game = json!({"start": START, "capture": "standard", "moves": "", "side": null});
    let invitation = second.ask("open", json!({"key": "second-host", "name": "", "game": game}));
    assert_ne!(invitation.unwrap()["code"], json!(code));
    assert_eq!(second.room()["moves"], "");
    // The end of the room.
    host.ask("close", json!({})).unwrap();
    other.room_until(|view| view["code"].is_null());
    assert!(play(&mut other, 2, "A").is_err());
    let origin = format!("http://{}", gui.host);
    assert_eq!(gui.try_page(&token, Some(&origin)).err().expect("no such room"), 403);
}

#[test]
fn a_room_has_limits() {
    let gui = Gui::start("");
    let (_host, _, token) = open(&gui, "S", "");
    let origin = format!("http://{}", gui.host);
    let mut guests = Vec::new();
    while let Ok(mut page) = gui.try_page(&token, Some(&origin)) {
        page.hello = page.next();
        let key = format!("guest-key-{}", guests.len());
        let entered = page.ask("enter", json!({"key": key, "name": "x".repeat(1000)}));
        assert_eq!(entered.is_ok(), guests.len() < 63, "{}", guests.len());
        guests.push(page);
        assert!(guests.len() < 1000);
    }
    // The server's own pages are not among them.
    let mut page = gui.page();
    let game =
        json!({"start": START, "capture": "standard", "moves": "A".repeat(200_000), "side": null});
    assert!(page.ask("open", json!({"key": "another-host", "name": "", "game": game})).is_err());
    // A message of a guest is shorter than one of the host.
    let mut large = guests.pop().unwrap();
    let _ = large.socket.send(tungstenite::Message::text("x".repeat(1 << 17)));
    while let Ok(message) = large.socket.read() {
        assert!(message.is_close() || message.is_text(), "{message}");
    }
}

//! What the server of `kalah gui` answers: positions, games, reviews, and requests that are none.

use kalah::board::{Board, Capture, RuleSet, Rules};
use kalah_fair::fair_starts;
use kalah_games::AnnotatedGame;
use kalah_page::position_json;
use serde_json::{Value, json};
use tungstenite::Message;

use crate::contest::Contest;
use crate::gui::Gui;

#[test]
fn messages_that_are_none_are_answered_by_errors() {
    let gui = Gui::start("");
    let mut page = gui.page();
    let bad = [
        "",
        "{",
        "null",
        "[]",
        "7",
        "\"quit\"",
        "{}",
        r#"{"id":1}"#,
        r#"{"id":1,"do":"delete"}"#,
        r#"{"id":1,"do":7}"#,
        r#"{"id":1,"do":"replay"}"#,
        r#"{"id":{"a":[1]},"do":"replay","capture":"some","moves":""}"#,
        r#"{"id":1,"do":"replay","capture":"standard","moves":"","start":"<6,1> S"}"#,
        r#"{"id":1,"do":"replay","capture":"standard","moves":"","houses":99}"#,
        r#"{"id":1,"do":"replay","capture":"standard","moves":"","seeds":-1}"#,
        r#"{"id":1,"do":"replay","capture":"standard","moves":"Ã"}"#,
        r#"{"id":1,"do":"replay","capture":"standard","moves":"AG"}"#,
        r#"{"id":1,"do":"start","engine":7,"name":"x"}"#,
        r#"{"id":1,"do":"send","name":"x","line":"uci"}"#,
        &"[".repeat(100_000),
    ];
    for message in bad {
        page.send(message);
        let reply = page.next();
        let error = reply["error"].as_str().expect(message);
        assert!(!error.is_empty() && error.len() < 1000, "{message:.80}: {error}");
        assert!(!["enum", "ident", "EOF"].iter().any(|word| error.contains(word)), "{error}");
    }
    page.socket.send(Message::binary(vec![0; 100])).unwrap();
    assert_eq!(page.next()["error"], "messages are text");
    assert!(page.ask("start", json!({"engine": 0, "name": "with a zero: \0"})).is_ok());
    for (seeds, allowed) in [
        (json!(0), "a game begins with at least 1 in each"),
        (json!(6.5), "expected a whole number of at least 0, not 6.5"),
    ] {
        let wrong = json!({"capture": "standard", "moves": "", "seeds": seeds});
        let answer = page.ask("replay", wrong);
        assert!(answer.as_ref().is_err_and(|error| error.contains(allowed)), "{answer:?}");
    }
    let line = page.ask("replay", json!({"capture": "standard", "moves": "A".repeat(200_000)}));
    assert!(line.is_err_and(|error| error.contains("at most")));

    let mut large = gui.page();
    let _ = large.socket.send(Message::text("x".repeat(2 << 20)));
    while let Ok(message) = large.socket.read() {
        assert!(message.is_close(), "{message}");
    }
    assert!(page.ask("replay", json!({"capture": "standard", "moves": ""})).is_ok());
}

#[test]
fn fair_starts_are_those_of_the_library() {
    let gui = Gui::start("");
    let mut page = gui.page();
    for capture in Capture::ALL {
        let rules = Rules::new(6, capture).unwrap();
        let known: Vec<String> = fair_starts(rules, 4).iter().map(Board::fen).collect();
        let wanted = json!({"houses": 6, "seeds": 4, "capture": capture.name()});
        assert_eq!(page.ask("fair", wanted).unwrap()["boards"], json!(known));
    }
    let none = json!({"houses": 12, "seeds": 42, "capture": "standard"});
    assert_eq!(page.ask("fair", none).unwrap()["boards"], json!([]));
    let wrong = json!({"houses": 13, "seeds": 4, "capture": "standard"});
    assert!(page.ask("fair", wrong).is_err_and(|error| error.contains("13")));
}

#[test]
fn positions_are_those_of_the_rules() {
    let gui = Gui::start("");
    let mut page = gui.page();
    for rule_set in RuleSet::ALL {
        let start = "<4,1,2,3,0,5,1,2,9,0,1> N";
        let mut board = Board::from_fen(start, rule_set).unwrap();
        let mut positions = vec![board];
        let mut moves = String::new();
        while let Some(mv) = board.moves().last() {
            board.play(mv).unwrap();
            positions.push(board);
            moves.push(mv.letter());
        }
        let line = json!({"start": start, "capture": rule_set.name(), "moves": moves});
        let reply = page.ask("replay", line).unwrap();
        let expected: Vec<Value> = positions.iter().map(position_json).collect();
        assert_eq!(reply["positions"], json!(expected));
        let last = &reply["positions"][positions.len() - 1];
        assert_eq!(last["result"], json!(board.result().unwrap()));
        assert_eq!(last["moves"], json!([]));
    }
}

#[test]
fn games_of_relay_sowing_are_read_written_and_explained() {
    let text = "[Board \"6x4\"]\n[Sowing \"relay\"]\n\n1. C *\n";
    let contest = Contest::new();
    contest.write("game.txt", text);
    let gui = Gui::start_in(contest, "--port 0 game.txt");
    let mut page = gui.page();
    let read = page.ask("read", json!({"text": text, "capture": "standard"})).unwrap();
    let game = &read["games"][0];
    assert_eq!((&game["capture"], &game["sowing"]), (&json!("standard"), &json!("relay")));
    assert_eq!(page.hello["game"], *game);
    let written = page.ask("write", json!({"game": game})).unwrap();
    assert!(written["text"].as_str().unwrap().contains("[Sowing \"relay\"]"), "{written}");
    // What the text does not say, the request does.
    let read = page.ask("read", json!({"text": "C", "capture": "relay"})).unwrap();
    assert_eq!(read["games"][0]["sowing"], "relay");
    // A ends in C, sows on to a and to C again: no seed is stored. C ends in a and then in the store.
    let lines = json!({"board": "<3,0,0,1,0,2,2,1,0> S", "capture": "relay", "best": "C", "played": "A", "loss": 2});
    assert!(page.ask("explain", lines).unwrap()["why"]["text"].is_string());
    let unknown = page.ask("replay", json!({"capture": "pie", "moves": ""})).unwrap_err();
    assert_eq!(unknown, "unknown rules 'pie', expected one of standard, empty, relay");
}

#[test]
fn a_review_that_fails_says_why() {
    let gui = Gui::start("");
    let mut page = gui.page();
    let start = "<6,0,0,40,40,40,40,40,40,40,40,40,40,40,40>";
    let game = AnnotatedGame::new(Board::from_fen(start, Capture::Standard).unwrap());
    let request = json!({"id": 1, "do": "review", "game": game, "limit": {"exact": true}});
    page.send(&request.to_string());
    // Its progress comes before.
    let error = loop {
        if let Some(error) = page.next()["error"].as_str() {
            break error.to_owned();
        }
    };
    assert!(error.starts_with("ply 1: too many seeds to solve: 480 "), "{error}");
}

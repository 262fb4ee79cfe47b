//! Games as text in the manner of PGN.

use std::collections::BTreeMap;

use kalah::arena::{PartialPlayerSettings, PlayerSettings};
use kalah::board::{Board, Capture, Side};
use serde_json::json;

use crate::command_line::assert_refused;
use crate::records::{Folder, changed, games, read};

/// A game as its text is read again: tags, the plies of each turn, and the comments.
struct Text {
    tags: BTreeMap<String, String>,
    turns: Vec<String>,
    thoughts: Vec<String>,
    result: String,
}

fn parse(text: &[String]) -> Text {
    let tag = |line: &String| {
        let (name, value) = line.strip_prefix('[').unwrap().split_once(' ').unwrap();
        let mut chars = value.strip_prefix('"').unwrap().strip_suffix("\"]").unwrap().chars();
        let mut value = String::new();
        while let Some(char) = chars.next() {
            assert_ne!(char, '"', "{line}");
            value.push(if char == '\\' { chars.next().unwrap() } else { char });
        }
        (name.to_owned(), value)
    };
    let empty = text.iter().position(String::is_empty).unwrap();
    let mut parsed = Text {
        tags: text[..empty].iter().map(tag).collect(),
        turns: Vec::new(),
        thoughts: Vec::new(),
        result: String::new(),
    };
    let movetext = text[empty + 1..].join(" ");
    let mut rest = movetext.as_str();
    let mut number = 1;
    while !rest.is_empty() {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix('{') {
            let (comment, after) = comment.split_once('}').unwrap();
            let plies = parsed.turns.last().unwrap().len();
            let thoughts = comment.split("; ").map(str::to_owned);
            assert_eq!(thoughts.clone().count(), plies, "{comment}");
            parsed.thoughts.extend(thoughts);
            rest = after;
            continue;
        }
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after;
        let is_first = parsed.turns.is_empty();
        if let Some(stated) = word.strip_suffix("...").filter(|_| is_first) {
            assert_eq!(stated, "1");
        } else if let Some(stated) = word.strip_suffix('.') {
            number += u32::from(!is_first);
            assert_eq!(stated, number.to_string(), "{movetext}");
        } else if word.contains('-') {
            assert_eq!(rest, "", "{movetext}");
            word.clone_into(&mut parsed.result);
        } else {
            parsed.turns.push(word.to_owned());
        }
    }
    parsed
}

#[test]
fn the_text_of_a_game_can_be_read_back() {
    let folder = Folder::new();
    let mut north_begins = false;
    for capture in Capture::ALL {
        let rule = capture.to_string();
        let path = folder.play(&rule, &["--capture", &rule, "--houses", "4"]);
        let lines = games(&path, &["--format", "pgn"]);
        assert!(lines.iter().all(|line| line.starts_with('[') || line.len() < 80), "{lines:#?}");
        let blocks: Vec<&[String]> = lines.split(String::is_empty).collect();
        let records = read(&path);
        assert_eq!(blocks.len(), 2 * records.len() + 1);
        for (block, game) in blocks.chunks(2).zip(records) {
            let text = parse(&[block[0], &[String::new()], block[1]].concat());
            let tag = |name: &str| text.tags[name].as_str();
            assert_eq!(tag("South"), game.south.player.name);
            assert_eq!(tag("North"), game.north.player.name);
            assert_eq!(tag("Round"), game.round.to_string());
            assert_eq!(tag("Reason"), "played out");
            assert_eq!(tag("Date").len() + tag("Time").len(), 18);
            assert_eq!([tag("Result"), &text.result], [&game.result.to_string(); 2]);
            let settings: PartialPlayerSettings = tag("SouthSettings").parse().unwrap();
            let settings =
                PlayerSettings::new(settings, &PartialPlayerSettings::default()).unwrap();
            assert_eq!(settings, game.south.player);
            let mut board = Board::from_fen(tag("FEN"), tag("Capture").parse().unwrap()).unwrap();
            assert_eq!(tag("Houses"), board.rules().houses().to_string());
            north_begins |= board.side() == Side::North;
            for turn in &text.turns {
                let side = board.side();
                assert!(turn.chars().all(|c| c.is_ascii_uppercase() == (side == Side::South)));
                board.play_moves(turn).unwrap();
                assert!(board.is_over() || board.side() != side, "a turn is all of a turn");
            }
            assert_eq!(Some(&board), game.boards().unwrap().last());
            assert_eq!(tag("Margin"), format!("{:+}", board.result().unwrap()));
            for (thought, ply) in text.thoughts.iter().zip(&game.moves) {
                let time = format!("{:.3}s", ply.time / 1e3);
                let score = format!("{:+.2}", f64::from(ply.score.unwrap()) / 100.0);
                let said = format!("{score}/{} {time}", ply.depth.unwrap());
                assert_eq!(thought.trim_start_matches(['=', '<', '>']), said);
            }
        }
    }
    assert!(north_begins);
}

#[test]
fn a_game_lost_by_a_move_against_the_rules_can_be_shown() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &["--shard", "1/12"]);
    let faulty = changed(&path, 1, |game| {
        let moves = game["moves"].as_array_mut().unwrap();
        moves.truncate(3);
        moves.push(json!({ "move": "L", "time": 1.0 }));
        game["reason"] = json!("illegal move");
        game["detail"] = json!("there is no\nhouse \"L\"");
        game.as_object_mut().unwrap().remove("margin");
    });
    let faulty = folder.write("faulty.jsonl", faulty);
    let text = games(&faulty, &["--format", "pgn", "--reason", "illegal move"]).join("\n");
    assert!(text.contains(r#"[Detail "there is no house \"L\""]"#), "{text}");
    assert!(text.contains("[Margin \"-\"]") && !text.contains(" L "), "{text}");
    assert!(games(&faulty, &["--format", "board"]).join("\n").contains("illegal move: there is"));

    let impossible = changed(&path, 1, |game| game["moves"][2]["move"] = json!("L"));
    let impossible = folder.write("impossible.jsonl", impossible);
    for format in ["board", "pgn"] {
        assert_refused(&["games", &impossible, "--format", format], 1, "game 1: move 3");
    }
}

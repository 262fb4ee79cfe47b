//! Games as text and as JSON: written, read back, and refused where they are wrong.

use fastrand::Rng;
use kalah::board::{Board, Capture, MAX_HOUSES, Rules};
use kalah::printable::is_printable;
use kalah_games::{AnnotatedGame, GameOutcome, MAX_VARIATION_DEPTH, Ply};
use kalah_records::{PartialPlayerSettings, PlayerSettings, games_from_text};
use serde_json::json;

use crate::command_line::assert_refused;
use crate::records::{Folder, changed, games, read, run};
use crate::session::Session;

/// Characters that mean something to a reader, a terminal or a page, and some that do not.
const CHARACTERS: &str =
    "ab {}()[]<>\"'\\;*%.!1-0/n\n\r\t\0\u{1b}\u{7f}\u{9b}\u{a0}\u{202e}\u{feff}é中🎲";

fn random_text(rng: &mut Rng) -> String {
    let characters: Vec<char> = CHARACTERS.chars().collect();
    let length = [0, 1, 2, 8, 200][rng.usize(..5)];
    let mut text: String = (0..length).map(|_| characters[rng.usize(..characters.len())]).collect();
    for part in ["\\u{1b}", "  ", "\\n", "1-0 "] {
        if rng.u32(..8) == 0 {
            text.push_str(part);
        }
    }
    text
}

fn random_line(rng: &mut Rng, mut board: Board, depth: usize, plies: usize) -> Vec<Ply> {
    let mut line = Vec::new();
    for _ in 0..plies {
        let moves: Vec<_> = board.moves().collect();
        if moves.is_empty() {
            break;
        }
        let before = board;
        let mut ply = Ply::from(moves[rng.usize(..moves.len())]);
        board.play(ply.mv).unwrap();
        if rng.u32(..5) == 0 {
            ply.comment = Some(random_text(rng));
        }
        while depth < 3 && rng.u32(..8) == 0 {
            let plies = rng.usize(1..6);
            ply.variations.push(random_line(rng, before, depth + 1, plies));
        }
        line.push(ply);
    }
    line
}

/// A game with comments and variations; half of them begin in the middle of another.
fn random_game(rng: &mut Rng) -> AnnotatedGame {
    let capture = Capture::ALL[rng.usize(..2)];
    let rules = Rules::new(rng.usize(1..=MAX_HOUSES), capture).unwrap();
    let mut start = Board::start(rules, rng.u16(1..=8)).unwrap();
    let plies = [0, 5][rng.usize(..2)];
    for ply in random_line(rng, start, 3, plies) {
        start.play(ply.mv).unwrap();
    }
    let mut game = AnnotatedGame::new(start);
    for name in ["Event", "South", "Date", "A_1"] {
        if rng.bool() {
            game.set_tag(name, random_text(rng));
        }
    }
    if rng.bool() {
        game.comment = Some(random_text(rng));
    }
    let plies = [0, 3, 400][rng.usize(..3)];
    game.moves = random_line(rng, start, 0, plies);
    let end = game.end();
    game.result = match end.result() {
        Some(_) => GameOutcome::from_board(&end),
        None => ["1-0", "0-1", "1/2-1/2", "*"][rng.usize(..4)].parse().unwrap(),
    };
    game
}

/// The game as it is read: without empty comments, with the players first.
fn normal(game: &AnnotatedGame) -> AnnotatedGame {
    fn without_empty(line: &mut [Ply]) {
        for ply in line {
            ply.comment.take_if(|comment| comment.is_empty());
            ply.variations.iter_mut().for_each(|line| without_empty(line));
        }
    }
    let mut game = game.clone();
    game.comment.take_if(|comment| comment.is_empty());
    without_empty(&mut game.moves);
    game.tags.sort_by_key(|(name, _)| name != "South");
    game
}

#[test]
fn what_was_written_is_read_back() {
    let mut rng = Rng::with_seed(21);
    for number in 0..600 {
        let several: Vec<AnnotatedGame> =
            (0..rng.usize(1..4)).map(|_| random_game(&mut rng)).collect();
        let text = several.iter().map(AnnotatedGame::to_string).collect::<Vec<_>>().join("\n");
        assert!(text.chars().all(|c| c == '\n' || is_printable(c)), "{text}");
        let read =
            AnnotatedGame::parse(&text).unwrap_or_else(|error| panic!("{number}: {error}\n{text}"));
        let normal: Vec<AnnotatedGame> = several.iter().map(normal).collect();
        assert_eq!(read, normal, "{text}");
        let again = read.iter().map(AnnotatedGame::to_string).collect::<Vec<_>>().join("\n");
        assert_eq!(again, text);
        // With the ends of lines of another system.
        assert_eq!(AnnotatedGame::parse(&text.replace('\n', "\r\n")).unwrap(), normal);
        for game in &read {
            let json = serde_json::to_string(game).unwrap();
            assert_eq!(&serde_json::from_str::<AnnotatedGame>(&json).unwrap(), game);
            assert_eq!(&games_from_text(&json, Capture::Standard).unwrap()[0], game);
        }
        assert_eq!(games_from_text(&text, Capture::Standard).unwrap(), read);
    }
}

#[test]
fn people_write_games_in_many_ways() {
    let canonical = "[South \"Ann\"]\n[Board \"6x4\"]\n[Capture \"standard\"]\n[Result \"*\"]\n\n\
        {before} 1. C {short} F (1. A) (1. B b (1... c) 2. C) 1... a 2. A *\n";
    for text in [
        canonical,
        "[South \"Ann\"]{before}1.C;short\nF(1.A)(1.B b(1...c)2.C)1...a A",
        "; before\r\n[ South\t\"Ann\" ] C { short\n} F (A) (B b (c) C) a 7. A *",
        "\u{feff}{ before }\n[South \"Ann\"] C {short} F (A) (B b (c) C) a A *",
    ] {
        let read = AnnotatedGame::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(read.iter().map(AnnotatedGame::to_string).collect::<String>(), canonical);
    }
    // The result of a finished board, or that of the tag.
    let ends = |text: &str| AnnotatedGame::parse(text).unwrap()[0].result;
    assert_eq!(ends("[Board \"1x2\"] A"), GameOutcome::North);
    assert_eq!(ends("[Result \"0-1\"] A"), GameOutcome::North);
    assert_eq!(AnnotatedGame::parse("C * F 1-0 {x} A *").unwrap().len(), 3);
    assert_eq!(AnnotatedGame::parse(" \n").unwrap(), []);
}

#[test]
fn the_examples_of_the_page_are_games() {
    let page = include_str!("../../../../docs/formats/games.md");
    let block = |start: &str| page.split_once(start).unwrap().1.split_once("```").unwrap().0;
    let text = block("## Games as text\n\n```text\n");
    let read = AnnotatedGame::parse(text).unwrap();
    assert_eq!(read[0].to_string(), text);
    let json = games_from_text(block("```json\n"), Capture::Standard).unwrap();
    assert_eq!((json[0].moves.len(), json[0].tag("North")), (2, Some("Bob")));
}

#[test]
fn a_wrong_text_has_a_place_and_an_expectation() {
    let deep = "A (".repeat(MAX_VARIATION_DEPTH + 1);
    for (text, line, column, expected) in [
        ("[South \"a]\n1. A *", 1, 11, "expected '\"'"),
        ("[South a]", 1, 8, "'a', expected '\"'"),
        ("[\"a\"]", 1, 2, "the name of a tag"),
        ("[South \"a\" A", 1, 12, "'A', expected ']'"),
        ("[A \"a\"]\n[A \"b\"]", 2, 1, "the tag A is given twice"),
        ("[Board \"six\"]", 1, 1, "[Board \"6x4\"]"),
        ("[Board \"13x4\"]", 1, 1, "1 to 12"),
        ("[Capture \"none\"]", 1, 1, "expected standard or empty"),
        ("[Start \"<2,1>\"]", 1, 1, "7 fields"),
        ("[Board \"3x1\"]\n[Start \"<2,0,0,1,1,1,1>\"]", 2, 1, "the tag Board says 3"),
        ("[Result \"won\"]", 1, 1, "expected 1-0"),
        ("[Result \"1-0\"] A 0-1", 1, 1, "says 1-0"),
        ("1. C\n b", 2, 2, "not to move, expected a move of South: A B D E F"),
        (
            "CFFb",
            1,
            3,
            "house F belongs to the player who is not to move, expected a move of North",
        ),
        ("AaA", 1, 3, "house A is empty, expected a move of South: B C D E F"),
        ("1. CG", 1, 5, "no house G"),
        ("1. Z", 1, 4, "'Z' is not a move"),
        ("A 1-1", 1, 3, "'1-1', expected the number of a turn or a result"),
        ("{never closed", 1, 1, "a comment without its '}'"),
        ("1. C {é中} !", 1, 11, "'!', expected a move, a comment, a variation or a result"),
        ("1. (C) *", 1, 4, "a variation without a move"),
        ("1. C () *", 1, 7, "an empty variation"),
        ("1. C (A", 1, 8, "within a variation, expected ')'"),
        ("1. C (A *)", 1, 9, "within a variation, expected ')'"),
        ("1. C ) *", 1, 6, "')', expected a move"),
        ("\u{1b}[2J", 1, 1, "'\\u{1b}', expected"),
        ("{only a comment}", 1, 17, "expected tags, a move or a result"),
        ("[Board \"1x2\"] Aa", 1, 16, "expected a result"),
        (&deep, 1, 3 * MAX_VARIATION_DEPTH + 3, "nested more than 32 deep"),
    ] {
        let error = AnnotatedGame::parse(text).expect_err(text);
        assert!(error.what.contains(expected), "{text}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        assert!(error.to_string().chars().all(is_printable));
    }
}

#[test]
fn games_come_in_many_forms() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &["--shard", "1/12"]);
    let text = std::fs::read_to_string(&path).unwrap();
    let from_records = games_from_text(&text, Capture::Empty).unwrap();
    let from_text = games(&path, &["--format", "pgn"]).join("\n");
    assert_eq!(games_from_text(&from_text, Capture::Empty).unwrap(), from_records);
    assert_eq!(from_records.len(), read(&path).len());
    let array = serde_json::to_string_pretty(&from_records).unwrap();
    assert_eq!(games_from_text(&array, Capture::Empty).unwrap(), from_records);

    let letters = games_from_text("\n cf\nBb", Capture::Empty);
    assert_eq!(letters.unwrap_err().to_string(), "line 3, column 2: house b is empty");
    let letters = games_from_text("cfb", Capture::Empty).unwrap();
    assert_eq!(letters[0].moves.len(), 3);
    assert_eq!(letters[0].start.rules().capture(), Capture::Empty);
    let boards = games_from_text("<1,0,0,1,1>\n\n<1,0,0,2,1> N\n", Capture::Standard).unwrap();
    assert_eq!(boards[1].start.fen(), "<1,0,0,2,1> N");
    for (text, line, expected) in [
        ("{\"start\":\n7}", 2, "not a game: invalid type: integer `7`"),
        (
            "{\"start\":\"<1,0,0,1,1>\",\n\"moves\":[{\"move\":\"B\"}]}",
            1,
            "move 1: the board has no house B",
        ),
        ("\n[{\"start\":\"<1>\",\"moves\":[]}]", 2, "not games: a board of 1 house"),
        (
            "{\"start\":\"<1,0,0,1,1>\",\"tags\":{\"Sowing\":\"relay\"},\"moves\":[]}",
            1,
            "the tag Sowing is not 'single'",
        ),
        ("{\"moves\"", 1, "not JSON"),
        ("<1,0,0,1,1>\n<1>", 2, "fields"),
        ("CFZ", 1, "'Z' is not a move"),
        ("what is this?", 1, "not a move"),
    ] {
        let error = games_from_text(text, Capture::Standard).expect_err(text);
        assert!(error.line == line && error.what.contains(expected), "{text}: {error}");
    }
}

#[test]
fn the_text_of_a_recorded_game_says_what_the_record_does() {
    let folder = Folder::new();
    let mut north_begins = false;
    for capture in Capture::ALL {
        let rule = capture.to_string();
        let path = folder.play(&rule, &["--capture", &rule, "--houses", "4"]);
        let lines = games(&path, &["--format", "pgn"]);
        assert!(lines.iter().all(|line| line.starts_with('[') || line.len() < 80), "{lines:#?}");
        let texts = AnnotatedGame::parse(&lines.join("\n")).unwrap();
        let records = read(&path);
        assert_eq!(texts.len(), records.len());
        for (text, game) in texts.iter().zip(records) {
            let tag = |name: &str| text.tag(name).unwrap();
            assert_eq!(tag("South"), game.south.player.name);
            assert_eq!(tag("North"), game.north.player.name);
            assert_eq!(tag("Round"), game.round.to_string());
            assert_eq!(tag("Reason"), "played out");
            assert_eq!(tag("Date").len() + tag("Time").len(), 18);
            assert_eq!(text.result.to_string(), game.result.to_string());
            let settings: PartialPlayerSettings = tag("SouthSettings").parse().unwrap();
            let settings =
                PlayerSettings::new(settings, &PartialPlayerSettings::default()).unwrap();
            assert_eq!(settings, game.south.player);
            assert_eq!(text.start.rules().capture(), capture);
            north_begins |= text.start.side() == kalah::Side::North;
            assert_eq!(text.boards().collect::<Vec<_>>(), game.boards().unwrap());
            assert_eq!(tag("Margin"), format!("{:+}", text.end().result().unwrap()));
            for (ply, recorded) in text.moves.iter().zip(&game.moves) {
                let time = format!("{:.3}s", recorded.time / 1e3);
                let score = format!("{:+.2}", f64::from(recorded.score.unwrap()) / 100.0);
                let said = format!("{score}/{} {time}", recorded.depth.unwrap());
                let comment = ply.comment.as_deref().unwrap();
                assert_eq!(comment.trim_start_matches(['=', '<', '>']), said);
            }
        }
    }
    assert!(north_begins);
}

#[test]
fn text_games_are_shown_like_recorded_ones() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &["--shard", "1/12"]);
    let text = folder.write("a.txt", games(&path, &["--format", "pgn"]).join("\n") + "\n");
    assert_eq!(games(&text, &["--format", "pgn"]), games(&path, &["--format", "pgn"]));
    let json = folder.write("a.json", games(&text, &["--format", "json"]).join("\n"));
    assert_eq!(games(&json, &["--format", "pgn"]), games(&path, &["--format", "pgn"]));
    let columns = |path: &str, more: &[&str]| -> Vec<Vec<String>> {
        let words = |line: String| line.split_whitespace().skip(1).map(str::to_owned).collect();
        games(path, more).into_iter().map(words).collect()
    };
    assert_eq!(columns(&text, &[]), columns(&path, &[]));
    for filter in ["win", "draw", "loss"] {
        let filters = ["--player", "negascout", "--result", filter, "--reason", "played out"];
        assert_eq!(columns(&text, &filters), columns(&path, &filters));
    }
    assert_eq!(games(&text, &["--game", "2"]).len(), 2);
    assert_eq!(games(&text, &["--format", "csv"]).len(), 1 + read(&path).len());
    let boards = games(&text, &["--format", "board", "--game", "1"]).join("\n");
    assert!(boards.contains("Game over") && boards.contains(" played out"), "{boards}");
    let wrong = folder.write("wrong.txt", "1. CF\nx *\n");
    assert_refused(&["games", &wrong], 1, "wrong.txt', line 2, column 1: 'x' is not a move");
    let letters = folder.write("letters.txt", "CF b\n");
    assert_eq!(games(&letters, &["--format", "pgn"]).last().unwrap(), "1. CF b *");
    // What the game does not say is a dash in the list, and an empty cell.
    assert_eq!(columns(&letters, &[])[1][..6], ["-", "-", "-", "*", "-", "-"]);
    let csv = games(&letters, &["--format", "csv"]);
    assert!(csv[1].starts_with("1,,,,*,,,3,,,,,,,"), "{}", csv[1]);
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
    assert!(text.contains(r#"[Detail "there is no\nhouse \"L\""]"#), "{text}");
    assert!(
        !text.contains("[Margin") && AnnotatedGame::parse(&text).unwrap()[0].moves.len() == 3,
        "{text}"
    );
    assert!(games(&faulty, &["--format", "board"]).join("\n").contains("illegal move: there is"));

    let impossible = changed(&path, 1, |game| game["moves"][2]["move"] = json!("L"));
    let impossible = folder.write("impossible.jsonl", impossible);
    for format in ["board", "pgn"] {
        assert_refused(&["games", &impossible, "--format", format], 1, "game 1: move 3");
    }
}

/// South wins by 10 with the last move.
const PLAYED_OUT: &str = "EcdFaeBaCaEdAEfAbAcEDbFbAcfBbAaCDcEdCbBcFbA";

#[test]
fn the_result_is_that_of_the_moves() {
    let result = |text: &str| AnnotatedGame::parse(text).map(|games| games[0].result.to_string());
    for claim in ["", "*", "1-0"] {
        let text = format!("[Margin \"+10\"] {PLAYED_OUT} {claim}");
        assert_eq!(result(&text).as_deref(), Ok("1-0"), "{claim}");
    }
    // Resigned, out of time, or adjudicated.
    assert_eq!(result("CF b 0-1").as_deref(), Ok("0-1"));
    assert_eq!(result("[Margin \"-40\"] CF b 0-1").as_deref(), Ok("0-1"));
    assert_eq!(result("[Margin \"many\"] CF b 0-1").as_deref(), Ok("0-1"));
    for (text, line, column, expected) in [
        (
            format!("\n{PLAYED_OUT} 0-1"),
            2,
            45,
            "the result is 0-1, but the moves end with 1-0, +10",
        ),
        (format!("[Result \"1/2-1/2\"] {PLAYED_OUT}"), 1, 1, "the result is 1/2-1/2, but"),
        (
            format!("\n[Margin \"+40\"] {PLAYED_OUT}"),
            2,
            1,
            "the margin is +40, but the moves end with +10",
        ),
        ("{x} [Margin \"-4\"] CF 1-0".to_owned(), 1, 5, "the result is 1-0, but the margin -4"),
        (
            "[Margin \"+60\"] CF 1-0".to_owned(),
            1,
            1,
            "the margin is +60, but after the moves it is from",
        ),
    ] {
        let error = AnnotatedGame::parse(&text).expect_err(&text);
        assert!(error.what.contains(expected) && error.is_contradiction, "{text}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
    }
    // A game that is written has its result, whatever is known of it.
    let mut game = AnnotatedGame::parse(PLAYED_OUT).unwrap().remove(0);
    game.result = GameOutcome::Unknown;
    assert!(game.to_string().ends_with("A 1-0\n"), "{game}");
    let json = serde_json::to_string(&game).unwrap();
    assert!(json.contains(r#""result":"1-0""#), "{json}");
    let json = json.replace(r#""result":"1-0""#, r#""result":"0-1""#);
    let error = games_from_text(&format!("\n{json}"), Capture::Standard).unwrap_err();
    assert!(error.line == 2 && error.what.contains("the result is 0-1, but"), "{error}");
}

#[test]
fn json_that_is_no_game_is_refused_in_words_of_games() {
    let folder = Folder::new();
    for (text, expected) in [
        ("[{\"start\":1}]", "expected a string"),
        ("{\"start\":\"<6,0", "it ends too early"),
        (r#"{"start":"<1,0,0,1,1> S","moves":[3]}"#, "expected an object"),
        (
            r#"{"start":"<1,0,0,1,1> S","moves":[],"tags":{"South":"a","South":"b"}}"#,
            "the tag South is given twice",
        ),
    ] {
        let path = folder.write("games.json", text);
        let ended = run(&["games", &path]);
        assert_eq!(ended.status.code(), Some(1), "{text}");
        let message = &ended.errors;
        assert!(message.contains(expected) && !message.contains("struct"), "{text}: {message}");
    }
    for (text, expected) in [("not json", "no JSON begins here"), ("[1, 2]", "an object")] {
        assert_refused(&["standing", &folder.write("a.jsonl", text)], 1, expected);
    }
}

#[test]
fn games_whose_results_contradict_their_moves_are_reported_and_left_out() {
    let folder = Folder::new();
    let text = format!("CF b *\n\n[South \"Ann\"]\n{PLAYED_OUT} 0-1\n\n1. A 0-1\n");
    let path = folder.write("games.txt", text);
    let named = "games.txt', line 4, column 45: the result is 0-1, but the moves end with 1-0, +10";
    for (arguments, results) in [
        (&["games", &path, "--format", "csv"][..], &[",*,", ",0-1,"][..]),
        (&["review", &path, "--depth", "1"], &["(North), *", "(North), 0-1"]),
    ] {
        let ended = run(arguments);
        assert_eq!(ended.status.code(), Some(1), "{}", ended.errors);
        assert!(ended.errors.contains(named), "{}", ended.errors);
        let output = ended.output.join("\n");
        assert!(results.iter().all(|result| output.contains(result)), "{output}");
        assert!(!output.contains("Ann"), "{output}");
    }
    // The same games as JSON, in an array and one a line.
    let json = |game: &str, result: &str| {
        let [game] = &mut *kalah_games::AnnotatedGame::parse(game).unwrap() else {
            panic!("{game}")
        };
        let mut game = serde_json::to_value(game).unwrap();
        game["result"] = json!(result);
        game.to_string()
    };
    let games = [json("CF b", "*"), json(PLAYED_OUT, "0-1"), json("A", "0-1")];
    for (text, named) in [
        (
            format!("[{}]", games.join(",\n")),
            "games.json', line 1, column 1: game 2: the result is 0-1",
        ),
        (games.join("\n"), "games.json', line 2, column 1: the result is 0-1"),
        (games.join("\n \n  "), "games.json', line 3, column 3: the result is 0-1"),
    ] {
        let path = folder.write("games.json", text);
        let ended = run(&["games", &path, "--format", "csv"]);
        assert_eq!(ended.status.code(), Some(1), "{}", ended.errors);
        assert!(ended.errors.contains(named), "{}", ended.errors);
        assert_eq!(ended.output.len(), 3, "{:?}", ended.output);
    }
    // It would rewrite the file without the game.
    assert_refused(&["play", &path, "--save", &path], 1, named);

    let record = folder.path("a.jsonl");
    let words = "match --engine builtin=negascout --engine builtin=pvs --each depth=2 --games 4";
    let words = words.split(' ').chain(["--openings", "random=3", "--record", &record]);
    assert!(run(&words.collect::<Vec<_>>()).status.success());
    let turned = |game: &mut serde_json::Value| {
        let other = if game["result"] == "1-0" { "0-1" } else { "1-0" };
        game["result"] = json!(other);
    };
    let text = std::fs::read_to_string(&record).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let second = changed(&record, 2, turned);
    let wrong = folder.write("wrong.jsonl", format!("{}\n{second}{}\n", lines[0], lines[2]));
    let named = "wrong.jsonl', line 2: game 2";
    for (arguments, rest) in [
        (&["standing", &wrong][..], "2 games"),
        (&["games", &wrong], "\n      3 "),
        (&["watch", "--once", &wrong], "2 games"),
        (&["review", "--depth", "1", &wrong], " (North), "),
    ] {
        let ended = run(arguments);
        assert_eq!(ended.status.code(), Some(1), "{}", ended.errors);
        let named = match arguments[0] {
            "watch" => "wrong.jsonl': game 2",
            "review" => "wrong.jsonl', line 2, column 1: ",
            _ => named,
        };
        assert!(
            ended.errors.contains(named) && ended.errors.contains("the result is"),
            "{}",
            ended.errors
        );
        assert!(ended.output.join("\n").contains(rest), "{:?}", ended.output);
    }
    let merged = folder.path("merged.jsonl");
    assert_refused(&["merge", &wrong, "--output", &merged], 1, "line 2: the result is");
    for (change, expected) in [
        (json!({"margin": 40}), "the margin is +40, but the moves end with"),
        (json!({"reason": "resigned"}), "the moves end the game, but its reason is 'resigned'"),
        (json!({"moves": []}), "the margin is"),
    ] {
        let line = changed(&record, 1, |game| {
            let members = change.as_object().unwrap().clone();
            game.as_object_mut().unwrap().extend(members);
        });
        let wrong = folder.write("changed.jsonl", line);
        assert_refused(&["standing", &wrong], 1, "line 1: game 1 is left out: ");
        if change["moves"].is_null() {
            assert_refused(&["standing", &wrong], 1, expected);
        }
    }
}

#[test]
fn dates_are_those_of_the_clock_on_the_wall() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &["--shard", "1/12"]);
    let line = changed(&path, 1, |game| {
        game["time"] = json!({"begun": "2026-03-01T22:30:05Z", "seconds": 1.0});
    });
    let path = folder.write("night.jsonl", line);
    for (zone, expected) in [
        ("UTC0", "[Date \"2026.03.01\"]\n[Time \"22:30:05\"]"),
        ("XST-5:30", "[Date \"2026.03.02\"]\n[Time \"04:00:05\"]"),
    ] {
        let ended = Session::program(|command| {
            command.args(["games", &path, "--format", "pgn"]).env("TZ", zone);
        })
        .wait();
        let text = ended.output.join("\n");
        let utc = "[UTCDate \"2026.03.01\"]\n[UTCTime \"22:30:05\"]";
        assert!(text.contains(&format!("{expected}\n{utc}")), "{zone}: {text}");
    }
}

//! Records of tournaments: `kalah games`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kalah::board::Side;
use kalah_records::{GameRecord, read_lines};
use serde_json::Value;
use tempfile::TempDir;

use crate::command_line::assert_refused;
use crate::contest::Contest;
use crate::session::{Ended, Session};

/// A name that has to be escaped.
const QUOTED: &str = r#"a "b" \c"#;

/// A folder with records.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Plays a tournament of three into a file.
    pub(crate) fn play(&self, name: &str, more: &[&str]) -> String {
        let path = self.path(name);
        let quoted = format!("name='{QUOTED}' builtin=mtdf depth=1");
        // A slow disk is no failure, but would be told as progress.
        let mut arguments = vec!["--quiet", "tournament", "--games", "8", "--openings", "random=3"];
        arguments.extend(["--engine", "builtin=negascout", "--engine", "builtin=pvs depth=3"]);
        arguments.extend(["--engine", &quoted, "--each", "depth=2", "--record", &path]);
        arguments.extend(more);
        Session::run(&arguments).wait_for_success();
        path
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }
}

pub(crate) fn run(arguments: &[&str]) -> Ended {
    Session::run(arguments).wait()
}

pub(crate) fn games(path: &str, more: &[&str]) -> Vec<String> {
    Session::run(&[&["games", path], more].concat()).wait_for_success()
}

pub(crate) fn read(path: &str) -> Vec<GameRecord> {
    read_lines::<GameRecord>(Path::new(path)).unwrap().map(Result::unwrap).collect()
}

/// A game of a record after a change.
pub(crate) fn changed(path: &str, game: usize, change: impl FnOnce(&mut Value)) -> String {
    let text = fs::read_to_string(path).unwrap();
    let mut value = serde_json::from_str(text.lines().nth(game - 1).unwrap()).unwrap();
    change(&mut value);
    // The members of a value are in another order than those of a record.
    let record: GameRecord = serde_json::from_value(value).unwrap();
    serde_json::to_string(&record).unwrap() + "\n"
}

/// Numbers of the games in a list.
fn listed(path: &str, filters: &[&str]) -> Vec<u64> {
    let lines = games(path, filters);
    let number = |line: &String| line.split_whitespace().next().unwrap().parse().unwrap();
    lines.iter().skip(1).map(number).collect()
}

#[test]
fn games_are_listed() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &[]);
    let lines = games(&path, &[]);
    assert_eq!(lines.len(), 25);
    for word in ["game", "round", "South", "North", "result", "margin", "reason", "opening"] {
        assert!(lines[0].contains(word), "{}", lines[0]);
    }
    for (line, game) in lines[1..].iter().zip(read(&path)) {
        for word in [
            game.game.to_string(),
            game.south.player.name,
            game.north.player.name,
            game.result.to_string(),
            format!("{:+}", game.margin.unwrap()),
            "played out".to_owned(),
            game.opening.clone(),
        ] {
            assert!(line.contains(&word), "'{word}' is not in {line}");
        }
        assert_eq!(line.find(&game.opening), lines[0].find("opening"));
    }
    let twice = Session::run(&["games", &path, &path]).wait_for_success();
    assert_eq!(twice.len(), 49);
}

#[test]
fn filters_are_combined() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &[]);
    let all = read(&path);
    let select = |wanted: &dyn Fn(&GameRecord) -> bool| -> Vec<u64> {
        all.iter().filter(|game| wanted(game)).map(|game| game.game).collect()
    };
    let plays = |game: &GameRecord, name| Side::ALL.map(|side| game.seat(side).player.name == name);
    let both =
        |game: &GameRecord| [plays(game, "pvs"), plays(game, QUOTED)].map(|p| p.contains(&true));
    assert_eq!(listed(&path, &["--player", "pvs"]), select(&|game| both(game)[0]));
    assert_eq!(
        listed(&path, &["--player", "pvs", "--player", QUOTED]),
        select(&|game| both(game) == [true; 2])
    );
    for (word, half_points) in [("win", 2), ("draw", 1), ("loss", 0)] {
        let south = select(&|game| game.result.half_points() == half_points);
        assert_eq!(listed(&path, &["--result", word]), south);
        let of_pvs = select(&|game| {
            let result = game.result.half_points();
            plays(game, "pvs") == [true, false] && result == half_points
                || plays(game, "pvs") == [false, true] && 2 - result == half_points
        });
        assert_eq!(listed(&path, &["--player", "pvs", "--result", word]), of_pvs);
    }
    assert_eq!(listed(&path, &["--game", "3-5", "--game", "5", "--game", "24-99"]), [3, 4, 5, 24]);
    assert_eq!(listed(&path, &["--reason", "played out"]).len(), 24);
    assert!(listed(&path, &["--reason", "time forfeit"]).is_empty());
    assert_eq!(listed(&path, &["--opening", &all[0].opening]), [1, 2, 3, 4, 5, 6]);
    assert_eq!(listed(&path, &["--opening", &all[0].opening, "--game", "6-7"]), [6]);
}

#[test]
fn games_are_replayed() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &[]);
    let game = &read(&path)[2];
    let text = games(&path, &["--game", "3", "--format", "board"]).join("\n");
    let mut rest = text.as_str();
    for board in game.boards().unwrap() {
        rest = rest.split_once(&board.to_string()).expect("the boards follow each other").1;
    }
    assert!(rest.contains(&format!("{}, margin {:+}", game.result, game.margin.unwrap())));
    let first = &game.moves[0];
    let score = f64::from(first.score.unwrap()) / 100.0;
    let depth = first.depth.unwrap();
    assert!(text.contains(&format!("\n1. {} ", first.letter)), "{text}");
    assert!(text.contains(&format!("{score:+.2}")) && text.contains(&format!("depth {depth}, ")));
}

#[test]
fn games_are_rows_of_numbers() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &[]);
    let text = games(&path, &["--format", "csv"]).join("\n");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let records = read(&path);
    assert_eq!(rows.len(), records.len());
    for (row, game) in rows.iter().zip(records) {
        assert_eq!(row["number"], game.game.to_string());
        assert_eq!(row["south"], game.south.player.name);
        assert_eq!(row["margin"], game.margin.unwrap().to_string());
        assert_eq!(row["reason"], "played out");
        assert_eq!(row["plies"], game.moves.len().to_string());
        assert_eq!(row["opening"], game.opening);
        assert_eq!(row["rules"], "standard");
        let depths: Vec<f64> = game
            .moves
            .iter()
            .filter(|ply| ply.letter.is_ascii_lowercase())
            .map(|ply| f64::from(ply.depth.unwrap()))
            .collect();
        let mean = depths.iter().sum::<f64>() / depths.len() as f64;
        assert!((row["north_depth"].parse::<f64>().unwrap() - mean).abs() < 1e-9);
    }
    let none = games(&path, &["--format", "csv", "--result", "draw", "--game", "99"]);
    assert_eq!(none.join("\n"), text.lines().next().unwrap(), "the header is always there");
    let lines = games(&path, &["--format", "json"]);
    assert_eq!(lines.join("\n") + "\n", fs::read_to_string(&path).unwrap());
}

#[test]
fn what_is_no_record_is_refused() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &["--shard", "1/12"]);
    for (arguments, code, named) in [
        (&["games"][..], 2, "<FILE>"),
        (&["games", &path, "--player", "Pvs"], 2, QUOTED),
        (&["games", &path, "--player", "Pvs"], 2, "negascout, pvs"),
        (&["games", &path, "--result", "1-0"], 2, "win, draw, loss"),
        (&["games", &path, "--reason", "boredom"], 2, "played out, resigned"),
        (&["games", &path, "--game", "7-3"], 2, "7-3"),
        (&["games", &path, "--game", "0"], 2, "'0'"),
        (&["games", &path, "--opening", "garbage"], 2, "<"),
        (&["games", &path, "--format", "xml"], 2, "xml"),
        (&["games", &folder.path("missing")], 1, "missing"),
        (&["games", &folder.path("")], 1, "cannot read"),
        (&["games", &folder.write("text", "no game\n")], 1, "line 1"),
    ] {
        assert_refused(arguments, code, named);
    }
    let empty = folder.write("empty", "");
    assert_eq!(games(&empty, &[]).len(), 1);
    assert_refused(&["games", &empty, "--player", "x"], 2, "no games");

    let mut torn = fs::read(&path).unwrap();
    torn.truncate(torn.len() - 9);
    let torn = folder.write("torn", torn);
    let Ended { status, output, errors } = run(&["games", &torn]);
    assert!(
        status.success() && output.len() == 2 && errors.contains("an incomplete game"),
        "{errors}"
    );
}

#[test]
fn a_closed_output_is_no_failure() {
    let folder = Folder::new();
    let path = folder.play("a.jsonl", &[]);
    for format in ["list", "board", "pgn", "csv", "json"] {
        let many = vec![path.as_str(); 20];
        let arguments = [&["games", "--format", format], &many[..]].concat();
        Session::closing_output_after(1, &arguments).wait_for_success();
    }
}

#[test]
fn empty_lines_of_a_record_do_not_count() {
    let contest = Contest::new();
    let games = "match --engine builtin=pvs --engine builtin=mtdf --each nodes=100 --seeds 2";
    let tune = "tune --engine builtin=pvs --each nodes=50 --parameter 'name=Hash start=4 min=1 \
                max=8' --iterations 2 --pairs 1";
    contest.write("game", "1. C F b *");
    for (command, record) in [
        (format!("{games} --games 4 --record"), "match"),
        ("review game --depth 1 --record".to_owned(), "reviews"),
        (format!("{tune} --record"), "tuning"),
    ] {
        contest.played(&format!("{command} {record}"));
        let whole = contest.read(record);
        contest.write(record, format!("\u{feff}\n{}\n \r\n", whole.replace('\n', "\n\n")));
        contest.played(&format!("{command} {record}"));
        let lines: Vec<String> = contest.read(record).lines().map(str::to_owned).collect();
        let lines = lines.iter().map(|line| line.trim_matches(['\u{feff}', ' ', '\r']));
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, whole.lines().collect::<Vec<_>>(), "nothing is done again");
    }
    let standing = contest.played("standing match").0;
    assert!(contest.played("watch match --once").0.ends_with(&standing));
    let (_, errors) = contest.played(&format!("{games} --games 2 --record match"));
    assert!(errors.contains("2 of 2 games are in the record, and 2 more, which count"), "{errors}");
}

#[test]
fn games_of_a_server_have_its_numbers_and_are_no_match() {
    let folder = Folder::new();
    let game = |number: u64| {
        format!(
            "{{\"tags\":{{\"South\":\"a\",\"North\":\"b\",\"Game\":\"{number}\"}},\"start\":\
             \"<2,0,0,1,1,1,1> S\",\"capture\":\"standard\",\"moves\":[],\"result\":\"*\"}}\n"
        )
    };
    let path = folder.write("club.jsonl", game(7) + &game(2));
    assert_eq!(listed(&path, &[]), [7, 2]);
    assert_eq!(listed(&path, &["--game", "2"]), [2]);
    let no_match = "line 1: not a record of a game, but a game without its match";
    assert_refused(&["standing", &path], 1, no_match);
}

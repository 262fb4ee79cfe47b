//! Records of the parts of a tournament joined by `kalah merge`.

use std::fs::{self, File};
use std::path::Path;

use serde_json::{Value, json};

use crate::command_line::assert_refused;
use crate::contest::Contest;
use crate::records::{Folder, changed, run};
use crate::schemas::checked;
use crate::session::{Ended, Session};

/// A record without anything that depends on the speed of the machine.
fn without_times(path: &str) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.remove("time");
                members.values_mut().for_each(strip);
            }
            Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'));
    let stripped = text.lines().map(|line| {
        let mut value = serde_json::from_str(line).unwrap();
        strip(&mut value);
        format!("{value}\n")
    });
    stripped.collect()
}

/// Joins files and returns what is said of it.
fn merge(files: &[&str], output: &str) -> String {
    let Ended { status, output, errors } =
        run(&[&["merge"], files, &["--output", output, "--force"]].concat());
    assert!(status.success() && output.is_empty(), "{errors}");
    errors
}

#[test]
fn parts_make_up_the_whole() {
    let folder = Folder::new();
    let whole = folder.play("whole", &[]);
    let parts: Vec<String> = (1..=16)
        .map(|part| folder.play(&format!("part-{part}"), &["--shard", &format!("{part}/16")]))
        .collect();
    let mut parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let joined = folder.path("joined");
    assert_eq!(merge(&parts, &joined), "24 games from 16 files\n");
    assert_eq!(without_times(&joined), without_times(&whole));

    let first = fs::read(&joined).unwrap();
    parts.reverse();
    parts.swap(2, 9);
    merge(&parts, &joined);
    assert_eq!(fs::read(&joined).unwrap(), first, "in any order");
    // Games in several files, and in copies that differ in their times.
    parts.extend([whole.as_str(), parts[0]]);
    merge(&parts, &joined);
    let once = fs::read(&joined).unwrap();
    assert_eq!(without_times(&joined), without_times(&whole));
    parts.reverse();
    merge(&parts, &joined);
    assert_eq!(fs::read(&joined).unwrap(), once, "in any order");
}

#[test]
fn several_tournaments_are_rated_together() {
    let contest = Contest::new();
    let players = ["mtdf depth=4", "pvs depth=2", "minimax depth=1"];
    let play = |record: &str, [one, other]: [&str; 2], more: &str| {
        let engines = format!("--engine 'builtin={one}' --engine 'builtin={other}'");
        contest.played(&format!("match {engines} --games 8 --record {record} {more}"));
    };
    play("monday", [players[0], players[1]], "");
    play("tuesday", [players[1], players[2]], "--seed 2");
    let rated = |words: &str| -> Value {
        let ended = contest.run(&format!("standing {words} --json"));
        checked("standing", &ended.output)
    };
    let both = rated("monday tuesday --anchor minimax=1000");
    assert_eq!(both["games"], 16);
    let player = |standing: &Value, name: &str| {
        let mut players = standing["players"].as_array().unwrap().iter();
        players.find(|player| player["name"] == name).unwrap().clone()
    };
    assert_eq!(player(&both, "pvs")["games"], 16);
    let anchor = json!({"value": 1000.0, "low": 1000.0, "high": 1000.0});
    assert_eq!(player(&both, "minimax")["rating"], anchor);
    assert!(player(&both, "mtdf")["rating"]["value"].as_f64().unwrap() > 1000.0);
    for (record, one, other) in [("monday", "mtdf", "pvs"), ("tuesday", "pvs", "minimax")] {
        let alone = rated(record)["encounters"][0].clone();
        assert_eq!(alone["players"], json!([one, other]));
        assert!(both["encounters"].as_array().unwrap().contains(&alone), "{both} {alone}");
    }

    let ended = contest.run("standing monday tuesday");
    assert!(ended.errors.contains("2 tournaments are counted together\n"), "{}", ended.errors);
    play("wednesday", ["pvs depth=3", players[0]], "");
    let ended = contest.run("standing monday tuesday wednesday");
    let note = "3 tournaments are counted together; not all have the same settings of 'pvs'";
    assert!(ended.errors.contains(note), "{}", ended.errors);

    contest.refused("standing monday tuesday --anchor nobody=0", 2, "no player 'nobody', but mtdf");
    contest.refused("standing monday --anchor mtdf=high", 2, "as in mtdf=2000");
    contest.refused("standing monday monday", 1, "is in 'monday' already");
    let test = "--sprt 'elo0=0 elo1=5'";
    contest.refused(&format!("standing monday tuesday {test}"), 1, "'tuesday' is of another");
    contest.refused("standing monday tuesday --report page", 1, "'players[0]' is");
    let without = contest.played(&format!("standing --counts 0,0,0,0,0 {test}")).0;
    assert!(without.contains(" after 0 pairs: "), "{without}");
    contest.refused("standing --counts 1,2", 2, "as in 70,103,2151,105,90");
    contest.refused("standing --counts 1,2,3 monday", 2, "cannot be used with");
}

#[test]
fn what_is_missing_is_told() {
    let folder = Folder::new();
    let part = folder.play("part", &["--shard", "3/4"]);
    let joined = folder.path("joined");
    let said = merge(&[&part], &joined);
    assert!(said.contains("6 games from 1 file"), "{said}");
    assert!(said.contains("missing before the last game: 16 games (1-4, 7-12, 15-20)"), "{said}");
    assert_eq!(fs::read(&joined).unwrap(), fs::read(&part).unwrap());
    let empty = folder.write("empty", "");
    assert!(merge(&[&empty, &part], &joined).contains("6 games from 2 files"));
    let third = folder.write("third", changed(&part, 2, |game| game["game"] = json!(2)));
    assert!(merge(&[&third], &joined).contains("missing before the last game: 1 game (1)\n"));
}

#[test]
fn torn_lines_are_passed_over() {
    let folder = Folder::new();
    let part = folder.play("part", &["--shard", "1/12"]);
    let text = fs::read(&part).unwrap();
    let joined = folder.path("joined");
    for cut in [20, 500] {
        let torn = folder.write("torn", &text[..text.len() - cut]);
        let said = merge(&[&torn], &joined);
        assert!(said.contains("torn' ends with an incomplete game"), "{said}");
        assert!(said.contains("1 game from 1 file"), "{said}");
        assert!(text.starts_with(&fs::read(&joined).unwrap()));
    }
}

#[test]
fn records_of_other_editors_are_merged() {
    let folder = Folder::new();
    let part = folder.play("part", &["--shard", "1/12"]);
    let text = fs::read_to_string(&part).unwrap();
    let joined = folder.path("joined");
    for edited in [
        text.trim_end().to_owned(),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
        format!("\n{}\n\n", text.replace('\n', "\n\n")),
        text.replace('\n', "\r"),
    ] {
        let edited = folder.write("edited", edited);
        merge(&[&edited], &joined);
        assert_eq!(fs::read_to_string(&joined).unwrap(), text);
    }
    merge_pipe(&text, &joined);
    assert_eq!(fs::read_to_string(&joined).unwrap(), text);
}

/// Merges a record that comes through a pipe.
fn merge_pipe(text: &str, to: &str) {
    let mut session = Session::run(&["merge", "-", "--force", "--output", to]);
    session.send_bytes(text.as_bytes());
    session.close_input();
    let ended = session.wait();
    assert!(ended.status.success(), "{}", ended.errors);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = Folder::new();
    let part = folder.play("part", &["--shard", "1/12"]);
    let other = |change: fn(&mut Value)| folder.write("other", changed(&part, 1, change));
    let joined = folder.path("joined");
    for (change, named) in [
        (
            (|game| game["conditions"]["seed"] = json!(7)) as fn(&mut Value),
            "'seed' is 1 in the first and 7",
        ),
        (|game| game["conditions"]["players"][2] = json!("x"), "'players[2]' is "),
        (|game| game["south"]["depth"] = json!(9), "player 'negascout' is not the same"),
        (|game| game["north"]["id"] = json!("Else"), "player 'pvs' is not the same"),
        (|game| game["result"] = json!("1/2-1/2"), "game 1 is not the same"),
        (|game| game["moves"][1]["move"] = json!("f"), "'moves[1].move' is "),
        (|game| game["opening"] = json!("<1,0,0,1,1> S"), "'opening' is "),
    ] {
        let other = other(change);
        assert_refused(&["merge", &part, &other, "--output", &joined], 1, named);
        assert_refused(&["merge", &part, &other, "--output", &joined], 1, &other);
        assert!(!Path::new(&joined).exists());
    }
    // Only the time and the file are others.
    let later = other(|game| game["time"]["begun"] = json!("2000-01-01T00:00:00Z"));
    assert!(merge(&[&part, &later], &joined).contains("2 games from 2 files"));
}

#[test]
fn nothing_is_lost_by_what_fails() {
    let folder = Folder::new();
    let part = folder.play("part", &["--shard", "1/12"]);
    let text = fs::read(&part).unwrap();
    let valued = folder.write("valued", "a diary");
    let empty = folder.write("empty", "");
    for (arguments, code, named) in [
        (&["merge"][..], 2, "<FILE>"),
        (&["merge", &part], 2, "--output"),
        (&["merge", "--output", &valued], 2, "<FILE>"),
        (&["merge", &part, "--output", &valued], 1, "--force"),
        (&["merge", &part, &folder.path("missing"), "--output", &valued, "--force"], 1, "missing"),
        (&["merge", &part, &valued, "--output", &valued], 1, "not a record of a game"),
        (&["merge", &part, &valued, "--output", &part], 1, "not a record of a game"),
        (&["merge", &empty, "--output", &valued, "--force"], 1, "no games"),
        (&["merge", &part, "--output", &folder.path("no/where")], 1, "cannot write"),
        (&["merge", &part, "--output", &folder.path("")], 1, "not a regular file"),
    ] {
        assert_refused(arguments, code, named);
        assert_eq!(fs::read(&valued).unwrap(), b"a diary");
        assert_eq!(fs::read(&part).unwrap(), text);
    }
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    // A record into itself, which puts it in order.
    let reversed = folder.write("reversed", [lines[1], lines[0]].concat());
    let held = File::open(&reversed).unwrap();
    held.try_lock().unwrap();
    assert_refused(&["merge", &reversed, "--output", &reversed], 1, "another process");
    held.unlock().unwrap();
    let Ended { status, errors, .. } = run(&["merge", &reversed, "--output", &reversed]);
    assert!(status.success(), "{errors}");
    assert_eq!(fs::read(&reversed).unwrap(), text);
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 4, "nothing else is left");
}

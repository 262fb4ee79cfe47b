//! `kalah lab ratings`: who is on the list, its scale, its files, its record and its refusals.

use std::fs;

use crate::contest::{Contest, without_times};
use crate::markup::assert_well_formed;

/// A list that takes no time.
const LIST: &str = "lab ratings --houses 3 --seeds 2 --longest 1 --games 2 \
                    --each 'nodes=20 option.Hash=1'";

/// The players of that list.
const PLAYERS: [&str; 18] = [
    "engine, 1 ms",
    "level 0",
    "level 4",
    "level 8",
    "level 12",
    "level 16",
    "minimax, 10 ms",
    "alpha-beta, 10 ms",
    "SCOUT, 10 ms",
    "NegaScout, 10 ms",
    "PVS, 10 ms",
    "MTD(f), 10 ms",
    "SSS*, 10 ms",
    "DUAL*, 10 ms",
    "proof-number, 10 ms",
    "flat Monte Carlo, 10 ms",
    "flat UCB1, 10 ms",
    "MCTS, 10 ms",
];

#[test]
fn every_player_is_listed_by_rating_and_drawn() {
    let contest = Contest::new();
    let (printed, _) =
        contest.played(&format!("{LIST} --csv list.csv --json list.json --plot list.svg"));
    let svg = contest.read("list.svg");
    assert_well_formed(&svg);
    for player in PLAYERS {
        assert_eq!(printed.matches(&format!("| {player} ")).count(), 1, "{player}: {printed}");
        assert_eq!(svg.matches(&format!(">{player}<")).count(), 1, "{player}");
    }
    // A marker for each player and one in the legend.
    assert_eq!(svg.matches(") scale(").count(), 18 + 4);

    let mut csv = csv::Reader::from_path(contest.path("list.csv")).unwrap();
    let header = ["rank", "player", "group", "elo", "low", "high", "games", "score", "margin"];
    assert_eq!(csv.headers().unwrap(), &header[..]);
    let rows: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), PLAYERS.len());
    let number = |row: &csv::StringRecord, column: usize| row[column].parse::<f64>().unwrap();
    assert!(rows.is_sorted_by(|a, b| number(a, 3) >= number(b, 3)));
    for (rank, row) in (1..).zip(&rows) {
        assert_eq!(row[0], format!("{rank}"));
        assert!(PLAYERS.contains(&&row[1]));
        assert!(number(row, 4) < number(row, 3) && number(row, 3) < number(row, 5));
        assert_eq!(&row[6], "34", "two games against each of the others");
    }
    let level_0 = rows.iter().find(|row| &row[1] == "level 0").unwrap();
    let document: serde_json::Value = serde_json::from_str(&contest.read("list.json")).unwrap();
    assert_eq!(document["rows"].as_array().unwrap().len(), PLAYERS.len());
    assert_eq!(document["setup"]["houses"], 3);
    assert_eq!(document["summary"]["games"], 18 * 17);
    assert_eq!((&level_0[2], number(level_0, 3)), ("levels", 0.0));
}

#[test]
fn the_longest_time_adds_engines() {
    let contest = Contest::new();
    let words = LIST.replace("--longest 1", "--longest 1000");
    let (printed, said) = contest.played(&words);
    for engine in ["engine, 1 ms", "engine, 10 ms", "engine, 100 ms", "engine, 1 s"] {
        assert_eq!(printed.matches(&format!("| {engine} ")).count(), 1, "{engine}: {printed}");
    }
    assert!(said.contains("21 players, 420 games of Kalah(3,2), standard capture"), "{said}");
}

#[test]
fn an_interrupted_list_goes_on() {
    let contest = Contest::new();
    let words = format!("{LIST} --record games");
    let (whole_list, _) = contest.played(&words);
    let whole = contest.read("games");
    assert_eq!(whole.lines().count(), 18 * 17);
    let settings = [
        r#""name":"NegaScout, 10 ms","builtin":"negascout""#,
        r#""options":{"Exact":"false","Hash":"1"}"#,
        r#""options":{"Hash":"1","OwnBook":"false"}"#,
        r#""options":{"Hash":"1","Skill Level":"16"}"#,
    ];
    for words in settings {
        assert!(whole.contains(words), "{words}: {}", whole.lines().next().unwrap());
    }

    // A hundred games, and the beginning of another.
    let rest = whole.split_inclusive('\n').skip(100).map(str::len).sum::<usize>();
    contest.write("games", &whole[..whole.len() - rest + 30]);
    let (list, said) = contest.played(&words);
    assert_eq!(list, whole_list);
    assert!(said.contains("100 of 306 games are in the record"), "{said}");
    assert!(said.contains("incomplete game"), "{said}");
    assert_eq!(without_times(&contest.read("games")), without_times(&whole));

    let refused = [
        ("--seed 2", "seed"),
        ("--csv games", "is a record of games"),
        ("--capture empty", "capture"),
    ];
    for (option, named) in refused {
        contest.refused(&format!("{words} {option}"), 1, named);
    }
    contest.refused(&format!("{LIST} --json games"), 1, "is a record of games");
    assert_eq!(without_times(&contest.read("games")), without_times(&whole));
}

#[test]
fn lists_that_make_no_sense() {
    let contest = Contest::new();
    for (words, code, named) in [
        ("--games 3", 2, "not 3"),
        ("--games 0", 2, "0"),
        ("--longest 0", 2, "0"),
        ("--longest 1.5", 2, "1.5"),
        ("--houses 13", 2, "13"),
        ("--seeds 0", 2, "from 1 to 511"),
        ("--seeds 400", 2, "4800 seeds"),
        ("--capture none", 2, "none"),
        ("--each option.Hash=1", 2, "has no limit"),
        ("--each nodes=many", 2, "many"),
        ("--each name=x", 2, "'name'"),
        ("--each 'nodes=5 option.Hash=0'", 1, "Hash"),
        ("--each depth=3", 1, "does not support 'depth'"),
        ("--openings x", 2, "key=value"),
        ("--plot chart.png", 2, ".svg"),
        ("--csv missing/list.csv", 1, "missing"),
        ("--csv same --json same", 1, "same"),
    ] {
        contest.refused(&format!("lab ratings {words} --record games"), code, named);
        assert!(contest.files().is_empty(), "{words}: {:?}", contest.files());
    }
    fs::create_dir(contest.path("folder")).unwrap();
    contest.refused("lab ratings --plot folder", 2, ".svg");
    contest.refused("lab ratings --csv folder", 1, "folder");
}

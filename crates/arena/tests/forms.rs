//! What needs no processes: the parameters of a tuning run, the names of requirements, forms of lines.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::num::{NonZeroU16, NonZeroU32};
use std::str::FromStr;
use std::time::{Duration, Instant};

use kalah::StopToken;
use kalah::board::{Board, Capture, Rules};
use kalah::protocol::{EngineScore, SPECIFICATION as PROTOCOL};
use kalah::search::Bound;
use kalah_arena::commands::live_lines;
use kalah_arena::compliance::{checks, info_fault};
use kalah_arena::{
    ArenaError, GameInProgress, MoveEvaluation, Tournament, Tuning, TuningParameter,
};
use kalah_client::OptionType;
use kalah_records::{PartialPlayerSettings, PlayerSettings, SettingsError};

#[test]
fn the_word_of_an_option_is_read_back() -> Result<(), SettingsError> {
    for name in ["Hash", "Skill Level", "a\"b", "a\\b $c `d`", "a'b", "*"] {
        let parameter =
            TuningParameter { name: name.to_owned(), ..TuningParameter::from_str(WORDS)? };
        let words = format!("builtin=pvs depth=1 {}", parameter.option_word(-7));
        let player = PlayerSettings::new(words.parse()?, &PartialPlayerSettings::default())?;
        assert_eq!(
            player.options.into_iter().collect::<Vec<_>>(),
            [(name.to_owned(), "-7".to_owned())]
        );
    }
    Ok(())
}

const WORDS: &str = "name=x start=0 min=-10 max=10";

#[test]
fn the_step_and_the_rate_have_defaults() {
    let read = |words: &str| words.parse().map(|read: TuningParameter| (read.step, read.rate));
    assert_eq!(read(WORDS), Ok((1.0, 0.002)));
    assert_eq!(read("name=x start=1 min=0 max=2"), Ok((0.5, 0.002)));
    assert_eq!(read(&format!("{WORDS} step=10 rate=1")), Ok((10.0, 1.0)));
    assert!(read(&format!("{WORDS} step=10.1")).is_err());
    // The range of all numbers does not overflow.
    let all = format!("name=x start=0 min={} max={}", i32::MIN, i32::MAX);
    assert!(read(&all).is_ok());
}

/// What stands in brackets and has the form of an identifier: two words with a dot between them.
fn bracketed(text: &str) -> BTreeSet<&str> {
    let is_word = |word: &str, others: &str| {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || others.contains(c);
        !word.is_empty() && word.chars().all(is_part)
    };
    let is_id = |text: &&str| {
        text.split_once('.')
            .is_some_and(|(section, name)| is_word(section, "") && is_word(name, "-"))
    };
    let inner = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    // A link has its address behind it.
    inner.filter(|(_, rest)| !rest.starts_with('(')).map(|(inner, _)| inner).filter(is_id).collect()
}

#[test]
fn names_in_brackets_are_found() {
    let text = "a [lines.crlf]. [x.y](z) `[snwb]` [Options] [go.one-bestmove] [a.B] [.x]";
    assert_eq!(bracketed(text), BTreeSet::from(["lines.crlf", "go.one-bestmove"]));
}

#[test]
fn each_requirement_has_its_name_beside_it() {
    let (page, _) = PROTOCOL.split_once("\n## Requirements\n").expect("an index");
    let known: BTreeSet<&str> = checks().iter().map(|check| check.requirement.id).collect();
    assert_eq!(bracketed(page), known);
}

#[test]
fn wrong_infos_are_found() {
    let right = [
        "info depth 3 multipv 1 score cp -100 lowerbound nodes 5 nps 6 time 7 pv A b",
        "info currmove A depth 3",
        "info string depth x",
        "bestmove depth",
    ];
    assert_eq!(right.map(info_fault), [None, None, None, None]);
    for wrong in [
        "info depth",
        "info depth -1",
        "info score 300",
        "info score cp 1.5",
        "info score mate 3",
        "info hashfull 1001",
        "info pv",
        "info pv A 0000",
        "info pv AB",
    ] {
        assert!(info_fault(wrong).is_some(), "{wrong}");
    }
}

#[test]
fn kinds_are_read() {
    let spin = OptionType::parse("spin default 4 min 1 max 511");
    assert_eq!(spin, Ok(OptionType::Spin { default: 4, min: 1, max: 511 }));
    assert_eq!(spin.map(|kind| kind.to_string()), Ok("spin".to_owned()));
    let combo = OptionType::parse("combo default a b var a b var c");
    let values = vec!["a b".to_owned(), "c".to_owned()];
    assert_eq!(combo, Ok(OptionType::Combo { default: "a b".to_owned(), values }));
    assert_eq!(OptionType::parse("string default <empty>"), Ok(OptionType::Text));
    for wrong in [
        "",
        "number",
        "spin",
        "spin 4",
        "spin default 0 min 1 max 5",
        "spin default 1 min 1",
        "check default yes",
        "combo default a var b",
    ] {
        assert!(OptionType::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_line_has_the_players_and_fits_a_terminal() {
    let evaluation = |centiseeds, depth| {
        let score = Some(EngineScore { centiseeds, bound: Bound::Exact, proven: depth == 0 });
        MoveEvaluation { score, exact: score, depth: Some(depth), nodes: None }
    };
    let mut game = GameInProgress {
        game: 12,
        players: ["favourite".to_owned(), "\u{1b}[2J and a long name".to_owned()],
        begun: Instant::now().checked_sub(Duration::from_secs(2)).unwrap(),
        board: Board::from_fen("<6,9,5,0,1,6,0,6,6,0,6,5,5,5,0> S", Capture::default()).unwrap(),
        plies: 21,
        evaluations: [evaluation(150, 14), evaluation(-1200, 0)],
    };
    let expected =
        "    12 favourite          +1.50/14   9:5   \\u{1b}[2J and a…    -12.00! ply 21\n";
    assert_eq!(live_lines(&[game.clone()]), expected);
    game.evaluations = [evaluation(-14400, 160), MoveEvaluation::default()];
    game.board = Board::start(Rules::default(), 4).unwrap();
    assert!(live_lines(&[game.clone()]).trim_end().chars().count() < 80);
    let bound = |bound| Some(EngineScore { centiseeds: -90, bound, proven: false });
    for (score, expected) in [(Bound::Lower, " >-0.90/3 "), (Bound::Upper, " <-0.90/3 ")] {
        game.evaluations[0] = MoveEvaluation { score: bound(score), ..evaluation(0, 3) };
        let line = live_lines(&[game.clone()]);
        assert!(line.contains(expected), "{line}");
    }
    game.begun = Instant::now();
    assert_eq!(live_lines(&[game]), "", "a game that has just begun");
}

#[test]
fn a_stop_ends_the_search_for_openings_of_games_and_of_tuning() {
    let player = |words: &str| {
        PlayerSettings::new(words.parse().unwrap(), &PartialPlayerSettings::default()).unwrap()
    };
    let players = ["builtin=pvs depth=1", "builtin=mtdf depth=1"].map(player);
    let start = Board::start(Rules::default(), 4).unwrap();
    // So many that listing them takes seconds, and fails.
    let games = |players: Vec<PlayerSettings>| Tournament {
        openings: "plies=12".parse().unwrap(),
        ..Tournament::new(players, start)
    };
    let stop = StopToken::new();
    stop.stop();
    let outcome = games(players.to_vec()).run(&stop, &mut |_, _| {}).map(|_| ());
    assert!(matches!(outcome, Err(ArenaError::Stopped)), "{outcome:?}");
    let tuning = Tuning {
        player: player("builtin=selective depth=1 option.Exact=false"),
        parameters: vec!["name='Skill Level' start=5 min=0 max=20".parse().unwrap()],
        iterations: NonZeroU32::MIN,
        pairs: NonZeroU16::MIN,
        games: games(vec![]),
        record: None,
    };
    let tuned = tuning.run(&stop, &mut |_| {}).map(|_| ());
    assert!(matches!(tuned, Err(ArenaError::Stopped)), "{tuned:?}");
}

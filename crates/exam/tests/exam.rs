//! Exams of perfect, random and faulty players, and games against levels.

// A test fails by panicking.
// No error is none to the last bit.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use std::fs;
use std::path::Path;

use kalah::StopToken;
use kalah::board::{Board, Capture, Rules};
use kalah::solve::SolverResources;
use kalah_arena::SingleMoves;
use kalah_exam::{
    Answer, Boards, ExamPosition, Origin, PositionResults, PositionSet, Theme, ask, make,
    play_levels,
};
use kalah_fair::fair_starts;
use kalah_records::{GameRecord, PlayerSettings, read_lines};
use tempfile::TempDir;

/// A set that is made in a moment.
fn small_set() -> PositionSet {
    let boards = [Boards { houses: 4, seeds: 3, each: 2 }];
    let resources = SolverResources { mebibytes: 16, ..SolverResources::default() };
    make(&boards, 7, resources, &StopToken::new(), |_, _| {}).unwrap()
}

fn settings(words: &str) -> PlayerSettings {
    PlayerSettings::new(words.parse().unwrap(), &"".parse().unwrap()).unwrap()
}

/// The words for a program that plays without a search.
fn program(how: &str, limits: &str) -> PlayerSettings {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/player.py");
    settings(&format!("cmd=python3 'args=\"{script}\" {how}' {limits}"))
}

/// Puts the first positions to a player.
fn examine(
    set: &PositionSet,
    most: usize,
    player: PlayerSettings,
) -> (Vec<Answer>, PositionResults) {
    let mut player = SingleMoves::start(player, &StopToken::new()).unwrap();
    let positions = (1..).zip(&set.positions).take(most);
    let (answers, left_out) = ask(&mut player, positions, 1, |_| {}).unwrap();
    let results = PositionResults::new(set, &answers, left_out);
    (answers, results)
}

#[test]
fn a_set_is_made_from_its_seed_and_can_be_read() {
    let set = small_set();
    assert_eq!(small_set(), set);
    assert_eq!(set.to_string().parse::<PositionSet>().unwrap(), set);
    let origins = [Origin::Random, Origin::Strong, Origin::Fair];
    for origin in origins {
        assert!(set.positions.iter().any(|position| position.origin == origin), "{origin}");
    }
    assert!(set.positions.iter().any(|position| position.themes().contains(&Theme::Trap)));
    let stop = StopToken::new();
    stop.stop();
    let resources = SolverResources { mebibytes: 16, ..SolverResources::default() };
    let boards = [Boards { houses: 4, seeds: 3, each: 2 }];
    assert!(make(&boards, 7, resources, &stop, |_, _| {}).is_err());
}

/// By searching to the end of the game, without the solver.
#[test]
fn the_margins_are_those_of_a_full_search() {
    fn margin(board: &Board) -> i32 {
        if let Some(result) = board.result() {
            return result;
        }
        // `result` and this are from the view of South.
        let sign = board.side().sign();
        sign * board.successors().map(|(_, after)| sign * margin(&after)).max().unwrap()
    }
    let set = small_set();
    let small = set.positions.iter().filter(|position| position.board.seeds_in_play() <= 9);
    let mut checked = 0;
    for position in small {
        for &(mv, found) in position.margins() {
            let mut after = position.board;
            after.play(mv).unwrap();
            let of_south = margin(&after);
            let mover = position.board.side();
            let expected = if mover == kalah::Side::South { of_south } else { -of_south };
            assert_eq!(found, expected, "{position} {mv}");
            checked += 1;
        }
    }
    assert!(checked > 5, "{checked}");
}

#[test]
fn a_perfect_player_gives_nothing_away() {
    let set = small_set();
    let (answers, results) = examine(&set, usize::MAX, settings("builtin=selective depth=100"));
    assert_eq!(answers.len(), set.positions.len());
    assert!(answers.iter().all(|answer| answer.loss == 0), "{answers:?}");
    let total = results.total;
    assert!(
        total.regret.value == 0.0 && total.best.value == 1.0 && total.results_lost.value == 0.0
    );
    // It was not asked everything that there is.
    assert!(total.regret.high > 0.0 && total.best.low < 1.0);
    let phases: usize = results.phases.iter().map(|group| group.positions).sum();
    let boards: usize = results.boards.iter().map(|group| group.positions).sum();
    assert_eq!([phases, boards], [answers.len(); 2]);
}

#[test]
fn a_random_player_gives_away_what_random_moves_do() {
    let set = PositionSet::built_in().unwrap();
    let (answers, results) = examine(&set, usize::MAX, program("random", "depth=1"));
    assert_eq!((answers.len(), results.faults.total()), (set.positions.len(), 0));
    let variance = |position: &ExamPosition| {
        let mean = position.random_loss();
        let losses = position.margins().iter().map(|(_, margin)| position.margin() - margin);
        let squares: f64 = losses.map(|loss| (f64::from(loss) - mean).powi(2)).sum();
        squares / position.margins().len() as f64
    };
    let variance: f64 = set.positions.iter().map(variance).sum();
    let error = variance.sqrt() / set.positions.len() as f64;
    let total = &results.total;
    let distance = (total.regret.value - total.random_regret).abs();
    assert!(distance < 4.0 * error, "{distance} of {error}");
    assert!(total.regret.low < total.random_regret && total.random_regret < total.regret.high);
}

#[test]
fn faults_are_counted_and_end_nothing() {
    let set = small_set();
    for (how, limits, kind) in [
        ("illegal", "depth=1", "illegal"),
        ("crash", "depth=1", "crashed"),
        ("hang", "st=0.001 timemargin=0", "late"),
        ("slow", "st=0.001 timemargin=0", "late"),
    ] {
        let (answers, results) = examine(&set, 2, program(how, limits));
        let faults = results.faults;
        let counts = [
            ("illegal", faults.illegal),
            ("crashed", faults.crashed),
            ("late", faults.late),
            ("stalled", faults.stalled),
        ];
        for (name, count) in counts {
            assert_eq!(count, if name == kind { 2 } else { 0 }, "{how}: {answers:?}");
        }
        for (answer, position) in answers.iter().zip(&set.positions) {
            assert_eq!((answer.letter, answer.loss), (None, position.worst_loss()), "{how}");
        }
    }
}

#[test]
fn rules_that_a_player_does_not_know_are_left_out() {
    let set = small_set();
    let (answers, results) = examine(&set, usize::MAX, program("one-rule", "depth=1"));
    let rules = set.positions.iter().map(|position| position.board.rules().capture());
    let unknown = rules.filter(|capture| *capture == Capture::Empty).count();
    assert!(unknown > 0 && answers.len() == set.positions.len() - unknown, "{}", answers.len());
    let [left] = &results.left_out[..] else { unreachable!("{:?}", results.left_out) };
    assert_eq!((left.rules, left.positions), ("empty", unknown));
    assert!(left.reason.contains("Capture"), "{}", left.reason);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = SingleMoves::start(settings("cmd=no/such/program depth=1"), &StopToken::new());
    assert!(error.is_err_and(|error| error.to_string().contains("no/such/program")));
}

/// A record without the times.
fn games(record: &Path) -> Vec<GameRecord> {
    let games = read_lines::<GameRecord>(record).unwrap().map(Result::unwrap);
    let timeless = |mut game: GameRecord| {
        game.time = None;
        game.moves.iter_mut().for_each(|mv| mv.time = Default::default());
        game
    };
    games.map(timeless).collect()
}

#[test]
fn games_are_played_in_pairs_against_the_nearest_level_and_go_on_from_a_record() {
    let folder = TempDir::new().unwrap();
    let record = folder.path().join("games.jsonl");
    let player = || settings("builtin=selective nodes=2000 'option.Skill Level=2' option.Hash=1");
    let play = || {
        let stop = StopToken::new();
        play_levels(player(), 250.0, 3, Some(record.clone()), &stop, |_, _| {}).unwrap()
    };
    let results = play();
    assert!(results.rating.high - results.rating.low <= 500.0, "{results:?}");
    assert!(results.rating.value < 1700.0 && results.faults.total() == 0, "{results:?}");
    let all = games(&record);
    assert_eq!((all.len() as u64, all.len() % 2), (results.games, 0));
    let fair = fair_starts(Rules::default(), 4);
    let mut openings = Vec::new();
    for pair in all.chunks(2) {
        assert_eq!(pair[0].opening, pair[1].opening);
        assert_eq!(pair[0].south.player, pair[1].north.player);
        assert!(fair.iter().any(|start| start.fen() == pair[0].opening));
        openings.push(&pair[0].opening);
    }
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), all.len() / 2);
    // Half a pair is completed first, and all goes on as before.
    let lines: Vec<String> =
        fs::read_to_string(&record).unwrap().lines().map(|line| format!("{line}\n")).collect();
    for kept in [0, 1, 2, lines.len()] {
        fs::write(&record, lines[..kept].concat()).unwrap();
        assert_eq!(play(), results, "{kept}");
        assert_eq!(games(&record), all, "{kept}");
    }
}

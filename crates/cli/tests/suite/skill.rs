//! Weaker play: `Skill Level`, `UCI_LimitStrength` and `UCI_Elo`.

use std::time::Duration;

use kalah::StopToken;
use kalah::board::{Board, Capture, MAX_HOUSES, Move, Rules, Side};
use kalah::engine::{Engine, EngineOptions, MAX_SKILL_LEVEL, Skill};
use kalah::search::{Limits, Oversights, SearchOptions, Searcher};

use crate::exact_values::{Exact, exact_values};
use crate::runs::runs;
use crate::session::Session;

fn options_with(settings: &[(&str, &str)]) -> EngineOptions {
    let mut options = EngineOptions { hash_mebibytes: 1, ..EngineOptions::default() };
    for (name, value) in settings {
        options.set(name, value).unwrap();
    }
    options
}

fn engine() -> Engine {
    Engine::with_options(options_with(&[])).unwrap()
}

fn of_level(level: u8, random_seed: u64) -> EngineOptions {
    let (level, random_seed) = (level.to_string(), random_seed.to_string());
    options_with(&[("Skill Level", &level), ("Random Seed", &random_seed)])
}

/// The move, which has to be a legal one.
#[track_caller]
fn best(engine: &mut Engine, board: &Board, options: &EngineOptions) -> Move {
    engine.set_options(options.clone()).unwrap();
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let result = engine.go(board, &limits, &StopToken::new(), |_| {}).unwrap();
    let best = result.best.expect("a move");
    assert_eq!(best.side, board.side());
    assert!(board.moves().any(|legal| legal == best), "{} {best:?}", board.fen());
    best
}

/// Seeds that a level gives away by its moves on the exact positions.
fn given_away(level: u8) -> Vec<i32> {
    let mut engine = engine();
    exact_values()
        .into_iter()
        .zip(1..)
        .map(|(Exact { fen, capture, value, moves }, random_seed)| {
            let board = Board::from_fen(&fen, capture).unwrap();
            let best = best(&mut engine, &board, &of_level(level, random_seed));
            value - moves[&best.letter().to_ascii_lowercase()]
        })
        .collect()
}

fn average(seeds: &[i32]) -> f64 {
    f64::from(seeds.iter().sum::<i32>()) / seeds.len() as f64
}

/// The number of moves that give more than 6 seeds away.
fn much(seeds: &[i32]) -> usize {
    seeds.iter().filter(|&&seeds| seeds > 6).count()
}

#[test]
fn the_higher_the_level_the_less_is_given_away() {
    let averages = [0, 5, 10, 15].map(|level| {
        let seeds = given_away(level);
        println!(
            "level {level}: {:.2} seeds, {} moves lose more than 6",
            average(&seeds),
            much(&seeds)
        );
        average(&seeds)
    });
    assert!(averages.is_sorted_by(|lower, higher| lower > higher), "{averages:?}");
    assert!(averages[0] > 1.0, "who gives nothing away is no beginner: {averages:?}");
}

#[test]
fn from_level_16_on_hardly_a_move_gives_much_away() {
    for level in [16, 19] {
        let given_away = given_away(level);
        let much = much(&given_away);
        assert!(100 * much <= given_away.len(), "level {level}: {much} moves");
        assert!(average(&given_away) < 0.4, "level {level}: {}", average(&given_away));
    }
}

/// The result of a game for South.
fn play(board: &Board, south: &EngineOptions, north: &EngineOptions) -> i32 {
    let mut board = *board;
    let mut engines = [engine(), engine()];
    while !board.is_over() {
        let (player, options) = match board.side() {
            Side::South => (0, south),
            Side::North => (1, north),
        };
        board.play(best(&mut engines[player], &board, options)).unwrap();
    }
    board.result().unwrap()
}

#[test]
fn a_higher_level_wins_the_match() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (lower, higher) in [(0, 5), (5, 10), (10, 15), (15, 20)] {
        let mut points = 0;
        for pair in 1..=5 {
            let mut board = Board::start(Rules::default(), 6).unwrap();
            for _ in 0..4 {
                let moves: Vec<Move> = board.moves().collect();
                board.play(moves[rng.usize(..moves.len())]).unwrap();
            }
            let (lower, higher) = (of_level(lower, pair), of_level(higher, pair));
            points += play(&board, &higher, &lower).signum();
            points -= play(&board, &lower, &higher).signum();
        }
        assert!(points > 0, "level {higher} against {lower}: {points}");
    }
}

#[test]
fn every_level_plays_on_every_board() {
    let mut engine = engine();
    let mut rng = fastrand::Rng::with_seed(5);
    for houses in 1..=MAX_HOUSES {
        for capture in Capture::ALL {
            let rules = Rules::new(houses, capture).unwrap();
            let mut board = Board::start(rules, rng.u16(1..8)).unwrap();
            while !board.is_over() {
                let options = of_level(rng.u8(..MAX_SKILL_LEVEL), 1);
                board.play(best(&mut engine, &board, &options)).unwrap();
            }
        }
    }
}

#[test]
fn a_seed_makes_errors_that_can_be_repeated_and_none_other_ones_in_each_game() {
    let fens: Vec<_> = exact_values().into_iter().take(60).collect();
    let moves = |engine: &mut Engine, random_seed: u64| -> Vec<Move> {
        let options = of_level(3, random_seed);
        let board = |exact: &Exact| Board::from_fen(&exact.fen, exact.capture).unwrap();
        fens.iter().map(|exact| best(engine, &board(exact), &options)).collect()
    };
    let mut engine = engine();
    let first = moves(&mut engine, 1);
    let without_seed = moves(&mut engine, 0);
    engine.new_game();
    assert_eq!(moves(&mut engine, 1), first);
    assert_eq!(moves(&mut self::engine(), 1), first);
    assert_ne!(moves(&mut engine, 2), first);
    assert_ne!(moves(&mut engine, 0), without_seed, "another game, other errors");
}

#[test]
fn a_move_depends_on_the_seed_and_the_position_only() {
    let boards: Vec<Board> = exact_values()
        .into_iter()
        .step_by(12)
        .map(|exact| Board::from_fen(&exact.fen, exact.capture).unwrap())
        .collect();
    let mut used = engine();
    for level in [1, 9, 17] {
        let options = of_level(level, 3);
        let mut other = options_with(&[("Hash", "2"), ("Threads", "2"), ("Exact", "false")]);
        (other.skill, other.search.depth_first) = (options.skill, options.search.depth_first);
        let forwards = boards.iter().map(|board| best(&mut used, board, &options));
        let forwards: Vec<Move> = forwards.collect();
        let backwards = boards.iter().rev().map(|board| best(&mut used, board, &other));
        let mut backwards: Vec<Move> = backwards.collect();
        backwards.reverse();
        assert_eq!(forwards, backwards, "level {level}");
    }
}

#[test]
fn whoever_overlooks_moves_proves_nothing_false() {
    let mut searcher = Searcher::new(1).unwrap();
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let (mut proven, mut wrong) = (0, 0);
    for Exact { fen, capture, value, .. } in exact_values().into_iter().step_by(4) {
        let board = Board::from_fen(&fen, capture).unwrap();
        let oversights = Some(Oversights { permille: 150, random_seed: 1 });
        let options = SearchOptions { oversights, ..SearchOptions::default() };
        let result = searcher.search(&board, &limits, &options, &StopToken::new(), &mut |_| {});
        let line = &result.lines[0];
        if line.proven {
            assert_eq!(line.margin, value, "{fen}");
            proven += 1;
        }
        wrong += u32::from(line.margin != value);
    }
    assert!(proven > 0 && wrong > 20, "{proven} proven, {wrong} wrong");
}

#[test]
fn a_beginner_overlooks_moves_that_it_could_play() {
    let mut engine = engine();
    let (mut seen, mut all) = (0, 0);
    for Exact { fen, capture, moves, .. } in exact_values().into_iter().step_by(runs(3, 1)) {
        let board = Board::from_fen(&fen, capture).unwrap();
        let mut lines = |level: u8, searchmoves: &[Move]| {
            let mut options = of_level(level, 1);
            options.set("MultiPV", "12").unwrap();
            engine.set_options(options).unwrap();
            let searchmoves = searchmoves.to_vec();
            let limits = Limits { nodes: Some(20_000), searchmoves, ..Limits::default() };
            let result = engine.go(&board, &limits, &StopToken::new(), |_| {}).unwrap();
            result.lines.iter().map(|line| line.pv[0]).collect::<Vec<Move>>()
        };
        let first = lines(0, &[]);
        assert!((1..=moves.len()).contains(&first.len()), "{fen}");
        assert_eq!(lines(19, &[]).len(), moves.len(), "{fen}");
        // An only move is seen, and no other is played.
        let only: Vec<Move> = board.moves().take(1).collect();
        assert_eq!(lines(0, &only), only, "{fen}");
        (seen, all) = (seen + first.len(), all + moves.len());
    }
    assert!((all / 4..3 * all / 4).contains(&seen), "{seen} of {all}");
}

#[test]
fn limited_strength_goes_before_the_level() {
    let mut engine = engine();
    let mut refused = EngineOptions::default();
    assert!(refused.set("UCI_Elo", "999").is_err());
    assert_eq!(refused.skill, Skill::default());
    let limited = [("UCI_Elo", "1000"), ("Random Seed", "7"), ("UCI_LimitStrength", "true")];
    let (limited, unlimited) = (options_with(&limited), options_with(&limited[..2]));
    let mut differ = 0;
    let step = runs(6, 1);
    for Exact { fen, capture, .. } in exact_values().into_iter().step_by(step) {
        let board = Board::from_fen(&fen, capture).unwrap();
        let found = best(&mut engine, &board, &limited);
        assert_eq!(found, best(&mut engine, &board, &of_level(0, 7)));
        differ += u32::from(found != best(&mut engine, &board, &unlimited));
    }
    assert!(differ as usize > 50 / step, "{differ}");
}

#[test]
fn a_weak_engine_answers_at_once_and_waits_when_told_to() {
    let mut session = Session::start();
    session.send("setoption name Skill Level value 2");
    session.obeyed(&["position startpos"]);
    let answer = session.go("movetime 60000");
    assert!(answer.infos.iter().all(|info| info.number("depth") <= 2), "{answer:?}");
    session.send("go infinite");
    session.until("info depth 2 ");
    session.expect_silence(Duration::from_millis(200));
    session.send("stop");
    session.answer();
    session.quit();
}

//! Exact values in the engine: tables in the searches, and the search and the solver by turns.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use kalah::StopToken;
use kalah::board::{Board, Capture, Rules, Side};
use kalah::engine::{Engine, EngineOptions};
use kalah::search::{ExactTables, Limits, SearchOptions, SearchResult, Searcher, Variant};
use kalah::tablebase::Tablebase;

use crate::contest::Contest;
use crate::exact_values::{Exact, exact_values};
use crate::session::Session;

/// Far more than any of these searches takes.
const AMPLE: Duration = Duration::from_mins(1);

const SMALL: &str = "<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>";

fn rules(capture: Capture) -> Rules {
    Rules::new(6, capture).unwrap()
}

fn table(capture: Capture, seeds: u32) -> Arc<Tablebase> {
    Arc::new(Tablebase::build(rules(capture), seeds, NonZeroUsize::MIN).unwrap())
}

fn small_engine(options: EngineOptions) -> Engine {
    Engine::with_options(EngineOptions { hash_mebibytes: 1, ..options }).unwrap()
}

fn think(engine: &mut Engine, board: &Board) -> SearchResult {
    let limits = Limits { movetime: Some(AMPLE), ..Limits::default() };
    engine.go(board, &limits, &StopToken::new(), |_| {}).unwrap()
}

fn exact_of(capture: Capture) -> impl Iterator<Item = (Board, Exact)> {
    let exact = exact_values().into_iter().filter(move |exact| exact.capture == capture);
    exact.map(|exact| (Board::from_fen(&exact.fen, exact.capture).unwrap(), exact))
}

/// The value of the move that an outcome has chosen.
fn value_of_best(outcome: &SearchResult, exact: &Exact) -> i32 {
    exact.moves[&outcome.best.unwrap().house.letter(Side::North)]
}

#[test]
fn positions_with_few_seeds_are_looked_up_in_every_search_to_a_depth() {
    const SEEDS: u32 = 8;
    for capture in Capture::ALL {
        let tables = Some(Arc::new(ExactTables::new(table(capture, SEEDS), None)));
        let mut searcher = Searcher::new(1).unwrap();
        searcher.set_tables(tables);
        for (name, variant) in Variant::ALL {
            let Variant::DepthFirst(_) = variant else { continue };
            let settings = SearchOptions { variant, ..SearchOptions::default() };
            for (board, exact) in exact_of(capture) {
                if board.seeds_in_play() > SEEDS + 2 {
                    continue;
                }
                searcher.clear();
                let stop = StopToken::new();
                let limits = Limits { depth: Some(40), ..Limits::default() };
                let outcome = searcher.search(&board, &limits, &settings, &stop, &mut |_| {});
                let line = &outcome.lines[0];
                assert!(line.proven, "{name} {}", exact.fen);
                assert_eq!(line.margin, exact.value, "{name} {}", exact.fen);
                assert_eq!(value_of_best(&outcome, &exact), exact.value);
                assert_eq!(outcome.stats.tbhits, outcome.counters.tablebase_hits);
                if board.seeds_in_play() <= SEEDS {
                    assert_eq!(line.depth, 1, "{name} {}", exact.fen);
                }
            }
        }
    }
}

#[test]
fn tables_of_other_rules_are_not_looked_up() {
    let tables = Some(Arc::new(ExactTables::new(table(Capture::Empty, 6), None)));
    let settings = SearchOptions::negascout();
    for (board, exact) in exact_of(Capture::Standard).take(40) {
        let stop = StopToken::new();
        let mut searcher = Searcher::new(4).unwrap();
        searcher.set_tables(tables.clone());
        let outcome = searcher.search(&board, &Limits::default(), &settings, &stop, &mut |_| {});
        assert_eq!((outcome.lines[0].margin, outcome.stats.tbhits), (exact.value, 0));
    }
}

#[test]
fn whatever_is_known_is_proven_and_played_for_the_most_seeds() {
    for capture in Capture::ALL {
        let mut engine = small_engine(EngineOptions::default());
        let mut lost = 0;
        for (board, exact) in exact_of(capture) {
            let outcome = think(&mut engine, &board);
            assert!(outcome.lines[0].proven, "{}", exact.fen);
            assert_eq!(outcome.lines[0].margin, exact.value, "{}", exact.fen);
            assert_eq!(value_of_best(&outcome, &exact), exact.value, "{}", exact.fen);
            assert_eq!(outcome.lines[0].pv.first().copied(), outcome.best);
            lost += u32::from(exact.value < 0);
        }
        assert!(lost > 20);
    }
}

#[test]
fn games_are_solved_from_their_start() {
    for (houses, seeds, margin) in [(6, 2, 6), (6, 3, 2), (4, 4, 2)] {
        let board = Board::start(Rules::new(houses, Capture::Standard).unwrap(), seeds).unwrap();
        let outcome = think(&mut small_engine(EngineOptions::default()), &board);
        let line = &outcome.lines[0];
        assert!(line.proven, "{}", board.fen());
        assert_eq!(line.margin, margin);
        let mut played = board;
        for ply in &line.pv {
            assert_eq!(ply.side, played.side());
            played.play(*ply).unwrap();
        }
        if let Some(result) = played.result() {
            assert_eq!(result, line.margin, "{}", board.fen());
        }
    }
}

#[test]
fn boards_without_tables_are_thought_about_too() {
    let board =
        Board::from_fen("<10,0,0,1,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,0,1,0>", Capture::Standard);
    let outcome = think(&mut small_engine(EngineOptions::default()), &board.unwrap());
    assert!(outcome.lines[0].proven);
    assert_eq!(outcome.stats.tbhits, 0);
}

#[test]
fn looked_up_positions_are_counted_and_the_option_ends_it() {
    let mut session = Session::start();
    session.send(&format!("position fen {SMALL}"));
    let answer = session.go("depth 3");
    assert!(answer.last().is_proven() && answer.last().number("tbhits") > 0, "{answer:?}");
    session.obeyed(&["setoption name Exact value false", "ucinewgame"]);
    let answer = session.go("");
    assert!(answer.infos.iter().all(|info| info.number("tbhits") == 0));
    assert!(answer.last().is_proven() && answer.last().number("depth") > 1, "{answer:?}");
    session.quit();
}

#[test]
fn search_and_solver_can_be_stopped_at_any_time() {
    for (position, go) in [
        ("position startpos", "go infinite"),
        ("position startpos", "go movetime 3600000"),
        ("position startpos", "go ponder movetime 3600000"),
        ("position fen <6,0,0,4,4,4,4,4,4,0,0,4,4,4,4>", "go infinite"),
    ] {
        let mut session = Session::start();
        session.send("setoption name Solver Hash value 16");
        session.send("setoption name OwnBook value false");
        session.send(position);
        for pause in [0, 50, 150, 400] {
            session.send(go);
            thread::sleep(Duration::from_millis(pause));
            let stopped = Instant::now();
            session.send("stop");
            session.answer();
            assert!(stopped.elapsed() < Duration::from_mins(1), "{go} {pause}");
        }
        session.quit();
    }
}

#[test]
fn the_time_of_search_and_solver_starts_at_the_ponderhit() {
    let mut session = Session::start();
    session.send("setoption name OwnBook value false");
    session.send("position startpos moves C");
    session.send("go ponder movetime 200");
    thread::sleep(Duration::from_millis(300));
    assert!(session.sync().iter().all(|line| line.starts_with("info ")));
    session.send("ponderhit");
    session.answer();
    session.quit();
}

#[test]
fn a_long_solve_reports_the_bounds_and_the_work_that_is_left() {
    let mut session = Session::start();
    session.send("setoption name OwnBook value false");
    session.send("setoption name Seeds value 6");
    session.send("position startpos");
    session.send("go infinite");
    let lines = session.until("info string solving: ");
    let report = lines.last().unwrap();
    let words: Vec<&str> = report.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let [
        "info",
        "string",
        "solving:",
        "margin",
        lower,
        "to",
        upper,
        "some",
        nodes,
        "nodes",
        "left",
    ] = words[..]
    else {
        panic!("{report}")
    };
    let bounds = lower.parse().unwrap()..=upper.parse().unwrap();
    assert!(bounds.contains(&4), "{report}");
    assert!(nodes.parse::<u64>().unwrap() > 0, "{report}");
    session.send("stop");
    session.until("bestmove ");
    session.quit();
}

#[test]
fn several_threads_solve_together() {
    let number = |n| NonZeroUsize::new(n).unwrap();
    let search = SearchOptions { threads: number(2), ..SearchOptions::default() };
    let mut engine = small_engine(EngineOptions { search, ..EngineOptions::default() });
    let board = Board::start(Rules::default(), 3).unwrap();
    let outcome = think(&mut engine, &board);
    assert_eq!((outcome.lines[0].margin, outcome.lines[0].proven), (2, true));
}

#[test]
fn tables_in_files_are_used_and_bad_ones_refused() {
    let contest = Contest::new();
    let directory = contest.path("tables");
    let directory = directory.to_str().unwrap();
    let mut session = Session::start();
    session.refused("setoption name Tablebase value /no/such/directory");
    let mut build = Session::program(|command| {
        let words = ["tablebase", "build", directory, "--seeds", "13"];
        command.args(words);
    });
    build.close_input();
    build.wait_for_success();
    // A seed more than in the table in memory, and moves that win none.
    session.send("position fen <6,0,0,1,2,3,1,0,0,0,2,1,3,0,0>");
    assert!(!session.go("depth 1").last().is_proven());
    session.obeyed(&[&format!("setoption name Tablebase value {directory}"), "ucinewgame"]);
    let answer = session.go("depth 1");
    assert!(answer.last().is_proven(), "{answer:?}");
    // None for these rules is no error.
    session.obeyed(&["setoption name Houses value 4", "position startpos"]);
    assert!(session.go("depth 3").last().number("depth") == 3);
    session.obeyed(&["setoption name Tablebase value <empty>"]);
    session.quit();
    // A directory without any is named once.
    std::fs::create_dir(contest.path("empty")).unwrap();
    let (mut session, empty) = (Session::start(), contest.path("empty"));
    session.obeyed(&[&format!("setoption name Tablebase value {}", empty.display())]);
    for count in [1, 0] {
        session.send("go depth 12");
        let told = session.until("bestmove ").join("\n");
        let note = "' has no tables for 6 houses, standard capture\n";
        assert_eq!(told.matches(note).count(), count, "{told}");
    }
    session.quit();
    // What is wrong with a file is said to the end, when the option is set and when it is found later.
    contest.write("tables/kalah-6-standard-5.ktb", "something else");
    let mut session = Session::start();
    let reason = session.refused(&format!("setoption name Tablebase value {directory}"));
    assert!(reason.ends_with("kalah-6-standard-5.ktb': not a tablebase file"), "{reason}");
    let empty = "setoption name Capture value empty";
    session.obeyed(&[empty, &format!("setoption name Tablebase value {directory}")]);
    session.obeyed(&["setoption name Capture value standard", "position startpos"]);
    session.send("go depth 12");
    let told = session.until("bestmove ").join("\n");
    assert!(told.contains("info string no tables in files: "), "{told}");
    assert!(told.contains("kalah-6-standard-5.ktb': not a tablebase file\n"), "{told}");
    session.quit();
}

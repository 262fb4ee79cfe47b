//! The searches by random games: right where they prove, within their limits, and the same every
//! time.

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use kalah::StopToken;
use kalah::board::{Board, Capture, House, Move, Rules, Side};
use kalah::search::{
    Clock, DepthFirstOptions, Limits, SearchOptions, SearchReport, SearchResult, Searcher, Variant,
};
use proptest::prelude::*;

use crate::boards::{boards, starts};
use crate::exact_values::{Exact, exact_values};

const ALL: [Variant; 3] = [Variant::FlatMonteCarlo, Variant::FlatUcb, Variant::MonteCarloTree];

fn settings(variant: Variant) -> SearchOptions {
    SearchOptions { variant, ..SearchOptions::default() }
}

fn iterations(iterations: u64) -> Limits {
    Limits { iterations: Some(iterations), ..Limits::default() }
}

fn search(
    searcher: &mut Searcher,
    board: &Board,
    limits: &Limits,
    settings: &SearchOptions,
) -> SearchResult {
    let stop = StopToken::new();
    searcher.search(board, limits, settings, &stop, &mut |_| {})
}

fn search_anew(board: &Board, limits: &Limits, settings: &SearchOptions) -> SearchResult {
    search(&mut Searcher::new(1).unwrap(), board, limits, settings)
}

/// The name that the file of exact values has for a move.
fn name(ply: Move) -> char {
    ply.house.letter(Side::North)
}

/// The board at the end of a line; `None` when it holds an illegal move.
fn after(mut board: Board, line: &[Move]) -> Option<Board> {
    for ply in line {
        if ply.side != board.side() || board.play(*ply).is_err() {
            return None;
        }
    }
    Some(board)
}

/// The start of Kalah(6,4).
fn start() -> Board {
    Board::start(Rules::default(), 4).unwrap()
}

#[test]
fn the_seed_decides_everything() {
    for variant in ALL {
        let outcome = |random_seed| {
            let depth_first = DepthFirstOptions { random_seed, ..DepthFirstOptions::default() };
            search_anew(
                &start(),
                &iterations(2_000),
                &SearchOptions { depth_first, ..settings(variant) },
            )
        };
        let [one, same, other] = [1, 1, 2].map(outcome);
        assert_eq!((&one.lines, one.counters), (&same.lines, same.counters), "{variant}");
        assert_ne!(one.counters, other.counters, "{variant}");
    }
}

/// Node totals change with every change to the searches, and with nothing else.
#[test]
fn node_totals_are_pinned() {
    let nodes = ALL
        .map(|variant| search_anew(&start(), &iterations(2_000), &settings(variant)).stats.nodes);
    assert_eq!(nodes, [86_578, 85_776, 85_674]);
}

#[test]
fn small_endings_are_proven_and_right() {
    let mut searcher = Searcher::new(16).unwrap();
    for Exact { fen, capture, value, moves } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        if board.seeds_in_play() > 12 {
            continue;
        }
        // No limit: it ends when the value is proven.
        let outcome =
            search(&mut searcher, &board, &Limits::default(), &settings(Variant::MonteCarloTree));
        let line = &outcome.lines[0];
        assert!(line.proven, "{fen} {capture}");
        assert_eq!(line.margin, value, "{fen} {capture}");
        let best = outcome.best.unwrap();
        assert_eq!(line.pv[0], best);
        assert_eq!(moves[&name(best)], value);
        // A proven line is one of best play, to the end of the game.
        let end = after(board, &line.pv).unwrap();
        assert_eq!(end.result(), Some(value), "{fen} {capture}");
    }
}

#[test]
fn every_proven_line_is_right() {
    let multipv = NonZeroUsize::new(6).unwrap();
    let settings = SearchOptions { multipv, ..settings(Variant::MonteCarloTree) };
    let mut proven = 0;
    for Exact { fen, capture, moves, .. } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        let outcome = search_anew(&board, &iterations(500), &settings);
        assert_eq!(outcome.lines.len(), moves.len());
        for (line, multipv) in outcome.lines.iter().zip(1..) {
            assert_eq!(line.multipv, multipv);
            if line.proven {
                proven += 1;
                assert_eq!(line.margin, moves[&name(line.pv[0])], "{fen} {capture}");
            }
        }
    }
    assert!(proven > 300, "only {proven} lines were proven");
}

/// The first line is about the position, and is proven only when no other move can be better.
#[test]
fn a_proven_first_line_has_the_value_of_the_position() {
    let mut proven = 0;
    for Exact { fen, capture, value, .. } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        for variant in ALL {
            for limit in [10, 50, 200] {
                let outcome = search_anew(&board, &iterations(limit), &settings(variant));
                if outcome.lines[0].proven {
                    proven += 1;
                    assert_eq!(outcome.lines[0].margin, value, "{variant} {fen} {capture}");
                }
            }
        }
    }
    assert!(proven > 300, "only {proven} lines were proven");
}

#[test]
fn most_best_moves_are_found() {
    let mut best_moves = ALL.map(|_| 0);
    let mut count = 0;
    for Exact { fen, capture, value, moves } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        count += 1;
        for (best_moves, variant) in best_moves.iter_mut().zip(ALL) {
            let outcome = search_anew(&board, &iterations(1_000), &settings(variant));
            *best_moves += i32::from(moves[&name(outcome.best.unwrap())] == value);
        }
    }
    let [equal, ucb, tree] = best_moves.map(|found| 100 * found / count);
    assert!(equal >= 75 && ucb >= 75 && tree >= 90, "{equal} {ucb} {tree} % of {count}");
}

#[test]
fn a_great_capture_is_seen() {
    for capture in Capture::ALL {
        let board = Board::from_fen("<6,0,0,1,0,0,2,0,0,1,1,1,1,14,1>", capture).unwrap();
        for variant in ALL {
            let outcome = search_anew(&board, &iterations(500), &settings(variant));
            assert_eq!(outcome.best.unwrap().house, House::from_letter('A').unwrap(), "{variant}");
        }
    }
}

#[test]
fn iterations_are_exact() {
    for variant in ALL {
        for limit in [0, 1, 2, 7, 1_000, 5_000] {
            let outcome = search_anew(&start(), &iterations(limit), &settings(variant));
            // So early no iteration finds a result without a random game.
            assert_eq!(outcome.counters.leaves, limit, "{variant}");
            assert!(outcome.best.is_some() && !outcome.lines.is_empty(), "{variant}");
        }
    }
}

#[test]
fn nodes_are_kept_to_within_a_random_game() {
    for variant in ALL {
        for limit in [1, 100, 1_000, 1_024, 50_000] {
            let limits = Limits { nodes: Some(limit), ..Limits::default() };
            let nodes = search_anew(&start(), &limits, &settings(variant)).stats.nodes;
            assert!((limit..limit + 200).contains(&nodes), "{variant}: {nodes} of {limit}");
        }
    }
}

#[test]
fn a_stop_is_answered() {
    for variant in ALL {
        let mut searcher = Searcher::new(64).unwrap();
        let limits = Limits { infinite: true, ..Limits::default() };
        let mut answer = || {
            let stop = StopToken::new();
            thread::scope(|scope| {
                let search = scope.spawn(|| {
                    searcher.search(&start(), &limits, &settings(variant), &stop, &mut |_| {})
                });
                thread::sleep(Duration::from_millis(20));
                stop.stop();
                assert!(search.join().unwrap().best.is_some());
            });
        };
        (0..5).for_each(|_| answer());
    }
}

/// No game is played after moves that end it: the limits are looked at all the same.
#[test]
fn moves_that_end_the_game_are_no_endless_search() {
    // The only move, both moves, and the better of two end the game.
    let boards = [
        ("<2,1,0,0,3,2,2> S", true),
        ("<3,0,0,40,0,0,0,0,1> N", true),
        ("<3,0,0,2,1,0,5,0,0> S", true),
        ("<3,0,0,3,1,0,5,0,0> S", false),
    ];
    for (fen, all_over) in boards {
        let board = Board::from_fen(fen, Capture::Standard).unwrap();
        for variant in ALL {
            let movetime =
                Limits { movetime: Some(Duration::from_millis(20)), ..Limits::default() };
            let nodes = Limits { nodes: Some(100_000), ..Limits::default() };
            for limits in [movetime, nodes] {
                let began = Instant::now();
                let outcome = search_anew(&board, &limits, &settings(variant));
                assert!(began.elapsed() < Duration::from_mins(1), "{fen} {variant}");
                assert!(outcome.lines[0].proven || !all_over, "{fen} {variant}");
            }
        }
    }
}

/// A value that is said to be proven is right after however few games.
#[test]
fn what_ends_the_game_is_valued_without_a_game() {
    // Both moves end the game and win all seeds.
    let board = Board::from_fen("<3,0,0,2,1,0,5,0,0> S", Capture::Standard).unwrap();
    let multipv = NonZeroUsize::new(2).unwrap();
    for variant in ALL {
        let settings = SearchOptions { multipv, ..settings(variant) };
        for limit in [0, 1, 2] {
            let lines = search_anew(&board, &iterations(limit), &settings).lines;
            let values: Vec<_> = lines.iter().map(|line| (line.margin, line.proven)).collect();
            assert_eq!(values, [(8, true); 2], "{variant}, {limit} iterations");
        }
    }
}

/// A move without a game is not thought better than one that loses: it has no line.
#[test]
fn moves_without_a_game_have_no_line() {
    // An odd number of seeds: no game is a draw, which no game at all would be taken for.
    let board = Board::from_fen("<6,0,0,1,1,0,0,0,0,3,3,3,3,3,4> S", Capture::Standard).unwrap();
    for variant in [Variant::FlatMonteCarlo, Variant::FlatUcb] {
        for random_seed in 0..20 {
            let depth_first = DepthFirstOptions { random_seed, ..DepthFirstOptions::default() };
            let multipv = NonZeroUsize::new(2).unwrap();
            let settings = SearchOptions { depth_first, multipv, ..settings(variant) };
            let margins = |board: &Board, games| {
                let lines = search_anew(board, &iterations(games), &settings).lines;
                lines.iter().map(|line| line.margin).collect::<Vec<_>>()
            };
            let of_one = margins(&board, 1);
            assert!(of_one.len() == 1 && of_one[0] != 0, "{variant} {random_seed}: {of_one:?}");
            for games in 0..8 {
                let of_start = margins(&start(), games);
                assert!(of_start.is_sorted_by(|a, b| a >= b), "{variant} {games}: {of_start:?}");
                assert_eq!(of_start.len(), (games as usize).clamp(1, 2), "{variant} {games}");
            }
        }
    }
}

#[test]
fn a_forced_move_is_played_at_once() {
    let board = Board::from_fen("<6,0,0,0,0,0,0,0,4,4,4,4,4,4,4>", Capture::Standard).unwrap();
    let clock = Clock { remaining: Duration::from_hours(1), ..Clock::default() };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    for variant in ALL {
        let outcome = search_anew(&board, &limits, &settings(variant));
        assert!(outcome.counters.leaves <= 64 && outcome.best.is_some(), "{variant}");
    }
}

#[test]
fn only_searchmoves_are_played_and_valued() {
    let mut searcher = Searcher::new(1).unwrap();
    for Exact { fen, capture, moves, .. } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        if board.seeds_in_play() > 9 {
            continue;
        }
        // The tree of each search is there for the next, which has other moves to choose from.
        for (&name, &margin) in &moves {
            let searchmoves = vec![board.parse_move(&name.to_string()).unwrap()];
            let limits = Limits { searchmoves, ..Limits::default() };
            let tree = settings(Variant::MonteCarloTree);
            let outcome = search(&mut searcher, &board, &limits, &tree);
            assert_eq!(outcome.best.unwrap(), limits.searchmoves[0]);
            assert_eq!(outcome.lines[0].margin, margin, "{fen} {capture} {name}");
        }
    }
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let tree = settings(Variant::MonteCarloTree);
    let mut searcher = Searcher::new(16).unwrap();
    let board = Board::from_fen("<6,0,0,2,0,3,1,2,0,1,3,0,2,0,2>", Capture::Standard).unwrap();
    let first = search(&mut searcher, &board, &iterations(3_000), &tree);
    let board = after(board, &first.lines[0].pv[..2]).unwrap();
    let limits = Limits::default();
    let kept = search(&mut searcher, &board, &limits, &tree);
    let anew = search_anew(&board, &limits, &tree);
    assert!(kept.lines[0].proven && anew.lines[0].proven);
    assert_eq!(kept.lines[0].margin, anew.lines[0].margin);
    let (kept, anew) = (kept.counters.leaves, anew.counters.leaves);
    assert!(kept < anew, "{kept} random games with the tree and {anew} without");

    searcher.clear();
    let forgotten = search(&mut searcher, &board, &limits, &tree);
    assert_eq!(forgotten.counters.leaves, anew);
}

/// A whole game on one tree proves nothing wrong, under a rule that changes now and then.
#[test]
fn a_kept_tree_does_not_mislead() {
    let tree = settings(Variant::MonteCarloTree);
    let mut searcher = Searcher::new(1).unwrap();
    for Exact { fen, capture, .. } in exact_values().into_iter().step_by(7) {
        let mut board = Board::from_fen(&fen, capture).unwrap();
        while !board.is_over() {
            let outcome = search(&mut searcher, &board, &iterations(2_000), &tree);
            let line = &outcome.lines[0];
            let mut after = board;
            after.play(outcome.best.unwrap()).unwrap();
            if line.proven && board.seeds_in_play() <= 12 {
                let limits = Limits::default();
                let exact = search_anew(&board, &limits, &SearchOptions::negascout());
                assert_eq!(line.margin, exact.lines[0].margin, "{}", board.fen());
            }
            board = after;
        }
    }
}

#[test]
fn memory_has_an_end() {
    let board = Board::start(Rules::default(), 6).unwrap();
    let mut searcher = Searcher::new(1).unwrap();
    let mut most = 0;
    let stop = StopToken::new();
    let tree = settings(Variant::MonteCarloTree);
    let outcome = searcher.search(&board, &iterations(50_000), &tree, &stop, &mut |report| {
        if let SearchReport::Line(_, effort) = report {
            most = most.max(effort.hashfull);
        }
    });
    assert_eq!(outcome.counters.leaves, 50_000);
    assert!((990..=1000).contains(&most), "{most}");
    // 32 bytes for each of six moves.
    assert!(outcome.counters.interior <= (1 << 20) / (6 * 32));
    // What the next position does not need is used again.
    let mut next = board;
    next.play(outcome.best.unwrap()).unwrap();
    let outcome = search(&mut searcher, &next, &iterations(10_000), &tree);
    assert!(outcome.counters.interior > 500, "{} expanded", outcome.counters.interior);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_move_is_illegal(
        board in prop_oneof![boards(), starts()],
        variant in prop::sample::select(&ALL[..]),
    ) {
        let mut searcher = Searcher::new(1).unwrap();
        let mut board = board;
        for _ in 0..4 {
            let outcome = search(&mut searcher, &board, &iterations(30), &settings(variant));
            prop_assert_eq!(outcome.best.is_none(), board.is_over());
            let Some(best) = outcome.best else { break };
            prop_assert_eq!(best.side, board.side());
            let line = &outcome.lines[0];
            let gain = line.margin - board.store_difference();
            prop_assert!(gain.unsigned_abs() <= board.seeds_in_play());
            prop_assert!(after(board, &line.pv).is_some());
            prop_assert!(board.play(best).is_ok());
        }
    }
}

#[test]
fn the_largest_board_is_searched() {
    let board = Board::start(Rules::new(12, Capture::Standard).unwrap(), 42).unwrap();
    for variant in ALL {
        let outcome = search_anew(&board, &iterations(100), &settings(variant));
        assert!(board.moves().any(|house| Some(house) == outcome.best));
    }
}

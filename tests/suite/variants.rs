//! The searches of the literature against one another, against the definition of a value to a
//! depth, and against exact values.

use std::num::NonZeroUsize;

use kalah::StopToken;
use kalah::board::{Board, Capture, Move, Next, Side};
use kalah::search::{
    DepthFirst, DepthFirstOptions, Evaluation, Limits, MoveOrdering, MtdDriver, SearchOptions,
    SearchResult, Searcher, SelectiveParameter, SelectiveParameters, TableUse, Variant,
};
use kalah::solve::{Solver, SolverResources};
use proptest::prelude::*;

use crate::boards::{boards_with, in_rows};
use crate::exact_values::{Exact, exact_values};
use crate::runs::runs;

const MIDDLE_GAME: &str = "<6,2,1,0,5,5,1,6,5,1,5,0,5,6,6> N";

/// Those that leave nothing out.
fn depth_first_searches() -> impl Iterator<Item = (Variant, DepthFirst)> {
    Variant::ALL.into_iter().filter_map(|(_, variant)| match variant {
        Variant::DepthFirst(search) if variant != Variant::SELECTIVE => Some((variant, search)),
        _ => None,
    })
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

fn estimate(board: &Board) -> i32 {
    let houses = board.rules().houses();
    let (_, position) = in_rows::<u128>(board).unwrap();
    Evaluation::default().gain(&position, houses, board.seeds_in_play() as i32)
}

/// The value of a board to a depth, as a margin for the player to move, by definition.
fn value(board: &Board, depth: u32) -> i32 {
    if depth == 0 {
        return board.store_difference() + estimate(board);
    }
    let by = |house| {
        let mut after = *board;
        match after.play(house).unwrap() {
            Next::Over => {
                // The seeds left are in the stores, and nobody is to move: as the mover sees it.
                let [own, other] = [board.side(), !board.side()].map(|side| after.store(side));
                i32::from(own) - i32::from(other)
            }
            Next::Again => value(&after, depth - 1),
            Next::Other => -value(&after, depth - 1),
        }
    };
    board.moves().map(by).max().unwrap()
}

fn few_seeds() -> impl Strategy<Value = Board> {
    let seeds = prop_oneof![2 => Just(0_u16), 4 => 1..=6_u16, 1 => 7..=20_u16];
    boards_with(seeds, Just(0)).prop_filter("the game goes on", |board| !board.is_over())
}

fn conducts() -> impl Strategy<Value = DepthFirstOptions> {
    let tables = prop::sample::select(&[TableUse::Off, TableUse::EqualDepth][..]);
    let orderings = prop::sample::select(&MoveOrdering::ALL[..]);
    (tables, orderings, any::<u64>()).prop_map(|(table, ordering, random_seed)| DepthFirstOptions {
        table,
        ordering,
        random_seed,
        ..DepthFirstOptions::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn all_searches_find_the_value_to_a_depth(
        board in few_seeds(),
        depth in 1..=5_u32,
        depth_first in conducts(),
        aspiration: bool,
    ) {
        let depth = depth.min(if board.rules().houses() > 8 { 3 } else { 5 });
        let expected = value(&board, depth);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        // One for all, so that what one search leaves in the table is there for the next.
        let mut searcher = Searcher::new(1).unwrap();
        for (variant, _) in depth_first_searches() {
            let settings = SearchOptions { variant, depth_first, aspiration, ..SearchOptions::default() };
            let outcome = search(&mut searcher, &board, &limits, &settings);
            let line = &outcome.lines[0];
            prop_assert_eq!(line.margin, expected, "{}", variant);
            prop_assert_eq!(Some(line.pv[0]), outcome.best);
            // The move is one that has the value.
            let mut after = board;
            let next = after.play(line.pv[0]).unwrap();
            let rest = match next {
                Next::Over => continue,
                Next::Again => value(&after, depth - 1),
                Next::Other => -value(&after, depth - 1),
            };
            prop_assert_eq!(rest, expected, "{} plays {}", variant, line.pv[0]);
        }
    }

    #[test]
    fn what_deeper_searches_left_does_not_change_the_value_to_a_depth(
        board in few_seeds(),
        depth in 1..=4_u32,
    ) {
        let mut searcher = Searcher::new(1).unwrap();
        let deep = Limits { depth: Some(depth + 2), ..Limits::default() };
        let variant = Variant::NEGASCOUT;
        let settings = SearchOptions { variant, ..SearchOptions::default() };
        search(&mut searcher, &board, &deep, &settings);
        for table in [TableUse::EqualDepth, TableUse::Off, TableUse::EqualDepth] {
            let depth_first = DepthFirstOptions { table, ..DepthFirstOptions::default() };
            let settings = SearchOptions { variant, depth_first, ..SearchOptions::default() };
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let outcome = search(&mut searcher, &board, &limits, &settings);
            prop_assert_eq!(outcome.lines[0].margin, value(&board, depth));
            search(&mut searcher, &board, &deep, &settings);
        }
    }
}

/// An iteration cut short does not replace the best move by one that it has not been held against.
#[test]
fn interrupted_iterations_make_no_move_worse() {
    const DEPTH: u32 = 4;
    let board = Board::from_fen(MIDDLE_GAME, Capture::Standard).unwrap();
    let worth = |house, depth| {
        let mut after = board;
        match after.play(house).unwrap() {
            Next::Over => after.store_difference(),
            Next::Again => value(&after, depth - 1),
            Next::Other => -value(&after, depth - 1),
        }
    };
    for (variant, _) in depth_first_searches() {
        for ordering in MoveOrdering::ALL {
            for nodes in (20..6_000).step_by(290) {
                let depth_first = DepthFirstOptions {
                    table: TableUse::EqualDepth,
                    ordering,
                    random_seed: 3,
                    ..DepthFirstOptions::default()
                };
                let settings = SearchOptions { variant, depth_first, ..SearchOptions::default() };
                let limits = Limits { nodes: Some(nodes), depth: Some(DEPTH), ..Limits::default() };
                let outcome = search(&mut Searcher::new(1).unwrap(), &board, &limits, &settings);
                let Some(line) = outcome.lines.first() else { continue };
                let (first, best) = (line.pv[0], outcome.best.unwrap());
                if first != best {
                    let depth = line.depth + 1;
                    assert!(worth(best, depth) >= worth(first, depth), "{variant} {ordering:?}");
                }
            }
        }
    }
}

/// That a move is worth more than a bound far below what is known does not make it the best.
#[test]
fn an_interrupted_bisection_makes_no_move_worse() {
    let board = Board::from_fen("<6,2,1,5,4,4,0,1,6,1,0,6,6,6,6> S", Capture::Standard).unwrap();
    let variant = Variant::DepthFirst(DepthFirst::Mtd(MtdDriver::Bisection));
    let settings = SearchOptions { variant, ..SearchOptions::default() };
    for nodes in (300..700).step_by(10) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome = search(&mut Searcher::new(1).unwrap(), &board, &limits, &settings);
        assert_eq!(outcome.best, outcome.lines[0].pv.first().copied(), "{nodes} nodes");
    }
}

/// A search that has reached the end of every game has found the exact value, whatever it is.
#[test]
fn all_searches_prove_the_exact_values() {
    const SEEDS: u32 = 9;
    let mut checked = 0;
    for (variant, search_as) in depth_first_searches() {
        let mut searcher = Searcher::new(4).unwrap();
        for Exact { fen, capture, value, moves } in exact_values() {
            let board = Board::from_fen(&fen, capture).unwrap();
            // Without pruning few seeds make many positions.
            let few = if search_as == DepthFirst::Minimax { SEEDS - 2 } else { SEEDS };
            if board.seeds_in_play() > few {
                continue;
            }
            checked += 1;
            let settings = SearchOptions { variant, ..SearchOptions::default() };
            let outcome = search(&mut searcher, &board, &Limits::default(), &settings);
            assert!(outcome.lines[0].proven, "{variant}: {fen} {capture}");
            assert_eq!(outcome.lines[0].margin, value, "{variant}: {fen} {capture}");
            let best = outcome.best.unwrap();
            assert_eq!(moves[&best.house.letter(Side::North)], value, "{variant}");
        }
    }
    assert!(checked >= 500, "only {checked}");
}

/// Several lines, and some of the moves only, under every search.
#[test]
fn all_searches_rank_the_moves_alike() {
    let board = Board::from_fen(MIDDLE_GAME, Capture::Standard).unwrap();
    let four = NonZeroUsize::new(4).unwrap();
    let depth_first =
        DepthFirstOptions { table: TableUse::EqualDepth, ..DepthFirstOptions::default() };
    let limits = Limits { depth: Some(5), ..Limits::default() };
    let margins = |variant| {
        let mut searcher = Searcher::new(1).unwrap();
        let settings =
            SearchOptions { variant, depth_first, multipv: four, ..SearchOptions::default() };
        let lines = search(&mut searcher, &board, &limits, &settings).lines;
        lines.iter().map(|line| line.margin).collect::<Vec<_>>()
    };
    let expected = margins(Variant::DepthFirst(DepthFirst::Minimax));
    assert_eq!(expected.len(), 4);
    for (variant, _) in depth_first_searches() {
        assert_eq!(margins(variant), expected, "{variant}");
    }
}

/// The negamax form and the pair for MAX and MIN are one search: visit for visit.
#[test]
fn both_forms_of_negascout_count_the_same() {
    for Exact { fen, capture, .. } in exact_values().into_iter().step_by(7) {
        let board = Board::from_fen(&fen, capture).unwrap();
        for table in TableUse::ALL {
            for ordering in MoveOrdering::ALL {
                let counters = |search_as| {
                    let depth_first = DepthFirstOptions {
                        table,
                        ordering,
                        random_seed: 1,
                        ..DepthFirstOptions::default()
                    };
                    let variant = Variant::DepthFirst(search_as);
                    let settings =
                        SearchOptions { variant, depth_first, ..SearchOptions::default() };
                    let limits = Limits { depth: Some(6), ..Limits::default() };
                    let mut searcher = Searcher::new(1).unwrap();
                    search(&mut searcher, &board, &limits, &settings).counters
                };
                let counted = counters(DepthFirst::NegaScout);
                assert_eq!(counted, counters(DepthFirst::NegaScoutMinimax), "{fen}");
                assert!(counted.nodes > 0);
            }
        }
    }
}

#[test]
fn counters_add_up() {
    let board = Board::from_fen(MIDDLE_GAME, Capture::Standard).unwrap();
    let limits = Limits { depth: Some(7), ..Limits::default() };
    let mut hits = [0; 3];
    for (variant, search_as) in depth_first_searches() {
        for table in TableUse::ALL {
            let depth_first = DepthFirstOptions { table, ..DepthFirstOptions::default() };
            let settings = SearchOptions { variant, depth_first, ..SearchOptions::default() };
            let mut searcher = Searcher::new(1).unwrap();
            let outcome = search(&mut searcher, &board, &limits, &settings);
            let counters = outcome.counters;
            assert_eq!(counters.nodes, outcome.stats.nodes);
            let settled = counters.interior + counters.leaves + counters.table_hits;
            assert!(settled <= counters.nodes, "{variant} {counters:?}");
            hits[table as usize] += counters.table_hits;
            let cutoffs = counters.cutoffs.iter().sum::<u64>();
            assert!(cutoffs <= counters.interior);
            assert_eq!(cutoffs == 0, search_as == DepthFirst::Minimax);
        }
    }
    assert_eq!(hits.map(|hits| hits > 0), [true, true, false], "{hits:?}");
}

/// Whatever was searched before, with whichever moves to choose from, and however soon it ends.
#[test]
fn what_is_said_to_be_proven_is() {
    let positions = exact_values();
    let mut random = fastrand::Rng::with_seed(7);
    let mut searcher = Searcher::new(1).unwrap();
    let resources = SolverResources { mebibytes: 16, ..SolverResources::default() };
    let mut solvers = [Solver::new(resources), Solver::new(resources)];
    let mut proven = 0;
    for (_, variant) in Variant::ALL {
        for table in TableUse::ALL {
            for _ in 0..runs(20, 60) {
                let Exact { fen, capture, moves, .. } = &positions[random.usize(..positions.len())];
                let board = Board::from_fen(fen, *capture).unwrap();
                let ordering = MoveOrdering::ALL[random.usize(..3)];
                let random_seed = random.u64(..);
                let mut selective = SelectiveParameters::DEFAULT;
                for &SelectiveParameter { range: (min, max), set, .. } in SelectiveParameters::ALL {
                    if random.bool() {
                        set(&mut selective, random.i32(min..=max));
                    }
                }
                let depth_first = DepthFirstOptions { table, ordering, random_seed, selective };
                let settings = SearchOptions {
                    variant,
                    depth_first,
                    multipv: NonZeroUsize::new(random.usize(1..=3)).unwrap(),
                    threads: NonZeroUsize::new(random.usize(1..=2)).unwrap(),
                    aspiration: random.bool(),
                    ..SearchOptions::default()
                };
                let some = random.bool();
                let allowed = |_: &Move| !some || random.bool();
                let searchmoves: Vec<_> = board.moves().filter(allowed).collect();
                let chosen = |mv| searchmoves.is_empty() || searchmoves.contains(&mv);
                let limits = Limits {
                    nodes: Some(random.u64(1..30_000)),
                    searchmoves: searchmoves.clone(),
                    ..Limits::default()
                };
                let outcome = search(&mut searcher, &board, &limits, &settings);
                let worth = |mv: Move| moves[&mv.letter().to_ascii_lowercase()];
                let value = board.moves().filter(|&mv| chosen(mv)).map(worth).max();
                assert!(chosen(outcome.best.unwrap()));
                for line in outcome.lines.iter().filter(|line| line.proven) {
                    proven += 1;
                    let mut end = board;
                    line.pv.iter().for_each(|&mv| assert!(end.play(mv).is_ok(), "{fen} {line:?}"));
                    let of_end = solvers[capture.index()].solve(&end).unwrap().margin;
                    let of_end = if end.side() == board.side() { of_end } else { -of_end };
                    assert_eq!(line.margin, of_end, "{fen} {capture} {line:?} {settings:?}");
                    let of_move = worth(line.pv[0]);
                    assert_eq!(line.margin, of_move, "{fen} {capture} {limits:?} {settings:?}");
                    let is_value = line.multipv > 1 || Some(of_move) == value;
                    assert!(is_value, "{fen} {capture} {limits:?} {settings:?}");
                }
            }
        }
    }
    assert!(proven > runs(350, 1_000), "only {proven}");
}

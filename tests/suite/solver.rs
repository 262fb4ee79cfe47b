//! Solved positions, against known values and a plain recursion; the files of checkpoints, their owner and what a crash
//! leaves of them.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kalah::StopToken;
use kalah::board::{Board, Capture, House, RuleSet, Rules, Side};
use kalah::solve::{
    Checkpoint, CheckpointError, FirstGuess, Solution, SolveError, SolveProgress, SolveRequest,
    Solver, SolverResources,
};
use kalah::tablebase::Tablebase;
use proptest::prelude::*;
use rustc_hash::FxHashMap;

use crate::boards::reference_of;
use crate::exact_data::gain_of;
use crate::exact_values::{Exact, exact_values};
use crate::runs::runs;

const ALL: SolveRequest = SolveRequest { moves: true, best: true, line: true, guess: None };

fn solver(threads: usize, mebibytes: usize) -> Solver {
    Solver::new(SolverResources { threads: NonZeroUsize::new(threads).unwrap(), mebibytes })
}

fn solve_with(
    solver: &mut Solver,
    board: &Board,
    request: SolveRequest,
) -> Result<Solution, SolveError> {
    solver.solve_with(board, request, &StopToken::new(), &SolveProgress::default())
}

fn solve(solver: &mut Solver, board: &Board) -> Solution {
    solve_with(solver, board, ALL).unwrap()
}

/// Best play leads where the solution says, and every move is worth what it says.
fn check(board: &Board, solution: &Solution) {
    if !board.is_over() {
        assert_eq!(solution.moves.iter().map(|(_, margin)| *margin).max(), Some(solution.margin));
    }
    assert!(board.moves().eq(solution.moves.iter().map(|(house, _)| *house)));
    let best = solution.moves.iter().filter(|(_, margin)| *margin == solution.margin);
    assert!(best.map(|(mv, _)| mv).eq(&solution.best), "{}", board.fen());
    let mut played = *board;
    for house in &solution.line {
        played.play(*house).unwrap();
    }
    let sign = if board.side() == Side::South { 1 } else { -1 };
    assert_eq!(played.result(), Some(sign * solution.margin), "{}", board.fen());
}

#[test]
fn all_known_values_are_found() {
    for capture in Capture::ALL {
        let mut solver = solver(2, 256);
        for Exact { fen, value, moves, .. } in
            exact_values().into_iter().filter(|exact| exact.capture == capture)
        {
            let board = Board::from_fen(&fen, capture).unwrap();
            let solution = solve(&mut solver, &board);
            assert_eq!(solution.margin, value, "{fen} {capture}");
            let found = solution.moves.iter();
            let found = found.map(|(mv, margin)| (mv.letter().to_ascii_lowercase(), *margin));
            assert_eq!(found.collect::<Vec<_>>(), moves.into_iter().collect::<Vec<_>>());
            check(&board, &solution);
        }
    }
}

/// Boards of several rules, one after the other.
#[test]
fn many_boards_at_once_have_their_values() {
    let known: Vec<Exact> = exact_values().into_iter().step_by(11).collect();
    let boards: Vec<Board> =
        known.iter().map(|exact| Board::from_fen(&exact.fen, exact.capture).unwrap()).collect();
    let (stop, progress) = (StopToken::new(), SolveProgress::default());
    let solutions = solver(3, 64).solve_all(&boards, &stop, &progress).unwrap();
    assert_eq!(solutions.len(), known.len());
    for (exact, solution) in known.iter().zip(&solutions) {
        assert_eq!(solution.margin, exact.value, "{} {}", exact.fen, exact.capture);
        let margins = solution.moves.iter().map(|(_, margin)| margin);
        assert!(margins.eq(exact.moves.values()), "{}", exact.fen);
    }
    stop.stop();
    let stopped = solver(3, 64).solve_all(&boards, &stop, &progress);
    assert!(matches!(stopped, Err(SolveError::Stopped)));
}

#[test]
fn starts_of_solving_kalah_have_its_values() {
    let mut solver = solver(1, 64);
    for (seeds, standard, empty) in [(1, 2, 2), (2, 6, 10), (3, 2, 2)] {
        for (capture, value) in [(Capture::Standard, standard), (Capture::Empty, empty)] {
            let board = Board::start(Rules::new(6, capture).unwrap(), seeds).unwrap();
            let solution = solve(&mut solver, &board);
            assert_eq!(solution.margin, value);
            check(&board, &solution);
        }
    }
    let board = Board::start(Rules::default(), 3).unwrap();
    let margins = solve(&mut solver, &board).moves.into_iter().map(|(_, margin)| margin);
    assert_eq!(margins.collect::<Vec<_>>(), [-14, -16, -10, -2, 2, 0]);
}

/// Boards that are soon played out. With `KALAH_DEEP` in the environment those of many houses have more seeds:
/// relays reach millions of positions from some of them.
fn small_boards() -> impl Strategy<Value = Vec<u16>> {
    let is_deep = std::env::var_os("KALAH_DEEP").is_some();
    let placed = |houses: RangeInclusive<usize>, seeds: usize| {
        let places = prop::collection::vec(any::<prop::sample::Index>(), seeds / 2..=seeds);
        (houses, places).prop_map(|(houses, places)| {
            let mut board = vec![0; 2 * houses];
            for place in places {
                board[place.index(2 * houses)] += 1;
            }
            board
        })
    };
    prop_oneof![
        prop::collection::vec(0..45_u16, 2),
        prop::collection::vec(0..8_u16, 4),
        placed(3..=6, 10),
        placed(7..=12, if is_deep { 10 } else { 7 }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn margins_are_those_of_playing_everything_out(
        houses in small_boards(),
        stores: [u8; 2],
        capture in crate::boards::rule_sets(),
        threads in 1..=2_usize,
    ) {
        let half = houses.len() / 2;
        let (south, north) = (&houses[..half], &houses[half..2 * half]);
        let rules = Rules::new(half, capture)?;
        for side in Side::ALL {
            let board = Board::new(rules, [south, north], stores.map(u16::from), side)?;
            let solution = solve(&mut solver(threads, 8), &board);
            check(&board, &solution);
            let reference = reference_of(&board);
            let mut known = FxHashMap::default();
            for (mv, margin) in &solution.moves {
                let gain = gain_of(&reference, mv.house.index(), &mut known);
                prop_assert_eq!(*margin, board.store_difference() + gain);
            }
        }
    }
}

#[test]
fn houses_of_more_than_31_seeds_are_no_others() {
    for (fen, capture) in [
        ("<6,0,0,33,0,0,0,1,0,1,0,1,0,0,2>", Capture::Standard),
        ("<6,2,5,0,1,0,0,1,0,34,0,0,2,0,1>", Capture::Empty),
        ("<6,0,0,1,2,0,0,0,35,1,1,1,0,0,0>", Capture::Standard),
    ]
    .into_iter()
    .take(runs(2, 3))
    {
        let board = Board::from_fen(fen, capture).unwrap();
        let solution = solve(&mut solver(1, 64), &board);
        check(&board, &solution);
        for (house, margin) in solution.moves {
            let mut after = board;
            after.play(house).unwrap();
            let sign = if after.side() == board.side() { 1 } else { -1 };
            assert_eq!(sign * solve(&mut solver(1, 64), &after).margin, margin);
        }
    }
}

#[test]
fn tables_serve_one_position_after_another() {
    let mut used = solver(1, 16);
    let starts = [(6, 1), (6, 2), (8, 1), (4, 3), (6, 2), (5, 2), (10, 1), (6, 1)];
    for (houses, seeds) in starts.into_iter().take(runs(3, 8)) {
        for rule_set in RuleSet::ALL {
            let board = Board::start(Rules::new(houses, rule_set).unwrap(), seeds).unwrap();
            let mut fresh = solver(1, 16);
            assert_eq!(solve(&mut used, &board).margin, solve(&mut fresh, &board).margin);
        }
    }
}

#[test]
fn a_solver_that_searches_much_takes_a_larger_tablebase() {
    let board = Board::start(Rules::new(7, Capture::Standard).unwrap(), 2).unwrap();
    let mut solver = solver(1, 256);
    let mut nodes = Vec::new();
    for _ in 0..16 {
        let progress = SolveProgress::default();
        let (request, stop) = (SolveRequest::default(), StopToken::new());
        let solution = solver.solve_with(&board, request, &stop, &progress).unwrap();
        assert_eq!(solution.margin, 6);
        nodes.push(progress.nodes());
        solver.clear();
    }
    assert_eq!(nodes[0], nodes[1], "nothing is left of the first");
    assert!(nodes[15] < nodes[0] * 3 / 4, "{nodes:?}");
}

#[test]
fn guesses_do_not_change_what_is_found() {
    for Exact { fen, value, capture, .. } in exact_values().into_iter().step_by(9) {
        let board = Board::from_fen(&fen, capture).unwrap();
        let mut solver = solver(1, 16);
        let near = [(value - 2, 5), (value, 2), (value + 3, 9)];
        for (margin, house) in near.into_iter().chain([(i32::MIN, 0), (i32::MAX, 1)]) {
            let best = House::new(house).map(|house| board.move_from(house));
            let guess = Some(FirstGuess { margin, best });
            solver.clear();
            let found = solve_with(&mut solver, &board, SolveRequest { guess, ..ALL }).unwrap();
            check(&board, &found);
            assert_eq!(found.margin, value, "{fen} {capture} {guess:?}");
        }
    }
}

#[test]
fn a_finished_game_is_worth_its_stores() {
    // Seeds in the houses go to their owners, however many these are.
    for (fen, margin) in [
        ("<6,20,28,0,0,0,0,0,0,0,0,0,0,0,0> N", 8),
        ("<1,0,0,1023,0> S", 1023),
        ("<1,0,0,1023,0> N", -1023),
        ("<9,1,0,0,0,0,0,0,0,0,0,0,0,0,200,0,0,0,0,0,0> S", -199),
    ] {
        let board = Board::from_fen(fen, Capture::Standard).unwrap();
        let solution = solve(&mut solver(1, 4), &board);
        assert_eq!(solution, Solution { margin, ..Solution::default() }, "{fen}");
    }
}

#[test]
fn what_is_stopped_says_so_and_does_no_harm() {
    let mut solver = solver(2, 120);
    let board = Board::start(Rules::default(), 6).unwrap();
    let begun = Instant::now();
    // The build of the tables is broken off four times, and goes on each time.
    for _ in 0..4 {
        let (stop, progress) = (StopToken::new(), SolveProgress::default());
        stop.stop();
        let stopped = solver.solve_with(&board, ALL, &stop, &progress);
        assert!(matches!(stopped, Err(SolveError::Stopped)));
        assert_eq!(progress.nodes(), 0);
    }
    loop {
        let (stop, progress) = (StopToken::new(), SolveProgress::default());
        stop.set_deadline(Instant::now() + Duration::from_millis(20));
        let stopped = solver.solve_with(&board, ALL, &stop, &progress);
        assert!(matches!(stopped, Err(SolveError::Stopped)));
        if progress.nodes() > 0 {
            break;
        }
        assert!(begun.elapsed() < Duration::from_mins(1));
    }
    let stop = StopToken::new();
    stop.stop();
    let stopped = solver.solve_with(&board, ALL, &stop, &SolveProgress::default());
    assert!(matches!(stopped, Err(SolveError::Stopped)));
    let board = Board::start(Rules::default(), 2).unwrap();
    assert_eq!(solve(&mut solver, &board).margin, 6);
}

/// A key of the table of bounds depends on the rules alone: neither a tablebase that comes later nor a
/// checkpoint made beside another tablebase changes what the bounds belong to.
#[test]
fn bounds_stay_right_when_the_tablebase_changes() {
    for (houses, capture, seeds) in [
        (6, Capture::Standard, 2),
        (6, Capture::Empty, 2),
        (3, Capture::Standard, 4),
        (7, Capture::Standard, 1),
        (8, Capture::Empty, 1),
    ]
    .into_iter()
    .take(runs(1, 5))
    {
        let rules = Rules::new(houses, capture).unwrap();
        let mut boards = vec![Board::start(rules, seeds).unwrap()];
        for _ in 0..runs(1, 4) {
            let mut board = *boards.last().unwrap();
            board.play(board.moves().next().unwrap()).unwrap();
            boards.push(board);
        }
        let solutions = |solver: &mut Solver| -> Vec<Solution> {
            boards.iter().map(|board| solve(solver, board)).collect()
        };
        let tablebase =
            |seeds| Arc::new(Tablebase::build(rules, seeds, NonZeroUsize::MIN).unwrap());
        let expected: Vec<_> =
            boards.iter().map(|board| solve(&mut solver(1, 16), board)).collect();
        let same = |found: Vec<Solution>| {
            let values = |all: &[Solution]| -> Vec<_> {
                all.iter().map(|it| (it.margin, it.moves.clone())).collect()
            };
            assert_eq!(values(&found), values(&expected), "{rules:?}");
            boards.iter().zip(&found).for_each(|(board, found)| check(board, found));
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let checkpoint = || Checkpoint::open(&path, rules).unwrap();
        let mut first = solver(2, 16);
        same(solutions(&mut first));
        let seven = tablebase(7);
        for seeds in [0, 9, 4] {
            first.set_tablebase(tablebase(seeds));
            first.clear();
            first.set_checkpoint(checkpoint());
            same(solutions(&mut first));
            drop(std::mem::replace(&mut first, solver(2, 16)));
            let mut other = solver(1, 16);
            other.set_checkpoint(checkpoint());
            same(solutions(&mut other));
            drop(other);
            let mut other = solver(1, 16);
            other.set_tablebase(Arc::clone(&seven));
            other.set_checkpoint(checkpoint());
            same(solutions(&mut other));
        }
    }
}

#[test]
fn no_memory_allowed_is_the_least_that_works() {
    let board = Board::start(Rules::default(), 1).unwrap();
    let solution = solve(&mut solver(2, 0), &board);
    assert_eq!(solution.margin, 2);
    check(&board, &solution);
}

#[test]
fn too_many_seeds_are_refused() {
    for (houses, limit) in [(1, 127), (6, 127), (9, 79), (10, 66), (12, 50)] {
        let rules = Rules::new(houses, Capture::Standard).unwrap();
        let mut south = vec![0; houses];
        south[0] = limit;
        let north = vec![1; houses];
        let board = Board::new(rules, [&south, &north], [0, 0], Side::South).unwrap();
        match solver(1, 16).solve(&board) {
            Err(SolveError::TooManySeeds { max, .. }) => {
                assert_eq!(max, u32::from(limit), "{houses}");
            }
            other => panic!("{houses}: {other:?}"),
        }
        // As many as that are not too many.
        south[0] -= houses as u16;
        let board = Board::new(rules, [&south, &north], [0, 0], Side::South).unwrap();
        let stop = StopToken::new();
        stop.stop();
        let stopped = solver(1, 16).solve_with(&board, ALL, &stop, &SolveProgress::default());
        assert!(!matches!(stopped, Err(SolveError::TooManySeeds { .. })), "{houses}: {stopped:?}");
    }
}

const HEADER: usize = 16;
const RECORD: usize = 16;

/// Bytes with their checksum.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// A record of a position with four seeds, and bounds that say nothing.
fn record(hash: u64) -> Vec<u8> {
    sealed([&hash.to_le_bytes()[..], &[4, 0, 4, 0]].concat())
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_its_owner_removes_is_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let open = || Checkpoint::open(&path, Rules::default());
    let handles = || {
        let all = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
        all.filter(|handle| fs::read_link(handle.path()).is_ok_and(|file| file == path)).count()
    };
    let first = open().unwrap();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| open().map(|_checkpoint| path.exists()));
        while handles() < 2 && !second.is_finished() {
            std::thread::yield_now();
        }
        drop(first);
        // On a slow machine it may have given up before.
        assert!(matches!(second.join(), Ok(Ok(true) | Err(CheckpointError::Busy))));
    });
}

#[test]
fn what_a_crash_has_not_written_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let header = sealed([&b"\x89KBD\r\n\x1a\n"[..], &[4, 0, 6, 0]].concat());
    let whole = [header, record(1)].concat();
    let hole = [&whole[..], &[0; 3 * RECORD], &record(2)].concat();
    let mut wrong = [&whole[..], &record(2), &record(3)].concat();
    wrong[HEADER + RECORD] ^= 1;
    for (bytes, is_read) in [(hole, true), (wrong, false)] {
        fs::write(&path, &bytes).unwrap();
        assert_eq!(Checkpoint::open(&path, Rules::default()).is_ok(), is_read);
        let expected = if is_read { &whole } else { &bytes };
        assert_eq!(fs::read(&path).unwrap(), *expected);
    }
}

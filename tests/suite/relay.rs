//! Relay sowing: positions with exact values, which an alpha-beta search on plain arrays and the solver of
//! this library have found, each for itself.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use kalah::board::{Board, Move, Rules, Sowing};
use kalah::proof_file::{ProofLimits, ProofProgress};
use kalah::search::{Limits, SearchOptions, Searcher, Variant};
use kalah::solve::{SolveProgress, SolveRequest, SolverResources};
use kalah::tablebase::Tablebase;
use kalah::{Solver, StopToken};
use serde_json::Value;

use crate::runs::runs;

/// A position of relay sowing, South to move, with the exact margins of its moves by letter.
struct ExactRelay {
    board: String,
    value: i32,
    moves: BTreeMap<char, i32>,
}

impl ExactRelay {
    fn board(&self) -> Board {
        Board::from_fen(&self.board, Sowing::Relay).unwrap()
    }
}

fn exact_relays() -> Vec<ExactRelay> {
    let margin = |value: &Value| i32::try_from(value.as_i64().unwrap()).unwrap();
    let lines = include_str!("../data/exact-values-relay.jsonl").lines();
    let exact = lines.map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let moves = line["moves"].as_object().unwrap().iter();
        ExactRelay {
            board: line["board"].as_str().unwrap().to_owned(),
            value: margin(&line["value"]),
            moves: moves.map(|(letter, value)| (letter.parse().unwrap(), margin(value))).collect(),
        }
    });
    exact.collect()
}

fn solver() -> Solver {
    Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() })
}

#[test]
fn the_positions_are_whole() {
    let positions = exact_relays();
    assert!(positions.len() >= 100);
    for exact in positions {
        let legal = exact.board().moves().map(Move::letter);
        assert!(legal.eq(exact.moves.keys().copied()), "{}", exact.board);
        assert_eq!(exact.moves.into_values().max(), Some(exact.value), "{}", exact.board);
    }
}

#[test]
fn the_solver_finds_the_value_of_each_move() {
    let (mut solver, stop) = (solver(), StopToken::new());
    for exact in exact_relays().into_iter().step_by(runs(7, 1)) {
        let request = SolveRequest { moves: true, ..SolveRequest::default() };
        let progress = SolveProgress::default();
        let solution = solver.solve_with(&exact.board(), request, &stop, &progress).unwrap();
        let moves: BTreeMap<char, i32> =
            solution.moves.iter().map(|(mv, margin)| (mv.letter(), *margin)).collect();
        assert_eq!((solution.margin, moves), (exact.value, exact.moves), "{}", exact.board);
    }
}

#[test]
fn starts_have_their_values() {
    let mut solver = solver();
    for (houses, seeds, margin) in [(6, 1, 2), (6, 2, 8), (6, 3, 14)] {
        let start = Board::start(Rules::new(houses, Sowing::Relay).unwrap(), seeds).unwrap();
        assert_eq!(solver.solve(&start).unwrap().margin, margin, "Kalah({houses},{seeds})");
    }
}

/// Searches to a depth prove the values of positions with few seeds.
#[test]
fn searches_prove_the_values() {
    let mut searcher = Searcher::new(4).unwrap();
    let limits = Limits { depth: Some(60), ..Limits::default() };
    for name in ["pvs", "alphabeta", "negascout"] {
        let (_, variant) = Variant::ALL.into_iter().find(|(found, _)| *found == name).unwrap();
        let options = SearchOptions { variant, ..SearchOptions::default() };
        for exact in exact_relays() {
            let board = exact.board();
            if board.seeds_in_play() > 14 {
                continue;
            }
            searcher.clear();
            let found = searcher.search(&board, &limits, &options, &StopToken::new(), &mut |_| {});
            let line = &found.lines[0];
            assert_eq!((line.proven, line.margin), (true, exact.value), "{name} {}", exact.board);
        }
    }
}

#[test]
fn tablebases_have_the_values() {
    let mut checked = 0;
    for houses in 3..=8 {
        let rules = Rules::new(houses, Sowing::Relay).unwrap();
        let seeds = if houses <= 4 { 14 } else { 11 };
        let table = Tablebase::build(rules, seeds, NonZeroUsize::MIN).unwrap();
        for exact in exact_relays() {
            let board = exact.board();
            if let Some(gain) = table.gain(&board) {
                assert_eq!(board.store_difference() + gain, exact.value, "{}", exact.board);
                checked += 1;
            }
        }
    }
    assert!(checked >= 10, "only {checked} positions are in the tables");
}

#[test]
fn the_independent_verifier_confirms_proofs() {
    let (mut solver, stop) = (solver(), StopToken::new());
    let few_seeds = |exact: &ExactRelay| exact.board().seeds_in_play() <= 14;
    for exact in exact_relays().into_iter().filter(few_seeds).step_by(4) {
        let limits = ProofLimits { table_seeds: 6, leaf_nodes: 20 };
        let progress = SolveProgress::default();
        let proof = solver.proof(&exact.board(), limits, &stop, &progress).unwrap();
        assert_eq!(proof.margin(), exact.value, "{}", exact.board);
        proof.verify(NonZeroUsize::MIN, &stop, &ProofProgress::default()).unwrap();
    }
}

//! Proofs of values: written by the solver, verified without it, and forged.

use std::num::NonZeroUsize;

use kalah::board::{Board, Capture, RuleSet, Rules, Side, Sowing};
use kalah::proof_file::{ProofFault, ProofFile, ProofFileError, ProofLimits, ProofProgress};
use kalah::solve::{SolveError, SolveProgress, Solver, SolverResources};
use kalah::{FileHeaderError, StopToken};
use proptest::prelude::*;

use crate::boards::{boards_with, rule_sets};

/// Where the fields of a header begin.
const SIDE: usize = 12;
const TABLE_SEEDS: usize = 13;
const LEAF_NODES: usize = 16;
const CLAIMS: usize = 20;
const LEAVES: usize = 28;
const MARGIN: usize = 40;
const HOUSES: usize = 48;
const STEPS: usize = 72;

const ONE: NonZeroUsize = NonZeroUsize::MIN;
const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn limits(table_seeds: u32, leaf_nodes: u32) -> ProofLimits {
    ProofLimits { table_seeds, leaf_nodes }
}

fn solver(threads: NonZeroUsize) -> Solver {
    Solver::new(SolverResources { threads, mebibytes: 8 })
}

/// The contents of a proof file.
fn proof(solver: &mut Solver, board: &Board, limits: ProofLimits) -> Vec<u8> {
    let proof = solver.proof(board, limits, &StopToken::new(), &SolveProgress::default()).unwrap();
    let mut bytes = Vec::new();
    proof.write(&mut bytes).unwrap();
    assert_eq!(bytes.len(), proof.size());
    assert_eq!(ProofFile::from_bytes(&bytes).unwrap(), proof);
    bytes
}

/// The margin that a file proves.
fn verified(bytes: &[u8], threads: NonZeroUsize) -> Result<i32, ProofFileError> {
    let proof = ProofFile::from_bytes(bytes)?;
    let report = proof.verify(threads, &StopToken::new(), &ProofProgress::default())?;
    assert_eq!((report.claims, report.leaves), (proof.claims(), proof.leaves()));
    Ok(proof.margin())
}

/// The bytes with a right checksum.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The bytes with some of them replaced, and a right checksum.
fn with(bytes: &[u8], place: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place..place + new.len()].copy_from_slice(new);
    sealed(bytes)
}

#[test]
fn small_starts_are_proven() {
    for rule_set in RuleSet::ALL {
        for (houses, most_seeds) in [(1, 8), (2, 5), (3, 4), (4, 3), (5, 2), (6, 2), (9, 1)] {
            let rules = Rules::new(houses, rule_set).unwrap();
            let (mut one, mut two) = (solver(ONE), solver(TWO));
            for seeds in 1..=most_seeds {
                let board = Board::start(rules, seeds).unwrap();
                // Turns of relays are long: their proofs are, too.
                if rule_set.sowing() == Sowing::Relay && board.seeds_in_play() > 12 {
                    break;
                }
                let margin = one.solve(&board).unwrap().margin;
                let has_tables = houses <= 8;
                for (table_seeds, leaf_nodes) in [(0, 0), (0, 1), (0, 50), (3, 5), (6, 500)] {
                    let table_seeds = if has_tables { table_seeds } else { 0 };
                    let limits = limits(table_seeds, leaf_nodes);
                    for solver in [&mut one, &mut two] {
                        let bytes = proof(solver, &board, limits);
                        let shown = format!("{} {rule_set} {limits:?}", board.fen());
                        assert_eq!(verified(&bytes, TWO).unwrap(), margin, "{shown}");
                    }
                }
                let bytes = proof(&mut one, &board, ProofLimits::from_board(&board));
                assert_eq!(verified(&bytes, ONE).unwrap(), margin);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_boards_are_proven(
        board in boards_with(0..=2_u16, 0..=9_u16),
        table_seeds in 0..=8_u32,
        leaf_nodes in 0..=200_u32,
        threads in 1..=2_usize,
    ) {
        // Turns of relays are long: their proofs are, too.
        let max_seeds = if board.rules().sowing() == Sowing::Relay { 12 } else { 22 };
        prop_assume!(board.seeds_in_play() <= max_seeds);
        let threads = NonZeroUsize::new(threads).unwrap();
        let table_seeds = if board.rules().houses() <= 8 { table_seeds.min(5) } else { 0 };
        let mut solver = solver(threads);
        let margin = solver.solve(&board).unwrap().margin;
        let bytes = proof(&mut solver, &board, limits(table_seeds, leaf_nodes));
        prop_assert_eq!(verified(&bytes, threads).unwrap(), margin);
    }

    /// Whatever the steps are, they prove nothing wrong.
    #[test]
    fn random_steps_prove_nothing_wrong(
        rule_set in rule_sets(),
        seeds in 1..=2_u16,
        wrong in prop::sample::select(&[-4_i16, -2, 2, 4][..]),
        leaf_nodes in 0..=40_u32,
        counts in (2..=9_u64, 0..=5_u64),
        steps in prop::collection::vec(any::<u8>(), 0..5),
    ) {
        let board = Board::start(Rules::new(3, rule_set).unwrap(), seeds).unwrap();
        let margin = solver(ONE).solve(&board).unwrap().margin as i16;
        let bytes = proof(&mut solver(ONE), &board, limits(2, leaf_nodes));
        let bytes = [&bytes[..STEPS], &steps, &[0; 4]].concat();
        let bytes = with(&bytes, CLAIMS, &counts.0.to_le_bytes());
        let bytes = with(&bytes, LEAVES, &counts.1.to_le_bytes());
        let bytes = with(&bytes, MARGIN, &(margin + wrong).to_le_bytes());
        prop_assert!(verified(&bytes, ONE).is_err());
    }
}

#[test]
fn every_changed_bit_is_found() {
    let board = Board::start(Rules::new(3, Capture::Standard).unwrap(), 3).unwrap();
    let bytes = proof(&mut solver(ONE), &board, limits(2, 4));
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        match (bit / 8, ProofFile::from_bytes(&changed).unwrap_err()) {
            (0..8, ProofFileError::Format(FileHeaderError::Magic("proof")))
            | (8.., ProofFileError::Format(FileHeaderError::Damaged)) => {}
            (place, error) => panic!("byte {place}: {error}"),
        }
    }
    for length in 0..bytes.len() {
        match ProofFile::from_bytes(&bytes[..length]).unwrap_err() {
            ProofFileError::Format(FileHeaderError::Magic("proof")) if length < 8 => {}
            ProofFileError::Format(FileHeaderError::Damaged) if length >= 8 => {}
            error => panic!("{length} bytes: {error}"),
        }
    }
    assert!(matches!(
        ProofFile::from_bytes(&[&bytes[..], &[0]].concat()),
        Err(ProofFileError::Format(FileHeaderError::Damaged))
    ));
    let other = ProofFile::from_bytes(&with(&bytes, 8, &[2])).unwrap_err();
    let expected = FileHeaderError::Version { found: 2, expected: 1 };
    assert_eq!(other.to_string(), expected.to_string());
}

/// With a right checksum: a change of the header is refused, or the rest proves that header, too.
#[test]
fn forged_headers_prove_nothing() {
    let board = Board::start(Rules::new(4, Capture::Standard).unwrap(), 2).unwrap();
    let mut solver = solver(ONE);
    let margin = solver.solve(&board).unwrap().margin;
    let bytes = proof(&mut solver, &board, limits(3, 12));
    assert_eq!(verified(&bytes, ONE).unwrap(), margin);
    for wrong in (-16..=16).filter(|&wrong| wrong != margin as i16) {
        let error = verified(&with(&bytes, MARGIN, &wrong.to_le_bytes()), ONE).unwrap_err();
        let is_expected = if wrong % 2 == 0 {
            matches!(error, ProofFileError::Fault { .. })
        } else {
            matches!(error, ProofFileError::Header("value"))
        };
        assert!(is_expected, "{wrong}: {error}");
    }
    // A seed moved to the next house, another side to move and other rules.
    for (place, new) in [(HOUSES, &[1, 3][..]), (SIDE, &[1]), (11, &[1]), (11, &[2])] {
        let forged = with(&bytes, place, new);
        let of = ProofFile::from_bytes(&forged).unwrap();
        if let Ok(proven) = verified(&forged, ONE) {
            assert_eq!(proven, solver.solve(of.board()).unwrap().margin);
        }
    }
    // Searches that end too early, a smaller table, wrong numbers.
    let fault = |bytes: &[u8]| match verified(bytes, ONE).unwrap_err() {
        ProofFileError::Fault { fault, .. } => fault,
        error => panic!("{error}"),
    };
    assert!(matches!(fault(&with(&bytes, LEAF_NODES, &[1])), ProofFault::Undecided(_)));
    assert!(verified(&with(&bytes, TABLE_SEEDS, &[0]), ONE).is_err());
    for place in [CLAIMS, LEAVES] {
        assert_eq!(fault(&with(&bytes, place, &[bytes[place] ^ 1])), ProofFault::Size);
    }
    for (place, new) in [
        (SIDE, &[2][..]),
        (TABLE_SEEDS, &[101]),
        (14, &[1]),
        (LEAF_NODES, &[0, 0, 0, 255]),
        (MARGIN + 2, &[1]),
        (HOUSES + 4, &[1]),
    ] {
        let error = verified(&with(&bytes, place, new), ONE).unwrap_err();
        assert!(matches!(error, ProofFileError::Header(_)), "{place}: {error}");
    }
    for (place, new) in [(10, 0), (10, 13)] {
        let error = verified(&with(&bytes, place, &[new]), ONE).unwrap_err();
        assert!(matches!(error, ProofFileError::Format(FileHeaderError::Damaged)), "{error}");
    }
    let error = verified(&with(&bytes, 11, &[3]), ONE).unwrap_err();
    assert!(matches!(error, ProofFileError::Format(FileHeaderError::UnknownRules(3))), "{error}");
    let error = verified(&with(&bytes, HOUSES, &[126]), ONE).unwrap_err();
    assert!(matches!(error, ProofFileError::TooManySeeds { houses: 4, seeds: 140 }), "{error}");
    let error = verified(&with(&bytes, MARGIN - 4, &[255; 4]), ONE).unwrap_err();
    assert!(matches!(error, ProofFileError::Board(_)), "{error}");
}

/// With a right checksum: no changed, missing or additional step proves another value.
#[test]
fn forged_steps_prove_nothing() {
    for rule_set in RuleSet::ALL {
        let board = Board::start(Rules::new(3, rule_set).unwrap(), 3).unwrap();
        let mut solver = solver(ONE);
        let margin = solver.solve(&board).unwrap().margin;
        let bytes = proof(&mut solver, &board, limits(2, 6));
        let mut faults = [0; 5];
        for bit in 8 * STEPS..8 * (bytes.len() - 4) {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            match verified(&sealed(changed), ONE) {
                // Another move may be as good.
                Ok(proven) => assert_eq!(proven, margin),
                Err(ProofFileError::Fault { fault, .. }) => {
                    let kind = match fault {
                        ProofFault::Contradiction(_) => 0,
                        ProofFault::Refuted(_) => 1,
                        ProofFault::Undecided(_) => 2,
                        ProofFault::End | ProofFault::Size => 3,
                        ProofFault::NoSuchMove(_) => 4,
                        fault => panic!("{fault}"),
                    };
                    faults[kind] += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
        assert!(faults.iter().all(|&count| count > 0), "{faults:?}");
        let steps = bytes.len() - 4;
        for shorter in STEPS..steps {
            let forged = sealed([&bytes[..shorter], &[0; 4]].concat());
            assert!(matches!(verified(&forged, ONE), Err(ProofFileError::Fault { .. })));
        }
        let longer = sealed([&bytes[..steps], &[0; 5]].concat());
        let error = verified(&longer, ONE).unwrap_err();
        assert!(matches!(error, ProofFileError::Fault { fault: ProofFault::Size, .. }), "{error}");
    }
}

#[test]
fn tables_and_boards_that_are_too_large_are_refused() {
    let board = Board::start(Rules::default(), 1).unwrap();
    let bytes = proof(&mut solver(ONE), &board, limits(2, 10));
    for (table_seeds, is_refused) in [(12, false), (13, true), (100, true), (255, true)] {
        let found = ProofFile::from_bytes(&with(&bytes, TABLE_SEEDS, &[table_seeds]));
        assert_eq!(matches!(found, Err(ProofFileError::Header(_))), is_refused, "{table_seeds}");
    }
    let row = [6, 6, 6, 6, 6, 6, 0, 0, 0, 0, 0, 0];
    let large = with(&with(&bytes, HOUSES, &[row, row].concat()), TABLE_SEEDS, &[72]);
    let error = verified(&large, ONE).unwrap_err();
    assert!(matches!(error, ProofFileError::Tablebase(_)), "{error}");
    let (stop, progress) = (StopToken::new(), SolveProgress::default());
    let large = Board::start(Rules::new(9, Capture::Standard).unwrap(), 1).unwrap();
    let result = solver(ONE).proof(&large, limits(3, 10), &stop, &progress);
    assert!(matches!(result, Err(SolveError::Tablebase(_))));
    stop.stop();
    let result = solver(ONE).proof(&board, limits(2, 10), &stop, &progress);
    assert!(matches!(result, Err(SolveError::Stopped)));
    let result =
        ProofFile::from_bytes(&bytes).unwrap().verify(ONE, &stop, &ProofProgress::default());
    assert!(matches!(result, Err(ProofFileError::Stopped)));
}

#[test]
fn a_finished_game_has_a_proof_without_claims() {
    let rules = Rules::default();
    let board = Board::new(rules, [&[0; 6], &[1, 2, 3, 0, 0, 0]], [10, 3], Side::North).unwrap();
    let bytes = proof(&mut solver(ONE), &board, ProofLimits::from_board(&board));
    assert_eq!(verified(&bytes, ONE).unwrap(), -1);
    assert_eq!(ProofFile::from_bytes(&bytes).unwrap().claims(), 0);
}

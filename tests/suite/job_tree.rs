//! The job tree finds the values of the solver, whatever happens to its jobs.

use std::collections::VecDeque;

use crate::runs::runs;
use kalah::board::{RuleSet, Sowing};
use kalah::solve::{
    Checkpoint, CheckpointError, JobResult, JobTree, ProvenBoard, SolveError, SolveJob,
    SolverResources,
};
use kalah::{Board, Capture, Rules, Side, Solver, StopToken};

fn solver() -> Solver {
    Solver::new(SolverResources { mebibytes: 4, ..SolverResources::default() })
}

/// A board with up to `seeds` seeds, at random.
fn random_board(random: &mut fastrand::Rng, rules: Rules, seeds: u16) -> Board {
    let mut houses = [vec![0; rules.houses()], vec![0; rules.houses()]];
    for _ in 0..random.u16(0..=seeds) {
        houses[random.usize(0..2)][random.usize(0..rules.houses())] += 1;
    }
    let stores = [random.u16(0..9), random.u16(0..9)];
    let side = if random.bool() { Side::South } else { Side::North };
    Board::new(rules, [&houses[0], &houses[1]], stores, side).unwrap()
}

fn result_of(solver: &mut Solver, job: &SolveJob) -> JobResult {
    solver.run_job(job, &StopToken::new()).unwrap()
}

/// Two solvers do the jobs, in any order; some are lost, some are reported twice.
fn margin_by_jobs(random: &mut fastrand::Rng, tree: &mut JobTree) -> i32 {
    let mut solvers = [solver(), solver()];
    let mut running = VecDeque::new();
    loop {
        if let Some(margin) = tree.margin() {
            return margin;
        }
        if running.len() < 4 {
            running.extend(tree.next_jobs(random.usize(1..4)));
        }
        if running.is_empty() {
            // The moves of a position can decide it.
            assert!(tree.margin().is_some(), "no job is running, and none is handed out");
            continue;
        }
        assert!(tree.running() >= running.len());
        let job = running.remove(random.usize(0..running.len())).unwrap();
        if random.u8(0..8) == 0 {
            assert!(tree.abandon(job.id));
        } else {
            let which = random.usize(0..2);
            let result = result_of(&mut solvers[which], &job);
            assert!(result.nodes <= job.max_nodes + 10_000);
            assert!(tree.report(job.id, &result));
            solvers[1 - which].learn(&tree.take_proven());
        }
        assert!(!tree.report(job.id, &JobResult::default()));
        assert!(!tree.abandon(job.id));
        let (lower, upper) = tree.bounds();
        assert!(lower <= upper);
    }
}

#[test]
fn random_boards_have_their_margins() {
    let mut random = fastrand::Rng::with_seed(1);
    for rule_set in RuleSet::ALL {
        for houses in [1, 2, 3, 4, 6, 7, 10] {
            let rules = Rules::new(houses, rule_set).unwrap();
            for _ in 0..runs(1, 15) {
                // Turns of relays are long, and jobs this small decide little of them.
                let seeds = if rules.sowing() == Sowing::Relay { 10 } else { 26 };
                let board = random_board(&mut random, rules, seeds);
                let job_nodes = random.u64(1..200);
                let mut tree = JobTree::new(&board, job_nodes).unwrap();
                let margin = solver().solve(&board).unwrap().margin;
                assert_eq!(margin_by_jobs(&mut random, &mut tree), margin, "{}", board.fen());
            }
        }
    }
}

#[test]
fn the_values_of_starts_are_found() {
    let mut random = fastrand::Rng::with_seed(2);
    for (seeds, capture, margin) in [(2, Capture::Standard, 6), (3, Capture::Empty, 2)] {
        let board = Board::start(Rules::new(6, capture).unwrap(), seeds).unwrap();
        let mut tree = JobTree::new(&board, 20_000).unwrap();
        assert_eq!(margin_by_jobs(&mut random, &mut tree), margin);
    }
}

#[test]
fn jobs_have_true_bounds_whatever_their_target() {
    let board = Board::start(Rules::default(), 2).unwrap();
    let margin = solver().solve(&board).unwrap().margin;
    for target in [-25, margin - 1, margin, margin + 1, margin + 2, 25] {
        let job = SolveJob { id: 0, board, target, max_nodes: u64::MAX, expected_nodes: 0.0 };
        let proven = result_of(&mut solver(), &job).proven;
        let Some(bounds) = proven.iter().find(|proven| proven.board == board) else {
            // All margins are so.
            assert!(target.abs() > 24);
            continue;
        };
        assert!((bounds.lower..=bounds.upper).contains(&margin), "{target}: {bounds:?}");
        assert_eq!(bounds.lower >= target, margin >= target, "{target}: {bounds:?}");
    }
}

#[test]
fn a_tree_continues_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let board = Board::start(Rules::default(), 3).unwrap();
    let (mut jobs_before, mut solver) = (0, solver());
    let open = || {
        let mut tree = JobTree::new(&board, 5000).unwrap();
        tree.set_checkpoint(Checkpoint::open(&path, board.rules()).unwrap()).unwrap();
        tree
    };
    let other = Board::start(Rules::new(6, Capture::Empty).unwrap(), 3).unwrap();
    let refused = JobTree::new(&other, 5000)
        .unwrap()
        .set_checkpoint(Checkpoint::open(&path, board.rules()).unwrap());
    assert!(matches!(refused, Err(CheckpointError::Rules(rules)) if rules == board.rules()));
    // The first run ends after half of its jobs.
    let mut all = JobTree::new(&board, 5000).unwrap();
    while all.margin().is_none() {
        for job in all.next_jobs(1) {
            all.report(job.id, &result_of(&mut solver, &job));
            jobs_before += 1;
        }
    }
    let mut tree = open();
    let mut solver = self::solver();
    for _ in 0..jobs_before / 2 {
        for job in tree.next_jobs(1) {
            tree.report(job.id, &result_of(&mut solver, &job));
        }
    }
    tree.flush_checkpoint().unwrap();
    drop(tree);
    let (mut tree, mut solver, mut jobs) = (open(), self::solver(), 0);
    while tree.margin().is_none() {
        for job in tree.next_jobs(1) {
            tree.report(job.id, &result_of(&mut solver, &job));
            jobs += 1;
        }
    }
    assert_eq!(tree.margin(), Some(2));
    assert!(jobs < jobs_before, "{jobs} of {jobs_before}");
    drop(tree);
    assert_eq!(open().margin(), Some(2));
}

#[test]
fn what_solvers_say_is_checked() {
    let board = Board::start(Rules::default(), 2).unwrap();
    let other = Board::start(Rules::new(5, Capture::Standard).unwrap(), 2).unwrap();
    let mut tree = JobTree::new(&board, 1000).unwrap();
    let before = tree.bounds();
    let nonsense = [
        (other, 3, 3),
        (board, 9, 4),
        (board, -99, 99),
        (board, 5, 5),
        (board, i32::MIN, i32::MAX),
        (board, i32::MAX, i32::MIN),
    ];
    for (board, lower, upper) in nonsense {
        let proven = vec![ProvenBoard { board, lower, upper }];
        let job = tree.next_jobs(1).remove(0);
        assert!(tree.report(job.id, &JobResult { proven, nodes: 1 }));
        assert_eq!(tree.bounds(), before);
    }
}

#[test]
fn boards_that_cannot_be_solved_or_are_over() {
    let too_many = Board::start(Rules::new(12, Capture::Standard).unwrap(), 40).unwrap();
    assert!(JobTree::new(&too_many, 10).is_err());
    let over = Board::from_fen("<3,9,0,0,0,0,2,1,0> N", Capture::Standard).unwrap();
    assert_eq!(JobTree::new(&over, 10).unwrap().margin(), Some(-6));
}

#[test]
fn a_solver_takes_over_only_what_can_be() {
    let board = Board::start(Rules::default(), 4).unwrap();
    let mut solver = solver();
    solver.solve(&Board::start(Rules::default(), 2).unwrap()).unwrap();
    for (lower, upper, known) in [(-300, 300, (-48, 48)), (3, 300, (4, 48)), (i32::MIN, 9, (4, 8))]
    {
        solver.learn(&[ProvenBoard { board, lower, upper }]);
        let proven = solver.probe(&board).unwrap();
        assert_eq!((proven.lower, proven.upper), known);
    }
    solver.learn(&[ProvenBoard { board, lower: 5, upper: 5 }]);
    assert_eq!(solver.probe(&board).unwrap().upper, 8);
}

#[test]
fn positions_with_too_many_seeds_are_refused() {
    let board = Board::start(Rules::default(), 12).unwrap();
    let job = SolveJob { id: 0, board, target: 0, max_nodes: 10, expected_nodes: 1.0 };
    let stop = StopToken::new();
    let is_refused = |error| matches!(error, SolveError::TooManySeeds { seeds: 144, .. });
    assert!(solver().run_job(&job, &stop).is_err_and(is_refused));
    assert!(solver().measure_test(&board, 0, &stop).is_err_and(is_refused));
}

//! Leaves of the game tree, against pinned figures and the reference.

use kalah::StopToken;
use kalah::board::{Board, Capture, RuleSet, Rules};
use kalah::search::divide;

use crate::reference::Reference;

fn start(houses: usize, seeds: u16, rule_set: impl Into<RuleSet>) -> Board {
    Board::start(Rules::new(houses, rule_set).unwrap(), seeds).unwrap()
}

#[test]
fn pinned_figures() {
    use Capture::{Empty, Standard};
    for (houses, seeds, capture, depth, leaves) in [
        (6, 3, Standard, 7, 87_103),
        (6, 3, Empty, 7, 85_955),
        (6, 4, Standard, 7, 114_430),
        (6, 4, Empty, 7, 113_959),
        (6, 6, Standard, 7, 177_827),
        (6, 6, Empty, 7, 177_804),
        (6, 4, Standard, 11, 65_870_790),
    ] {
        let board = start(houses, seeds, capture);
        assert_eq!(board.perft(depth), leaves, "Kalah({houses},{seeds}) {capture} to {depth}");
    }
}

#[test]
fn agrees_with_the_reference() {
    const SIZES: [(usize, u16); 12] = [
        (1, 1),
        (1, 9),
        (2, 2),
        (2, 5),
        (3, 1),
        (3, 4),
        (6, 4),
        (8, 6),
        // Too many seeds for narrow rows: 8 houses in wide ones.
        (8, 20),
        (9, 3),
        (12, 1),
        (12, 42),
    ];
    for rule_set in RuleSet::ALL {
        for (houses, seeds) in SIZES {
            let board = start(houses, seeds, rule_set);
            let reference = Reference::start(houses, seeds, rule_set);
            // 12 houses have a hundred times the leaves of 6.
            let deepest = if houses == 12 { 5 } else { 6 };
            for depth in 0..=deepest {
                assert_eq!(
                    board.perft(depth),
                    reference.perft(depth),
                    "Kalah({houses},{seeds}) {rule_set} to {depth}"
                );
            }
        }
    }
}

#[test]
fn a_finished_game_is_one_leaf_at_any_depth() {
    for fen in ["<3,5,4,0,0,0,0,0,0> S", "<3,5,4,0,0,0,1,2,0> S", "<3,5,4,1,0,0,0,0,0> N"] {
        let board = Board::from_fen(fen, Capture::Standard).unwrap();
        for depth in [0, 1, 2, 9] {
            assert_eq!(board.perft(depth), 1, "{fen} to {depth}");
        }
    }
}

#[test]
fn a_game_that_ends_early_is_counted_once() {
    // C, the only move, ends the game.
    let board = Board::from_fen("<3,0,0,0,0,1,1,1,1> S", Capture::Standard).unwrap();
    assert_eq!([1, 2, 5].map(|depth| board.perft(depth)), [1, 1, 1]);
    // A leaves North a and c.
    let board = Board::from_fen("<3,0,0,1,0,0,1,0,1> S", Capture::Standard).unwrap();
    assert_eq!([1, 2].map(|depth| board.perft(depth)), [1, 2]);
}

#[test]
fn divided_leaves_are_those_below_each_move() {
    for (houses, seeds, depth) in [(6, 4, 8), (6, 4, 1), (3, 1, 9), (12, 10, 3)] {
        let board = start(houses, seeds, Capture::Standard);
        let mut shares = Vec::new();
        let total =
            divide(&board, depth, &StopToken::new(), |mv, leaves| shares.push((mv, leaves)));
        let expected = board.successors().map(|(mv, after)| (mv, after.perft(depth - 1)));
        assert!(shares.iter().copied().eq(expected), "Kalah({houses},{seeds}): {shares:?}");
        assert_eq!(total, Some(board.perft(depth)));
    }
}

#[test]
fn there_is_nothing_to_divide_at_a_leaf() {
    let finished = Board::from_fen("<3,5,4,0,0,0,1,2,0> S", Capture::Standard).unwrap();
    for (board, depth) in [(finished, 5), (start(6, 4, Capture::Standard), 0)] {
        let total = divide(&board, depth, &StopToken::new(), |played, _| panic!("{played}"));
        assert_eq!(total, Some(1));
    }
}

#[test]
fn a_count_can_be_given_up() {
    let board = start(6, 4, Capture::Standard);
    let stop = StopToken::new();
    std::thread::scope(|scope| {
        // Far too many leaves to be counted to the end.
        let count = scope.spawn(|| divide(&board, 30, &stop, |mv, _| panic!("{mv} was counted")));
        stop.stop();
        assert_eq!(count.join().unwrap(), None);
    });
}

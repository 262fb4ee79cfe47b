//! Proof-number search against the definition of a value, on Kalah and on trees.

use std::cell::RefCell;

use kalah::StopToken;
use kalah::board::{Board, Capture, Next, Rules, Side};
use kalah::search::{
    Bound, Game, InitialNumbers, LeafSelection, Limits, MinimaxPlayer, ProofNode, ProofNumbers,
    ProofOptions, ProofSearch, ProofTree, Query, ScoredMove, SearchOptions, SearchResult, Searcher,
    Transition, Variant,
};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

use crate::boards::{boards_with, reference_of};
use crate::exact_data::gain_of;
use crate::exact_values::{Exact, exact_values};

fn prove(searcher: &mut Searcher, board: &Board, limits: &Limits) -> SearchResult {
    let settings = SearchOptions { variant: Variant::ProofNumber, ..SearchOptions::default() };
    let stop = StopToken::new();
    searcher.search(board, limits, &settings, &stop, &mut |_| {})
}

/// A tree drawn by hand, its leaves as MAX sees them.
enum Drawn {
    Leaf(i32),
    Inner(Vec<Drawn>),
}

/// The game of going down such a tree, the players taking turns.
struct Drawing;

impl<'a> Game for &'a Drawing {
    type Position = (&'a Drawn, MinimaxPlayer);
    type Move = usize;
    type MoveList = Vec<ScoredMove<Self::Position, usize>>;

    const VALUE_STEP: i32 = 1;
    const ALTERNATES: bool = true;

    fn key(&self, (drawn, _): &Self::Position) -> u64 {
        std::ptr::from_ref(*drawn) as u64
    }

    fn is_leaf(&self, (drawn, _): &Self::Position) -> bool {
        matches!(drawn, Drawn::Leaf(_))
    }

    fn evaluate(&self, &(drawn, player): &Self::Position) -> i32 {
        match (drawn, player) {
            (Drawn::Leaf(value), MinimaxPlayer::Max) => *value,
            (Drawn::Leaf(value), MinimaxPlayer::Min) => -value,
            (Drawn::Inner(_), _) => 0,
        }
    }

    fn for_each_move(
        &self,
        &(drawn, player): &Self::Position,
        mut see: impl FnMut(usize, Transition<Self::Position>),
    ) {
        let other =
            if player == MinimaxPlayer::Max { MinimaxPlayer::Min } else { MinimaxPlayer::Max };
        if let Drawn::Inner(children) = drawn {
            for (number, child) in children.iter().enumerate() {
                see(number, Transition { position: (child, other), gain: 0, next: Next::Other });
            }
        }
    }

    fn move_score(&self, _: &Self::Position, _: usize, _: &Transition<Self::Position>) -> i32 {
        0
    }

    fn value_range(&self, _: &Self::Position) -> (i32, i32) {
        (-100, 100)
    }
}

/// The tree of the lecture's pictures: MAX at a, MIN at b and c, with the leaves d and e, and f, g
/// and h.
fn pictured(leaves: [i32; 5]) -> Drawn {
    let inner = |leaves: &[i32]| Drawn::Inner(leaves.iter().copied().map(Drawn::Leaf).collect());
    Drawn::Inner(vec![inner(&leaves[..2]), inner(&leaves[2..])])
}

/// The nodes a to h of that tree, with the claim that a is worth `value` or more, when nothing is
/// known of the leaves.
fn opened(drawn: &Drawn, value: i32) -> (ProofTree<'_, &Drawing>, Vec<ProofNode>) {
    let mut tree = ProofTree::new(&&Drawing, (drawn, MinimaxPlayer::Max), value);
    let mut nodes = vec![tree.root()];
    for inner in 0..3 {
        tree.develop(nodes[inner]);
        nodes.extend(tree.children(nodes[inner]));
    }
    (tree, nodes)
}

const INFINITE: u32 = ProofNumbers::INFINITE;

fn pairs<G: Game>(tree: &ProofTree<'_, G>, nodes: &[ProofNode]) -> Vec<(u32, u32)> {
    nodes
        .iter()
        .map(|&node| tree.numbers(node))
        .map(|ProofNumbers { proof, disproof }| (proof, disproof))
        .collect()
}

#[test]
fn the_numbers_of_the_lecture() {
    // Its first picture: d and f are known to be 1.
    let drawn = pictured([1, 0, 1, 1, 0]);
    let (mut tree, nodes) = opened(&drawn, 1);
    let [d, e, f, g] = [nodes[3], nodes[4], nodes[5], nodes[6]];
    tree.develop(d);
    tree.develop(f);
    assert_eq!(pairs(&tree, &nodes[..3]), [(1, 2), (1, 1), (2, 1)]);
    assert_eq!(tree.most_proving(LeafSelection::NearerGoal), Some(e));
    assert_eq!(tree.most_proving(LeafSelection::MostProving), Some(e));
    // Its second: b has turned out to be 0, which makes a disproof the nearer aim.
    tree.develop(e);
    assert_eq!(pairs(&tree, &nodes[..3]), [(2, 1), (INFINITE, 0), (2, 1)]);
    assert_eq!(tree.most_proving(LeafSelection::NearerGoal), Some(g));
    assert_eq!(tree.search(LeafSelection::NearerGoal, 100), Some(false));
    assert_eq!(tree.most_proving(LeafSelection::NearerGoal), None);
}

#[test]
fn the_values_of_the_lecture() {
    // With 18 below b and 10 below c, a is worth at most 18, whatever the other leaves are.
    let drawn = pictured([18, 50, 10, 50, 50]);
    for (value, expected) in [
        (19, [(INFINITE, 0), (INFINITE, 0), (INFINITE, 0)]),
        (18, [(1, 1), (1, 1), (INFINITE, 0)]),
        (10, [(1, 2), (1, 1), (2, 1)]),
    ] {
        let (mut tree, nodes) = opened(&drawn, value);
        tree.develop(nodes[3]);
        tree.develop(nodes[5]);
        assert_eq!(pairs(&tree, &nodes[..3]), expected, "{value}");
    }
    let mut search = ProofSearch::new(1, ProofOptions::default());
    let found = search.value(&&Drawing, &(&drawn, MinimaxPlayer::Max));
    assert_eq!(found.range, (18, 18));
}

/// A tree of random numbers, in which players may move twice and gain on the way.
struct RandomTree {
    random_seed: u64,
    width: u64,
    /// Leaves and steps are worth from minus this to this.
    most: i32,
    /// Whether the players take turns and gain nothing before the end.
    plain: bool,
    leaves: RefCell<Vec<u64>>,
}

/// The number of a node and how many steps are left to a leaf.
type Place = (u64, i32);

impl RandomTree {
    fn new(random_seed: u64, width: u64, most: i32, plain: bool) -> RandomTree {
        RandomTree { random_seed, width, most, plain, leaves: RefCell::default() }
    }

    fn random(&self, place: u64, from: i32, to: i32) -> i32 {
        from + fastrand::Rng::with_seed(self.random_seed ^ place).i32(0..=to - from)
    }

    fn value(&self, &position: &Place) -> i32 {
        if self.is_leaf(&position) {
            return self.evaluate(&position);
        }
        let mut best = i32::MIN;
        self.for_each_move(&position, |_, step| {
            let value = match step.next {
                Next::Other => -self.value(&step.position),
                Next::Again => self.value(&step.position),
                Next::Over => 0,
            };
            best = best.max(step.gain + value);
        });
        best
    }
}

impl Game for RandomTree {
    type Position = Place;
    type Move = u64;
    type MoveList = Vec<ScoredMove<Place, u64>>;

    const VALUE_STEP: i32 = 1;
    const ALTERNATES: bool = false;

    fn key(&self, &(place, _): &Place) -> u64 {
        place.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn is_leaf(&self, &(_, left): &Place) -> bool {
        left == 0
    }

    fn evaluate(&self, &(place, _): &Place) -> i32 {
        self.random(place, -self.most, self.most)
    }

    fn for_each_move(&self, &(place, left): &Place, mut see: impl FnMut(u64, Transition<Place>)) {
        for child in 0..self.width {
            let position = (place * self.width + child + 1, left - 1);
            let next = match self.random(!position.0, 0, 9) {
                _ if self.plain => Next::Other,
                0 => Next::Over,
                1..=3 => Next::Again,
                _ => Next::Other,
            };
            let gain = if self.plain { 0 } else { self.evaluate(&position) };
            see(child, Transition { position, gain, next });
        }
    }

    fn move_score(&self, _: &Place, _: u64, _: &Transition<Place>) -> i32 {
        0
    }

    fn value_range(&self, &(_, left): &Place) -> (i32, i32) {
        let most = if self.plain { self.most } else { (left + 1) * self.most };
        (-most, most)
    }

    fn on_enter(&self, position: &Place, _: Query) {
        if self.is_leaf(position) {
            self.leaves.borrow_mut().push(position.0);
        }
    }
}

const CONDUCTS: [ProofOptions; 3] = [
    ProofOptions::PLAIN,
    ProofOptions { initial: InitialNumbers::Values, epsilon_percent: 0 },
    ProofOptions { initial: InitialNumbers::Values, epsilon_percent: 25 },
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn values_of_random_trees(
        random_seed: u64, width in 1..=4_u64, depth in 0..=6, most in 1..=20, plain: bool,
    ) {
        let game = RandomTree::new(random_seed, width, most, plain);
        let root = (0, depth);
        let value = game.value(&root);
        for options in CONDUCTS {
            let found = ProofSearch::new(1, options).value(&game, &root);
            prop_assert_eq!(found.range, (value, value));
            for (claimed, holds) in found.claims {
                prop_assert_eq!(holds, value >= claimed);
            }
        }
        for claimed in value - 1..=value + 1 {
            for selection in [LeafSelection::MostProving, LeafSelection::NearerGoal] {
                let mut tree = ProofTree::new(&game, root, claimed);
                prop_assert_eq!(tree.search(selection, usize::MAX), Some(value >= claimed));
            }
        }
    }

    #[test]
    fn values_of_small_boards(
        board in boards_with(prop_oneof![2 => Just(0), 1 => 1..=3_u16], Just(0)),
    ) {
        prop_assume!(board.seeds_in_play() <= 12 && board.rules().houses() <= 6);
        let outcome = prove(&mut Searcher::new(1).unwrap(), &board, &Limits::default());
        let reference = reference_of(&board);
        prop_assert_eq!(outcome.best.is_some(), !board.is_over());
        if let Some(best) = outcome.best {
            let mut known = FxHashMap::default();
            let mut margin = |house| board.store_difference() + gain_of(&reference, house, &mut known);
            let value = reference.moves().into_iter().map(&mut margin).max();
            prop_assert!(outcome.lines[0].proven);
            prop_assert_eq!(Some(outcome.lines[0].margin), value);
            prop_assert_eq!(Some(margin(best.house.index())), value);
        }
    }
}

/// Both develop a most-proving node each time. Which one, where there are several, is all in which
/// they differ.
#[test]
fn depth_first_and_best_first_evaluate_as_many_leaves() {
    let (mut depth_first, mut best_first) = (0, 0);
    for random_seed in 0..200 {
        let game = RandomTree::new(random_seed, 2 + random_seed % 3, 1, true);
        let root = (0, 6);
        let mut tree = ProofTree::new(&game, root, 1);
        let answer = tree.search(LeafSelection::MostProving, usize::MAX);
        best_first += game.leaves.take().len();
        let (proven, _) = ProofSearch::new(1, ProofOptions::PLAIN).prove(&game, &root, 1);
        assert_eq!(proven, answer);
        let mut leaves = game.leaves.take();
        depth_first += leaves.len();
        let visits = leaves.len();
        leaves.sort_unstable();
        leaves.dedup();
        assert_eq!(leaves.len(), visits, "a leaf is evaluated once");
    }
    assert!(depth_first.abs_diff(best_first) * 50 < best_first, "{depth_first} {best_first}");
}

/// Plays the line; if that ends the game, it must be worth what it was said to be.
fn check_line(board: &Board, outcome: &SearchResult) {
    let line = &outcome.lines[0];
    assert_eq!(line.pv.first(), outcome.best.as_ref());
    let mut after = *board;
    for ply in &line.pv {
        assert_eq!(ply.side, after.side());
        after.play(*ply).unwrap();
    }
    if let Some(margin) = after.result_for(board.side()) {
        let as_said =
            if line.bound == Bound::Lower { margin >= line.margin } else { margin == line.margin };
        assert!(as_said, "{} ends with {margin}", board.fen());
    }
}

#[test]
fn positions_with_known_values_are_proven_by_a_best_move() {
    // One table for all, and a small one: what it knows of others must not mislead.
    let mut searcher = Searcher::new(1).unwrap();
    for Exact { fen, capture, value, moves } in exact_values() {
        let board = Board::from_fen(&fen, capture).unwrap();
        let outcome = prove(&mut searcher, &board, &Limits::default());
        assert!(outcome.lines[0].proven, "{fen} {capture}");
        assert_eq!(outcome.lines[0].margin, value, "{fen} {capture}");
        let best = outcome.best.unwrap();
        assert_eq!(moves[&best.house.letter(Side::North)], value, "{fen} {capture}");
        check_line(&board, &outcome);
    }
}

#[test]
fn every_move_asked_for_is_worth_what_it_is() {
    let mut searcher = Searcher::new(1).unwrap();
    for Exact { fen, capture, moves, .. } in exact_values().into_iter().step_by(8) {
        let board = Board::from_fen(&fen, capture).unwrap();
        for (letter, value) in moves {
            let searchmoves = vec![board.parse_move(&letter.to_string()).unwrap()];
            let limits = Limits { searchmoves, ..Limits::default() };
            let outcome = prove(&mut searcher, &board, &limits);
            assert_eq!(outcome.lines[0].margin, value, "{fen} {capture} {letter}");
            assert_eq!(outcome.best.map(|best| best.house.letter(Side::North)), Some(letter));
        }
    }
}

#[test]
fn what_an_interrupted_search_has_proven_holds() {
    for nodes in [1, 2, 10, 100, 1000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        for Exact { fen, capture, value, moves } in exact_values().into_iter().step_by(4) {
            let board = Board::from_fen(&fen, capture).unwrap();
            let outcome = prove(&mut Searcher::new(1).unwrap(), &board, &limits);
            assert!(outcome.stats.nodes <= nodes);
            let best = moves[&outcome.best.unwrap().house.letter(Side::North)];
            for line in &outcome.lines {
                assert!(line.margin <= best);
                assert_eq!(line.proven, line.bound == Bound::Exact);
                assert!(!line.proven || line.margin == value);
                check_line(&board, &outcome);
            }
        }
    }
}

#[test]
fn the_largest_board_fits_the_stack() {
    let rules = Rules::new(12, Capture::Standard).unwrap();
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    for seeds in [1, 4, 42] {
        let board = Board::start(rules, seeds).unwrap();
        let outcome = prove(&mut Searcher::new(1).unwrap(), &board, &limits);
        assert!(outcome.best.is_some());
        assert_eq!(outcome.stats.nodes, 200_000, "nothing is proven so soon");
    }
}

/// A single leaf with one of the values from 0 to `last`.
struct Number {
    value: i32,
    last: i32,
}

impl Game for Number {
    type Position = ();
    type Move = ();
    type MoveList = Vec<ScoredMove<(), ()>>;

    const VALUE_STEP: i32 = 1;
    const ALTERNATES: bool = true;

    fn key(&self, (): &()) -> u64 {
        u64::from((self.value << 16 | self.last).cast_unsigned())
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn is_leaf(&self, (): &()) -> bool {
        true
    }

    fn evaluate(&self, (): &()) -> i32 {
        self.value
    }

    fn for_each_move(&self, (): &(), _: impl FnMut((), Transition<()>)) {}

    fn value_range(&self, (): &()) -> (i32, i32) {
        (0, self.last)
    }
}

/// The claims made to find a value.
fn claims(search: &mut ProofSearch, value: i32, last: i32) -> Vec<i32> {
    let found = search.value(&Number { value, last }, &());
    assert_eq!(found.range, (value, value));
    found.claims.into_iter().map(|(claim, _)| claim).collect()
}

#[test]
fn claims_are_doubled_until_one_fails_and_then_halved() {
    let mut search = ProofSearch::new(1, ProofOptions::PLAIN);
    let mut claims = |value, last| claims(&mut search, value, last);
    assert_eq!(claims(0, 100), [1]);
    assert_eq!(claims(1, 100), [1, 2]);
    assert_eq!(claims(18, 100), [1, 2, 4, 8, 16, 32, 24, 20, 18, 19]);
    assert_eq!(claims(5, 6), [1, 2, 4, 5, 6]);
    assert!(claims(0, 0).is_empty());
}

#[test]
fn every_value_takes_at_most_two_claims_per_binary_digit() {
    let mut search = ProofSearch::new(1, ProofOptions::PLAIN);
    for last in 0..200 {
        for value in 0..=last {
            let claims = claims(&mut search, value, last).len();
            assert!(claims <= 2 * (value.max(1).ilog2() as usize + 1));
        }
    }
}

//! The laboratory: its trees and its experiments.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod intervals;
mod screen;
mod stockman;

use std::num::NonZeroUsize;

use kalah::Solver;
use kalah::board::{Capture, Rules, Sowing};
use kalah::search::{
    BoundTest, DepthFirst, DepthFirstOptions, Game, MoveOrdering, MtdDriver, ProofNumbers, Query,
    SelectiveParameters, TableUse, TreeSearch, UnboundedTable, Variant, Window,
};
use kalah::solve::SolverResources;
use kalah_command::options::RuleOptions;
use kalah_lab::{
    BoundsExperiment, Experiment, ExplicitTree, LabContext, LeafValues, Midgame, PearlExperiment,
    RecordedGame, Replay, SavingsExperiment, ScreenText, SearchEvent, SuccessorOrder,
    TreeParseError, UniformExperiment, UniformTree, WorkExperiment, WorkRow, fit_work,
    optimal_rate, p_star, proof_examples, worked_examples,
};
use proptest::prelude::*;

use crate::stockman::best_first;

const STANDARD: RuleOptions = RuleOptions { capture: Capture::Standard, sowing: Sowing::Single };

/// As papers have it: moves from left to right.
const LEFT_TO_RIGHT: DepthFirstOptions = DepthFirstOptions {
    table: TableUse::On,
    ordering: MoveOrdering::Static,
    random_seed: 0,
    selective: SelectiveParameters::DEFAULT,
};

/// Those that leave nothing out.
fn depth_first_searches() -> impl Iterator<Item = DepthFirst> {
    Variant::ALL.into_iter().filter_map(|(_, variant)| match variant {
        Variant::DepthFirst(search) if variant != Variant::SELECTIVE => Some(search),
        _ => None,
    })
}

/// Small random trees, some with many equal leaves, some with none.
fn trees() -> impl Strategy<Value = UniformTree> {
    let values = prop::sample::select(&[1, 2, 3, 10, 100, 1 << 29][..]);
    (1..=6_u32, 0..=6_u32, values, any::<u64>())
        .prop_filter("small", |(width, depth, ..)| width.pow(*depth) <= 1500)
        .prop_map(|(width, depth, values, seed)| {
            UniformTree::new(width, depth, LeafValues::Random(values), seed)
        })
}

/// Small trees of no particular shape, as text.
fn shapes() -> impl Strategy<Value = String> {
    let leaf = (-9..=9_i32).prop_map(|value| value.to_string());
    leaf.prop_recursive(5, 60, 4, |inner| {
        prop::collection::vec(inner, 1..=4).prop_map(|inner| format!("({})", inner.join(" ")))
    })
}

fn conducts() -> impl Strategy<Value = DepthFirstOptions> {
    let tables = [TableUse::On, TableUse::EqualDepth, TableUse::Off];
    let orderings = [MoveOrdering::Dynamic, MoveOrdering::Static, MoveOrdering::Random];
    (prop::sample::select(tables.to_vec()), prop::sample::select(orderings.to_vec()), any::<u64>())
        .prop_map(|(table, ordering, random_seed)| DepthFirstOptions {
            table,
            ordering,
            random_seed,
            ..DepthFirstOptions::default()
        })
}

/// The definition of the value, for the player to move.
fn value<G: Game>(game: &G, position: &G::Position) -> i32 {
    if game.is_leaf(position) {
        return game.evaluate(position);
    }
    let mut best = i32::MIN;
    game.for_each_move(position, |_, step| best = best.max(-value(game, &step.position)));
    best
}

fn assert_agree<G: Game>(
    game: &G,
    root: &G::Position,
    depth: u32,
    depth_first: DepthFirstOptions,
) -> Result<(), TestCaseError> {
    let value = value(game, root);
    for search in depth_first_searches() {
        let memory = UnboundedTable::default();
        let found = TreeSearch::new(search, depth_first).run(game, &memory, root, depth);
        prop_assert_eq!(found.score.gain, value, "{:?}", search);
    }
    Ok(())
}

/// What a search does, in order.
fn events<G: Game + Clone>(
    game: &G,
    root: &G::Position,
    depth: u32,
    search: TreeSearch,
) -> Vec<SearchEvent<G::Position>> {
    let recorded = RecordedGame::new(game.clone());
    search.run(&recorded, &UnboundedTable::default(), root, depth);
    recorded.into_events()
}

/// Requires that SSS* and DUAL* evaluate the same leaves in the same order as the originals.
fn assert_like_the_original<G>(game: &G, root: G::Position, depth: u32) -> Result<(), TestCaseError>
where
    G: Game<Move = u32> + Clone,
{
    for (driver, dual) in [(MtdDriver::Above, false), (MtdDriver::Below, true)] {
        let search = TreeSearch::new(DepthFirst::Mtd(driver), LEFT_TO_RIGHT);
        let events = events(game, &root, depth, search);
        let evaluated: Vec<u64> = events
            .iter()
            .filter_map(|event| match event {
                SearchEvent::Evaluated(leaf, _) => Some(game.key(leaf)),
                _ => None,
            })
            .collect();
        let (expected, original) = best_first(game, root, dual);
        let expected: Vec<u64> = expected.iter().map(|leaf| game.key(leaf)).collect();
        prop_assert_eq!(evaluated, expected);
        prop_assert_eq!(original, value(game, &root));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn all_searches_agree_on_random_trees(tree in trees(), depth_first in conducts()) {
        assert_agree(&tree, &tree.root(), tree.depth(), depth_first)?;
    }

    #[test]
    fn all_searches_agree_on_trees_of_any_shape(shape in shapes(), depth_first in conducts()) {
        let tree: ExplicitTree = shape.parse().unwrap();
        assert_agree(&tree, &tree.root(), tree.depth(), depth_first)?;
    }

    #[test]
    fn what_a_memory_holds_of_other_depths_does_not_count(
        tree in trees(),
        depth in 0..=6_u32,
        ordering in prop::sample::select(&MoveOrdering::ALL[..]),
    ) {
        let depth_first = DepthFirstOptions { table: TableUse::EqualDepth, ordering, random_seed: 1, ..DepthFirstOptions::default() };
        for search in depth_first_searches() {
            let (search, memory) = (TreeSearch::new(search, depth_first), UnboundedTable::default());
            search.run(&tree, &memory, &tree.root(), tree.depth());
            let [again, anew] = [&memory, &UnboundedTable::default()]
                .map(|memory| search.run(&tree, memory, &tree.root(), depth).score.gain);
            prop_assert_eq!(again, anew);
        }
    }

    #[test]
    fn both_forms_of_negascout_ask_the_same(
        tree in trees(),
        shape in shapes(),
        alpha in -3..=12,
        width in 1..=12,
        is_whole in any::<bool>(),
    ) {
        let window = (!is_whole).then_some(Window { alpha, beta: alpha + width });
        let depth_first = DepthFirstOptions { table: TableUse::Off, ..LEFT_TO_RIGHT };
        let [f4, f4_g4] = [DepthFirst::NegaScout, DepthFirst::NegaScoutMinimax]
            .map(|search| TreeSearch { window, ..TreeSearch::new(search, depth_first) });
        let (root, depth) = (tree.root(), tree.depth());
        prop_assert_eq!(events(&tree, &root, depth, f4), events(&tree, &root, depth, f4_g4));
        let tree: ExplicitTree = shape.parse().unwrap();
        let (root, depth) = (tree.root(), tree.depth());
        prop_assert_eq!(events(&tree, &root, depth, f4), events(&tree, &root, depth, f4_g4));
    }

    #[test]
    fn sss_and_dual_evaluate_the_leaves_of_the_originals_in_their_order(
        tree in trees(),
        shape in shapes(),
    ) {
        assert_like_the_original(&tree, tree.root(), tree.depth())?;
        let tree: ExplicitTree = shape.parse().unwrap();
        assert_like_the_original(&tree, tree.root(), tree.depth())?;
    }

    #[test]
    fn uniform_trees_follow_from_their_seed(tree in trees(), seed in any::<u64>()) {
        let again = |seed| {
            UniformTree::new(tree.width(), tree.depth(), LeafValues::Random(1 << 29), seed)
        };
        let search = TreeSearch::new(DepthFirst::Minimax, LEFT_TO_RIGHT);
        let [one, other] = [seed, seed].map(|seed| {
            events(&again(seed), &again(seed).root(), tree.depth(), search)
        });
        prop_assert_eq!(one, other);
        prop_assert_ne!(again(seed).root(), again(seed ^ 1).root());
    }

    #[test]
    fn text_that_is_no_tree_is_refused(text in "[()0-9a-c= ]{0,12}") {
        // Whatever it is, it is told without a panic, and a tree has as many leaves as values.
        if let Ok(tree) = text.parse::<ExplicitTree>() {
            let leaves = tree.nodes().filter(|&node| tree.value(node).is_some()).count();
            prop_assert!(leaves > 0);
        }
    }
}

#[test]
fn wrong_trees_are_named() {
    let parsed = |text: &str| text.parse::<ExplicitTree>().map(|_| ());
    assert_eq!(parsed("(1 (2 x=3) K(4))"), Ok(()));
    assert_eq!(parsed("7"), Ok(()));
    assert!(matches!(parsed(""), Err(TreeParseError::Leaf(_))));
    assert!(matches!(parsed("()"), Err(TreeParseError::Leaf(_))));
    assert!(matches!(parsed("(1 two)"), Err(TreeParseError::Leaf(leaf)) if leaf == "two"));
    assert!(matches!(parsed("(1 2"), Err(TreeParseError::Brackets(_))));
    assert!(matches!(parsed("(1 2) 3"), Err(TreeParseError::Brackets(_))));
    assert_eq!(parsed(&"(".repeat(100_000)), Err(TreeParseError::Depth));
}

#[test]
fn perfectly_ordered_trees_take_the_least_nodes_to_the_node() {
    let bounds =
        BoundsExperiment { widths: vec![2, 3, 4, 5, 7, 10], depths: (1..=7).collect(), seed: 7 };
    let rows = bounds.run(&LabContext::default()).unwrap();
    assert_eq!(rows.len(), 6 * 7 * 10);
    for row in &rows {
        assert!(row.agrees(), "{row:?}");
        // The lecture's closed forms, which are for even depths. That of H2 has lost
        // b^(depth / 2 - 1) on the way from the sum it begins with, so it is set right here.
        let (b, half) = (u64::from(row.width), row.depth / 2);
        if row.depth % 2 == 0 {
            let h1 = 2 * (b.pow(half + 1) - 1) / (b - 1) - b.pow(half);
            let h2 = 2 * h1 + b.pow(half) - u64::from(row.depth + 2);
            match row.search {
                "test-true" => assert_eq!(row.nodes, h1),
                "alphabeta" | "scout" | "negascout" | "pvs" => assert_eq!(row.nodes, h2),
                _ => {}
            }
        }
    }
}

#[test]
fn the_optimal_branching_factor_is_pearls() {
    // The golden ratio, for two moves a position.
    assert!((optimal_rate(2) - 1.618_034).abs() < 1e-6);
    for width in 2..=60 {
        let p = p_star(width);
        assert!((p.powi(width as i32) + p - 1.0).abs() < 1e-12);
        assert!(optimal_rate(width) > f64::from(width).sqrt());
    }
}

#[test]
fn branching_factors_of_random_trees_are_near_the_limit() {
    let sizes = (4..=14).step_by(2).map(|depth| (2, depth)).collect();
    let uniform = UniformExperiment { sizes, compared: 0, values: 1 << 29, trees: 20, seed: 1 };
    let fits = uniform.summarize(&uniform.run(&LabContext::default()).unwrap());
    assert_eq!(fits.len(), 7);
    for fit in fits {
        assert_eq!(fit.depths, (4, 14));
        assert!((fit.fitted / fit.continuous - 1.0).abs() < 0.1, "{fit:?}");
    }
}

#[test]
fn experiments_do_not_depend_on_the_number_of_threads() {
    let sizes = vec![(3, 4), (5, 3)];
    let uniform = UniformExperiment { sizes, compared: 2, values: 10, trees: 7, seed: 3 };
    let with = |threads| {
        let threads = NonZeroUsize::new(threads).unwrap();
        uniform.run(&LabContext { threads, ..LabContext::default() }).unwrap()
    };
    assert_eq!(with(4), with(1));
}

#[test]
fn middle_games_are_what_they_should_be() {
    for (houses, seeds) in [(6, 6), (6, 4), (4, 3)] {
        let midgame = Midgame {
            houses,
            seeds,
            rules: RuleOptions { capture: Capture::Empty, sowing: Sowing::Single },
            positions: 30,
            random_seed: 5,
        };
        let boards = midgame.draw().unwrap();
        assert_eq!(boards, midgame.draw().unwrap());
        assert_eq!(boards.len(), 30);
        for (i, board) in boards.iter().enumerate() {
            assert_eq!(board.rules(), Rules::new(houses, Capture::Empty).unwrap());
            assert!(!board.is_over() && !boards[..i].contains(board));
            assert!(board.seeds_in_play() >= houses as u32 * u32::from(seeds));
        }
        let others = Midgame { random_seed: 6, ..midgame }.draw().unwrap();
        assert_ne!(boards, others);
    }
}

/// With 10 of the 50 positions of the full size, for the time it takes.
#[test]
fn negascout_takes_no_more_nodes_than_alpha_beta() {
    let savings = SavingsExperiment {
        games: vec![Midgame {
            houses: 6,
            seeds: 6,
            rules: STANDARD,
            positions: 10,
            random_seed: 1,
        }],
        depths: vec![10],
        hash: 4,
    };
    let summary = savings.summarize(&savings.run(&LabContext::default()).unwrap());
    let of = |search| summary.iter().find(|row| row.search == search).unwrap();
    assert_eq!(of("negascout").positions, 10);
    assert!((of("alphabeta").median_ratio - 1.0).abs() < 1e-9);
    assert!(of("negascout").median_ratio <= 1.0, "{summary:#?}");
}

/// A search that proves its value goes no deeper.
#[test]
fn a_depth_that_no_search_reaches_has_an_empty_table() {
    let midgame = Midgame { houses: 3, seeds: 3, rules: STANDARD, positions: 5, random_seed: 1 };
    let savings = SavingsExperiment { games: vec![midgame], depths: vec![30], hash: 1 };
    let rows = savings.run(&LabContext::default()).unwrap();
    let summary = savings.summarize(&rows);
    assert!(summary.is_empty(), "{summary:?}");
    let mut screen = ScreenText::new(false);
    savings.print(&rows, &summary, &mut screen);
    assert!(screen.to_string().contains("published (chess)"));
    assert!(savings.chart(&rows, &summary).panels.is_empty());
}

/// The names of the positions a search visits, in order.
fn visited(tree: &ExplicitTree, replay: &Replay) -> String {
    let names: Vec<&str> = replay.visits.iter().map(|visit| tree.name(visit.node)).collect();
    names.join(" ")
}

#[test]
fn test_skips_what_alpha_beta_visits() {
    let example = &worked_examples().unwrap()[0];
    let [scout, alpha_beta] = &example.replays[..] else { panic!("two searches") };
    assert_eq!(visited(&example.tree, scout), "root 1 p K K.1 p.2 p.3");
    assert_eq!(visited(&example.tree, alpha_beta), "root 1 p K K.1 K.2 p.2 p.3");
    assert_eq!((scout.value, alpha_beta.value), (5, 5));
}

#[test]
fn scout_visits_what_alpha_beta_cuts_off() {
    let example = &worked_examples().unwrap()[1];
    let tree = &example.tree;
    let [scout, alpha_beta] = &example.replays[..] else { panic!("two searches") };
    assert_eq!((scout.value, alpha_beta.value), (20, 20));
    assert_eq!((scout.visits.len(), alpha_beta.visits.len()), (29, 10));
    let to_d =
        |replay: &Replay| replay.visits.iter().filter(|visit| tree.name(visit.node) == "D").count();
    assert_eq!((to_d(scout), to_d(alpha_beta)), (3, 0));
    // The questions of the slide with their answers.
    for (node, relation, value, answer) in
        [("A", ">", 10, true), ("B", ">=", 25, false), ("C", ">", 0, true), ("D", ">=", 8, false)]
    {
        let is_it = |visit: &&kalah_lab::Visit| match visit.query {
            Query::Test(test) => {
                tree.name(visit.node) == node
                    && test.value == value
                    && (test.comparison == kalah::search::Comparison::Greater) == (relation == ">")
            }
            _ => false,
        };
        let visit = scout.visits.iter().find(is_it).unwrap();
        let Query::Test(BoundTest { comparison, .. }) = visit.query else { unreachable!() };
        let (_, found) = visit.from_max_view(tree.player(visit.node));
        assert_eq!(comparison.holds(found, value), answer, "{node}");
    }
    // And its windows.
    let window = |name| {
        let visit = alpha_beta.visits.iter().find(|visit| tree.name(visit.node) == name).unwrap();
        match visit.from_max_view(tree.player(visit.node)).0 {
            Query::Window(Window { alpha, beta }) => (alpha, beta),
            question => panic!("{question:?}"),
        }
    };
    assert_eq!((window("A").0, window("B"), window("C")), (10, (10, 25), (10, 25)));
}

#[test]
fn negascout_asks_the_windows_of_the_slides() {
    let windows = |example: &kalah_lab::WorkedExample| -> Vec<(String, i32, i32, i32)> {
        let by_max = example.replays[0].search == DepthFirst::NegaScoutMinimax;
        let visits = example.replays[0].visits.iter();
        visits
            .map(|visit| {
                let seen = visit.from_max_view(example.tree.player(visit.node));
                let (question, answer) = if by_max { seen } else { (visit.query, visit.result) };
                let Query::Window(Window { alpha, beta }) = question else { panic!("{visit:?}") };
                (example.tree.name(visit.node).to_owned(), alpha, beta, answer)
            })
            .collect()
    };
    let expected = |rows: &[(&str, i32, i32, i32)]| -> Vec<(String, i32, i32, i32)> {
        rows.iter().map(|&(name, a, b, answer)| (name.to_owned(), a, b, answer)).collect()
    };
    let examples = worked_examples().unwrap();
    assert_eq!(
        windows(&examples[2]),
        expected(&[
            ("root", 3, 9, 4),
            ("1", 3, 9, 4),
            ("1.1", 3, 9, 5),
            ("1.1.1", 3, 9, 5),
            ("1.1.2", 5, 6, 4),
            ("1.1.2.1", 5, 6, 4),
            ("1.2", 4, 5, 4),
            ("1.2.1", 4, 5, 4),
            ("1.2.2", 4, 5, 3),
            ("1.2.2.1", 4, 5, 3),
            ("1.2", 3, 4, 4),
            ("1.2.1", 3, 4, 4),
            ("2", 4, 5, 4),
            ("2.1", 4, 5, 4),
        ])
    );
    assert_eq!(
        windows(&examples[3]),
        expected(&[
            ("root", 4, 5, 5),
            ("1", -5, -4, -5),
            ("1.1", 4, 5, 5),
            ("1.1.1", -5, -4, -5),
            ("1.2", 4, 5, 6),
            ("1.2.1", -5, -4, -6),
        ])
    );
}

/// The figures of the SCOUT paper as far as they can be met.
#[test]
fn pearls_table_is_met() {
    let pearl = PearlExperiment {
        houses: 6,
        seeds: vec![1],
        depths: (2..=6).collect(),
        shuffles: 1,
        seed: 1,
    };
    let rows = pearl.run(&LabContext::default()).unwrap();
    let found = |successors| {
        let rows = rows.iter().filter(move |row| row.successors == successors);
        rows.map(|row| (row.scout as u64, row.alpha_beta as u64)).collect::<Vec<_>>()
    };
    let as_they_come = [(82, 70), (394, 380), (1173, 1322), (2514, 4115), (5111, 6958)];
    assert_eq!(found(SuccessorOrder::AsTheyCome), as_they_come);
    let dynamic = [(39, 37), (62, 61), (91, 90), (276, 335), (369, 439)];
    assert_eq!(found(SuccessorOrder::Dynamic), dynamic);
    for row in rows.iter().filter(|row| row.successors != SuccessorOrder::Shuffled) {
        let scout = row.published_scout.unwrap() as f64;
        assert!((row.scout / scout - 1.0).abs() <= 0.02, "{row:?}");
    }
}

#[test]
fn proof_numbers_are_those_of_the_slides() {
    let examples = proof_examples().unwrap();
    let numbers = |example: usize, name: &str, v: i32| {
        let tree = &examples[example].tree;
        let node = tree.nodes().find(|&node| tree.name(node) == name).unwrap();
        let ProofNumbers { proof, disproof } = tree.proof_numbers(v).0[node.0];
        let finite = |number| (number != ProofNumbers::INFINITE).then_some(number);
        (finite(proof), finite(disproof))
    };
    let next = |example: usize, v: i32| {
        let tree = &examples[example].tree;
        tree.proof_numbers(v).1.map(|node| tree.name(node).to_owned())
    };
    assert_eq!(numbers(0, "a", 1), (Some(1), Some(2)));
    assert_eq!(numbers(0, "b", 1), (Some(1), Some(1)));
    assert_eq!(numbers(0, "c", 1), (Some(2), Some(1)));
    assert_eq!(next(0, 1).as_deref(), Some("e"));
    assert_eq!(numbers(1, "a", 1), (Some(2), Some(1)));
    assert_eq!(numbers(1, "b", 1), (None, Some(0)));
    assert_eq!(numbers(1, "c", 1), (Some(2), Some(1)));
    assert_eq!(numbers(1, "h", 1), (Some(1), Some(1)));
    assert_eq!(next(1, 1).as_deref(), Some("g"));
    assert_eq!(next(2, 18).as_deref(), Some("e"));
    assert_eq!(next(2, 19), None);
}

#[test]
fn tests_of_the_solver_are_measured() {
    let midgame = Midgame { houses: 4, seeds: 3, rules: STANDARD, positions: 3, random_seed: 1 };
    let experiment = WorkExperiment { midgame, table_seeds: 4, hash: 4 };
    let rows = experiment.run(&LabContext::default()).unwrap();
    let one_thread = LabContext { threads: NonZeroUsize::MIN, ..LabContext::default() };
    assert_eq!(experiment.run(&one_thread).unwrap(), rows);
    for (rows, board) in rows.chunks(9).zip(midgame.draw().unwrap()) {
        let margin = Solver::new(SolverResources::default()).solve(&board).unwrap().margin;
        for (row, offset) in rows.iter().zip((-8..).step_by(2)) {
            assert_eq!((row.board.as_str(), row.margin), (board.fen().as_str(), margin));
            assert_eq!((row.target, row.is_reached()), (margin + offset, offset <= 0));
            assert!(row.expected <= row.expected_at_zero, "{row:?}");
        }
        assert!(rows.iter().any(|row| row.nodes > 10));
    }
    let offsets: Vec<_> = experiment.summarize(&rows).0.iter().map(|row| row.offset).collect();
    assert_eq!(offsets, [-8, -6, -4, -2, 0, 2, 4, 6, 8]);
}

#[test]
fn a_formula_is_found_in_tests_that_follow_it() {
    let row = |number: i32| {
        let distance = f64::from(number % 19 - 9) / 1.5;
        let expected_at_zero = 10_f64.powi(3 + number % 4);
        let nodes = 0.2 * expected_at_zero.powf(1.3) * (-0.4 * distance.abs()).exp();
        // The share of 200 tests at the same distance that is reached.
        let share = 1.0 / (1.0 + (-0.7 * distance).exp());
        let target = if f64::from(number / 76) < 200.0 * share { 0 } else { 2 };
        let (board, seeds, margin) = (String::new(), 30, 0);
        let (expected, nodes) = (expected_at_zero, nodes as u64);
        WorkRow { board, seeds, margin, target, distance, expected_at_zero, expected, nodes }
    };
    let rows: Vec<_> = (0..76 * 200).map(row).collect();
    let [fit, in_use] = fit_work(&rows);
    for (found, expected) in
        [(fit.factor, 0.2), (fit.power, 1.3), (fit.ease, 0.4), (fit.slope, 0.7)]
    {
        assert!((found / expected - 1.0).abs() < 0.02, "{fit:?}");
    }
    assert!(fit.deviation < 0.02 && in_use.deviation > 0.5, "{fit:?} {in_use:?}");
    assert_eq!((in_use.factor, in_use.power, in_use.slope), (1.0, 1.0, 1.0));
}

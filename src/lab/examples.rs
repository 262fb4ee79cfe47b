//! The worked examples of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (slides
//! of 2015), replayed question by question.
//!
//! Of the pictures only the numbers have come down to us, not the lines between them. Each example
//! says what of its tree the text settles and what was chosen here.

use super::explicit_tree::{ExplicitNode, ExplicitTree, TreeError};
use super::proof_numbers::Evidence;
use super::recorded::{Event, Recorded};
use crate::search::{
    DepthFirst, DepthFirstOptions, MinimaxPlayer, MoveOrdering, Query, Score, TableUse, TreeSearch,
    UnboundedTable, Window,
};

/// A tree and how searches go through it.
#[derive(Clone, Debug)]
pub struct Example {
    /// What it shows.
    pub title: &'static str,
    /// The slides it is on.
    pub slides: &'static str,
    /// What the text settles, and what had to be chosen.
    pub reconstruction: &'static str,
    /// The tree.
    pub tree: ExplicitTree<i32>,
    /// What each of the searches does.
    pub replays: Vec<Replay>,
}

/// What one search does with a tree.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The search.
    pub search: DepthFirst,
    /// All visits, in order.
    pub visits: Vec<Visit>,
    /// The value of the root as MAX sees it; outside a window given, a bound.
    pub value: i32,
}

/// One visit to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The position.
    pub node: ExplicitNode,
    /// What is asked.
    pub question: Query,
    /// The answer, from the view of the player to move.
    pub answer: i32,
    /// How many visits to this position there have been before.
    pub earlier: u32,
}

/// A tree with proof and disproof numbers.
#[derive(Clone, Debug)]
pub struct ProofExample {
    /// The slides it is on.
    pub slides: &'static str,
    /// What the text settles, and what had to be chosen.
    pub reconstruction: &'static str,
    /// The tree.
    pub tree: ExplicitTree<Evidence>,
    /// The values asked about: is that of the tree at least this?
    pub thresholds: &'static [i32],
}

impl Replay {
    fn of(tree: &ExplicitTree<i32>, search: DepthFirst, window: Option<Window>) -> Replay {
        // As the lecture has it: no memory, moves from left to right.
        let depth_first = DepthFirstOptions {
            table: TableUse::Off,
            ordering: MoveOrdering::Static,
            random_seed: 0,
        };
        let search_tree = TreeSearch { window, ..TreeSearch::new(search, depth_first) };
        let recorded = Recorded::new(tree.clone());
        let memory = UnboundedTable::default();
        let found = search_tree.run(&recorded, &memory, &tree.root(), tree.depth());
        Replay { search, visits: visits(&recorded.into_events()), value: found.score.gain }
    }

    /// Whether the search comes to this position at all.
    pub fn visits(&self, node: ExplicitNode) -> bool {
        self.visits.iter().any(|visit| visit.node == node)
    }
}

/// Pairs questions with their answers.
fn visits(events: &[Event<ExplicitNode>]) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    let mut open = Vec::new();
    for event in events {
        match *event {
            Event::Asked(node, question) => {
                let earlier = visits.iter().filter(|visit| visit.node == node).count() as u32;
                open.push(visits.len());
                visits.push(Visit { node, question, answer: 0, earlier });
            }
            Event::Answered(_, Score { gain, .. }) => {
                if let Some(asked) = open.pop() {
                    visits[asked].answer = gain;
                }
            }
            Event::Evaluated(..) => {}
        }
    }
    visits
}

/// The examples of SCOUT and NegaScout.
///
/// # Errors
/// None, as long as the trees below are written correctly.
pub fn examples() -> Result<Vec<Example>, TreeError> {
    let example = |title, slides, reconstruction, tree: &str, searches: &[_]| {
        let tree: ExplicitTree<i32> = tree.parse()?;
        let replays = searches.iter().map(|&(search, window)| Replay::of(&tree, search, window));
        let replays = replays.collect();
        Ok(Example { title, slides, reconstruction, tree, replays })
    };
    Ok(vec![
        example(
            "TEST, called by SCOUT, may visit fewer nodes than alpha-beta",
            "slide 10",
            "The text settles that TEST[p, >, 5] follows the root's first branch, worth 5, that K \
             is p's first branch and has 8 before 15, and that p's third branch makes the test \
             fail. The value of that branch is not among the picture's numbers: 4 is chosen, any \
             up to 5 would do.",
            "(5 p(K(8 15) 10 4))",
            &[(DepthFirst::Scout, None), (DepthFirst::AlphaBeta, None)],
        )?,
        example(
            "SCOUT may pay many visits to a node that is cut off by alpha-beta",
            "slide 11",
            "The picture's values, row by row, are 5 10, 25, 20, 8; its windows are [10, infinity] \
             for A and [10, 25] three times below. All four questions it prints come out as \
             printed if B has a first branch worth 0 before C, and 20 after it, and if D is worth \
             from 1 to 7: 0 and D's 6 are chosen, they are not among the numbers. (Without the 0, \
             C would be B's first branch, which SCOUT evaluates untested; TEST[C, >, 0] could then \
             only be a way to write that.)",
            "(5 10 A(25 B(0 C(8 D=6) 20)))",
            &[(DepthFirst::Scout, None), (DepthFirst::AlphaBeta, None)],
        )?,
        example(
            "NegaScout, a procedure for each player",
            "slides 23 and 24",
            "The text settles the root's window [3, 9], the values 5 4 7 4 4 5 in one run and 3 4 \
             apart from them, and the windows asked: [3, 9] three times, [5, 6], [4, 5] four \
             times and [3, 4] at a re-search. The lines between the values are lost. This tree \
             has the values in that order, 3 4 a row below, and asks these windows, [4, 5] at \
             three positions with moves and at leaves below them; other trees do so too. The 3 \
             that stands beside the word re-search is taken for the leaf below.",
            "(((5 (4 7)) (4 (3 4))) (4 5))",
            &[(DepthFirst::NegaScoutMinimax, Some(Window { alpha: 3, beta: 9 }))],
        )?,
        example(
            "NegaScout as a negamax procedure",
            "slide 29",
            "All is settled by the text: two moves a position, three plies, the leaves -5 -4 -6 \
             -7 -4 -4 -5 -9 as the player to move there sees them, the window [4, 5]. The right \
             half is never seen. Where the slide has windows such as [5, 5] it shows what is left \
             of the window after a move has been searched.",
            "(((5 4) (6 7)) ((4 4) (5 9)))",
            &[(DepthFirst::NegaScout, Some(Window { alpha: 4, beta: 5 }))],
        )?,
    ])
}

/// The examples of proof numbers.
///
/// # Errors
/// None, as long as the trees below are written correctly.
pub fn proof_examples() -> Result<Vec<ProofExample>, TreeError> {
    let example = |slides, reconstruction, tree: &str, thresholds| {
        Ok(ProofExample { slides, reconstruction, tree: tree.parse()?, thresholds })
    };
    Ok(vec![
        example(
            "slides 34 and 38, left",
            "The nodes a to h, the leaves 1 ? 1 ? ? and the numbers 1,2 and 1,1 and 2,1 for a, b \
             and c leave one tree with two rows of moves.",
            "a(b(d=1 e=?) c(f=1 g=? h=?))",
            &[1],
        )?,
        example(
            "slides 34 and 38, right",
            "The nodes a to k and the numbers 2,1 and infinity,0 and 1,1 and 2,1 settle a tree \
             with h above i, j and k. Of the leaves the text has 1 ? ? ?; the others must be 0 \
             for the numbers to come out. Which of d and e is 0, and which of i, j and k is \
             unknown, is chosen.",
            "a(b(d=0 e=?) c(f=1 g=? h(i=0 j=? k=0)))",
            &[1],
        )?,
        example(
            "slides 42 and 43",
            "The nodes a to h, the values ? ? ? 18 10 and the question v <= 18, asked twice. The \
             shape is taken from slide 34; that 18 stands at d and 10 at f is chosen.",
            "a(b(d=18 e=?) c(f=10 g=? h=?))",
            &[10, 18, 19],
        )?,
    ])
}

impl Visit {
    /// The question and the answer as MAX sees them.
    pub fn seen_by_max(&self, player: MinimaxPlayer) -> (Query, i32) {
        match (player, self.question) {
            (MinimaxPlayer::Max, question) => (question, self.answer),
            (MinimaxPlayer::Min, Query::Window(Window { alpha, beta })) => {
                (Query::Window(Window { alpha: -beta, beta: -alpha }), -self.answer)
            }
            // Tests are MAX's whoever is to move.
            (MinimaxPlayer::Min, question) => (question, -self.answer),
        }
    }
}

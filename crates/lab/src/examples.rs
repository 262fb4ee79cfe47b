//! The worked examples of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (slides of
//! 2015), replayed visit by visit.
//!
//! The text of the slides has the numbers of the figures, not the lines between them. Each example
//! states what the text determines of its tree and what was chosen here.

use super::experiment::published;
use super::explicit_tree::{ExplicitNode, ExplicitTree, TreeParseError};
use super::recorded::{RecordedGame, SearchEvent};
use kalah::search::{DepthFirst, MinimaxPlayer, Query, Score, TreeSearch, UnboundedTable, Window};

/// A tree with the visits of searches.
#[derive(Clone, Debug)]
pub struct WorkedExample {
    /// What it shows.
    pub title: &'static str,
    /// Its slides in the lecture.
    pub slides: &'static str,
    /// What the text determines and what was chosen.
    pub reconstruction: &'static str,
    /// The tree.
    pub tree: ExplicitTree,
    /// One replay for each search.
    pub replays: Vec<Replay>,
}

/// One search of a tree.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The search.
    pub search: DepthFirst,
    /// All visits in order.
    pub visits: Vec<Visit>,
    /// The value of the root from MAX's view; outside the search window, a bound.
    pub value: i32,
}

/// One visit to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The position.
    pub node: ExplicitNode,
    /// The query.
    pub query: Query,
    /// The result, from the view of the player to move.
    pub result: i32,
    /// The number of earlier visits to this position.
    pub earlier: u32,
}

/// A tree for proof and disproof numbers.
#[derive(Clone, Debug)]
pub struct ProofExample {
    /// Its slides in the lecture.
    pub slides: &'static str,
    /// What the text determines and what was chosen.
    pub reconstruction: &'static str,
    /// The tree.
    pub tree: ExplicitTree,
    /// The thresholds of the claims: the root's value is at least this.
    pub thresholds: &'static [i32],
}

impl Replay {
    fn of(tree: &ExplicitTree, search: DepthFirst, window: Option<Window>) -> Replay {
        let game = RecordedGame::new(tree.clone());
        let tree_search = TreeSearch { window, ..published(search) };
        let table = UnboundedTable::default();
        let value = tree_search.run(&game, &table, &tree.root(), tree.depth()).score.gain;
        Replay { search, visits: visits(&game.into_events()), value }
    }

    /// Whether the search visits this position.
    pub fn visits(&self, node: ExplicitNode) -> bool {
        self.visits.iter().any(|visit| visit.node == node)
    }
}

/// Pairs queries with their results.
fn visits(events: &[SearchEvent<ExplicitNode>]) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    let mut open = Vec::new();
    for event in events {
        match *event {
            SearchEvent::Entered(node, query) => {
                let earlier = visits.iter().filter(|visit| visit.node == node).count() as u32;
                open.push(visits.len());
                visits.push(Visit { node, query, result: 0, earlier });
            }
            SearchEvent::Left(_, Score { gain, .. }) => {
                if let Some(entered) = open.pop() {
                    visits[entered].result = gain;
                }
            }
            SearchEvent::Evaluated(..) => {}
        }
    }
    visits
}

/// The examples of SCOUT and NegaScout.
///
/// # Errors
/// Only if a tree in this file were malformed.
pub fn worked_examples() -> Result<Vec<WorkedExample>, TreeParseError> {
    let example = |title, slides, reconstruction, tree: &str, searches: &[_]| {
        let tree: ExplicitTree = tree.parse()?;
        let replays = searches.iter().map(|&(search, window)| Replay::of(&tree, search, window));
        let replays = replays.collect();
        Ok(WorkedExample { title, slides, reconstruction, tree, replays })
    };
    Ok(vec![
        example(
            "TEST, called by SCOUT, may visit fewer nodes than alpha-beta",
            "slide 10",
            "The text determines that TEST[p, >, 5] follows the root's first branch, worth 5, that \
             K is p's first branch and has 8 before 15, and that the test fails at p's third \
             branch. The value of that branch is not among the figure's numbers; 4 was chosen, and \
             every value up to 5 would do.",
            "(5 p(K(8 15) 10 4))",
            &[(DepthFirst::Scout, None), (DepthFirst::AlphaBeta, None)],
        )?,
        example(
            "SCOUT may visit a node many times that alpha-beta cuts off",
            "slide 11",
            "The figure's values, row by row, are 5 10, 25, 20, 8; its windows are [10, infinity] \
             for A and [10, 25] three times below. Its four tests have the printed answers if B \
             has a branch worth 0 before C and one worth 20 after it, and if D is worth 1 to 7: 0 \
             and D's 6 were chosen, since they are not among the numbers. (Without the 0, C would \
             be B's first branch, which SCOUT evaluates without a test, and TEST[C, >, 0] could \
             only be another notation for that.)",
            "(5 10 A(25 B(0 C(8 D=6) 20)))",
            &[(DepthFirst::Scout, None), (DepthFirst::AlphaBeta, None)],
        )?,
        example(
            "NegaScout, a procedure for each player",
            "slides 23 and 24",
            "The text determines the root's window [3, 9], the values 5 4 7 4 4 5 in sequence and \
             3 4 apart from them, and the search windows: [3, 9] three times, [5, 6], [4, 5] four \
             times and [3, 4] at a re-search. The lines between the values are missing. This tree \
             has the values in that order, with 3 4 a row below, and is searched with these \
             windows, with [4, 5] at three interior positions and at leaves below them; other \
             trees are too. The 3 beside the word re-search is taken for the leaf below.",
            "(((5 (4 7)) (4 (3 4))) (4 5))",
            &[(DepthFirst::NegaScoutMinimax, Some(Window { alpha: 3, beta: 9 }))],
        )?,
        example(
            "NegaScout as a negamax procedure",
            "slide 29",
            "The text determines everything: two moves a position, three plies, the leaves -5 -4 \
             -6 -7 -4 -4 -5 -9 from the view of the player to move there, and the window [4, 5]. \
             The right half is never visited. A window such as [5, 5] on the slide is the rest of \
             the window after a move has been searched.",
            "(((5 4) (6 7)) ((4 4) (5 9)))",
            &[(DepthFirst::NegaScout, Some(Window { alpha: 4, beta: 5 }))],
        )?,
    ])
}

/// The examples of proof numbers.
///
/// # Errors
/// Only if a tree in this file were malformed.
pub fn proof_examples() -> Result<Vec<ProofExample>, TreeParseError> {
    let example = |slides, reconstruction, tree: &str, thresholds| {
        Ok(ProofExample { slides, reconstruction, tree: tree.parse()?, thresholds })
    };
    Ok(vec![
        example(
            "slides 34 and 38, left",
            "The nodes a to h, the leaves 1 ? 1 ? ? and the numbers 1,2 and 1,1 and 2,1 of a, b and \
             c determine the only tree with two rows of moves.",
            "a(b(d=1 e=?) c(f=1 g=? h=?))",
            &[1],
        )?,
        example(
            "slides 34 and 38, right",
            "The nodes a to k and the numbers 2,1 and infinity,0 and 1,1 and 2,1 determine a tree \
             with h above i, j and k. The text has the leaves 1 ? ? ?; the numbers require 0 for \
             the others. Which of d and e is 0, and which of i, j and k is unknown, was chosen.",
            "a(b(d=0 e=?) c(f=1 g=? h(i=0 j=? k=0)))",
            &[1],
        )?,
        example(
            "slides 42 and 43",
            "The text has the nodes a to h, the values ? ? ? 18 10 and, twice, the question v <= \
             18. The shape is that of slide 34; 18 at d and 10 at f were chosen.",
            "a(b(d=18 e=?) c(f=10 g=? h=?))",
            &[10, 18, 19],
        )?,
    ])
}

impl Visit {
    /// The query and the result from MAX's view.
    pub fn from_max_view(&self, player: MinimaxPlayer) -> (Query, i32) {
        match (player, self.query) {
            (MinimaxPlayer::Max, query) => (query, self.result),
            (MinimaxPlayer::Min, Query::Window(Window { alpha, beta })) => {
                (Query::Window(Window { alpha: -beta, beta: -alpha }), -self.result)
            }
            // Tests are always from MAX's view.
            (MinimaxPlayer::Min, query) => (query, -self.result),
        }
    }
}

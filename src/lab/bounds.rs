//! The least numbers of nodes there can be, on trees in which the first move is the best
//! everywhere: by formula and as visited.
//!
//! The formulas are those of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (2014
//! and 2015): H1 for TEST, H2 for alpha-beta. The lecture has even depths; the sums that they come
//! from hold for odd ones too, and it is the sums that are used here: the last lines of H2 in the
//! lecture of 2015 take off b^(depth / 2 - 1) once too often. The numbers of leaves are those of D. Knuth and R. Moore (*An
//! Analysis of Alpha-Beta Pruning*, 1975).

use serde::Serialize;

use super::error::{LabError, check_depth, check_effort, check_width};
use super::progress::{Watch, in_parallel};
use super::uniform_tree::{Leaves, UniformTree};
use crate::search::{
    Comparison, Counters, DepthFirst, DepthFirstOptions, MoveOrdering, MtdDriver, TableUse,
    TreeSearch, TreeTest, UnboundedTable, Variant,
};

/// The widths and depths of the trees to visit.
#[derive(Clone, Debug, Serialize)]
pub struct Bounds {
    /// Moves at every position.
    pub widths: Vec<u32>,
    /// Plies.
    pub depths: Vec<u32>,
    /// Where the costs of the worse moves come from.
    pub seed: u64,
}

/// What one search visits of one tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoundsRow {
    /// Moves at every position.
    pub width: u32,
    /// Plies.
    pub depth: u32,
    /// The search.
    pub search: &'static str,
    /// Visits to positions by formula.
    pub nodes_by_formula: u64,
    /// Visits to positions.
    pub nodes: u64,
    /// Leaves evaluated by formula.
    pub leaves_by_formula: u64,
    /// Leaves evaluated.
    pub leaves: u64,
}

impl BoundsRow {
    /// Whether the search visits what it should, to the node.
    pub fn agrees(&self) -> bool {
        self.nodes == self.nodes_by_formula && self.leaves == self.leaves_by_formula
    }
}

/// What a search visits on a perfectly ordered tree.
#[derive(Clone, Copy)]
enum Least {
    /// One move of each MAX position, all of each MIN position: H1.
    Proof,
    /// The other way round.
    Disproof,
    /// Both together, where they meet but once: H2.
    Both,
    /// One after the other: what they share, the principal variation, is visited twice, but with
    /// memory no leaf is evaluated twice.
    OneAfterTheOther,
}

/// Positions `ply` plies below the root of which one player has looked at one move only. The
/// first ply is MAX's.
fn at_ply(width: u32, ply: u32, mover_has_one: bool) -> u64 {
    let choices = if mover_has_one { ply / 2 } else { ply.div_ceil(2) };
    u64::from(width).saturating_pow(choices)
}

impl Least {
    /// Positions of one ply, each counted once.
    fn distinct(self, width: u32, ply: u32) -> u64 {
        let (proof, disproof) = (at_ply(width, ply, true), at_ply(width, ply, false));
        match self {
            Least::Proof => proof,
            Least::Disproof => disproof,
            Least::Both | Least::OneAfterTheOther => proof.saturating_add(disproof) - 1,
        }
    }

    fn leaves(self, width: u32, depth: u32) -> u64 {
        self.distinct(width, depth)
    }

    fn nodes(self, width: u32, depth: u32) -> u64 {
        let again = u64::from(matches!(self, Least::OneAfterTheOther));
        let plies = (0..=depth).map(|ply| self.distinct(width, ply).saturating_add(again));
        plies.fold(0, u64::saturating_add)
    }
}

/// A way to search perfectly ordered trees.
#[derive(Clone, Copy)]
enum Way {
    /// TEST, asked a question of this answer.
    Test(bool),
    Search(DepthFirst),
}

/// All of them.
const WAYS: [(Way, Least); 10] = [
    (Way::Test(true), Least::Proof),
    (Way::Test(false), Least::Disproof),
    (Way::Search(DepthFirst::AlphaBeta), Least::Both),
    (Way::Search(DepthFirst::Scout), Least::Both),
    (Way::Search(DepthFirst::NegaScout), Least::Both),
    (Way::Search(DepthFirst::NegaScoutMinimax), Least::Both),
    (Way::Search(DepthFirst::Pvs), Least::Both),
    (Way::Search(DepthFirst::Mtd(MtdDriver::Guess)), Least::OneAfterTheOther),
    (Way::Search(DepthFirst::Mtd(MtdDriver::Above)), Least::OneAfterTheOther),
    (Way::Search(DepthFirst::Mtd(MtdDriver::Below)), Least::OneAfterTheOther),
];

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Test(true) => "test-true",
            Way::Test(false) => "test-false",
            Way::Search(search) => Variant::DepthFirst(search).name(),
        }
    }

    fn visit(self, tree: &UniformTree) -> Counters {
        // Only the searches that come back need memory; to the others it would be one more thing
        // that could spare them a node.
        let table = match self {
            Way::Search(DepthFirst::Mtd(_)) => TableUse::On,
            Way::Search(_) | Way::Test(_) => TableUse::Off,
        };
        let depth_first =
            DepthFirstOptions { table, ordering: MoveOrdering::Static, random_seed: 0 };
        let memory = UnboundedTable::default();
        let (root, depth) = (tree.root(), tree.depth());
        match self {
            Way::Test(answer) => {
                // The value is at least itself, and not greater.
                let comparison = if answer { Comparison::AtLeast } else { Comparison::Greater };
                let test = TreeTest { comparison, value: UniformTree::BEST_FIRST };
                test.run(tree, &memory, depth_first, &root, depth).1
            }
            Way::Search(search) => {
                let guess = Some(UniformTree::BEST_FIRST);
                let search = TreeSearch { guess, ..TreeSearch::new(search, depth_first) };
                search.run(tree, &memory, &root, depth).counters
            }
        }
    }
}

impl Bounds {
    /// Visits all the trees.
    ///
    /// # Errors
    /// When a tree is none or is too large, and when whoever watches has seen enough.
    pub fn run(&self, watch: Watch) -> Result<Vec<BoundsRow>, LabError> {
        self.widths.iter().try_for_each(|&width| check_width(width))?;
        self.depths.iter().try_for_each(|&depth| check_depth(depth))?;
        let mut visits = Vec::new();
        for &width in &self.widths {
            for &depth in &self.depths {
                let nodes = Least::OneAfterTheOther.nodes(width, depth) as f64;
                let what = || format!("a tree of width {width} and depth {depth}");
                check_effort(what, nodes, UnboundedTable::<u32>::BYTES)?;
                visits.extend(WAYS.map(|way| (width, depth, way)));
            }
        }
        in_parallel(&visits, watch, |&(width, depth, (way, least))| {
            let visited = way.visit(&UniformTree::new(width, depth, Leaves::BestFirst, self.seed));
            Ok(BoundsRow {
                width,
                depth,
                search: way.name(),
                nodes_by_formula: least.nodes(width, depth),
                nodes: visited.nodes,
                leaves_by_formula: least.leaves(width, depth),
                leaves: visited.leaves,
            })
        })
    }
}

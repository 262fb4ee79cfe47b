//! Searches on uniform random trees.
//!
//! A. Reinefeld (*An Improvement to the Scout Tree-Search Algorithm*, 1983) tried NegaScout on
//! them, with 20 to 60 moves a position.

use serde::Serialize;

use super::error::{LabError, check_depth, check_effort, check_width};
use super::progress::{Watch, in_parallel};
use super::theory::{optimal_rate, typical_value};
use super::uniform_tree::{INFINITY, Leaves, UniformTree};
use crate::search::{
    Counters, DepthFirst, DepthFirstOptions, MoveOrdering, MtdDriver, TableUse, TreeSearch,
    UnboundedTable, Variant, splitmix64,
};

/// Which trees to search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Uniform {
    /// Width and depth of each kind of tree.
    pub sizes: Vec<(u32, u32)>,
    /// How many values leaves can have, all as likely: up to [`INFINITY`], where hardly two are alike.
    pub values: u32,
    /// Trees of each kind.
    pub trees: u32,
    /// Where the trees come from.
    pub seed: u64,
}

/// The searches that are compared, alpha-beta first.
pub const SEARCHES: [DepthFirst; 7] = [
    DepthFirst::AlphaBeta,
    DepthFirst::NegaScout,
    DepthFirst::Pvs,
    DepthFirst::Scout,
    DepthFirst::Mtd(MtdDriver::Guess),
    DepthFirst::Mtd(MtdDriver::Above),
    DepthFirst::Mtd(MtdDriver::Below),
];

/// What one search does with one kind of tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UniformRow {
    /// Moves at every position.
    pub width: u32,
    /// Plies.
    pub depth: u32,
    /// How many values leaves can have.
    pub values: u32,
    /// Trees searched.
    pub trees: u32,
    /// The search.
    pub search: &'static str,
    /// Leaves evaluated, all trees together; one that is evaluated twice counts twice.
    pub leaves: u64,
    /// Visits to positions, all trees together.
    pub nodes: u64,
    /// The least number of leaves with which values can be known, all trees together.
    pub least_leaves: u64,
}

/// The search of one tree.
fn search(search: DepthFirst, tree: &UniformTree, guess: i32) -> Counters {
    // Test drivers come back to what they have seen, and remember it, as their papers have it; the
    // others remember nothing, as theirs do.
    let table = if matches!(search, DepthFirst::Mtd(_)) { TableUse::On } else { TableUse::Off };
    let depth_first = DepthFirstOptions { table, ordering: MoveOrdering::Static, random_seed: 0 };
    let search = TreeSearch { guess: Some(guess), ..TreeSearch::new(search, depth_first) };
    search.run(tree, &UnboundedTable::default(), &tree.root(), tree.depth()).counters
}

impl Uniform {
    /// The number of nodes that a search can be expected to visit: the optimal number of leaves,
    /// times what alpha-beta takes beyond it and for the nodes above the leaves.
    fn expected_nodes(width: u32, depth: u32) -> f64 {
        let all = f64::from(width).powf(f64::from(depth));
        let optimal = optimal_rate(width).powf(f64::from(depth));
        2.0 * all.min(4.0 * optimal)
    }

    /// Searches all the trees with all the searches.
    ///
    /// # Errors
    /// When a tree is none or is too large, and when whoever watches has seen enough.
    pub fn run(&self, watch: Watch) -> Result<Vec<UniformRow>, LabError> {
        for &(width, depth) in &self.sizes {
            check_width(width)?;
            check_depth(depth)?;
            let what = || format!("a tree of width {width} and depth {depth}");
            let nodes = Self::expected_nodes(width, depth);
            check_effort(what, nodes, UnboundedTable::<u32>::BYTES)?;
        }
        let values = self.values.clamp(1, INFINITY as u32);
        let trees = self.sizes.iter().flat_map(|&size| (0..self.trees).map(move |i| (size, i)));
        let trees: Vec<_> = trees.collect();
        let counted = in_parallel(&trees, watch, |&((width, depth), number)| {
            let seed = splitmix64(self.seed).wrapping_add(u64::from(number));
            let tree = UniformTree::new(width, depth, Leaves::Random { values }, seed);
            let guess = typical_value(width, depth, values);
            Ok(SEARCHES.map(|kind| search(kind, &tree, guess)))
        })?;
        let of_one_size = counted.chunks(self.trees.max(1) as usize);
        let rows = self.sizes.iter().zip(of_one_size).flat_map(|(&(width, depth), counted)| {
            SEARCHES.iter().enumerate().map(move |(i, &search)| {
                let mut sum = Counters::default();
                for counters in counted {
                    sum += &counters[i];
                }
                let of_width = u64::from(width);
                let least = of_width.saturating_pow(depth / 2)
                    + of_width.saturating_pow(depth.div_ceil(2))
                    - 1;
                UniformRow {
                    width,
                    depth,
                    values,
                    trees: self.trees,
                    search: Variant::DepthFirst(search).name(),
                    leaves: sum.leaves,
                    nodes: sum.nodes,
                    least_leaves: least.saturating_mul(u64::from(self.trees)),
                }
            })
        });
        Ok(rows.collect())
    }
}

//! Searches of uniform random trees: leaf evaluations and branching factors.
//!
//! A. Reinefeld (*An Improvement to the Scout Tree-Search Algorithm*, 1983) tried NegaScout on such
//! trees, with 20 to 60 moves at every position.
//!
//! J. Pearl (*SCOUT: A Simple Game-Searching Algorithm with Proven Optimal Properties*, 1980) shows
//! that with leaves from a continuous distribution no directional search has a smaller branching
//! factor than P*/(1 - P*), where P* is the root of x^b + x - 1 = 0 and b the width of the tree. SCOUT
//! reaches it in the limit, as does alpha-beta (J. Pearl, 1982). With few leaf values the limit is the
//! square root of the width, except for one case that he names.

use serde::Serialize;
use statrs::statistics::Statistics;

use super::experiment::{LabContext, LabError, check_depth, check_width, published};
use super::intervals::ConfidenceInterval;
use super::uniform_tree::{INFINITY, LeafValues, UniformTree};
use kalah::board::splitmix64;
use kalah::search::{Counters, DepthFirst, MtdDriver, TreeSearch, UnboundedTable};

/// Searches uniform random trees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UniformExperiment {
    /// Width and depth of each kind of tree.
    pub sizes: Vec<(u32, u32)>,
    /// The number of leaf values, all equally likely. With [`INFINITY`], hardly two leaves are equal.
    pub values: u32,
    /// Trees of each kind.
    pub trees: u32,
    /// Random seed.
    pub seed: u64,
}

/// The searches, alpha-beta first.
pub const UNIFORM_SEARCHES: [DepthFirst; 7] = [
    DepthFirst::AlphaBeta,
    DepthFirst::NegaScout,
    DepthFirst::Pvs,
    DepthFirst::Scout,
    DepthFirst::Mtd(MtdDriver::Guess),
    DepthFirst::Mtd(MtdDriver::Above),
    DepthFirst::Mtd(MtdDriver::Below),
];

/// One search of all trees of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UniformRow {
    /// Moves at every position.
    pub width: u32,
    /// Plies.
    pub depth: u32,
    /// The number of leaf values.
    pub values: u32,
    /// Trees searched.
    pub trees: u32,
    /// The search.
    pub search: &'static str,
    /// Leaf evaluations in all trees together, repeated ones included.
    pub leaves: u64,
    /// Node visits in all trees together.
    pub nodes: u64,
    /// The minimum number of leaves that establish the values of all trees together.
    pub least_leaves: u64,
    /// The interval of the ratio of these leaf evaluations to those of alpha-beta, over all such trees. `None`
    /// for a single tree.
    pub ratio_low: Option<f64>,
    /// Its upper end.
    pub ratio_high: Option<f64>,
}

impl UniformExperiment {
    /// An estimate of the nodes of a search: the optimal number of leaves, increased for alpha-beta's
    /// overhead and for interior nodes.
    fn expected_nodes(width: u32, depth: u32) -> f64 {
        let all = f64::from(width).powf(f64::from(depth));
        let optimal = optimal_rate(width).powf(f64::from(depth));
        2.0 * all.min(4.0 * optimal)
    }

    /// Searches all trees with all searches.
    ///
    /// # Errors
    /// When a width or depth is invalid or too large, or the experiment was stopped.
    pub fn run(&self, context: &LabContext) -> Result<Vec<UniformRow>, LabError> {
        for &(width, depth) in &self.sizes {
            check_width(width)?;
            check_depth(depth)?;
            let search = || format!("a tree of width {width} and depth {depth}");
            let nodes = Self::expected_nodes(width, depth);
            context.check_nodes(search, nodes, UnboundedTable::<u32>::BYTES)?;
        }
        let values = self.values.clamp(1, INFINITY as u32);
        let trees = self.sizes.iter().flat_map(|&size| (0..self.trees).map(move |i| (size, i)));
        let trees: Vec<_> = trees.collect();
        let counters = context.in_parallel(&trees, |&((width, depth), number)| {
            let seed = splitmix64(self.seed).wrapping_add(u64::from(number));
            let tree = UniformTree::new(width, depth, LeafValues::Random(values), seed);
            let guess = Some(typical_value(width, depth, values));
            Ok(UNIFORM_SEARCHES.map(|search| {
                let search = TreeSearch { guess, ..published(search) };
                search.run(&tree, &UnboundedTable::default(), &tree.root(), depth).counters
            }))
        })?;
        let by_size = counters.chunks(self.trees.max(1) as usize);
        let rows = self.sizes.iter().zip(by_size).flat_map(|(&(width, depth), of_one_size)| {
            UNIFORM_SEARCHES.iter().enumerate().map(move |(i, &search)| {
                let mut sum = Counters::default();
                for of_tree in of_one_size {
                    sum += &of_tree[i];
                }
                let leaves = |counters: &Counters| counters.leaves as f64;
                let pairs = of_one_size.iter();
                let pairs: Vec<_> = pairs.map(|all| (leaves(&all[i]), leaves(&all[0]))).collect();
                let interval = ConfidenceInterval::of_ratio(&pairs);
                let wide = u64::from(width);
                let least =
                    wide.saturating_pow(depth / 2) + wide.saturating_pow(depth.div_ceil(2)) - 1;
                UniformRow {
                    width,
                    depth,
                    values,
                    trees: self.trees,
                    search: search.name(),
                    leaves: sum.leaves,
                    nodes: sum.nodes,
                    least_leaves: least.saturating_mul(u64::from(self.trees)),
                    ratio_low: interval.map(|interval| interval.low),
                    ratio_high: interval.map(|interval| interval.high),
                }
            })
        });
        Ok(rows.collect())
    }
}

/// The branching factor of a search: the growth of its leaf evaluations with each ply.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BranchingFactor {
    /// Moves at every position.
    pub width: u32,
    /// The search.
    pub search: &'static str,
    /// The smallest and greatest depth of the fit.
    pub depths: (u32, u32),
    /// The fit of ln(leaves) over the depth by least squares.
    pub fitted: f64,
    /// The limit for leaves that are all different, P*/(1 - P*).
    pub continuous: f64,
    /// The limit for leaves of few values, and for perfect order.
    pub discrete: f64,
}

/// Fits a branching factor for each width and search. A width needs at least two depths.
pub fn branching_factors(rows: &[UniformRow]) -> Vec<BranchingFactor> {
    let mut factors: Vec<BranchingFactor> = Vec::new();
    for row in rows {
        let key = (row.width, row.search);
        if factors.iter().any(|factor| (factor.width, factor.search) == key) {
            continue;
        }
        let rows = rows.iter().filter(|other| (other.width, other.search) == key);
        let leaves = |row: &UniformRow| (row.leaves as f64 / f64::from(row.trees)).ln();
        let logarithms: Vec<f64> = rows.clone().map(leaves).collect();
        let depths: Vec<f64> = rows.clone().map(|row| f64::from(row.depth)).collect();
        // The slope of the line of least squares.
        let slope = depths.iter().covariance(logarithms.iter()) / depths.iter().variance();
        let depths = rows.map(|row| row.depth);
        let depths = (depths.clone().min().unwrap_or(0), depths.max().unwrap_or(0));
        if slope.is_finite() {
            factors.push(BranchingFactor {
                width: row.width,
                search: row.search,
                depths,
                fitted: slope.exp(),
                continuous: optimal_rate(row.width),
                discrete: f64::from(row.width).sqrt(),
            });
        }
    }
    factors
}

/// A power whose rounding is the same on all machines.
fn power(value: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * value)
}

/// The zero of an increasing function between 0 and 1, by bisection.
fn root_of(function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = f64::midpoint(low, high);
        if function(middle) < 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// P*, the root of x^width + x - 1 = 0.
pub fn p_star(width: u32) -> f64 {
    root_of(|x| power(x, width) + x - 1.0)
}

/// P*/(1 - P*), the optimal branching factor.
pub fn optimal_rate(width: u32) -> f64 {
    let p = p_star(width);
    p / (1.0 - p)
}

/// The median root value of all trees of a size whose leaf values are uniform from 0 to `values`,
/// exclusive: a first guess that knows nothing else of the tree.
fn typical_value(width: u32, depth: u32, values: u32) -> i32 {
    // From the fraction of leaves at or below a value to the fraction of roots, ply by ply.
    let at_root = |at_leaves: f64| {
        (0..depth).rev().fold(at_leaves, |below, ply| {
            let is_max = ply.is_multiple_of(2);
            if is_max { power(below, width) } else { 1.0 - power(1.0 - below, width) }
        })
    };
    let quantile = root_of(|at_leaves| at_root(at_leaves) - 0.5);
    (quantile * f64::from(values)) as i32
}

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

use std::ops::RangeInclusive;

use clap::Args;
use serde::Serialize;
use statrs::statistics::Statistics;

use super::bounds::MinimalTree;
use super::commands::screen::{ScreenTable, ScreenText};
use super::experiment::{
    Experiment, ExperimentOptions, LabContext, LabError, check_depth, check_width, published,
    require, root_of,
};
use super::intervals::ConfidenceInterval;
use super::uniform_tree::{INFINITY, LeafValues, UniformTree};
use kalah::board::splitmix64;
use kalah::search::{DepthFirst, MAX_DEPTH, MtdDriver, TreeSearch, UnboundedTable};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle};
use kalah_command::options::number;
use kalah_command::table::{MISSING, change, grouped};

#[derive(Args)]
pub struct UniformOptions {
    /// Moves at every position
    #[arg(long, value_name = "B,…", value_delimiter = ',', default_value = "20,30,40,50,60", value_parser = number::<u32>(..))]
    widths: Vec<u32>,

    /// Plies
    #[arg(long, value_name = "L,…", value_delimiter = ',', default_value = "3,4", value_parser = number::<u32>(..))]
    depths: Vec<u32>,

    /// Moves at every position of the trees for branching factors
    #[arg(long, value_name = "B,…", value_delimiter = ',', default_value = "2,3,4,5,8", value_parser = number::<u32>(..))]
    branching: Vec<u32>,

    /// Leaf evaluations of an optimal search on the deepest of these trees
    #[arg(long, value_name = "N", default_value_t = 120_000, value_parser = number::<u32>(..))]
    leaves: u32,

    /// Number of leaf values; with the default, hardly two leaves are equal
    #[arg(long, value_name = "N", default_value_t = INFINITY as u32,
          value_parser = number::<u32>(1..=INFINITY as u64))]
    values: u32,

    /// Trees of each size
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<u32>(1..=100_000))]
    trees: u32,

    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
}

impl ExperimentOptions for UniformOptions {
    type Experiment = UniformExperiment;

    fn experiment(self) -> Result<UniformExperiment, LabError> {
        let UniformOptions { widths, depths, branching, leaves, values, trees, seed } = self;
        let wide = widths.iter().flat_map(|&b| depths.iter().map(move |&l| (b, l)));
        let mut sizes: Vec<(u32, u32)> = wide.collect();
        let compared = sizes.len();
        for width in branching {
            check_width(width)?;
            let rate = optimal_rate(width);
            // Even depths at which an optimal search takes no more leaves.
            let depths = (4..=MAX_DEPTH).step_by(2);
            let fits = |depth: &u32| rate.powf(f64::from(*depth)) <= f64::from(leaves);
            let before = sizes.len();
            sizes.extend(depths.take_while(fits).map(|depth| (width, depth)));
            require(sizes.len() - before >= 2, || {
                format!(
                    "branching {width}: an optimal search takes more than {leaves} leaves at depth 6, \
                     but a fit needs the depths 4 and 6"
                )
            })?;
        }
        Ok(UniformExperiment { sizes, compared, values, trees, seed })
    }
}

/// Searches uniform random trees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UniformExperiment {
    /// Width and depth of each kind of tree.
    pub sizes: Vec<(u32, u32)>,
    /// The number of sizes, the first, at which the searches are compared; branching factors are fitted to the
    /// others.
    #[serde(skip)]
    pub compared: usize,
    /// The number of leaf values, all equally likely. With [`INFINITY`], hardly two leaves are equal.
    pub values: u32,
    /// Trees of each kind.
    pub trees: u32,
    /// Random seed.
    pub seed: u64,
}

/// The searches, alpha-beta first.
const SEARCHES: [DepthFirst; 7] = [
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

/// The widths for which A. Reinefeld found NegaScout better than alpha-beta, and the ratios of their leaf
/// evaluations.
const PUBLISHED_WIDTHS: RangeInclusive<u32> = 20..=60;
const PUBLISHED_RATIOS: [f64; 2] = [0.8, 0.9];

/// An estimate of the nodes of a search: the optimal number of leaves, increased for alpha-beta's
/// overhead and for interior nodes.
fn expected_nodes(width: u32, depth: u32) -> f64 {
    let all = f64::from(width).powf(f64::from(depth));
    let optimal = optimal_rate(width).powf(f64::from(depth));
    2.0 * all.min(4.0 * optimal)
}

impl Experiment for UniformExperiment {
    const NAME: &'static str = "uniform";
    type Row = UniformRow;
    type Summary = Vec<BranchingFactor>;

    fn run(&self, context: &LabContext) -> Result<Vec<UniformRow>, LabError> {
        for &(width, depth) in &self.sizes {
            check_width(width)?;
            check_depth(depth)?;
            let search = || format!("a tree of width {width} and depth {depth}");
            let nodes = expected_nodes(width, depth);
            context.check_nodes(search, nodes, UnboundedTable::<u32>::BYTES)?;
        }
        let values = self.values.clamp(1, INFINITY as u32);
        let trees = self.sizes.iter().flat_map(|&size| (0..self.trees).map(move |i| (size, i)));
        let trees: Vec<_> = trees.collect();
        let counters = context.in_parallel(&trees, |&((width, depth), number)| {
            let seed = splitmix64(self.seed).wrapping_add(u64::from(number));
            let tree = UniformTree::new(width, depth, LeafValues::Random(values), seed);
            let guess = Some(typical_value(width, depth, values));
            Ok(SEARCHES.map(|search| {
                let search = TreeSearch { guess, ..published(search) };
                search.run(&tree, &UnboundedTable::default(), &tree.root(), depth).counters
            }))
        })?;
        let by_size = counters.chunks(self.trees.max(1) as usize);
        let rows = self.sizes.iter().zip(by_size).flat_map(|(&(width, depth), of_one_size)| {
            SEARCHES.iter().enumerate().map(move |(i, &search)| {
                let trees = || of_one_size.iter();
                let pairs = trees().map(|tree| (tree[i].leaves as f64, tree[0].leaves as f64));
                let interval = ConfidenceInterval::for_ratio(&pairs.collect::<Vec<_>>());
                let least_leaves = MinimalTree::Both.positions(width, depth);
                UniformRow {
                    width,
                    depth,
                    values,
                    trees: self.trees,
                    search: search.name(),
                    leaves: trees().map(|tree| tree[i].leaves).sum(),
                    nodes: trees().map(|tree| tree[i].nodes).sum(),
                    least_leaves: least_leaves.saturating_mul(u64::from(self.trees)),
                    ratio_low: interval.map(|interval| interval.low),
                    ratio_high: interval.map(|interval| interval.high),
                }
            })
        });
        Ok(rows.collect())
    }

    /// Fits a branching factor for each width and search.
    fn summarize(&self, rows: &[UniformRow]) -> Vec<BranchingFactor> {
        let deep = &rows[self.compared * SEARCHES.len()..];
        let fit = |rows: &[UniformRow], search: DepthFirst| {
            let of_search = || rows.iter().filter(|row| row.search == search.name());
            let leaves = |row: &UniformRow| (row.leaves as f64 / f64::from(row.trees)).ln();
            let logarithms: Vec<f64> = of_search().map(leaves).collect();
            let depths: Vec<f64> = of_search().map(|row| f64::from(row.depth)).collect();
            // The slope of the line of least squares.
            let slope = depths.iter().covariance(logarithms.iter()) / depths.iter().variance();
            let (first, last) = (&rows[0], &rows[rows.len() - 1]);
            slope.is_finite().then(|| BranchingFactor {
                width: first.width,
                search: search.name(),
                depths: (first.depth, last.depth),
                fitted: slope.exp(),
                continuous: optimal_rate(first.width),
                discrete: f64::from(first.width).sqrt(),
            })
        };
        let by_width = deep.chunk_by(|a, b| a.width == b.width);
        by_width.flat_map(|rows| SEARCHES.map(|search| fit(rows, search))).flatten().collect()
    }

    fn print(&self, rows: &[UniformRow], fits: &Vec<BranchingFactor>, screen: &mut ScreenText) {
        let wide = &rows[..self.compared * SEARCHES.len()];
        let header = ["width", "depth", "least", "alphabeta", "negascout", "published"];
        let others = SEARCHES[2..].iter().map(|&search| search.name());
        let header = header.into_iter().chain(others);
        let rows = wide.chunks(SEARCHES.len()).map(|size| {
            let alpha_beta = &size[0];
            let per_tree = |leaves: u64| grouped(leaves / u64::from(alpha_beta.trees));
            let mut cells = vec![
                alpha_beta.width.to_string(),
                alpha_beta.depth.to_string(),
                per_tree(alpha_beta.least_leaves),
                per_tree(alpha_beta.leaves),
            ];
            let change = |row: &UniformRow| change(alpha_beta.leaves as f64, row.leaves as f64);
            cells.extend(size[1..].iter().map(change));
            let is_published = PUBLISHED_WIDTHS.contains(&alpha_beta.width);
            cells.insert(5, if is_published { "-10 to -20 %" } else { MISSING }.to_owned());
            cells
        });
        let UniformExperiment { values, trees, seed, .. } = self;
        let values = grouped(u64::from(*values));
        let title = format!(
            "Uniform random trees, {trees} of each size, leaves with {values} values, seed {seed}\n\
             Leaf evaluations in a tree: the minimum, those of alpha-beta, and the differences of the others"
        );
        screen.add_table(title, ScreenTable::new(header, 0, rows, 1));

        let header = ["width", "depths", "P*/(1 - P*)", "sqrt(width)"].into_iter();
        let header = header.chain(SEARCHES.map(DepthFirst::name));
        let rows = fits.chunk_by(|a, b| a.width == b.width).map(|fits| {
            let mut cells = vec![
                fits[0].width.to_string(),
                format!("{} to {}", fits[0].depths.0, fits[0].depths.1),
                format!("{:.3}", fits[0].continuous),
                format!("{:.3}", fits[0].discrete),
            ];
            cells.extend(fits.iter().map(|fit| format!("{:.3}", fit.fitted)));
            cells
        });
        let limits = "\nBranching factors: the limits for leaves that are all different (P*/(1 - P*), \
            published) and of few values, and the fits";
        screen.add_table(limits, ScreenTable::new(header, 0, rows, 1));
    }

    /// Leaf evaluations against alpha-beta by width at the greatest depth, and branching factors against
    /// their limit by width.
    fn chart(&self, rows: &[UniformRow], fits: &Vec<BranchingFactor>) -> Chart {
        let wide = &rows[..self.compared * SEARCHES.len()];
        let deepest = wide.iter().map(|row| row.depth).max().unwrap_or(0);
        let sizes = wide.chunks(SEARCHES.len()).filter(|size| size[0].depth == deepest);
        let sizes: Vec<&[UniformRow]> = sizes.collect();
        let ratios = (0..).zip(SEARCHES).map(|(number, search)| {
            let points = sizes.iter().map(move |size| {
                let row = &size[number];
                let ratio = row.leaves as f64 / size[0].leaves as f64;
                let interval = row.ratio_low.zip(row.ratio_high).filter(|_| number > 0);
                Point::measured(f64::from(row.width), ratio, interval)
            });
            Series::line(search.name(), points)
        });
        let mut ratios: Vec<Series> = ratios.collect();
        let published = sizes.iter().map(|size| size[0].width);
        let published = published.filter(|width| PUBLISHED_WIDTHS.contains(width)).map(f64::from);
        let widths: Vec<f64> = published.collect();
        if let [first, .., last] = widths[..] {
            let [low, high] = PUBLISHED_RATIOS;
            let outline = [(first, low), (last, low), (last, high), (first, high)];
            // Before NegaScout, whose colour it has.
            ratios.insert(1, Series::new("negascout, Reinefeld 1983", SeriesStyle::Area, outline));
        }
        let factors = SEARCHES.map(|search| {
            let fits = fits.iter().filter(|fit| fit.search == search.name());
            let points = fits.map(|fit| (f64::from(fit.width), fit.fitted / fit.continuous));
            Series::line(search.name(), points)
        });
        let limit = fits.iter().filter(|fit| fit.search == SEARCHES[0].name());
        let limit = limit.map(|fit| (f64::from(fit.width), 1.0));
        let limit = Series::new("limit P*/(1 − P*)", SeriesStyle::Reference, limit);
        let title = format!("trees of depth {deepest}");
        let width = "moves at every position";
        let ratios = Panel::new(title, [width, "leaf evaluations, alpha-beta = 1"], ratios);
        let labels = [width, "branching factor, P*/(1 − P*) = 1"];
        let factors =
            Panel::new("growth with each ply", labels, factors.into_iter().chain([limit]));
        Chart::new("Uniform random trees", [ratios, factors])
    }
}

/// A power whose rounding is the same on all machines.
fn power(value: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * value)
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

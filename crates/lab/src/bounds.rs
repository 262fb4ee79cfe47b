//! Perfectly ordered trees: the minimum number of nodes by formula, and the nodes that are visited.
//!
//! The formulas are those of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (2014
//! and 2015): H1 for TEST, H2 for alpha-beta. The lecture derives them for even depths. The sums
//! that it starts from hold for odd depths too and are used here. The numbers of leaves are those of
//! D. Knuth and R. Moore (*An Analysis of Alpha-Beta Pruning*, 1975).

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::commands::screen::{Column, ScreenTable, ScreenText};
use super::experiment::{Experiment, LabContext, LabError, check_depth, check_width, published};
use super::uniform_tree::{LeafValues, UniformTree};
use kalah::search::{
    BoundTest, Comparison, Counters, DepthFirst, MinimaxPlayer, MtdDriver, TreeSearch,
    UnboundedTable,
};
use kalah_charts::{Chart, Panel, Series, SeriesStyle};
use kalah_command::options::number;
use kalah_command::table::grouped;

/// Visits perfectly ordered trees with several searches.
#[derive(Clone, Debug, Serialize, Args)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BoundsExperiment {
    /// Moves at every position, 2 to 4096.
    #[arg(long, value_name = "B,…", value_delimiter = ',', default_value = "2,3,4,6,8,12", value_parser = number::<u32>(..))]
    pub widths: Vec<u32>,
    /// Plies, 1 to 255; trees that are too large are refused.
    #[arg(long, value_name = "L,…", value_delimiter = ',', default_value = "1,2,3,4,5,6,7,8,9,10", value_parser = number::<u32>(..))]
    pub depths: Vec<u32>,
    /// Random seed of the costs of inferior moves.
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(..))]
    pub seed: u64,
}

/// The nodes of one search on one tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BoundsRow {
    /// Moves at every position.
    pub width: u32,
    /// Plies.
    pub depth: u32,
    /// The search.
    pub search: &'static str,
    /// Node visits by formula.
    pub nodes_by_formula: u64,
    /// Node visits.
    pub nodes: u64,
    /// Leaf evaluations by formula.
    pub leaves_by_formula: u64,
    /// Leaf evaluations.
    pub leaves: u64,
}

impl BoundsRow {
    /// Whether nodes and leaves equal the formulas.
    pub fn agrees(&self) -> bool {
        self.nodes == self.nodes_by_formula && self.leaves == self.leaves_by_formula
    }
}

/// The part of a perfectly ordered tree that a search visits.
#[derive(Clone, Copy)]
pub(super) enum MinimalTree {
    /// One move at each MAX position and all moves at each MIN position: H1.
    Proof,
    /// All moves at each MAX position and one move at each MIN position.
    Disproof,
    /// The union of both: H2.
    Both,
    /// Both in turn: the shared principal variation is visited twice, but thanks to the table no
    /// leaf is evaluated twice.
    BothInTurn,
}

impl MinimalTree {
    /// Different positions at a ply; at the last one, the leaves.
    pub(super) fn positions(self, width: u32, ply: u32) -> u64 {
        // One player tries a single move; MAX makes the first move.
        let [proof, disproof] =
            [ply / 2, ply.div_ceil(2)].map(|choices| u64::from(width).saturating_pow(choices));
        match self {
            MinimalTree::Proof => proof,
            MinimalTree::Disproof => disproof,
            MinimalTree::Both | MinimalTree::BothInTurn => proof.saturating_add(disproof) - 1,
        }
    }

    /// Visits to all positions.
    fn nodes(self, width: u32, depth: u32) -> u64 {
        let again = u64::from(matches!(self, MinimalTree::BothInTurn));
        let plies = (0..=depth).map(|ply| self.positions(width, ply).saturating_add(again));
        plies.fold(0, u64::saturating_add)
    }
}

#[derive(Clone, Copy)]
enum Method {
    /// TEST with this answer.
    Test(bool),
    Search(DepthFirst),
}

const METHODS: [(Method, MinimalTree); 10] = [
    (Method::Test(true), MinimalTree::Proof),
    (Method::Test(false), MinimalTree::Disproof),
    (Method::Search(DepthFirst::AlphaBeta), MinimalTree::Both),
    (Method::Search(DepthFirst::Scout), MinimalTree::Both),
    (Method::Search(DepthFirst::NegaScout), MinimalTree::Both),
    (Method::Search(DepthFirst::NegaScoutMinimax), MinimalTree::Both),
    (Method::Search(DepthFirst::Pvs), MinimalTree::Both),
    (Method::Search(DepthFirst::Mtd(MtdDriver::Guess)), MinimalTree::BothInTurn),
    (Method::Search(DepthFirst::Mtd(MtdDriver::Above)), MinimalTree::BothInTurn),
    (Method::Search(DepthFirst::Mtd(MtdDriver::Below)), MinimalTree::BothInTurn),
];

impl Method {
    fn name(self) -> &'static str {
        match self {
            Method::Test(true) => "test-true",
            Method::Test(false) => "test-false",
            Method::Search(search) => search.name(),
        }
    }

    fn search(self, tree: &UniformTree) -> Counters {
        let table = UnboundedTable::default();
        let (root, depth) = (tree.root(), tree.depth());
        match self {
            Method::Test(answer) => {
                // The value of the tree is at least itself, and not greater.
                let comparison = if answer { Comparison::AtLeast } else { Comparison::Greater };
                let (player, value) = (MinimaxPlayer::Max, UniformTree::BEST_FIRST);
                let test = BoundTest { player, comparison, value };
                published(DepthFirst::Scout).test(test, tree, &table, &root, depth).1
            }
            Method::Search(search) => {
                let guess = Some(UniformTree::BEST_FIRST);
                let search = TreeSearch { guess, ..published(search) };
                search.run(tree, &table, &root, depth).counters
            }
        }
    }
}

impl Experiment for BoundsExperiment {
    const NAME: &'static str = "bounds";
    type Row = BoundsRow;
    type Summary = ();

    fn run(&self, context: &LabContext) -> Result<Vec<BoundsRow>, LabError> {
        self.widths.iter().try_for_each(|&width| check_width(width))?;
        self.depths.iter().try_for_each(|&depth| check_depth(depth))?;
        let mut tasks = Vec::new();
        for &width in &self.widths {
            for &depth in &self.depths {
                let nodes = MinimalTree::BothInTurn.nodes(width, depth) as f64;
                let search = || format!("a tree of width {width} and depth {depth}");
                context.check_nodes(search, nodes, UnboundedTable::<u32>::BYTES)?;
                tasks.extend(METHODS.map(|method| (width, depth, method)));
            }
        }
        context.in_parallel(&tasks, |&(width, depth, (method, minimal))| {
            let tree = UniformTree::new(width, depth, LeafValues::BestFirst, self.seed);
            let counters = method.search(&tree);
            Ok(BoundsRow {
                width,
                depth,
                search: method.name(),
                nodes_by_formula: minimal.nodes(width, depth),
                nodes: counters.nodes,
                leaves_by_formula: minimal.positions(width, depth),
                leaves: counters.leaves,
            })
        })
    }

    fn summarize(&self, _: &[BoundsRow]) {}

    fn print(&self, rows: &[BoundsRow], (): &(), screen: &mut ScreenText) {
        let columns: [Column<BoundsRow>; 8] = [
            ("search", |row| row.search.to_owned()),
            ("width", |row| row.width.to_string()),
            ("depth", |row| row.depth.to_string()),
            ("nodes, formula", |row| grouped(row.nodes_by_formula)),
            ("nodes", |row| grouped(row.nodes)),
            ("leaves, formula", |row| grouped(row.leaves_by_formula)),
            ("leaves", |row| grouped(row.leaves)),
            ("", |row| if row.agrees() { "" } else { "differs" }.to_owned()),
        ];
        let table = ScreenTable::of_items(rows, columns, 1, METHODS.len());
        let title = format!("Fewest nodes on perfectly ordered trees, seed {}", self.seed);
        screen.add_table(title, ScreenTable { keeps_last: true, ..table });
        if rows.iter().all(BoundsRow::agrees) {
            let searches = rows.len();
            screen
                .add_text(format!("All {searches} searches agree with the formulas to the node."));
        }
    }

    /// Nodes by depth, a panel for each formula and a line for each width.
    fn chart(&self, rows: &[BoundsRow], (): &()) -> Chart {
        let panel = |title: &str, search: &str| {
            let series = rows.chunk_by(|a, b| a.width == b.width).flat_map(|rows| {
                let points = |nodes: fn(&BoundsRow) -> u64| {
                    let rows = rows.iter().filter(|row| row.search == search);
                    rows.map(move |row| (f64::from(row.depth), nodes(row) as f64))
                };
                let width = format!("width {}", rows[0].width);
                let formula = points(|row| row.nodes_by_formula);
                [
                    Series::line(width, points(|row| row.nodes)),
                    Series::new("formula", SeriesStyle::Published, formula),
                ]
            });
            Panel::new(title, ["depth in plies", "nodes visited"], series).with_logarithmic_y()
        };
        let panels = [
            panel("alpha-beta, and the formula H2", "alphabeta"),
            panel("TEST with the answer true, and the formula H1", "test-true"),
        ];
        Chart::new("Fewest nodes on perfectly ordered trees", panels)
    }

    fn check(&self, rows: &[BoundsRow]) -> anyhow::Result<()> {
        let wrong: Vec<&BoundsRow> = rows.iter().filter(|row| !row.agrees()).collect();
        if let [BoundsRow { search, width, depth, .. }, ..] = wrong[..] {
            bail!(
                "{} of {} searches differ from the formulas, first {search} at width {width} and \
                 depth {depth}",
                wrong.len(),
                rows.len(),
            );
        }
        Ok(())
    }
}

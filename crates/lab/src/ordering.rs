//! The nodes that each technique of a search saves, as table, move ordering and windows are added
//! one by one.

use clap::Args;
use serde::Serialize;

use super::commands::screen::{ScreenTable, ScreenText};
use super::experiment::{Experiment, LabContext, LabError, geometric_mean, median};
use super::intervals::ConfidenceInterval;
use super::midgame::{Midgame, check_search, search_to_depth};
use kalah::search::{
    DepthFirst, DepthFirstOptions, MoveOrdering, SearchOptions, TableUse, Variant,
};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle};
use kalah_command::options::number;
use kalah_command::table::{MISSING, grouped};

/// Searches the same positions with one technique after the other.
#[derive(Clone, Debug, Serialize, Args)]
#[command(mut_arg("seeds", |seeds| seeds.default_value("6")))]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OrderingExperiment {
    /// The positions.
    #[command(flatten)]
    pub midgame: Midgame,
    /// Plies.
    #[arg(long, default_value_t = 8, value_parser = number::<u32>(..))]
    pub depth: u32,
    /// Memory of each search in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = number::<usize>(1..))]
    pub hash: usize,
}

/// One search of one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OrderingRow {
    /// The technique that was added last.
    pub ingredient: &'static str,
    /// The board.
    pub board: String,
    /// Node visits in all iterations up to the depth.
    pub nodes: u64,
    /// Interior nodes.
    pub interior: u64,
    /// Leaf evaluations.
    pub leaves: u64,
    /// Re-searches.
    pub researches: u64,
    /// Node visits cut off by the table.
    pub table_hits: u64,
    /// Beta cutoffs.
    pub cutoffs: u64,
    /// Beta cutoffs by the first move.
    pub first_move_cutoffs: u64,
}

/// One search of all positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OrderingSummary {
    /// The technique that was added last.
    pub ingredient: &'static str,
    /// Nodes of all positions together.
    pub nodes: u64,
    /// Geometric mean of the nodes of a position.
    pub geometric_mean: f64,
    /// The interval of the geometric mean; `None` for a single position.
    pub interval: Option<ConfidenceInterval>,
    /// Median of the nodes of a position.
    pub median: f64,
    /// Fraction of beta cutoffs by the first move; `None` without cutoffs.
    pub first_move_cutoffs: Option<f64>,
}

/// Minimax is left out when it would take more nodes on a position.
const MAX_MINIMAX_NODES: f64 = 1e7;

impl OrderingExperiment {
    /// The searches, each with one technique more than the one before.
    fn searches(&self) -> Vec<(&'static str, SearchOptions)> {
        let with = |search, table, ordering, aspiration| SearchOptions {
            variant: Variant::DepthFirst(search),
            depth_first: DepthFirstOptions {
                table,
                ordering,
                random_seed: self.midgame.random_seed,
                ..DepthFirstOptions::default()
            },
            aspiration,
            ..SearchOptions::default()
        };
        let (off, on) = (TableUse::Off, TableUse::On);
        let (minimax, alpha_beta) = (DepthFirst::Minimax, DepthFirst::AlphaBeta);
        let negascout = DepthFirst::NegaScout;
        let mut searches = vec![
            ("minimax", with(minimax, off, MoveOrdering::Static, false)),
            ("alpha-beta, random order", with(alpha_beta, off, MoveOrdering::Random, false)),
            ("+ static order", with(alpha_beta, off, MoveOrdering::Static, false)),
            ("+ table", with(alpha_beta, on, MoveOrdering::Static, false)),
            ("+ dynamic order", with(alpha_beta, on, MoveOrdering::Dynamic, false)),
            ("+ null windows (NegaScout)", with(negascout, on, MoveOrdering::Dynamic, false)),
            ("+ aspiration", with(negascout, on, MoveOrdering::Dynamic, true)),
        ];
        if (self.midgame.houses as f64).powf(f64::from(self.depth)) > MAX_MINIMAX_NODES {
            searches.remove(0);
        }
        searches
    }
}

impl Experiment for OrderingExperiment {
    const NAME: &'static str = "ordering";
    type Row = OrderingRow;
    type Summary = Vec<OrderingSummary>;

    fn run(&self, context: &LabContext) -> Result<Vec<OrderingRow>, LabError> {
        check_search(self.midgame.houses, self.depth, 0.8)?;
        context.check_tables(self.hash)?;
        let boards = self.midgame.draw()?;
        let searches = self.searches();
        let tasks: Vec<_> = searches
            .iter()
            .flat_map(|search| boards.iter().map(move |board| (search, board)))
            .collect();
        context.in_parallel(&tasks, |&((ingredient, options), board)| {
            let (result, _) = search_to_depth(board, self.depth, options, self.hash)?;
            let counters = result.counters;
            Ok(OrderingRow {
                ingredient,
                board: board.fen(),
                nodes: counters.nodes,
                interior: counters.interior,
                leaves: counters.leaves,
                researches: counters.researches,
                table_hits: counters.table_hits,
                cutoffs: counters.cutoffs.iter().sum(),
                first_move_cutoffs: counters.cutoffs[0],
            })
        })
    }

    fn summarize(&self, rows: &[OrderingRow]) -> Vec<OrderingSummary> {
        let summary = |rows: &[OrderingRow]| {
            let nodes = || rows.iter().map(|row| row.nodes as f64);
            let cutoffs: u64 = rows.iter().map(|row| row.cutoffs).sum();
            let by_first: u64 = rows.iter().map(|row| row.first_move_cutoffs).sum();
            OrderingSummary {
                ingredient: rows[0].ingredient,
                nodes: rows.iter().map(|row| row.nodes).sum(),
                geometric_mean: geometric_mean(nodes()).unwrap_or(0.0),
                interval: ConfidenceInterval::for_geometric_mean(nodes()),
                median: median(nodes()).unwrap_or(0.0),
                first_move_cutoffs: (cutoffs > 0).then(|| by_first as f64 / cutoffs as f64),
            }
        };
        rows.chunk_by(|a, b| a.ingredient == b.ingredient).map(summary).collect()
    }

    fn print(&self, _: &[OrderingRow], summary: &Vec<OrderingSummary>, screen: &mut ScreenText) {
        let header =
            ["search", "nodes", "geometric mean", "median", "to the previous one", "first move"];
        let previous = [None].into_iter().chain(summary.iter().map(Some));
        let rows = summary.iter().zip(previous).map(|(row, previous)| {
            let ratio = previous.map(|previous| row.geometric_mean / previous.geometric_mean);
            let first = row.first_move_cutoffs.map(|part| format!("{:.1} %", 100.0 * part));
            [
                row.ingredient.to_owned(),
                grouped(row.nodes),
                grouped(row.geometric_mean.round() as u64),
                grouped(row.median.round() as u64),
                ratio.map_or(MISSING.to_owned(), |ratio| format!("x {ratio:.3}")),
                first.unwrap_or(MISSING.to_owned()),
            ]
        });
        let OrderingExperiment { midgame, depth, hash } = self;
        let title = format!("{midgame}, depth {depth}, {hash} MiB");
        screen.add_table(title, ScreenTable::new(header, 1, rows, 1));
    }

    fn chart(&self, _: &[OrderingRow], summary: &Vec<OrderingSummary>) -> Chart {
        let points = (0..).map(f64::from).zip(summary);
        let points = points.map(|(x, row)| Point::measured(x, row.geometric_mean, row.interval));
        let labels = ["", "nodes of a position, geometric mean"];
        let series = Series::new("nodes", SeriesStyle::Marks, points);
        let panel = Panel {
            rows: summary.iter().map(|row| row.ingredient.to_owned()).collect(),
            ..Panel::new("", labels, [series]).with_logarithmic_y()
        };
        Chart::new("Nodes by search technique", [panel])
    }
}

//! `kalah lab bounds`.

use std::io::{self, Write};

use anyhow::bail;
use clap::Args;
use kalah::lab::{self, BoundsRow};

use super::super::chart::{Axis, Chart, Kind, Panel, Scale, Series};
use super::super::table::{grouped, table};
use super::explained;
use super::outputs::Outputs;
use super::progress::watched;

/// Visit perfectly ordered trees: as few nodes as the formulas say, to the node?
///
/// The first move is the best everywhere. TEST is asked a question with the answer TRUE and one
/// with the answer FALSE; its least number of nodes for TRUE is H1 of the lecture by T.-s. Hsu,
/// that of alpha-beta H2. The other searches visit what alpha-beta visits; those that come back
/// to the root (MTD(f) with the right guess, SSS*, DUAL*) visit the principal variation twice. A
/// difference to the formulas is an error.
///
/// H1 is the sum over all plies i of b^floor(i/2), H2 that of b^ceil(i/2) + b^floor(i/2) - 1. (The
/// closed form of H2 in the lecture of 2015 is too small by b^(depth/2 - 1).)
#[derive(Args)]
pub(super) struct BoundsCommand {
    /// Moves at every position, 2 to 4096
    #[arg(long, value_name = "B,…", value_delimiter = ',', default_value = "2,3,4,6,8,12")]
    widths: Vec<u32>,

    /// Plies, 1 to 255, as far as trees of that depth can be visited
    #[arg(long, value_name = "L,…", value_delimiter = ',', default_value = "1,2,3,4,5,6,7,8,9,10")]
    depths: Vec<u32>,

    /// Where the costs of the worse moves are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    outputs: Outputs,
}

impl BoundsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let bounds =
            lab::BoundsExperiment { widths: self.widths, depths: self.depths, seed: self.seed };
        let rows = watched(|stop, progress| bounds.run(stop, progress))
            .map_err(|error| explained("bounds", error))?;

        let mut output = io::stdout();
        writeln!(output, "Least nodes on perfectly ordered trees, seed {}", bounds.seed)?;
        writeln!(output, "{}", comparison(&rows))?;
        let wrong: Vec<&BoundsRow> = rows.iter().filter(|row| !row.agrees()).collect();
        let runs = rows.len();
        files.write("bounds", &bounds, &rows, &(), || chart(&rows))?;
        if let Some(first) = wrong.first() {
            bail!(
                "{} of {runs} visits differ from the formulas, {} at width {} and depth {} first",
                wrong.len(),
                first.search,
                first.width,
                first.depth
            );
        }
        writeln!(output, "All {runs} visits agree with the formulas to the node.")?;
        Ok(())
    }
}

fn comparison(rows: &[BoundsRow]) -> comfy_table::Table {
    let header =
        ["width", "depth", "search", "nodes, formula", "nodes", "leaves, formula", "leaves", ""];
    let rows = rows.iter().map(|row| {
        [
            row.width.to_string(),
            row.depth.to_string(),
            row.search.to_owned(),
            grouped(row.nodes_by_formula),
            grouped(row.nodes),
            grouped(row.leaves_by_formula),
            grouped(row.leaves),
            if row.agrees() { "" } else { "differs" }.to_owned(),
        ]
    });
    table(header, 0, rows)
}

/// Nodes by depth, a panel a width.
fn chart(rows: &[BoundsRow]) -> Chart {
    let panel = |rows: &[BoundsRow]| {
        let named = |name: &str, search: &str, nodes: fn(&BoundsRow) -> u64| Series {
            name: name.to_owned(),
            kind: Kind::Line,
            points: rows
                .iter()
                .filter(|row| row.search == search)
                .map(|row| (f64::from(row.depth), nodes(row) as f64))
                .collect(),
        };
        Panel {
            title: format!("width {}", rows[0].width),
            x: Axis::new("depth", Scale::Linear),
            y: Axis::new("nodes", Scale::Logarithmic),
            series: vec![
                named("alpha-beta", "alphabeta", |row| row.nodes),
                named("H2", "alphabeta", |row| row.nodes_by_formula),
                named("TEST, true", "test-true", |row| row.nodes),
                named("H1", "test-true", |row| row.nodes_by_formula),
            ],
        }
    };
    Chart {
        title: "Least nodes on perfectly ordered trees".to_owned(),
        panels: rows.chunk_by(|a, b| a.width == b.width).map(panel).collect(),
    }
}

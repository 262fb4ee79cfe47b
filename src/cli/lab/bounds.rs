//! `kalah lab bounds`.

use std::io::Write;

use anyhow::bail;
use clap::Args;
use kalah::lab::{BoundsExperiment, BoundsRow};

use super::super::chart::{Chart, Panel, Series};
use super::super::table::{grouped, table};
use super::experiment::{OutputOptions, run_experiment};

/// Visit perfectly ordered trees and compare the nodes with the formulas for their minimum.
///
/// The first move of every position is the best. TEST is run once with the answer TRUE and once
/// with the answer FALSE; its minimum for TRUE is H1 of the lecture by T.-s. Hsu, that of
/// alpha-beta is H2. The other searches visit the same nodes as alpha-beta; those that search the
/// root repeatedly (MTD(f) with the right guess, SSS*, DUAL*) visit the principal variation twice.
/// Any difference from the formulas is an error.
///
/// H1 is the sum over all plies i of b^floor(i/2), H2 that of b^ceil(i/2) + b^floor(i/2) - 1. (The
/// closed form of H2 in the lecture of 2015 is too small by b^(depth/2 - 1).)
///
///   kalah lab bounds
///   kalah lab bounds --csv bounds.csv
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct BoundsCommand {
    /// Moves at every position, 2 to 4096
    #[arg(long, value_name = "B,…", value_delimiter = ',', default_value = "2,3,4,6,8,12")]
    widths: Vec<u32>,

    /// Plies, 1 to 255; trees that are too large are refused
    #[arg(long, value_name = "L,…", value_delimiter = ',', default_value = "1,2,3,4,5,6,7,8,9,10")]
    depths: Vec<u32>,

    /// Random seed of the costs of inferior moves
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    outputs: OutputOptions,
}

impl BoundsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let BoundsCommand { widths, depths, seed, .. } = self;
        let experiment = BoundsExperiment { widths, depths, seed };
        let rows = run_experiment("bounds", |context| experiment.run(context))?;

        let mut output = files.text();
        writeln!(output, "Least nodes on perfectly ordered trees, seed {seed}")?;
        writeln!(output, "{}", comparison(&rows))?;
        files.write("bounds", &experiment, &rows, &(), || chart(&rows).svg())?;
        let mut wrong = rows.iter().filter(|row| !row.agrees());
        if let Some(first) = wrong.next() {
            bail!(
                "{} of {} searches differ from the formulas, first {} at width {} and depth {}",
                1 + wrong.count(),
                rows.len(),
                first.search,
                first.width,
                first.depth
            );
        }
        writeln!(output, "All {} searches agree with the formulas to the node.", rows.len())?;
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

/// Nodes by depth, a panel for each width.
fn chart(rows: &[BoundsRow]) -> Chart {
    let panel = |rows: &[BoundsRow]| {
        let series = |name: &str, search: &str, nodes: fn(&BoundsRow) -> u64| {
            let rows = rows.iter().filter(|row| row.search == search);
            Series::line(name, rows.map(|row| (f64::from(row.depth), nodes(row) as f64)))
        };
        let series = [
            series("alpha-beta", "alphabeta", |row| row.nodes),
            series("H2", "alphabeta", |row| row.nodes_by_formula),
            series("TEST, true", "test-true", |row| row.nodes),
            series("H1", "test-true", |row| row.nodes_by_formula),
        ];
        let panel = Panel::new(format!("width {}", rows[0].width), ["depth", "nodes"], series);
        Panel { is_logarithmic: true, ..panel }
    };
    let panels = rows.chunk_by(|a, b| a.width == b.width).map(panel);
    Chart::new("Least nodes on perfectly ordered trees", panels)
}

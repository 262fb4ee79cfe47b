//! `kalah lab bounds`.

use std::io::Write;

use crate::{BoundsExperiment, BoundsRow};
use anyhow::bail;
use clap::Args;

use super::experiment::{OutputOptions, run_experiment};
use super::screen::{ScreenOptions, ScreenTable};
use kalah_charts::{Chart, Panel, Series, SeriesStyle};
use kalah_command::table::grouped;

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
/// Without --all, the searches of the last tree alone are printed.
///
///   kalah lab bounds
///   kalah lab bounds --csv bounds.csv
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct BoundsCommand {
    #[command(flatten)]
    experiment: BoundsExperiment,

    #[command(flatten)]
    screen: ScreenOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

impl BoundsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let experiment = self.experiment;
        let rows = run_experiment("bounds", |context| experiment.run(context))?;

        let mut screen = self.screen.screen();
        let title = format!("Least nodes on perfectly ordered trees, seed {}", experiment.seed);
        screen.add_table(title, comparison(&rows));
        let mut wrong = rows.iter().filter(|row| !row.agrees());
        let first_wrong = wrong.next();
        if first_wrong.is_none() {
            let agree = format!("All {} searches agree with the formulas to the node.", rows.len());
            screen.add_text(agree);
        }
        write!(files.text(), "{screen}")?;
        files.write("bounds", &experiment, &rows, &(), || chart(&rows))?;
        if let Some(first) = first_wrong {
            bail!(
                "{} of {} searches differ from the formulas, first {} at width {} and depth {}",
                1 + wrong.count(),
                rows.len(),
                first.search,
                first.width,
                first.depth
            );
        }
        Ok(())
    }
}

fn comparison(rows: &[BoundsRow]) -> ScreenTable {
    let header =
        ["search", "width", "depth", "nodes, formula", "nodes", "leaves, formula", "leaves", ""];
    let of_first_tree = rows.chunk_by(|a, b| (a.width, a.depth) == (b.width, b.depth)).next();
    let cells = rows.iter().map(|row| {
        [
            row.search.to_owned(),
            row.width.to_string(),
            row.depth.to_string(),
            grouped(row.nodes_by_formula),
            grouped(row.nodes),
            grouped(row.leaves_by_formula),
            grouped(row.leaves),
            if row.agrees() { "" } else { "differs" }.to_owned(),
        ]
    });
    let group = of_first_tree.map_or(1, <[_]>::len);
    ScreenTable { keeps_last: true, ..ScreenTable::new(header, 1, cells, group) }
}

/// Nodes by depth, a panel for each formula and a line for each width.
fn chart(rows: &[BoundsRow]) -> Chart {
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
    Chart::new("Least nodes on perfectly ordered trees", panels)
}

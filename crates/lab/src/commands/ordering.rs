//! `kalah lab ordering`.

use std::io::Write;

use crate::{Midgame, OrderingExperiment, OrderingSummary, summarize_ordering};
use clap::Args;

use super::experiment::{MidgameOptions, OutputOptions, ends, run_experiment};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle};
use kalah_command::table::{MISSING, grouped, table};

/// Measure the nodes that each technique of a search saves, by adding them one by one.
///
/// Middle-game positions, drawn by 8 to 20 random plies, are searched to the same depth by minimax
/// (unless that takes too long), by alpha-beta with random and with static move order, then with
/// the transposition table, dynamic move order, null windows (NegaScout) and aspiration windows.
/// Nodes are those of all iterations up to the depth. 'First move' is the percentage of beta
/// cutoffs by the first move.
///
///   kalah lab ordering
///   kalah lab ordering --seeds 6 --plot ordering.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct OrderingCommand {
    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 6)]
    seeds: u16,

    /// Plies
    #[arg(long, default_value_t = 8)]
    depth: u32,

    #[command(flatten)]
    midgame: MidgameOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

impl OrderingCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let midgame = self.midgame.midgame(self.seeds);
        let (depth, hash) = (self.depth, self.midgame.hash);
        let experiment = OrderingExperiment { midgame, depth, hash };
        let rows = run_experiment("ordering", |context| experiment.run(context))?;
        let summary = summarize_ordering(&rows);

        let Midgame { houses, seeds, capture, positions, random_seed } = midgame;
        writeln!(
            files.text(),
            "{positions} positions of Kalah({houses},{seeds}), {capture} capture, depth {depth}, \
             {hash} MiB, seed {random_seed}\n\n{}",
            comparison(&summary)
        )?;
        files.write("ordering", &experiment, &rows, &summary, || chart(&summary))
    }
}

fn comparison(summary: &[OrderingSummary]) -> comfy_table::Table {
    let header =
        ["search", "nodes", "geometric mean", "median", "to the previous one", "first move"];
    let previous = [None].into_iter().chain(summary.iter().map(Some));
    let rows = summary.iter().zip(previous).map(|(row, previous)| {
        let ratio = previous.map(|previous| row.geometric_mean / previous.geometric_mean);
        [
            row.ingredient.to_owned(),
            grouped(row.nodes),
            grouped(row.geometric_mean.round() as u64),
            grouped(row.median.round() as u64),
            ratio.map_or(MISSING.to_owned(), |ratio| format!("x {ratio:.3}")),
            row.first_move_cutoffs
                .map_or(MISSING.to_owned(), |part| format!("{:.1} %", 100.0 * part)),
        ]
    });
    table(header, 1, rows)
}

fn chart(summary: &[OrderingSummary]) -> Chart {
    let points = (0..).map(f64::from).zip(summary);
    let points = points.map(|(x, row)| Point::measured(x, row.geometric_mean, ends(row.interval)));
    let labels = ["", "nodes of a position, geometric mean"];
    let series = Series::new("nodes", SeriesStyle::Marks, points);
    let panel = Panel {
        rows: summary.iter().map(|row| row.ingredient.to_owned()).collect(),
        ..Panel::new("", labels, [series]).with_logarithmic_y()
    };
    Chart::new("Nodes by search technique", [panel])
}

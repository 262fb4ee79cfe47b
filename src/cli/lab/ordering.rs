//! `kalah lab ordering`.

use std::io::{self, Write};

use clap::{Args, value_parser};
use kalah::board::Capture;
use kalah::lab::{self, IngredientSummary, summarize_ingredients};

use super::chart::{Axis, Chart, Panel, Scale, Series};
use super::explained;
use super::outputs::Outputs;
use super::progress::watched;
use super::table::{grouped, table};

/// Add the ingredients of a search one by one: what is each of them worth?
///
/// Middle-game positions, drawn by 8 to 20 random plies, are searched to the same depth by minimax
/// (where that ends), by alpha-beta with moves in random and in static order, then with the
/// table, with dynamic order, with null windows (NegaScout), and with aspiration windows. Nodes
/// are those of all iterations up to the depth. 'First move' is the part of the cut-offs that the
/// first move tried has made.
#[derive(Args)]
pub(super) struct Ordering {
    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    houses: usize,

    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 6)]
    seeds: u16,

    /// What a last seed captures: standard, or empty (also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard)]
    capture: Capture,

    /// Positions
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u16).range(1..=10_000))]
    positions: u16,

    /// Plies
    #[arg(long, default_value_t = 8)]
    depth: u32,

    /// Size of the table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = value_parser!(u64).range(1..))]
    hash: u64,

    /// Where positions and random order are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    outputs: Outputs,
}

impl Ordering {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let Ordering { houses, seeds, capture, depth, hash, seed, .. } = self;
        let positions = usize::from(self.positions);
        let midgame = lab::Midgame { houses, seeds, capture, positions, random_seed: seed };
        let experiment = lab::Ingredients { midgame, depth, hash: hash as usize };
        let rows = watched(|watch| experiment.run(watch));
        let rows = rows.map_err(|error| explained("ordering", error))?;
        let summary = summarize_ingredients(&rows);

        writeln!(
            io::stdout(),
            "{positions} positions of Kalah({houses},{seeds}), {capture} capture, depth {depth}, \
             {hash} MiB, seed {seed}\n\n{}",
            comparison(&summary)
        )?;
        files.write("ordering", &experiment, &rows, &summary, || chart(&summary))
    }
}

fn comparison(summary: &[IngredientSummary]) -> comfy_table::Table {
    let header = ["search", "nodes", "geometric mean", "median", "to the one before", "first move"];
    let before = [None].into_iter().chain(summary.iter().map(Some));
    let rows = summary.iter().zip(before).map(|(row, before)| {
        let ratio = before.map(|before| row.geometric_mean / before.geometric_mean);
        [
            row.ingredient.to_owned(),
            grouped(row.nodes),
            grouped(row.geometric_mean.round() as u64),
            grouped(row.median.round() as u64),
            ratio.map_or(String::new(), |ratio| format!("x {ratio:.3}")),
            row.first_move_cutoffs.map_or(String::new(), |part| format!("{:.1} %", 100.0 * part)),
        ]
    });
    table(header, 1, rows)
}

fn chart(summary: &[IngredientSummary]) -> Chart {
    let points = (0..).map(f64::from).zip(summary.iter().map(|row| row.geometric_mean)).collect();
    // Short enough to stand beside each other.
    let name = |row: &IngredientSummary| {
        let name = row.ingredient.split(" (").next().unwrap_or_default();
        name.trim_start_matches("alpha-beta, ").to_owned()
    };
    Chart {
        title: "Nodes as ingredients are added".to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis::new("", Scale::Named(summary.iter().map(name).collect())),
            y: Axis::new("nodes, geometric mean", Scale::Logarithmic),
            series: vec![Series { name: "nodes".to_owned(), points }],
        }],
    }
}

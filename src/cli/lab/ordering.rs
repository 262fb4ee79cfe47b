//! `kalah lab ordering`.

use std::io::{self, Write};

use clap::Args;
use kalah::lab::{self, OrderingSummary, summarize_ordering};

use super::super::chart::{Axis, Chart, Kind, Panel, Scale, Series};
use super::super::table::{grouped, table};
use super::explained;
use super::middle_games::MiddleGames;
use super::outputs::Outputs;
use super::progress::watched;

/// Add the ingredients of a search one by one: what is each of them worth?
///
/// Middle-game positions, drawn by 8 to 20 random plies, are searched to the same depth by minimax
/// (where that ends), by alpha-beta with moves in random and in static order, then with the
/// table, with dynamic order, with null windows (NegaScout), and with aspiration windows. Nodes
/// are those of all iterations up to the depth. 'First move' is the part of the cut-offs that the
/// first move tried has made.
#[derive(Args)]
pub(super) struct OrderingCommand {
    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 6)]
    seeds: u16,

    /// Plies
    #[arg(long, default_value_t = 8)]
    depth: u32,

    #[command(flatten)]
    middle_games: MiddleGames,

    #[command(flatten)]
    outputs: Outputs,
}

impl OrderingCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let midgame = self.middle_games.of_game(self.seeds);
        let (depth, hash) = (self.depth, self.middle_games.hash());
        let experiment = lab::OrderingExperiment { midgame, depth, hash };
        let rows = watched(|stop, progress| experiment.run(stop, progress));
        let rows = rows.map_err(|error| explained("ordering", error))?;
        let summary = summarize_ordering(&rows);

        let lab::Midgame { houses, seeds, capture, positions, random_seed } = midgame;
        writeln!(
            io::stdout(),
            "{positions} positions of Kalah({houses},{seeds}), {capture} capture, depth {depth}, \
             {hash} MiB, seed {random_seed}\n\n{}",
            comparison(&summary)
        )?;
        files.write("ordering", &experiment, &rows, &summary, || chart(&summary))
    }
}

fn comparison(summary: &[OrderingSummary]) -> comfy_table::Table {
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

fn chart(summary: &[OrderingSummary]) -> Chart {
    let points = (0..).map(f64::from).zip(summary.iter().map(|row| row.geometric_mean)).collect();
    // Short enough to stand beside each other.
    let name = |row: &OrderingSummary| {
        let name = row.ingredient.split(" (").next().unwrap_or_default();
        name.trim_start_matches("alpha-beta, ").to_owned()
    };
    Chart {
        title: "Nodes as ingredients are added".to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis::new("", Scale::Named(summary.iter().map(name).collect())),
            y: Axis::new("nodes, geometric mean", Scale::Logarithmic),
            series: vec![Series { name: "nodes".to_owned(), kind: Kind::Line, points }],
        }],
    }
}

//! `kalah lab chance`.

use std::io::Write;

use crate::{Midgame, MonteCarloExperiment, MonteCarloRow};
use clap::{Args, value_parser};

use super::experiment::{MidgameOptions, OutputOptions, ends, run_experiment};
use kalah_charts::{Chart, Panel, Point, Series};
use kalah_command::table::{grouped, table};

/// Count how often random games find a best move, by the number of games.
///
/// Middle games of a small game are drawn by 8 to 20 random plies, and their best moves are proven
/// by the engine's own search. Then flat Monte Carlo, flat UCB1 and Monte Carlo tree search search
/// them.
///
///   kalah lab chance
///   kalah lab chance --plot chance.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ChanceCommand {
    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 2)]
    seeds: u16,

    /// Random games in each position
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100,1000,10000,100000",
          value_parser = value_parser!(u64).range(1..))]
    iterations: Vec<u64>,

    #[command(flatten)]
    midgame: MidgameOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

impl ChanceCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let (midgame, hash) = (self.midgame.midgame(self.seeds), self.midgame.hash);
        let experiment = MonteCarloExperiment { midgame, iterations: self.iterations, hash };
        let rows = run_experiment("chance", |context| experiment.run(context))?;
        let Midgame { houses, seeds, capture, positions, random_seed } = midgame;
        writeln!(
            files.text(),
            "Best moves found in {positions} positions of Kalah({houses},{seeds}), {capture} \
             capture, seed {random_seed}\n\n{}",
            comparison(&rows)
        )?;
        files.write("chance", &experiment, &rows, &(), || chart(&rows))
    }
}

fn per_cent(row: &MonteCarloRow, count: usize) -> f64 {
    100.0 * count as f64 / row.positions as f64
}

fn comparison(rows: &[MonteCarloRow]) -> comfy_table::Table {
    let rows = rows.iter().map(|row| {
        [
            row.search.to_owned(),
            grouped(row.iterations),
            format!("{:.0} %", per_cent(row, row.best_moves)),
            format!("{:.0} %", per_cent(row, row.proven)),
        ]
    });
    table(["search", "games", "best moves", "proven"], 1, rows)
}

fn chart(rows: &[MonteCarloRow]) -> Chart {
    let series = rows.chunk_by(|a, b| a.search == b.search).map(|rows| {
        let point = |row: &MonteCarloRow| {
            let interval = ends(row.interval()).map(|(low, high)| (100.0 * low, 100.0 * high));
            Point::measured(row.iterations as f64, per_cent(row, row.best_moves), interval)
        };
        Series::line(rows[0].search, rows.iter().map(point))
    });
    let labels = ["random games in a position", "positions with a best move found, %"];
    let panel = Panel::new("", labels, series).with_logarithmic_x();
    Chart::new("Best moves found by random games", [panel])
}

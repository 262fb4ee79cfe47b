//! `kalah lab chance`.

use std::io::{self, Write};

use clap::{Args, value_parser};
use kalah::board::Capture;
use kalah::lab::{self, ChanceRow};

use super::chart::{Axis, Chart, Panel, Scale, Series};
use super::explained;
use super::outputs::Outputs;
use super::progress::watched;
use super::table::{grouped, table};

/// Let random games look for best moves: how often are they found, with how many games?
///
/// Positions of a small game are drawn by 8 to 20 random plies, and their best moves proven by the
/// engine's own search. Then flat Monte Carlo, flat UCB1 and Monte Carlo tree search look for them.
#[derive(Args)]
pub(super) struct Chance {
    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    houses: usize,

    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 2)]
    seeds: u16,

    /// What a last seed captures: standard, or empty (also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard)]
    capture: Capture,

    /// Positions
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u16).range(1..=10_000))]
    positions: u16,

    /// Random games in each position
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100,1000,10000,100000",
          value_parser = value_parser!(u64).range(1..))]
    iterations: Vec<u64>,

    /// Size of table and tree in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = value_parser!(u64).range(1..))]
    hash: u64,

    /// Where positions and games are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    outputs: Outputs,
}

impl Chance {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let Chance { houses, seeds, capture, iterations, hash, seed, .. } = self;
        let positions = usize::from(self.positions);
        let midgame = lab::Midgame { houses, seeds, capture, positions, random_seed: seed };
        let chance = lab::Chance { midgame, iterations, hash: hash as usize };
        let rows = watched(|watch| chance.run(watch));
        let rows = rows.map_err(|error| explained("chance", error))?;
        writeln!(
            io::stdout(),
            "Best moves found in {positions} positions of Kalah({houses},{seeds}), {capture} \
             capture, seed {seed}\n\n{}",
            comparison(&rows)
        )?;
        files.write("chance", &chance, &rows, &(), || chart(&rows))
    }
}

fn per_cent(row: &ChanceRow, count: usize) -> f64 {
    100.0 * count as f64 / row.positions as f64
}

fn comparison(rows: &[ChanceRow]) -> comfy_table::Table {
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

fn chart(rows: &[ChanceRow]) -> Chart {
    let series = rows.chunk_by(|a, b| a.search == b.search).map(|rows| Series {
        name: rows[0].search.to_owned(),
        points: rows
            .iter()
            .map(|row| ((row.iterations as f64).log10(), per_cent(row, row.best_moves)))
            .collect(),
    });
    Chart {
        title: "Best moves found by random games".to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis::new("games, powers of ten", Scale::Linear),
            y: Axis::new("best moves, %", Scale::Linear),
            series: series.collect(),
        }],
    }
}

//! `kalah lab chance`.

use std::io::{self, Write};

use clap::{Args, value_parser};
use kalah::lab::{self, MonteCarloRow};

use super::super::chart::{Axis, Chart, Kind, Panel, Scale, Series};
use super::super::table::{grouped, table};
use super::explained;
use super::middle_games::MiddleGames;
use super::outputs::Outputs;
use super::progress::watched;

/// Let random games look for best moves: how often are they found, with how many games?
///
/// Middle games of a small game are drawn by 8 to 20 random plies, and their best moves proven by the
/// engine's own search. Then flat Monte Carlo, flat UCB1 and Monte Carlo tree search look for them.
#[derive(Args)]
pub(super) struct ChanceCommand {
    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 2)]
    seeds: u16,

    /// Random games in each position
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100,1000,10000,100000",
          value_parser = value_parser!(u64).range(1..))]
    iterations: Vec<u64>,

    #[command(flatten)]
    middle_games: MiddleGames,

    #[command(flatten)]
    outputs: Outputs,
}

impl ChanceCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let midgame = self.middle_games.of_game(self.seeds);
        let hash = self.middle_games.hash();
        let chance = lab::MonteCarloExperiment { midgame, iterations: self.iterations, hash };
        let rows = watched(|stop, progress| chance.run(stop, progress));
        let rows = rows.map_err(|error| explained("chance", error))?;
        let lab::Midgame { houses, seeds, capture, positions, random_seed } = midgame;
        writeln!(
            io::stdout(),
            "Best moves found in {positions} positions of Kalah({houses},{seeds}), {capture} \
             capture, seed {random_seed}\n\n{}",
            comparison(&rows)
        )?;
        files.write("chance", &chance, &rows, &(), || chart(&rows))
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
    let series = rows.chunk_by(|a, b| a.search == b.search).map(|rows| Series {
        name: rows[0].search.to_owned(),
        kind: Kind::Line,
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

//! `kalah lab pearl`.

use std::io::{self, Write};

use clap::{Args, value_parser};
use kalah::lab::{self, PearlRow, SuccessorOrder};

use super::super::chart::{Axis, Chart, Kind, Panel, Scale, Series};
use super::super::table::table;
use super::explained;
use super::outputs::Outputs;
use super::progress::watched;

/// Repeat the table of Pearl's SCOUT paper: SCOUT and alpha-beta on Kalah with a seed a house.
///
/// The paper does not say what it counts. This gives most of its figures to the position, and the
/// others within 2 %: a ply is a whole turn, and what is counted are terminal positions, each time
/// they are inspected. "Random" is then the order of the houses from the left. "Dynamic" sorts by
/// store difference, except for the moves that lead to the full depth; of equal ones MAX takes the
/// rightmost first, MIN the leftmost. Shuffled orders, the mean of many, are ours.
///
/// The paper also remarks that the advantage of SCOUT fades with more seeds: that is what the
/// other starts are for.
#[derive(Args)]
pub(super) struct PearlCommand {
    /// Houses a side, 1 to 12
    #[arg(long, default_value_t = 6)]
    houses: usize,

    /// Seeds in each house
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2,3,4",
          value_parser = value_parser!(u16).range(1..))]
    seeds: Vec<u16>,

    /// Depths in turns
    #[arg(long, value_name = "D,…", value_delimiter = ',', default_value = "2,3,4,5,6")]
    depths: Vec<u32>,

    /// Random orders to take the mean of
    #[arg(long, default_value_t = 20, value_parser = value_parser!(u64).range(1..=100_000))]
    shuffles: u64,

    /// What they are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    outputs: Outputs,
}

/// A figure of the paper's that its own percentage contradicts.
const MISPRINT: u64 = 96;

impl PearlCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let PearlCommand { houses, seeds, depths, shuffles, seed, .. } = self;
        let pearl = lab::PearlExperiment { houses, seeds, depths, shuffles, seed };
        let rows = watched(|stop, progress| pearl.run(stop, progress))
            .map_err(|error| explained("pearl", error))?;

        let mut output = io::stdout();
        writeln!(
            output,
            "Terminal positions inspected in Kalah, {houses} houses; {shuffles} shuffles from seed \
             {seed}"
        )?;
        writeln!(output, "{}", comparison(&rows))?;
        if rows.iter().any(|row| row.published_alpha_beta == Some(MISPRINT)) {
            let note = "the percentage that the paper prints beside it is -1, as 90 would give";
            writeln!(output, "{MISPRINT}: {note}.")?;
        }
        files.write("pearl", &pearl, &rows, &(), || chart(&rows))
    }
}

/// Per cent of alpha-beta's inspections that SCOUT spares.
fn improvement(scout: f64, alpha_beta: f64) -> String {
    format!("{:+.1} %", 100.0 * (1.0 - scout / alpha_beta))
}

fn name(successors: SuccessorOrder) -> &'static str {
    match successors {
        SuccessorOrder::AsTheyCome => "as they come",
        SuccessorOrder::Dynamic => "dynamic",
        SuccessorOrder::Shuffled => "shuffled",
    }
}

fn comparison(rows: &[PearlRow]) -> comfy_table::Table {
    let header = [
        "order",
        "seeds",
        "turns",
        "SCOUT, paper",
        "SCOUT",
        "alpha-beta, paper",
        "alpha-beta",
        "spared, paper",
        "spared",
    ];
    let rows = rows.iter().map(|row| {
        let published = row.published_scout.zip(row.published_alpha_beta);
        let (scout, alpha_beta, spared) = published.map_or_else(Default::default, |(a, b)| {
            (a.to_string(), b.to_string(), improvement(a as f64, b as f64))
        });
        [
            name(row.successors).to_owned(),
            row.seeds.to_string(),
            row.depth.to_string(),
            scout,
            format!("{:.0}", row.scout),
            alpha_beta,
            format!("{:.0}", row.alpha_beta),
            spared,
            improvement(row.scout, row.alpha_beta),
        ]
    });
    table(header, 1, rows)
}

/// What SCOUT spares by depth, a panel an order of moves.
fn chart(rows: &[PearlRow]) -> Chart {
    let panel = |successors| {
        let rows = || rows.iter().filter(move |row| row.successors == successors);
        let mut starts: Vec<u16> = rows().map(|row| row.seeds).collect();
        starts.dedup();
        let ours = starts.into_iter().map(|seeds| Series {
            name: format!("Kalah with {seeds} a house"),
            kind: Kind::Line,
            points: rows()
                .filter(|row| row.seeds == seeds)
                .map(|row| (f64::from(row.depth), 100.0 * (1.0 - row.scout / row.alpha_beta)))
                .collect(),
        });
        let published = rows().filter_map(|row| {
            let (scout, alpha_beta) = row.published_scout.zip(row.published_alpha_beta)?;
            Some((f64::from(row.depth), 100.0 * (1.0 - scout as f64 / alpha_beta as f64)))
        });
        let paper = Series {
            name: "Pearl 1980, 1 a house".to_owned(),
            kind: Kind::Line,
            points: published.collect(),
        };
        Panel {
            title: name(successors).to_owned(),
            x: Axis::new("depth in turns", Scale::Linear),
            y: Axis::new("inspections spared by SCOUT, %", Scale::Linear),
            series: ours.chain((!paper.points.is_empty()).then_some(paper)).collect(),
        }
    };
    Chart {
        title: "SCOUT against alpha-beta".to_owned(),
        panels: [SuccessorOrder::AsTheyCome, SuccessorOrder::Dynamic, SuccessorOrder::Shuffled]
            .map(panel)
            .into(),
    }
}

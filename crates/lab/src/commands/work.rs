//! `kalah lab work`.

use std::io::Write;

use crate::{Midgame, WorkExperiment, WorkFit, WorkSummary, fit_work, summarize_work};
use clap::{Args, value_parser};
use kalah::tablebase::MAX_TABLE_SEEDS;

use super::experiment::{MidgameOptions, OutputOptions, ends, run_experiment};
use kalah_charts::{Chart, Panel, Point, Series};
use kalah_command::table::{grouped, table};

/// Measure the positions that tests of the solver take, beside the number that it expects.
///
/// Middle-game positions, drawn by 8 to 20 random plies, are solved. Then the solver tests, each time
/// from nothing, whether the margin reaches targets up to 8 seeds below and above it. The formula of the
/// expected work is fitted to the tests and printed beside the one in use: if the estimated margin is x seeds
/// above the target, a test takes W positions, W = factor * (those expected at x = 0)^power * e^(-ease |x|),
/// and reaches the target with the probability 1 / (1 + e^(-slope x)).
///
///   kalah lab work
///   kalah lab work --csv work.csv
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct WorkCommand {
    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 4)]
    seeds: u16,

    /// Seeds of the tablebase in which the tests end
    #[arg(long, value_name = "N", default_value_t = 16,
          value_parser = value_parser!(u32).range(0..=i64::from(MAX_TABLE_SEEDS)))]
    table_seeds: u32,

    #[command(flatten)]
    midgame: MidgameOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

impl WorkCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let midgame = self.midgame.midgame(self.seeds);
        let (table_seeds, hash) = (self.table_seeds, self.midgame.hash);
        let experiment = WorkExperiment { midgame, table_seeds, hash };
        let rows = run_experiment("work", |context| experiment.run(context))?;
        let (summary, fits) = (summarize_work(&rows), fit_work(&rows));

        let Midgame { houses, seeds, capture, positions, random_seed } = midgame;
        writeln!(
            files.text(),
            "{positions} positions of Kalah({houses},{seeds}), {capture} capture, tablebase of {table_seeds} \
             seeds, {hash} MiB, seed {random_seed}\n\n{}\n\n{}",
            summary_table(&summary),
            fit_table(&fits),
        )?;
        files.write("work", &experiment, &rows, &(&summary, &fits), || chart(&summary))
    }
}

fn summary_table(summary: &[WorkSummary]) -> comfy_table::Table {
    let header = ["target less margin", "expected, geometric mean", "searched, geometric mean"];
    let rows = summary.iter().map(|&WorkSummary { offset, expected, nodes, .. }| {
        let offset = if offset > 0 { format!("+{offset}") } else { offset.to_string() };
        [offset, grouped(expected.round() as u64), grouped(nodes.round() as u64)]
    });
    table(header, 0, rows)
}

fn fit_table([fitted, in_use]: &[WorkFit; 2]) -> comfy_table::Table {
    let row = |name: &str, WorkFit { factor, power, ease, slope, deviation }: WorkFit| {
        let number = |number: f64| format!("{number:.3}");
        let error = format!("x {:.2}", deviation.exp());
        [name.to_owned(), format!("{factor:.5}"), number(power), number(ease), number(slope), error]
    };
    let header = ["formula", "factor", "power", "ease", "slope", "standard deviation"];
    table(header, 1, [row("in use", *in_use), row("fitted", *fitted)])
}

fn chart(summary: &[WorkSummary]) -> Chart {
    let expected = summary.iter().map(|row| (f64::from(row.offset), row.expected));
    let searched = summary.iter();
    let searched =
        searched.map(|row| Point::measured(f64::from(row.offset), row.nodes, ends(row.interval)));
    let labels = ["target less margin, in seeds", "positions, geometric mean"];
    let series = [Series::line("expected", expected), Series::line("searched", searched)];
    let panel = Panel::new("", labels, series).with_logarithmic_y();
    Chart::new("Work for null-window tests", [panel])
}

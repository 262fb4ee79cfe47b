//! `kalah lab pearl`.

use std::io::Write;

use crate::{PearlExperiment, PearlRow, SuccessorOrder};
use clap::Args;

use super::experiment::{OutputOptions, run_experiment};
use super::screen::{ScreenOptions, ScreenTable};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle};
use kalah_command::table::MISSING;

/// Repeat the table of Pearl's SCOUT paper: SCOUT and alpha-beta on Kalah with one seed a house.
///
/// The paper does not say what it counts. These conventions reproduce most of its figures exactly
/// and the others within 2 %: a ply is a whole turn, and every inspection of a terminal position
/// counts. "Random" is the order of the houses from the left. "Dynamic" sorts by store difference,
/// except for the moves that lead to the full depth; of equal moves MAX tries the rightmost first
/// and MIN the leftmost. The shuffled orders, whose mean is given, are not in the paper.
///
/// The paper also remarks that the advantage of SCOUT fades with more seeds: the other starts test
/// that.
///
///   kalah lab pearl
///   kalah lab pearl --seeds 1 --csv pearl.csv
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct PearlCommand {
    #[command(flatten)]
    experiment: PearlExperiment,

    #[command(flatten)]
    screen: ScreenOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

/// A figure of the paper that its own percentage contradicts.
const MISPRINT: u64 = 96;

impl PearlCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let experiment = self.experiment;
        let rows = run_experiment("pearl", |context| experiment.run(context))?;

        let PearlExperiment { houses, shuffles, seed, .. } = experiment;
        let mut screen = self.screen.screen();
        let title = format!(
            "Terminal positions inspected in Kalah, {houses} houses; {shuffles} shuffles from seed {seed}"
        );
        screen.add_table(title, comparison(&rows));
        if rows.iter().any(|row| row.published_alpha_beta == Some(MISPRINT)) {
            let note =
                format!("{MISPRINT}: the paper's percentage beside it is -1, as 90 would give.");
            screen.add_text(note);
        }
        write!(files.text(), "{screen}")?;
        files.write("pearl", &experiment, &rows, &(), || chart(&rows))
    }
}

/// The percentage of alpha-beta's inspections that SCOUT saves.
fn savings(scout: f64, alpha_beta: f64) -> f64 {
    100.0 * (1.0 - scout / alpha_beta)
}

fn savings_text(scout: f64, alpha_beta: f64) -> String {
    format!("{:+.1} %", savings(scout, alpha_beta))
}

fn name(successors: SuccessorOrder) -> &'static str {
    match successors {
        SuccessorOrder::AsTheyCome => "as they come",
        SuccessorOrder::Dynamic => "dynamic",
        SuccessorOrder::Shuffled => "shuffled",
    }
}

fn comparison(rows: &[PearlRow]) -> ScreenTable {
    let header = [
        "order",
        "seeds",
        "turns",
        "SCOUT, paper",
        "SCOUT",
        "alpha-beta, paper",
        "alpha-beta",
        "saved, paper",
        "saved",
    ];
    let group = rows.chunk_by(|a, b| a.seeds == b.seeds).next().map_or(1, <[_]>::len);
    let rows = rows.iter().map(|row| {
        let published = row.published_scout.zip(row.published_alpha_beta);
        let (scout, alpha_beta, saved) = match published {
            Some((a, b)) => (a.to_string(), b.to_string(), savings_text(a as f64, b as f64)),
            None => (MISSING.to_owned(), MISSING.to_owned(), MISSING.to_owned()),
        };
        [
            name(row.successors).to_owned(),
            row.seeds.to_string(),
            row.depth.to_string(),
            scout,
            format!("{:.0}", row.scout),
            alpha_beta,
            format!("{:.0}", row.alpha_beta),
            saved,
            savings_text(row.scout, row.alpha_beta),
        ]
    });
    ScreenTable::new(header, 1, rows, group)
}

/// Savings of SCOUT by depth, a panel for each move order.
fn chart(rows: &[PearlRow]) -> Chart {
    let panel = |successors| {
        let rows = || rows.iter().filter(move |row| row.successors == successors);
        let mut starts: Vec<u16> = rows().map(|row| row.seeds).collect();
        starts.dedup();
        let depths = || rows().map(|row| f64::from(row.depth));
        let ends = depths().reduce(f64::min).zip(depths().reduce(f64::max));
        let even = ends.map(|(first, last)| [(first, 0.0), (last, 0.0)]);
        let even = Series::new(
            "as many as alpha-beta",
            SeriesStyle::Reference,
            even.into_iter().flatten(),
        );
        let series = starts.into_iter().flat_map(|seeds| {
            let rows = || rows().filter(move |row| row.seeds == seeds);
            let name = format!("{seeds} {} a house", if seeds == 1 { "seed" } else { "seeds" });
            let published = rows().filter_map(|row| {
                let (scout, alpha_beta) = row.published_scout.zip(row.published_alpha_beta)?;
                Some((f64::from(row.depth), savings(scout as f64, alpha_beta as f64)))
            });
            let paper =
                Series::new("1 seed a house, Pearl 1980", SeriesStyle::Published, published);
            let paper = (!paper.points.is_empty()).then_some(paper);
            [Series::line(name, rows().map(point))].into_iter().chain(paper)
        });
        let labels = ["depth in turns", "inspections saved by SCOUT, %"];
        Panel::new(format!("turns {}", name(successors)), labels, series.chain([even]))
    };
    let orders = [SuccessorOrder::AsTheyCome, SuccessorOrder::Dynamic, SuccessorOrder::Shuffled];
    Chart::new("SCOUT against alpha-beta", orders.map(panel))
}

fn point(row: &PearlRow) -> Point {
    let saved = savings(row.scout, row.alpha_beta);
    // A high ratio is a low saving.
    let ends = row.ratio_high.zip(row.ratio_low);
    let interval = ends.map(|(high, low)| (savings(high, 1.0), savings(low, 1.0)));
    Point::measured(f64::from(row.depth), saved, interval)
}

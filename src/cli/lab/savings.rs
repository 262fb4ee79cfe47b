//! `kalah lab savings`.

use std::io::Write;

use clap::Args;
use kalah::lab::{SavingsBreakdown, SavingsExperiment, SavingsSummary};

use super::super::chart::{Chart, Panel, Series};
use super::super::table::{change, flexible_table, grouped, table};
use super::experiment::{MidgameOptions, OutputOptions, run_experiment};

/// Measure the nodes that NegaScout and other searches save over alpha-beta on Kalah.
///
/// Middle-game positions, drawn by 8 to 20 random plies, and the start are searched by iterative
/// deepening with transposition table and dynamic move order. The nodes of all iterations up to a
/// depth are compared with those of alpha-beta on the same position; the table shows medians over
/// the middle-game positions. In chess engines NegaScout is said to save about 10 % (the
/// encyclopaedia article on NegaScout).
///
/// The median over 50 positions of Kalah(6,6) at depth 12 alone:
///
///   kalah lab savings --seeds 6 --depths 12 --positions 50
///   kalah lab savings --plot savings.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SavingsCommand {
    /// Seeds in each house at the start; a game each
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "4,5,6")]
    seeds: Vec<u16>,

    /// Plies
    #[arg(long, value_name = "L,…", value_delimiter = ',', default_value = "6,8,10,12,14")]
    depths: Vec<u32>,

    #[command(flatten)]
    midgame: MidgameOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

impl SavingsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let experiment = SavingsExperiment {
            games: self.seeds.iter().map(|&seeds| self.midgame.midgame(seeds)).collect(),
            depths: self.depths,
            hash: self.midgame.hash,
        };
        let rows = run_experiment("savings", |context| experiment.run(context))?;
        let summary = experiment.summarize(&rows);

        let mut output = files.text();
        let MidgameOptions { houses, capture, positions, hash, seed } = self.midgame;
        writeln!(
            output,
            "{positions} positions of each game, {capture} capture, {hash} MiB, seed {seed}: \
             median nodes of alpha-beta, and the median differences of the others\n\n{}",
            comparison(houses, &summary)
        )?;
        writeln!(
            output,
            "\nNodes at the greatest depth, medians: leaf evaluations, re-searches (those of the \
             root included), cutoffs by the table\n\n{}",
            breakdown(houses, &experiment.breakdown(&rows))
        )?;
        files.write("savings", &experiment, &rows, &summary, || chart(houses, &summary).svg())
    }
}

/// Whether two rows are of the same game and depth.
fn is_same_size(a: &SavingsSummary, b: &SavingsSummary) -> bool {
    (a.seeds, a.depth) == (b.seeds, b.depth)
}

fn comparison(houses: usize, summary: &[SavingsSummary]) -> comfy_table::Table {
    let of_first_size = summary.chunk_by(is_same_size).next().unwrap_or_default();
    let searches = of_first_size.iter().skip(1).map(|row| row.search);
    let header = ["game", "depth", "positions", "alphabeta"].into_iter().chain(searches);
    let mut header: Vec<String> = header.map(str::to_owned).collect();
    header.insert(5, "published (chess)".to_owned());
    let rows = summary.chunk_by(is_same_size).map(|size| {
        let mut cells = vec![
            format!("Kalah({houses},{})", size[0].seeds),
            size[0].depth.to_string(),
            size[0].positions.to_string(),
            grouped(size[0].nodes.round() as u64),
        ];
        cells.extend(size[1..].iter().map(|row| change(1.0, row.median_ratio)));
        cells.insert(5, "-10 %".to_owned());
        cells
    });
    flexible_table(header, 1, rows)
}

fn breakdown(houses: usize, rows: &[SavingsBreakdown]) -> comfy_table::Table {
    let header = ["game", "search", "nodes", "leaves", "re-searches", "table"];
    let rows = rows.iter().map(|row| {
        let number = |count: f64| grouped(count.round() as u64);
        [
            format!("Kalah({houses},{})", row.seeds),
            row.search.to_owned(),
            number(row.nodes),
            number(row.leaves),
            number(row.researches),
            number(row.table_hits),
        ]
    });
    table(header, 2, rows)
}

/// Median ratios by depth, a panel for each game.
fn chart(houses: usize, summary: &[SavingsSummary]) -> Chart {
    let panel = |game: &[SavingsSummary]| {
        let mut searches: Vec<&str> = game.iter().map(|row| row.search).collect();
        // Every depth has the same searches.
        searches.truncate(game.chunk_by(is_same_size).next().map_or(0, <[_]>::len));
        let series = searches.into_iter().map(|search| {
            let rows = game.iter().filter(|row| row.search == search);
            Series::line(search, rows.map(|row| (f64::from(row.depth), row.median_ratio)))
        });
        let title = format!("Kalah({houses},{})", game[0].seeds);
        Panel::new(title, ["depth", "nodes, alpha-beta = 1"], series)
    };
    let panels = summary.chunk_by(|a, b| a.seeds == b.seeds).map(panel);
    Chart::new("Median nodes against alpha-beta", panels)
}
